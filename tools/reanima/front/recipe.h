/// How outputs are made: what a command line or a job file says, and the files that it names.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "binding.h"
#include "options.h"

namespace reanima::tool {

/// What the bytes of an output depend on, besides the inputs: as written, since the files that settings name are read
/// later.
struct ConversionOptions {
    InputOptions input;
    std::vector<std::string> models;      ///< ids; empty: all. Each has an output of its own, which depends on no other
    std::vector<std::string> animations;  ///< files and patterns: further inputs of every output
    std::string as;                       ///< what --as says of outputs; empty: their names do
    std::string form = "glb";             ///< of the outputs: see outputFormOf()
    std::map<std::string, std::vector<std::string>, std::less<>> settings;  ///< texts by key, in the order given

    [[nodiscard]] bool has(std::string_view key) const;
    /// Forgets all that was said. Arguments that were declared to be stored here can be parsed again.
    void clear();
};

void addConversionOptions(Arguments& arguments, ConversionOptions& options);

/// Some settings, by their keys.
void addSettings(Arguments& arguments, std::span<const std::string_view> keys,
                 std::map<std::string, std::vector<std::string>, std::less<>>& texts);

/// Sets what was given of them.
/// @throws core::DecodeError, also for files that they name
void applySettingTexts(const std::map<std::string, std::vector<std::string>, std::less<>>& texts,
                       const SettingFiles& files, Settings& settings);

/// --as
void addOutputForm(Arguments& arguments, ConversionOptions& options);

/// Options, and the files that they name, read once for all inputs. Threads share it.
class Recipe {
  public:
    enum class Outputs {
        one,  ///< the rig's own file is kept, if it has a mesh and nothing else is said
        several,
    };

    /// @throws core::DecodeError, UsageError
    explicit Recipe(ConversionOptions conversionOptions, Outputs outputs = Outputs::several);

    /// What the user named, as it is for inputs of that format.
    [[nodiscard]] Companions companionsFor(const Format& format) const { return cast_.companionsFor(format); }

    /// @throws UsageError if -s is missing, and an option that only counts where clips are bound is there
    void refuseWithoutRig() const;

    /// True if outputs are the rig's file with animations.
    [[nodiscard]] bool keepsMesh() const { return settings.keepMesh == true; }
    /// True if the mesh of the rig is left out because outputs are several, and nobody said so.
    [[nodiscard]] bool leavesMesh() const { return leavesMesh_; }
    /// True if outputs are an avatar, a .vrm, with animations.
    [[nodiscard]] bool keepsAvatar() const { return keepsMesh() && target_ && !target_->rig->roles.empty(); }
    /// True if outputs can keep what is in the file that -s names.
    [[nodiscard]] bool hasRigFile() const { return target_ && !target_->file.bytes.empty(); }

    /// The skeleton that clips of a format are bound to (Cast::rigFor()); null if they stay on their own.
    /// @throws core::DecodeError, UsageError
    [[nodiscard]] const Target* targetFor(const Format& format) const;

    /// The settings for inputs of a format: with the rig that their clips are bound to.
    /// @throws core::DecodeError, UsageError
    [[nodiscard]] Settings settingsFor(const Format& format) const;

    ConversionOptions options;
    Settings settings;                         ///< without a rig
    std::vector<std::filesystem::path> files;  ///< all that were read
    std::string contentKey;                    ///< of the options and the files' content

  private:
    /// True if an output may have the meshes of its rig, and nobody said whether it has.
    [[nodiscard]] bool mayKeepMesh() const;
    void readRig(Input input, Outputs outputs);
    void refuseRest() const;
    void refuseForForm() const;

    Cast cast_;
    bool leavesMesh_ = false;
    std::optional<Target> target_;  ///< of -s, for inputs of every game
    mutable std::mutex otherGameMutex_;
    mutable std::optional<Target> otherGame_;    ///< what -s names, for inputs of other games, once it is needed
    mutable std::exception_ptr otherGameError_;  ///< why it can't be read
};

}  // namespace reanima::tool
