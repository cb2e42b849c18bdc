#include "gltf_export/mesh_builder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/text.h"
#include "gltf_export/extras.h"
#include "gltf_export/model_text.h"

namespace reanima::gltf {

namespace {

constexpr const char* kUnlit = "KHR_materials_unlit";

const char* nameOf(core::AlphaMode mode) {
    switch (mode) {
        case core::AlphaMode::mask:
            return "MASK";
        case core::AlphaMode::blend:
            return "BLEND";
        default:
            return "OPAQUE";
    }
}

/// Converts numbers from 0 to 1 to 16-bit integers.
std::vector<std::array<std::uint16_t, 4>> normalized(const std::vector<glm::vec4>& colors) {
    constexpr float kWhole = std::numeric_limits<std::uint16_t>::max();
    std::vector<std::array<std::uint16_t, 4>> values;
    values.reserve(colors.size());
    for (const glm::vec4& color : colors) {
        std::array<std::uint16_t, 4>& value = values.emplace_back();
        for (int i = 0; i < 4; ++i)
            value.at(static_cast<std::size_t>(i)) = static_cast<std::uint16_t>(std::lround(color[i] * kWhole));
    }
    return values;
}

constexpr std::uint16_t kWholeWeight = std::numeric_limits<std::uint16_t>::max();

/// The joints of a vertex. Joints whose weight is 0 in 16 bits are left out, as glTF requires.
struct Followed {
    std::array<std::uint16_t, 4> joints{};
    std::array<std::uint16_t, 4> weights{};
};

std::vector<Followed> followedOf(const core::Primitive& primitive) {
    std::vector<Followed> all;
    all.reserve(primitive.joints.size());
    for (std::size_t vertex = 0; vertex < primitive.joints.size(); ++vertex) {
        Followed& followed = all.emplace_back();
        std::size_t count = 0;
        const auto add = [&](std::uint32_t joint, std::uint16_t weight) {
            if (weight == 0)
                return;
            followed.joints.at(count) = static_cast<std::uint16_t>(joint);
            followed.weights.at(count++) = weight;
        };
        std::uint16_t left = kWholeWeight;
        std::array<std::uint16_t, core::kMostOthers> others{};
        for (std::size_t i = 0; i < others.size(); ++i) {
            const long share = std::lround(primitive.others[vertex].at(i).weight * float{kWholeWeight});
            left -= others.at(i) = static_cast<std::uint16_t>(std::min(share, long{left}));
        }
        add(primitive.joints[vertex], left);
        for (std::size_t i = 0; i < others.size(); ++i)
            add(primitive.others[vertex].at(i).joint, others.at(i));
    }
    return all;
}

template <typename Index>
std::vector<std::array<Index, 4>> jointsOf(const std::vector<Followed>& all) {
    std::vector<std::array<Index, 4>> values;
    values.reserve(all.size());
    for (const Followed& followed : all) {
        std::array<Index, 4>& value = values.emplace_back();
        std::ranges::transform(followed.joints, value.begin(), [](std::uint16_t joint) { return Index(joint); });
    }
    return values;
}

/// Adds one joint per vertex, with the whole weight.
template <typename Index>
std::vector<std::array<Index, 4>> fourJoints(const std::vector<std::uint32_t>& joints) {
    std::vector<std::array<Index, 4>> values;
    values.reserve(joints.size());
    for (const std::uint32_t joint : joints)
        values.push_back({static_cast<Index>(joint), 0, 0, 0});
    return values;
}

template <typename To>
std::vector<To> narrowed(const std::vector<std::uint32_t>& values) {
    std::vector<To> result;
    result.reserve(values.size());
    for (const std::uint32_t value : values)
        result.push_back(static_cast<To>(value));
    return result;
}

}  // namespace

std::vector<std::string> imageFileNames(const core::Asset& asset, std::string_view bufferName) {
    core::UniqueNames names;
    std::vector<std::string> files;
    for (const core::Image& image : asset.images)
        files.push_back(names.unique(fmt::format("{}_{}", core::stemOf(bufferName), core::safeName(image.name))) +
                        ".png");
    return files;
}

void MeshBuilder::add(const core::Asset& asset) {
    for (const core::Material& material : asset.materials)
        addMaterial(material);
    const core::RestBaker rest(asset);
    const core::RestBaker baker = asset.skeleton ? rest.bound(*asset.skeleton) : rest;
    std::vector<bool> splits(asset.materials.size());
    for (const core::Mesh& mesh : asset.meshes)
        for (const core::Primitive& primitive : mesh.primitives)
            if (!primitive.emissiveCoordinates.empty())
                splits[primitive.material] = true;
    for (std::size_t i = 0; i < splits.size(); ++i)
        if (splits[i])
            model_.materials[model_.materials.size() - splits.size() + i].emissiveTexture.texCoord = 1;
    for (const core::Mesh& mesh : asset.meshes)
        addMesh(mesh, baker);
}

void MeshBuilder::addImages(const core::Asset& asset, std::vector<core::ByteVector> pngs) {
    const std::vector<std::string> names = imageFileNames(asset, bufferName_);
    for (std::size_t i = 0; i < pngs.size(); ++i)
        addImage(asset.images[i], std::move(pngs[i]), bufferName_.empty() ? "" : names[i]);
}

void MeshBuilder::requireMemory(std::uint64_t more) const {
    core::requireMemory(buffer_.memory() + more, limits_, {"the meshes of the glTF file", std::nullopt});
}

void MeshBuilder::addImage(const core::Image& image, core::ByteVector png, std::string fileName) {
    tinygltf::Image& added = model_.images.emplace_back();
    added.name = core::validUtf8(image.name);
    added.mimeType = "image/png";
    if (fileName.empty()) {
        added.bufferView = buffer_.addView(png);
        return;
    }
    added.uri = percentEncoded(fileName);
    added.extras_json_string = jsonOf({{"hash", bufferHash(png)}});
    images_.push_back({std::move(fileName), std::move(png)});
}

void MeshBuilder::addMaterial(const core::Material& material) {
    tinygltf::Material added;
    added.name = core::validUtf8(material.name);
    added.pbrMetallicRoughness.metallicFactor = 0;
    if (material.image)
        added.pbrMetallicRoughness.baseColorTexture.index =
            textureOf(*material.image, {material.filter, material.wrap});
    if (material.factor != glm::vec4(1))
        added.pbrMetallicRoughness.baseColorFactor = {material.factor.r, material.factor.g, material.factor.b,
                                                      material.factor.a};
    if (material.emissive) {
        added.emissiveTexture.index = textureOf(*material.emissive, {material.filter, material.emissiveWrap});
        added.emissiveFactor = {1, 1, 1};
    }
    added.alphaMode = nameOf(material.alphaMode);
    if (material.alphaMode == core::AlphaMode::mask)
        added.alphaCutoff = static_cast<double>(material.alphaCutoff);
    added.doubleSided = material.doubleSided;
    if (material.unlit) {
        added.extensions[kUnlit] = tinygltf::Value(tinygltf::Value::Object());
        if (model_.extensionsUsed.empty())
            model_.extensionsUsed.emplace_back(kUnlit);
    }
    if (!material.extras.empty() && !options_.compact)
        added.extras_json_string = jsonOf(material.extras);
    model_.materials.push_back(std::move(added));
}

int MeshBuilder::textureOf(std::uint32_t imageIndex, const SamplerKey& key) {
    const auto [filter, wrap] = key;
    const auto [sampler, isNewSampler] = samplers_.try_emplace(key, static_cast<int>(model_.samplers.size()));
    if (isNewSampler) {
        tinygltf::Sampler& added = model_.samplers.emplace_back();
        added.magFilter =
            filter == core::Filter::nearest ? TINYGLTF_TEXTURE_FILTER_NEAREST : TINYGLTF_TEXTURE_FILTER_LINEAR;
        added.minFilter =
            filter == core::Filter::mipmapped ? TINYGLTF_TEXTURE_FILTER_LINEAR_MIPMAP_LINEAR : added.magFilter;
        added.wrapS = added.wrapT =
            wrap == core::Wrap::repeat ? TINYGLTF_TEXTURE_WRAP_REPEAT : TINYGLTF_TEXTURE_WRAP_CLAMP_TO_EDGE;
    }
    const int image = static_cast<int>(imageIndex);
    const auto [texture, isNew] =
        textures_.try_emplace({image, sampler->second}, static_cast<int>(model_.textures.size()));
    if (isNew) {
        tinygltf::Texture& added = model_.textures.emplace_back();
        added.source = image;
        added.sampler = sampler->second;
    }
    return texture->second;
}

void MeshBuilder::addMesh(const core::Mesh& mesh, const core::RestBaker& baker) {
    tinygltf::Mesh& added = model_.meshes.emplace_back();
    added.name = core::validUtf8(mesh.name);
    if (!mesh.extras.empty() && !options_.compact)
        added.extras_json_string = jsonOf(mesh.extras);
    for (const core::Primitive& primitive : mesh.primitives)
        added.primitives.push_back(makePrimitive(primitive, baker));
}

tinygltf::Primitive MeshBuilder::makePrimitive(const core::Primitive& primitive, const core::RestBaker& baker) {
    constexpr std::uint64_t kMostPerVertex = 12 + 12 + 8 + 8 + 8 + 8 + 8;
    requireMemory(2 * (primitive.positions.size() * kMostPerVertex + primitive.indices.size() * sizeof(std::uint32_t)));
    tinygltf::Primitive added;
    added.mode = TINYGLTF_MODE_TRIANGLES;
    added.material = static_cast<int>(primitive.material);
    const auto addVertices = [&](const char* name, const ElementType& element, const auto& values) {
        if (!values.empty())
            added.attributes[name] = buffer_.addVertexData(element, values, TINYGLTF_TARGET_ARRAY_BUFFER);
    };
    const std::vector<glm::vec3> positions = baker.positions(primitive);
    addVertices("POSITION", {TINYGLTF_TYPE_VEC3}, positions);
    glm::vec3 lowest = positions.front();
    glm::vec3 highest = lowest;
    for (const glm::vec3& position : positions) {
        lowest = glm::min(lowest, position);
        highest = glm::max(highest, position);
    }
    buffer_.setBounds({lowest.x, lowest.y, lowest.z}, {highest.x, highest.y, highest.z});
    addVertices("NORMAL", {TINYGLTF_TYPE_VEC3}, baker.normals(primitive));
    addVertices("TEXCOORD_0", {TINYGLTF_TYPE_VEC2}, primitive.textureCoordinates);
    addVertices("TEXCOORD_1", {TINYGLTF_TYPE_VEC2}, primitive.emissiveCoordinates);
    addVertices("COLOR_0", {TINYGLTF_TYPE_VEC4, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT, true},
                normalized(primitive.colors));
    if (!primitive.joints.empty())
        addJoints(added, primitive);
    addIndices(added, primitive);
    return added;
}

void MeshBuilder::addJoints(tinygltf::Primitive& to, const core::Primitive& primitive) {
    constexpr std::uint8_t kWhole = std::numeric_limits<std::uint8_t>::max();
    const auto add = [&](const char* name, int component, bool isShare, const auto& values) {
        to.attributes[name] =
            buffer_.addVertexData({TINYGLTF_TYPE_VEC4, component, isShare}, values, TINYGLTF_TARGET_ARRAY_BUFFER);
    };
    std::uint32_t largest = *std::ranges::max_element(primitive.joints);
    for (const core::Influences& others : primitive.others)
        for (const core::Influence& other : others)
            largest = std::max(largest, other.joint);
    const bool isNarrow = largest <= kWhole;
    if (primitive.others.empty()) {
        if (isNarrow)
            add("JOINTS_0", TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, false, fourJoints<std::uint8_t>(primitive.joints));
        else
            add("JOINTS_0", TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT, false, fourJoints<std::uint16_t>(primitive.joints));
        add("WEIGHTS_0", TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, true,
            std::vector<std::array<std::uint8_t, 4>>(primitive.joints.size(), {kWhole, 0, 0, 0}));
        return;
    }
    const std::vector<Followed> followed = followedOf(primitive);
    if (isNarrow)
        add("JOINTS_0", TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, false, jointsOf<std::uint8_t>(followed));
    else
        add("JOINTS_0", TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT, false, jointsOf<std::uint16_t>(followed));
    std::vector<std::array<std::uint16_t, 4>> weights;
    weights.reserve(followed.size());
    for (const Followed& each : followed)
        weights.push_back(each.weights);
    add("WEIGHTS_0", TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT, true, weights);
}

void MeshBuilder::addIndices(tinygltf::Primitive& to, const core::Primitive& primitive) {
    const auto add = [&](int component, const auto& indices) {
        to.indices =
            buffer_.addVertexData({TINYGLTF_TYPE_SCALAR, component}, indices, TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER);
    };
    // Avoids the largest 16-bit index, since some renderers give it a special meaning.
    if (primitive.positions.size() <= std::numeric_limits<std::uint16_t>::max())
        add(TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT, narrowed<std::uint16_t>(primitive.indices));
    else
        add(TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT, primitive.indices);
}

}  // namespace reanima::gltf
