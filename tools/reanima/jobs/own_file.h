/// Outputs that are an existing file with clips: a rig's file, or the input's own one.
#pragma once

#include <optional>

#include "gltf_export/gltf_file.h"
#include "gltf_export/gltf_skeleton.h"
#include "job.h"
#include "job_sources.h"

namespace reanima::tool {

/// Whose file an output keeps.
enum class Whose { rigs, inputs };

/// The file of a job's only input, if the output keeps it: a glTF file with meshes whose clips stay on its joints.
/// @param diagnostics gets a warning if meshes are lost
/// @throws core::DecodeError
[[nodiscard]] std::optional<Target> ownFile(const Recipe& recipe, const Source& source, const core::Asset& asset,
                                            const core::Limits& limits, core::Diagnostics& diagnostics,
                                            gltf::Looks looks);

/// The output of a job as a kept file with clips. If no option may have changed the input's clips, its animations stay
/// as they are, including what is not read of them.
/// @throws as fileOnRig() does
[[nodiscard]] gltf::GltfFile keptFile(const Job& job, const Target& kept, Whose whose, const core::Asset& asset,
                                      gltf::GltfOptions options, const core::Limits& limits,
                                      core::Diagnostics& diagnostics);

/// @throws UsageError for an avatar, if the output does not keep the input's file
void refuseAvatar(const Job& job);

}  // namespace reanima::tool
