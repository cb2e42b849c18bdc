/// One output and what it is made from.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/character_files.h"
#include "tools/reanima/front/recipe.h"
#include "tools/reanima/system/failure.h"
#include "tools/reanima/system/files.h"

namespace reanima::tool {

/// A file that an output is made from, or a part of it.
struct JobInput {
    std::filesystem::path path;
    const Format* format = nullptr;        ///< if known already
    std::string model{};                   ///< id of the requested model, if a file may contain several
    std::shared_ptr<HeldFile> held{};      ///< the file itself, if it can't be read again
    bool mustFit = false;                  ///< it is left out if it moves another skeleton than the inputs before it
    std::optional<FoundAnimation> link{};  ///< for inputs that the user did not name; they have no report
    std::string readFrom{};    ///< its actual path, also for an entry that was named differently; empty: not known yet
    std::string pose{};        ///< of a skeleton: the file whose first frame is its rest pose; empty: found by its name
    bool mayBeLinked = false;  ///< of a skeleton: the game lists its animations in a file that is missing
    std::string linkedBy{};    ///< of a skeleton: the file that lists its animations; empty if there is none
    bool isCopy = false;       ///< its model is that of an earlier input, which may lack some of its clips
};

/// One output and what it is made from.
struct Job {
    std::vector<JobInput> inputs{};
    std::filesystem::path output{};          ///< `-` is standard output
    std::shared_ptr<const Recipe> recipe{};  ///< null if there is a failure
    std::optional<Failure> failure{};        ///< why nothing can be made, if known while planning
    bool needsFitting = false;               ///< at least one of the animations that may be left out must fit
    std::size_t ofOthers = 0;  ///< number of animations found by patterns that belong to other characters by name
    /// Every clip gets its own file, named after `output` and the clip: see clipOutputs().
    bool isPerClip = false;
    /// Animations of a folder share an output, which is named after the skeleton that they find.
    bool isGroup = false;
};

}  // namespace reanima::tool
