/// What happens to an asset between reading and writing: one function, which the command, the Assimp loaders and
/// loadFile() call; and the way from a file to an asset in one call.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "../binding/bind_plan.h"
#include "../core/reduce.h"
#include "cast.h"
#include "settings.h"

namespace reanima {

/// What Settings::reduce did to several clips. The mean is over all their frames.
struct ClipsReduction : core::Reduction {
    std::string worstClip;   ///< empty: nothing is off
    std::string worstJoint;  ///< Reduction::where

    /// For a terminal.
    [[nodiscard]] std::string toLine() const;
};

/// What became of an asset on its way.
struct PipelineReport {
    std::vector<std::string> unusedNames;     ///< lines of Settings::names that name nothing in it, as `clip 77`
    std::optional<BindReport> binding;        ///< if clips were bound to Settings::rig
    std::optional<ClipsReduction> reduction;  ///< if keys were left out
    double height = 1;  ///< in metres: of the meshes at rest, without weapons, or else of the joints; 1 for pictures
};

/// How joints stand that a format states their motion against.
struct StandingPose {
    core::Pose pose;                      ///< one transform per joint, of which the rotations count
    std::optional<std::uint32_t> hips{};  ///< none: it is not known which joint that is
};

struct FinishedAsset {
    core::Asset asset;
    PipelineReport report;
    /// With Settings::Body::tPose, of the asset's skeleton: its T-pose, where it is known which joints are which and
    /// the settings state no rest pose; else its rest pose.
    std::optional<StandingPose> standing{};
};

/// Takes an asset through the settings, in this order: rest pose, names of joints and clips, selection of clips, names
/// by template, binding to the rig, keys at another rate, root motion, fewer keys, loop keys, interpolation, end
/// joints. Settings about reading and writing are not looked at.
/// @param input the first input that the asset comes from, with its companions
/// @param context its options are the ones that the input was read with
/// @throws core::DecodeError that names the input; of the kind `option` where the settings ask for what the asset has
/// not, `limit` where they ask for more than the limits allow
[[nodiscard]] FinishedAsset applySettings(core::Asset asset, const Settings& settings, const Input& input,
                                          const Companions& companions, Context& context);

struct LoadedFile : FinishedAsset {
    core::Diagnostics diagnostics;  ///< what was doubtful
};

/// Reads a file with its companions, which are looked for beside it, and takes it through the settings.
/// @param path of a file, or ARCHIVE:ENTRY; so are the paths in the settings
/// @param readRig for a Settings::skeleton that another program wrote, such as gltf::readRigFile
/// @param readMotion for a file of another program, such as gltf::readMotionFile; BVH needs none
/// @param settings copied where it is needed later; the object may go
/// @throws core::DecodeError if the file can't be read, or the settings are wrong (of the kind `option`)
[[nodiscard]] LoadedFile loadFile(const std::filesystem::path& path, const Settings& settings = {},
                                  const RigReader& readRig = {}, const MotionReader& readMotion = {});

/// The same for a file in memory.
/// @param name tells the format where the content does not, and names clips; empty: `unnamed`
/// @param given its companions
[[nodiscard]] LoadedFile loadBytes(core::ByteVector bytes, const std::string& name, const Settings& settings = {},
                                   const Companions& given = {});

/// A file of the file system, with the files of its folder as siblings; or ARCHIVE:ENTRY, with the archive's entries.
/// @throws core::DecodeError if it can't be read or is larger than Limits::fileSize
[[nodiscard]] Input openInput(const std::filesystem::path& path, const core::Limits& limits = {});

/// The file system and the archives in it, for setSetting().
[[nodiscard]] SettingFiles folderAccess(const core::Limits& limits = {});

}  // namespace reanima
