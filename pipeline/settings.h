/// What a user may ask for between reading a file and writing it, and the one list of it: flags of the command,
/// properties of the Assimp loaders, keys of job files, environment variables and documentation come from there.
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

/// Where the files are that settings name.
struct SettingFiles {
    std::shared_ptr<const core::Files> files{};  ///< null: a setting that names a file is an error
    core::Limits limits{};
    std::string from{};  ///< the file that states the settings, from which relative paths are seen; may be empty
    const Format* format = nullptr;  ///< of files with clips; null: it is found out

    /// A file, with what lies beside it. @throws core::DecodeError if it can't be read
    [[nodiscard]] Input read(const std::string& path) const;
    /// The same; nothing if there is no such file.
    [[nodiscard]] std::optional<Input> readIfThere(const std::string& path) const;
};

struct RestPose {
    enum class Source {
        standard,  ///< the skeleton's own; else the first frame of its own pack, else of the first clip
        zero,      ///< all rotations are the identity
        skeleton,  ///< the skeleton's own
        match,     ///< turned to the rest pose of the rig that it is bound to
        clip,      ///< a frame of a clip
    };

    Source source = Source::standard;
    std::optional<Input> file{};  ///< that the clip is in; none: the asset itself
    std::string clip{};           ///< its name or index; empty: the first
    std::uint32_t frame = 0;
    core::OptionHint saidBy{};  ///< the setting and its text, for messages
};

/// Files that a user names besides the inputs. Empty: looked for beside each input. See Cast.
struct NamedPaths {
    std::string skeleton;        ///< the game's own, or one that clips are bound to
    std::string sourceSkeleton;  ///< the game's own, if `skeleton` is another
    std::string events;
    std::string materials;
    std::string skin;
    std::vector<std::string> textures;  ///< files, folders and archives, in this order
};

/// The paths are for hosts that read files: loadBytes() and applySettings() do not look at them.
struct Settings : NamedPaths {
    // -- Reading ------------------------------------------------------------------------------------------------------
    OptionValues options;  ///< of the formats: `model`, `lit`, ...; the next four take precedence over their keys in it
    std::optional<double> rate;           ///< frames per second, 0.001 to 1000; unset: the game's
    std::optional<double> scale;          ///< metres per unit of the game; unset: the format's own
    std::optional<std::string> weapon;    ///< the number of a weapon, `all` or `none`; unset: as the game's file says
    std::optional<std::uint32_t> joints;  ///< number of bones, instead of what the file or a skeleton states
    core::Limits limits;

    // -- What it is called, and which part of it is wanted ------------------------------------------------------------
    Names names;
    std::vector<std::string> clips;  ///< indices, ranges `A-B` or names; empty: all
    std::string nameTemplate;        ///< of clips: {stem} {index} {index:03} {id} {name}; empty: as they are

    // -- Pose and binding ---------------------------------------------------------------------------------------------
    RestPose rest;                         ///< without a rig
    std::shared_ptr<const core::Rig> rig;  ///< the skeleton of another program that clips are put on
    JointMap map;                          ///< which joint is which
    RestPose mapRest;                      ///< JointMap::sourceRest
    std::optional<motion::BindMode> mode;  ///< unset: as the map says, else world
    RestPose sourceRest;  ///< how the source stands where the rig rests; standard: as the map says, else match;
                          ///< in local mode its own, if it has one
    roles::Grip grip = roles::Grip::automatic;
    bool plantFeet = false;           ///< feet stay where they stand; see binding::plantFeet()
    std::optional<double> feetSlide;  ///< feet that stand slide at most so many times as fast as the source's, if some
                                      ///< planting can do that; unset: as they come
    std::optional<double> rootScale;  ///< of lengths, source to rig; unset: as the map says, else by the legs, else by
                                      ///< the heights of both roots

    std::optional<double> rigScale;  ///< of all lengths of the rig, which may be in centimetres

    // -- Motion -------------------------------------------------------------------------------------------------------
    std::optional<core::RootMotion> rootMotion;  ///< unset: as the map says, else keep
    std::optional<double> resample;              ///< keys per second
    std::optional<double> reduce;                ///< millimetres that a joint may be off where keys are left out
    bool loopKeyOnAll = false;
    std::vector<std::string> loopKeyOn;  ///< names or indices of clips
    core::Interpolation interpolation = core::Interpolation::linear;

    // -- What is written ----------------------------------------------------------------------------------------------
    bool endJoints = false;
    bool proxyMesh = false;
    bool compact = false;
    bool withMesh = false;         ///< the game's meshes go to the rig, too
    std::optional<bool> keepMesh;  ///< unset: the host decides

    /// What the joints are made for; the host decides.
    enum class Body {
        asset,     ///< as they are
        tPose,     ///< the same, and their T-pose is looked for: FinishedAsset::standing
        humanoid,  ///< those of a humanoid in its T-pose, called as VRM does; what is none is refused
    };
    Body body = Body::asset;
};

/// A setting: what it is called, what it means, and how it is read from a text.
struct SettingInfo {
    OptionInfo option;
    std::string_view heading{};     ///< of its group in a help text; may be empty
    bool isRepeatable = false;      ///< later ones add to earlier ones
    bool hasOptionalValue = false;  ///< an empty text stands for a setting without one
    bool namesFile = false;         ///< the text is a path, or may begin with one
    bool needsRig = false;          ///< means nothing where clips are not bound
    /// @throws core::DecodeError of the kind `option`, or about the file that the text names
    void (*set)(Settings& settings, const OptionInfo& option, const std::string& text,
                const SettingFiles& files) = nullptr;
    /// The value, for keys that tell whether an output has to be made again; empty: the default. What files hold is
    /// not in it.
    std::string (*text)(const Settings& settings) = nullptr;
};

/// Every setting, in the order of documentation. Options of the formats are listed by formatOptions().
[[nodiscard]] std::span<const SettingInfo> settingInfos();

/// The setting of that key, or null.
[[nodiscard]] const SettingInfo* findSetting(std::string_view key);

/// Sets what `key` names: a setting, an option of a format, or a limit.
/// @param text as a user writes it; of a flag `1` or `0`
/// @param files for settings that name some
/// @throws core::DecodeError of the kind `option` for an unknown key or a value that is wrong
void setSetting(Settings& settings, std::string_view key, const std::string& text, const SettingFiles& files = {});

/// The options of the formats: Settings::options with the members that stand for some of them.
/// @throws core::DecodeError of the kind `option` for a member whose value is wrong
[[nodiscard]] OptionValues optionsOf(const Settings& settings);

/// @throws core::DecodeError of the kind `option` for a key that no format has, or a value that is wrong
void refuseUnknownOptions(const OptionValues& options);

/// @throws core::DecodeError of the kind `option` for settings that exclude each other
void refuseContradictions(const Settings& settings);

/// @throws core::DecodeError of the kind `option` for the first setting that needs a rig, where none is named
void refuseWithoutRig(const Settings& settings);

/// All settings that are not at their default, as one text. See SettingInfo::text.
[[nodiscard]] std::string textOf(const Settings& settings);

}  // namespace reanima
