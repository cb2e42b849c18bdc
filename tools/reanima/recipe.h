/// How outputs are made: what a command line or a job file says, and the files that it names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "../../importers/naming.h"
#include "binding.h"
#include "options.h"

namespace reanima::tool {

/// What the bytes of an output depend on, besides the inputs.
struct ConversionOptions {
    InputOptions input;
    std::vector<std::string> clips;
    std::string namesFile;
    std::string nameTemplate;
    std::string rest;
    std::string interpolation = "linear";
    std::vector<std::string> loopKey;
    bool loopKeySet = false;
    bool proxyMesh = false;
    bool endJoints = false;
    MotionOptions motion;
};

void addConversionOptions(Arguments& arguments, ConversionOptions& options);

/// Options, and the files that they name, read once for all inputs. Threads share it.
struct Recipe {
    /// @throws core::DecodeError, UsageError
    explicit Recipe(ConversionOptions conversionOptions);

    ConversionOptions options;
    Companions given;
    Names names;
    JointMap map;
    std::optional<Target> target;              ///< where clips are bound to a skeleton that is not the game's own
    std::vector<std::filesystem::path> files;  ///< all that were read
    core::Diagnostics diagnostics;             ///< about the target
    std::string contentKey;                    ///< of the options and the files' content
};

}  // namespace reanima::tool
