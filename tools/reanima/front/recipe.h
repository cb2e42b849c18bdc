/// How to make outputs: the options of a command line or job file, and the files that they name.
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
#include "output_form.h"

namespace reanima::tool {

/// Everything that an output depends on besides the inputs, as written. Files named by settings are read later.
struct ConversionOptions {
    InputOptions input;
    std::vector<std::string> models;           ///< ids; empty: all. Each has a separate output
    std::vector<std::string> animations;       ///< files and patterns: further inputs of all outputs
    std::string as;                            ///< value of --as; empty: by the outputs' names
    const OutputForm* form = &outputFormOf();  ///< form of the outputs
    std::map<std::string, std::vector<std::string>, std::less<>> settings;  ///< texts by key, in the given order

    [[nodiscard]] bool has(std::string_view key) const;
    /// Resets all options. Their arguments can then be parsed again.
    void clear();
};

void addConversionOptions(Arguments& arguments, ConversionOptions& options);

/// Adds settings with these keys.
void addSettings(Arguments& arguments, std::span<const std::string_view> keys,
                 std::map<std::string, std::vector<std::string>, std::less<>>& texts);

/// Applies the settings that were given.
/// @throws core::DecodeError, also for files named by settings
void applySettingTexts(const std::map<std::string, std::vector<std::string>, std::less<>>& texts,
                       const SettingFiles& files, Settings& settings);

/// Adds --as.
void addOutputForm(Arguments& arguments, ConversionOptions& options);

/// Options and the files named by them, read once for all inputs. Threads share it.
class Recipe {
  public:
    enum class Outputs {
        one,    ///< the rig's own file is kept if it contains a mesh and no option prevents this
        drawn,  ///< pictures of the rig are drawn
        several,
    };

    /// @throws core::DecodeError, UsageError
    explicit Recipe(ConversionOptions conversionOptions, Outputs outputs = Outputs::several);

    /// The companions named by options, for inputs of this format.
    [[nodiscard]] Companions companionsFor(const Format& format) const { return cast_.companionsFor(format); }

    /// @throws UsageError if an option that needs a binding is given without -s
    void refuseWithoutRig() const;

    /// True if outputs are the rig's file with animations.
    [[nodiscard]] bool keepsMesh() const { return settings.keepMesh == true; }
    /// True if the mesh of the rig is left out by default because there are several outputs.
    [[nodiscard]] bool leavesMesh() const { return leavesMesh_; }
    /// True if outputs are an avatar, a .vrm, with animations.
    [[nodiscard]] bool keepsAvatar() const { return keepsMesh() && target_ && !target_->rig->roles.empty(); }
    /// The path of the file that clips are bound to, as the user wrote it. Empty without such a file.
    [[nodiscard]] std::string rigPath() const { return target_ ? target_->path : std::string(); }
    /// True if outputs can keep the content of the file named by -s.
    [[nodiscard]] bool hasRigFile() const { return target_ && !target_->file.bytes.empty(); }

    /// The skeleton that clips of a format are bound to (Cast::rigFor()). Null if they keep their own.
    /// @throws core::DecodeError, UsageError
    [[nodiscard]] const Target* targetFor(const Format& format) const;

    /// The settings for inputs of a format, including their rig.
    /// @throws core::DecodeError, UsageError
    [[nodiscard]] Settings settingsFor(const Format& format) const;

    ConversionOptions options;
    Settings settings;                         ///< without a rig
    std::vector<std::filesystem::path> files;  ///< all files that were read
    std::string contentKey;                    ///< key of the options and the files' content

  private:
    /// True if an output may contain the meshes of its rig, and no option states whether it should.
    [[nodiscard]] bool mayKeepMesh() const;
    void readRig(Input input, Outputs outputs);
    void refuseRest() const;
    void refuseForForm() const;

    Cast cast_;
    bool leavesMesh_ = false;
    std::optional<Target> target_;  ///< the file named by -s, for inputs of all games
    mutable std::mutex otherGameMutex_;
    mutable std::optional<Target> otherGame_;    ///< the file named by -s, for inputs of other games, read on demand
    mutable std::exception_ptr otherGameError_;  ///< the reason if it can't be read
};

}  // namespace reanima::tool
