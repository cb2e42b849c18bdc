/// Processes an asset between reading and writing: one function for the command, the Assimp loaders and loadFile().
/// Also loads a file in one call.
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

/// The result of Settings::reduce for several clips. The mean is over all their frames.
struct ClipsReduction : core::Reduction {
    std::string worstClip;   ///< empty: no error
    std::string worstJoint;  ///< Reduction::where

    /// For a terminal.
    [[nodiscard]] std::string toLine() const;
};

/// The report of applySettings().
struct PipelineReport {
    std::vector<std::string> unusedNames;     ///< lines of Settings::names that match nothing, as `clip 77`
    std::optional<BindReport> binding;        ///< if clips were bound to Settings::rig
    std::optional<ClipsReduction> reduction;  ///< if keys were removed
    double height = 1;  ///< in metres: of the meshes at rest, without weapons, or else of the joints; 1 for videos
};

/// The reference pose of formats that store motion relative to one.
struct StandingPose {
    core::Pose pose;                      ///< one transform per joint, of which only the rotations are used
    std::optional<std::uint32_t> hips{};  ///< none if unknown
};

struct FinishedAsset {
    core::Asset asset;
    PipelineReport report;
    /// With Settings::Body::tPose, of the asset's skeleton: its T-pose if joint roles are known and the settings have
    /// no rest pose; else its rest pose.
    std::optional<StandingPose> standing{};
};

/// Takes an asset through the settings, in this order: rest pose, names of joints and clips, selection of clips, names
/// by template, binding to the rig, keys at another rate, root motion, fewer keys, loop keys, interpolation, end
/// joints. Settings about reading and writing are ignored.
/// @param input the first input that the asset comes from, with its companions
/// @param context with the options used for reading the input
/// @throws core::DecodeError that names the input; of the kind `option` if the settings request something that the
/// asset lacks, `limit` if they exceed the limits
[[nodiscard]] FinishedAsset applySettings(core::Asset asset, const Settings& settings, const Input& input,
                                          const Companions& companions, Context& context);

struct LoadedFile : FinishedAsset {
    core::Diagnostics diagnostics;  ///< warnings and notes
};

/// Reads a file with its companions beside it, and applies the settings.
/// @param path of a file, or ARCHIVE:ENTRY, as are the paths in the settings
/// @param readRig for a Settings::skeleton that another program wrote, such as gltf::readRigFile
/// @param readMotion for a file of another program, such as gltf::readMotionFile; BVH needs none
/// @param settings copied if needed later; need not outlive the call
/// @throws core::DecodeError if the file can't be read, or the settings are wrong (of the kind `option`)
[[nodiscard]] LoadedFile loadFile(const std::filesystem::path& path, const Settings& settings = {},
                                  const RigReader& readRig = {}, const MotionReader& readMotion = {});

/// The same for a file in memory.
/// @param name used for the format if the content is ambiguous, and for names of clips; empty: `unnamed`
/// @param given its companions
[[nodiscard]] LoadedFile loadBytes(core::ByteVector bytes, const std::string& name, const Settings& settings = {},
                                   const Companions& given = {});

/// A file of the file system, with the files of its folder as siblings; or ARCHIVE:ENTRY, with the archive's entries.
/// @throws core::DecodeError if it can't be read or is larger than Limits::fileSize
[[nodiscard]] Input openInput(const std::filesystem::path& path, const core::Limits& limits = {});

/// The file system and the archives in it, for setSetting().
[[nodiscard]] SettingFiles folderAccess(const core::Limits& limits = {});

}  // namespace reanima
