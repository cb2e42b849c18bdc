#include "gltf_export/joint_node.h"

#include "core/text.h"
#include "gltf_export/extras.h"

namespace reanima::gltf {

namespace {

core::Properties extrasOf(const core::Joint& joint, std::size_t index) {
    core::Properties extras = {{"index", static_cast<std::uint32_t>(index)}};
    if (joint.id)
        extras.emplace_back("id", *joint.id);
    extras.insert(extras.end(), joint.extras.begin(), joint.extras.end());
    return extras;
}

}  // namespace

tinygltf::Node nodeOf(const core::Joint& joint, std::size_t index, const GltfOptions& options) {
    tinygltf::Node node;
    node.name = core::validUtf8(joint.name);
    const core::Transform& rest = joint.rest;
    if (rest.translation != glm::vec3(0))
        node.translation = {rest.translation.x, rest.translation.y, rest.translation.z};
    if (rest.rotation != glm::quat(1, 0, 0, 0))
        node.rotation = {rest.rotation.x, rest.rotation.y, rest.rotation.z, rest.rotation.w};
    if (rest.scale != glm::vec3(1))
        node.scale = {rest.scale.x, rest.scale.y, rest.scale.z};
    if (!options.compact)
        node.extras_json_string = jsonOf(extrasOf(joint, index));
    return node;
}

}  // namespace reanima::gltf
