/// Processes an asset between reading and writing, with one function for the command, the Assimp loaders and
/// loadFile(). Also loads a file in one call.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../binding/bind_plan.h"
#include "../core/files.h"
#include "../core/reduce.h"
#include "cast.h"
#include "settings.h"

namespace reanima {

/// The result of Settings::reduce for several clips. The mean covers all their frames.
struct ClipsReduction : core::Reduction {
    std::string worstClip;   ///< empty: the error is 0
    std::string worstJoint;  ///< Reduction::where

    /// One line for a terminal.
    [[nodiscard]] std::string toLine() const;
};

/// The report of applySettings().
struct PipelineReport {
    std::vector<std::string> unusedNames;     ///< unmatched lines of Settings::names, as `clip 77`
    std::optional<BindReport> binding;        ///< if clips were bound to Settings::rig
    std::optional<ClipsReduction> reduction;  ///< if keys were removed
    double height = 1;  ///< metres, of the meshes at rest without weapons. If there are no meshes, of the joints. 1 for
                        ///< videos
};

/// The reference pose, for formats that store motion relative to one.
struct StandingPose {
    core::Pose pose;                      ///< one transform per joint, of which only the rotation is used
    std::optional<std::uint32_t> hips{};  ///< none if unknown
};

struct FinishedAsset {
    core::Asset asset;
    PipelineReport report;
    /// Only set for Settings::Body::tPose. The T-pose if joint roles are known and the settings contain no rest pose,
    /// otherwise the rest pose.
    std::optional<StandingPose> standing{};
};

/// Applies the settings to an asset, in this order: rest pose, names of joints and clips, selection of clips, names by
/// template, binding to the rig, keys at another rate, root motion, fewer keys, loop keys, interpolation, end joints.
/// Settings for reading and writing are ignored.
/// @param input the first input of the asset, with its companions
/// @param context has the options that the input was read with
/// @throws core::DecodeError that names the input; of the kind `option` if the asset lacks something that the settings
/// need, `limit` if they exceed the limits
[[nodiscard]] FinishedAsset applySettings(core::Asset asset, const Settings& settings, const Input& input,
                                          const Companions& companions, Context& context);

struct LoadedFile : FinishedAsset {
    core::Diagnostics diagnostics;  ///< warnings and notes
};

/// Reads a file with the companions beside it, and applies the settings.
/// @param path a file or ARCHIVE:ENTRY; paths in the settings may be either, too
/// @param readRig reads a Settings::skeleton from another program, such as gltf::readRigFile
/// @param readMotion reads a file of another program, such as gltf::readMotionFile; not needed for BVH
/// @param settings copied if needed later; may be destroyed after the call
/// @param files contain the file, its companions and those of the settings: the disk, core::MemoryFiles, or a program's
/// own
/// @throws core::DecodeError if the file can't be read, or the settings are wrong (of the kind `option`)
[[nodiscard]] LoadedFile loadFile(const std::filesystem::path& path, const Settings& settings = {},
                                  const RigReader& readRig = {}, const MotionReader& readMotion = {},
                                  std::shared_ptr<const core::Files> files = core::diskFiles());

/// Reads a single file in memory, and applies the settings. No other files are beside it. To load meshes and textures
/// from other files, use loadFile() with core::MemoryFiles.
/// @param name helps to recognise the format if the content is ambiguous, and names clips; empty: `unnamed`
/// @param given the companions of the file
[[nodiscard]] LoadedFile loadBytes(core::ByteVector bytes, const std::string& name, const Settings& settings = {},
                                   const Companions& given = {});

/// Opens a file or ARCHIVE:ENTRY. Its siblings are the files of its folder, or the archive's entries.
/// @throws core::DecodeError if it can't be read or is larger than Limits::fileSize
[[nodiscard]] Input openInput(const std::filesystem::path& path, const core::Limits& limits = {});

/// Access for setSetting() to the file system and the archives in it.
[[nodiscard]] SettingFiles folderAccess(const core::Limits& limits = {});

}  // namespace reanima
