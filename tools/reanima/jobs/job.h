/// One output and its inputs.
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

/// A file, or a part of a file, that an output is made from.
struct JobInput {
    std::filesystem::path path;
    const Format* format = nullptr;        ///< if known already
    std::string model{};                   ///< id of the requested model, if a file may contain several
    std::shared_ptr<HeldFile> held{};      ///< the content, if it can't be read again
    bool mustFit = false;                  ///< left out if its skeleton differs from that of earlier inputs
    std::optional<FoundAnimation> link{};  ///< for animations that the user did not name; they are not reported
    std::string readFrom{};    ///< its actual path, even if the user named the entry differently; empty: not known yet
    std::string pose{};        ///< for a skeleton: the file whose first frame is its rest pose; empty: found by name
    bool mayBeLinked = false;  ///< for a skeleton: the game lists its animations in a file that is missing
    std::string linkedBy{};    ///< for a skeleton: the file that lists its animations; may be empty
    bool isCopy = false;       ///< an earlier input has the same model, but may lack some of its clips
};

/// An output and its inputs.
struct Job {
    std::vector<JobInput> inputs{};
    std::filesystem::path output{};          ///< `-` is standard output
    std::shared_ptr<const Recipe> recipe{};  ///< null if there is a failure
    std::optional<Failure> failure{};        ///< the reason why nothing can be made, if planning found one
    bool needsFitting = false;               ///< animations that do not fit may be left out, but at least one must fit
    std::size_t ofOthers = 0;  ///< number of animations, found by patterns, whose names belong to other characters
    /// Every clip gets its own file, named after `output` and the clip: see clipOutputs().
    bool isPerClip = false;
    /// Animations of a folder share an output. It is named after their skeleton.
    bool isGroup = false;
};

}  // namespace reanima::tool
