#include "gltf_export/gltf_builder.h"

#include <limits>
#include <stdexcept>

#include "core/validate.h"
#include "gltf_export/flipbook_builder.h"
#include "gltf_export/rig_builder.h"

namespace reanima::gltf {

GltfParts buildGltf(const core::Asset& asset, const GltfOptions& options, const std::string& bufferName,
                    const core::Limits& limits) {
    const bool isRig = !asset.video && (asset.skeleton ? !asset.skeleton->joints.empty() : !asset.meshes.empty());
    const bool isFlipbook = !asset.skeleton && asset.video;
    if (!isRig && !isFlipbook)
        throw std::invalid_argument(
            "a glTF file needs exactly one of these: a skeleton with joints, meshes without a skeleton, or a video");
    const std::vector<std::string> problems = core::validate(asset);
    if (!problems.empty())
        throw std::invalid_argument("the asset is not valid: " + problems.front());
    GltfParts parts = isRig ? buildRig(asset, options, bufferName, limits)
                            : buildFlipbook(*asset.video, options, percentEncoded(bufferName), limits);
    requireReadableSize(parts.data.size());
    return parts;
}

void requireReadableSize(std::uint64_t bufferBytes) {
    if (bufferBytes > std::numeric_limits<std::int32_t>::max())
        throw std::invalid_argument("the file would have more than 2 GiB. Convert fewer clips at once");
}

}  // namespace reanima::gltf
