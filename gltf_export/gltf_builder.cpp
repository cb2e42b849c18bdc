#include "gltf_export/gltf_builder.h"

#include <limits>
#include <stdexcept>

#include "core/validate.h"
#include "gltf_export/flipbook_builder.h"
#include "gltf_export/rig_builder.h"

namespace reanima::gltf {

tinygltf::Model buildModel(const core::Asset& asset, const GltfOptions& options) {
    const bool isRig = asset.skeletons.size() == 1 && !asset.skeletons.front().joints.empty() && asset.images.empty();
    const bool isFlipbook = asset.skeletons.empty() && asset.images.size() == 1;
    if (!isRig && !isFlipbook)
        throw std::invalid_argument(
            "a glTF file of this writer has one skeleton with joints, or one sequence of pictures");
    const std::vector<std::string> problems = core::validate(asset);
    if (!problems.empty())
        throw std::invalid_argument("the asset is not valid: " + problems.front());
    tinygltf::Model model = isRig ? buildRig(asset, options) : buildFlipbook(asset.images.front(), options);
    model.asset.version = "2.0";
    model.asset.generator = "reanima " REANIMA_VERSION;
    model.defaultScene = 0;
    if (model.buffers.front().data.size() > std::numeric_limits<std::uint32_t>::max() / 2)
        throw std::invalid_argument("the file would have more than 2 GiB: convert fewer clips at once");
    return model;
}

}  // namespace reanima::gltf
