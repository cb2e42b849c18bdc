/// Binding to foreign skeletons: its options, and what is done between loading and writing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "../../core/reduce.h"
#include "../../core/rig.h"
#include "../../gltf_export/gltf_document.h"
#include "../../importers/bind_plan.h"
#include "options.h"

namespace reanima::tool {

/// Options of the motion: what it is bound to, and its keys.
struct MotionOptions {
    std::vector<std::string> maps;
    std::string mode;        ///< empty: as the map says, else world
    std::string sourceRest;  ///< empty: as the map says, else the source's own rest pose, else match
    std::optional<double> rootScale;
    bool keepMesh = false;
    std::string rootMotion;          ///< empty: as the map says, else keep
    std::optional<double> resample;  ///< keys a second
    std::optional<double> reduce;    ///< millimetres
};

void addMotionOptions(Arguments& arguments, MotionOptions& options);

/// As a part of what outputs depend on.
[[nodiscard]] std::string asText(const MotionOptions& options);

/// The skeleton that clips are bound to, and the file that it comes from.
struct Target {
    core::Rig rig;
    File file;  ///< its bytes only if the clips are written into it
    std::string path;
    bool isGltf = false;
    std::vector<File> beside;  ///< what is used of the same folder: a pack for the rest pose; buffers, and pictures
    core::Diagnostics diagnostics;
};

/// The target's file for gltf_export; it finds what is in Target::beside.
[[nodiscard]] gltf::GltfInput asGltfInput(const Target& target);

/// True if -s names a file of no format of ours: a rig that some other program wrote.
[[nodiscard]] bool isForeign(const Input& skeleton);

/// @param input what -s names
/// @param keepMesh of a glTF file: the pictures will be written, too; else the file's bytes are not kept
/// @throws core::DecodeError
[[nodiscard]] Target readTarget(const InputOptions& options, Input input, bool keepMesh);

/// The files that --map names, as one. @throws core::DecodeError
[[nodiscard]] JointMap mergedMap(const std::vector<File>& files, const std::vector<std::string>& paths);

/// Options that only count where clips are bound. @throws UsageError if one is given and -s is not
void refuseWithoutRig(const InputOptions& input, const MotionOptions& motion);

/// Puts the clips on the target's skeleton. The asset's skeleton stands at its rest pose, or as --source-rest says.
/// @throws core::DecodeError, also if both the asset and what becomes of it are above the limit of memory
/// @param settings the mapping, whether the source is turned to the target's rest pose, and the command for messages
[[nodiscard]] core::Asset bindTo(const Target& target, core::Asset asset, const MotionOptions& options,
                                 BindSettings settings, const core::Limits& limits, BindReport& report,
                                 core::Diagnostics& diagnostics);

/// What --reduce did to several clips. The mean is over all their frames.
struct ClipsReduction : core::Reduction {
    std::string worstClip;   ///< empty: nothing is off
    std::string worstJoint;  ///< Reduction::where

    /// For a terminal.
    [[nodiscard]] std::string toLine() const;
};

/// --resample, --root-motion and --reduce on every clip.
/// @throws core::DecodeError if the keys of --resample exceed the limits
/// @return what --reduce did to all of them, if it was asked for and there are any
[[nodiscard]] std::optional<ClipsReduction> changeMotion(core::Asset& asset, const MotionOptions& options,
                                                         const core::Limits& limits, const JointMap& map);

}  // namespace reanima::tool
