/// All settings between reading a file and writing it. This list generates the flags of the command, properties of the
/// Assimp loaders, keys of job files, environment variables and documentation.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../binding/motion/bind.h"
#include "../binding/roles/grip.h"
#include "../binding/roles/joint_map.h"
#include "../core/clip.h"
#include "../core/limits.h"
#include "../core/rig.h"
#include "../formats/input.h"
#include "../formats/naming.h"
#include "../formats/options.h"

namespace reanima {

/// Access to files that settings name.
struct SettingFiles {
    std::shared_ptr<const core::Files> files{};  ///< null: a setting that names a file is an error
    core::Limits limits{};
    std::string from{};              ///< the file with the settings, for relative paths; may be empty
    const Format* format = nullptr;  ///< format of files with clips; null: recognised

    /// A file with its siblings. @throws core::DecodeError if it can't be read
    [[nodiscard]] Input read(const std::string& path) const;
    /// A file with its siblings. Empty if it does not exist.
    [[nodiscard]] std::optional<Input> readIfThere(const std::string& path) const;
};

struct RestPose {
    enum class Source {
        standard,  ///< the skeleton's own; otherwise the first frame of its pack; without a pack, of the first clip
        zero,      ///< all rotations are the identity
        skeleton,  ///< the skeleton's own
        match,     ///< computed by turning the joints to the rest pose of the rig
        clip,      ///< a frame of a clip
    };

    Source source = Source::standard;
    std::optional<Input> file{};  ///< file of the clip; none: the asset itself
    std::string clip{};           ///< name or index; empty: the first clip
    std::uint32_t frame = 0;
    core::OptionHint saidBy{};  ///< the setting and its text, for messages
};

/// Files that a user names besides the inputs. Without them, files are looked for beside each input. See Cast.
struct NamedPaths {
    std::string skeleton;        ///< the game's own, or a rig that clips are bound to
    std::string sourceSkeleton;  ///< the game's own, if `skeleton` is a rig
    std::string events;
    std::string materials;
    std::string skin;
    std::vector<std::string> textures;  ///< files, folders and archives, in the user's order
};

/// The paths are for hosts that read files. loadBytes() and applySettings() ignore them.
struct Settings : NamedPaths {
    // -- Reading ------------------------------------------------------------------------------------------------------
    OptionValues options;               ///< of the formats: `model`, `lit`, ...; the next four members take precedence
    std::optional<double> rate;         ///< frames per second, 0.001 to 1000; unset: the game's
    std::optional<double> scale;        ///< metres per unit of the game; unset: the format's own
    std::optional<std::string> weapon;  ///< the number of a weapon, `all` or `none`; unset: as in the game's file
    std::optional<std::uint32_t> joints;  ///< number of bones, overrides the file or a skeleton
    core::Limits limits;

    // -- Names and selection -----------------------------------------------------------------------------------------
    Names names;
    std::vector<std::string> clips;  ///< indices, ranges `A-B` or names; empty: all
    std::string nameTemplate;        ///< template for clip names: {stem} {index} {index:03} {id} {name}; empty:
                                     ///< unchanged

    // -- Pose and binding ---------------------------------------------------------------------------------------------
    RestPose rest;                         ///< for clips on their own skeleton
    std::shared_ptr<const core::Rig> rig;  ///< another program's skeleton that clips are bound to
    JointMap map;                          ///< which joint of the rig follows which joint of the source
    RestPose mapRest;                      ///< JointMap::sourceRest
    std::optional<motion::BindMode> mode;  ///< unset: from the map, otherwise world
    RestPose sourceRest;  ///< source pose that matches the rig's rest pose; standard: the map's, otherwise match (in
                          ///< local mode the stored pose, if any)
    roles::Grip grip = roles::Grip::automatic;
    bool plantFeet = false;           ///< keeps standing feet in place; see binding::plantFeet()
    std::optional<double> feetSlide;  ///< limit for foot sliding, relative to the source's, as far as planting can
                                      ///< reach it; unset: no limit
    std::optional<double> rootScale;  ///< factor for lengths, source to rig; unset: from the map, else by the legs,
                                      ///< else by the heights of both roots

    std::optional<double> rigScale;  ///< factor for all lengths of the rig, which may be in centimetres

    // -- Motion -------------------------------------------------------------------------------------------------------
    std::optional<core::RootMotion> rootMotion;  ///< unset: from the map, otherwise keep
    std::optional<double> resample;              ///< keys per second
    std::optional<double> reduce;                ///< allowed joint error in millimetres, for removing keys
    bool loopKeyOnAll = false;
    std::vector<std::string> loopKeyOn;  ///< names or indices of clips
    core::Interpolation interpolation = core::Interpolation::linear;

    // -- What is written ----------------------------------------------------------------------------------------------
    bool endJoints = false;
    bool proxyMesh = false;
    bool compact = false;
    bool withMesh = false;         ///< also bind the game's meshes to the rig
    std::optional<bool> keepMesh;  ///< unset: the host decides

    /// The required form of the joints; the host decides.
    enum class Body {
        asset,     ///< unchanged
        tPose,     ///< unchanged joints, with their T-pose in FinishedAsset::standing
        humanoid,  ///< a humanoid in its T-pose with VRM's names; other bodies are rejected
    };
    Body body = Body::asset;
};

/// A setting: its name, meaning, and parser.
struct SettingInfo {
    OptionInfo option;
    std::string_view heading{};     ///< heading of its group in a help text; may be empty
    bool isRepeatable = false;      ///< later values are added to earlier ones
    bool hasOptionalValue = false;  ///< an empty text means no value
    bool namesFile = false;         ///< the text is a path, or may begin with a path
    bool needsRig = false;          ///< has no effect unless clips are bound
    /// @throws core::DecodeError of the kind `option`, or about the file that the text names
    void (*set)(Settings& settings, const OptionInfo& option, const std::string& text,
                const SettingFiles& files) = nullptr;
    /// The value as text, for keys that decide whether an output is up to date. Empty: the default. The content of
    /// files is not included.
    std::string (*text)(const Settings& settings) = nullptr;
};

/// All settings, in the order of the documentation. formatOptions() lists the options of the formats.
[[nodiscard]] std::span<const SettingInfo> settingInfos();

/// The setting with this key, or null.
[[nodiscard]] const SettingInfo* findSetting(std::string_view key);

/// Sets a setting, an option of a format, or a limit by its key.
/// @param text as the user wrote it; `1` or `0` for a flag
/// @param files access to files that settings name
/// @throws core::DecodeError of the kind `option` for an unknown key or a wrong value
void setSetting(Settings& settings, std::string_view key, const std::string& text, const SettingFiles& files = {});

/// The options of the formats: Settings::options, and the members that override some of them.
/// @throws core::DecodeError of the kind `option` for a member with a wrong value
[[nodiscard]] OptionValues optionsOf(const Settings& settings);

/// @throws core::DecodeError of the kind `option` for a key that no format knows, or a wrong value
void refuseUnknownOptions(const OptionValues& options);

/// @throws core::DecodeError of the kind `option` for a number outside its range, and for settings that exclude each
/// other
void refuseWrongSettings(const Settings& settings);

/// @throws core::DecodeError of the kind `option` for the first setting that needs a rig, if no rig is set
void refuseWithoutRig(const Settings& settings);

/// All settings that differ from their default, as one text. See SettingInfo::text.
[[nodiscard]] std::string textOf(const Settings& settings);

}  // namespace reanima
