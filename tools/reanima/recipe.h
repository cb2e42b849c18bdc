/// How outputs are made: what a command line or a job file says, and the files that it names.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "../../importers/naming.h"
#include "binding.h"
#include "options.h"

namespace reanima::tool {

/// What the bytes of an output depend on, besides the inputs.
struct ConversionOptions {
    InputOptions input;
    std::vector<std::string> models;  ///< ids; empty: all. Each has an output of its own, which depends on no other
    std::vector<std::string> clips;
    std::string namesFile;
    std::string nameTemplate;
    std::string rest;
    std::string interpolation = "linear";
    std::vector<std::string> loopKey;
    bool loopKeySet = false;
    bool proxyMesh = false;
    bool endJoints = false;
    bool compact = false;
    MotionOptions motion;
};

void addConversionOptions(Arguments& arguments, ConversionOptions& options);

/// Options, and the files that they name, read once for all inputs. Threads share it.
class Recipe {
  public:
    /// @throws core::DecodeError, UsageError
    explicit Recipe(ConversionOptions conversionOptions);

    /// What the user named for inputs of that format: a skeleton only if it is of the same game.
    [[nodiscard]] Companions givenFor(const Format& format) const;

    /// True if -s names a .glb or .gltf: outputs can keep all that is in it.
    [[nodiscard]] bool hasGltfRig() const { return target_ && target_->isGltf; }

    /// The skeleton that clips of a format are bound to; null if they stay on their own. It is what -s names where that
    /// is the rig of some other program, a skeleton of another game, or not the one that --source-skeleton names.
    /// @throws core::DecodeError, UsageError
    [[nodiscard]] const Target* targetFor(const Format& format) const;

    ConversionOptions options;
    Names names;
    JointMap map;
    std::string sourceRest;                    ///< as the options say, else as the map does
    std::vector<std::filesystem::path> files;  ///< all that were read
    std::string contentKey;                    ///< of the options and the files' content

  private:
    /// False if inputs of that format have joints, but none of the skeleton that -s names.
    [[nodiscard]] bool isOwnGame(const Format& format) const;
    void refuseRest() const;

    Companions given_;
    std::optional<Target> target_;  ///< for inputs of every game
    mutable std::mutex otherGameMutex_;
    mutable std::optional<Target> otherGame_;  ///< the skeleton in given_, for inputs of other games, once it is needed
    mutable std::exception_ptr otherGameError_;  ///< why it can't be read
};

}  // namespace reanima::tool
