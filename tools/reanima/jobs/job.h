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
    const Format* format = nullptr;        ///< if it is known already
    std::string model{};                   ///< id of the model that is wanted, where a file may hold several
    std::shared_ptr<HeldFile> held{};      ///< the file itself, if it can't be read again
    bool mustFit = false;                  ///< it is left out where it moves another skeleton than the inputs before it
    std::optional<FoundAnimation> link{};  ///< of what the user did not name: it has no report of its own
    std::string readFrom{};    ///< where it lies, of an entry that was named otherwise, too; empty: not known yet
    std::string pose{};        ///< of a skeleton: the file whose first frame is its rest pose; empty: found by its name
    bool mayBeLinked = false;  ///< of a skeleton: the game says what its animations are, in a file that is not there
    std::string linkedBy{};    ///< of a skeleton: the file that says what its animations are; empty: there is none
};

/// One output and what it is made from.
struct Job {
    std::vector<JobInput> inputs{};
    std::filesystem::path output{};          ///< `-` is standard output
    std::shared_ptr<const Recipe> recipe{};  ///< null if there is a failure
    std::optional<Failure> failure{};        ///< why nothing can be made; known while planning
    bool needsFitting = false;               ///< of the animations that may be left out, one has to fit
    std::size_t ofOthers = 0;                ///< animations that patterns found and that are other characters' by name
    /// Every clip has a file of its own, which is called after `output` and the clip: see clipOutputs().
    bool isPerClip = false;
    /// Animations of a folder that share an output, which is called after the skeleton that they find.
    bool isGroup = false;
};

}  // namespace reanima::tool
