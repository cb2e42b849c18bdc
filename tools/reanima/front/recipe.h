/// How outputs are made: the options of a command line or job file, and the files that they name.
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

/// Everything an output depends on besides the inputs, as written; files that settings name are read later.
struct ConversionOptions {
    InputOptions input;
    std::vector<std::string> models;      ///< ids; empty: all. Each has a separate output, independent of the others
    std::vector<std::string> animations;  ///< files and patterns: further inputs of every output
    std::string as;                       ///< value of --as; empty: by the outputs' names
    const OutputForm* form = &outputFormOf();                               ///< of the outputs
    std::map<std::string, std::vector<std::string>, std::less<>> settings;  ///< texts by key, in the order given

    [[nodiscard]] bool has(std::string_view key) const;
    /// Resets all options. Arguments that are stored here can then be parsed again.
    void clear();
};

void addConversionOptions(Arguments& arguments, ConversionOptions& options);

/// Some settings, by their keys.
void addSettings(Arguments& arguments, std::span<const std::string_view> keys,
                 std::map<std::string, std::vector<std::string>, std::less<>>& texts);

/// Applies the given ones.
/// @throws core::DecodeError, also for files that they name
void applySettingTexts(const std::map<std::string, std::vector<std::string>, std::less<>>& texts,
                       const SettingFiles& files, Settings& settings);

/// --as
void addOutputForm(Arguments& arguments, ConversionOptions& options);

/// Options, and the files that they name, read once for all inputs. Threads share it.
class Recipe {
  public:
    enum class Outputs {
        one,    ///< the rig's own file is kept, if it has a mesh and no option changes that
        drawn,  ///< pictures of the rig
        several,
    };

    /// @throws core::DecodeError, UsageError
    explicit Recipe(ConversionOptions conversionOptions, Outputs outputs = Outputs::several);

    /// The named files for inputs of that format.
    [[nodiscard]] Companions companionsFor(const Format& format) const { return cast_.companionsFor(format); }

    /// @throws UsageError if an option that needs a binding is given without -s
    void refuseWithoutRig() const;

    /// True if outputs are the rig's file with animations.
    [[nodiscard]] bool keepsMesh() const { return settings.keepMesh == true; }
    /// True if the mesh of the rig is left out by default because there are several outputs.
    [[nodiscard]] bool leavesMesh() const { return leavesMesh_; }
    /// True if outputs are an avatar, a .vrm, with animations.
    [[nodiscard]] bool keepsAvatar() const { return keepsMesh() && target_ && !target_->rig->roles.empty(); }
    /// The file that clips are bound to, as named; empty if there is none.
    [[nodiscard]] std::string rigPath() const { return target_ ? target_->path : std::string(); }
    /// True if outputs can keep the content of the file named by -s.
    [[nodiscard]] bool hasRigFile() const { return target_ && !target_->file.bytes.empty(); }

    /// The skeleton that clips of a format are bound to (Cast::rigFor()); null if they keep their own.
    /// @throws core::DecodeError, UsageError
    [[nodiscard]] const Target* targetFor(const Format& format) const;

    /// The settings for inputs of a format: with the rig that their clips are bound to.
    /// @throws core::DecodeError, UsageError
    [[nodiscard]] Settings settingsFor(const Format& format) const;

    ConversionOptions options;
    Settings settings;                         ///< without a rig
    std::vector<std::filesystem::path> files;  ///< all files that were read
    std::string contentKey;                    ///< of the options and the files' content

  private:
    /// True if an output may have the meshes of its rig and no option decides it.
    [[nodiscard]] bool mayKeepMesh() const;
    void readRig(Input input, Outputs outputs);
    void refuseRest() const;
    void refuseForForm() const;

    Cast cast_;
    bool leavesMesh_ = false;
    std::optional<Target> target_;  ///< of -s, for inputs of every game
    mutable std::mutex otherGameMutex_;
    mutable std::optional<Target> otherGame_;    ///< the file named by -s, for inputs of other games, read on demand
    mutable std::exception_ptr otherGameError_;  ///< why it can't be read
};

}  // namespace reanima::tool
