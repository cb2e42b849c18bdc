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

constexpr int kNearest = 9728;  // sampler filters and wrapping
constexpr int kLinear = 9729;
constexpr int kRepeat = 10497;
constexpr int kClamp = 33071;
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

/// Shares of 1 as integers of 16 bits.
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

/// One joint per vertex, of the whole weight.
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
    const core::RestBaker baker(asset);
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
        added.pbrMetallicRoughness.baseColorTexture.index = textureOf(material);
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

int MeshBuilder::textureOf(const core::Material& material) {
    const auto [sampler, isNewSampler] =
        samplers_.try_emplace({material.filter, material.wrap}, static_cast<int>(model_.samplers.size()));
    if (isNewSampler) {
        tinygltf::Sampler& added = model_.samplers.emplace_back();
        added.magFilter = added.minFilter = material.filter == core::Filter::nearest ? kNearest : kLinear;
        added.wrapS = added.wrapT = material.wrap == core::Wrap::repeat ? kRepeat : kClamp;
    }
    const int image = static_cast<int>(*material.image);
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
    constexpr std::uint64_t kMostPerVertex = 12 + 12 + 8 + 8 + 8 + 4;
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
    addVertices("COLOR_0", {TINYGLTF_TYPE_VEC4, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT, true},
                normalized(primitive.colors));
    if (!primitive.joints.empty()) {
        constexpr std::uint8_t kWhole = std::numeric_limits<std::uint8_t>::max();
        const auto largest = *std::ranges::max_element(primitive.joints);
        if (largest <= kWhole)
            addVertices("JOINTS_0", {TINYGLTF_TYPE_VEC4, TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE},
                        fourJoints<std::uint8_t>(primitive.joints));
        else
            addVertices("JOINTS_0", {TINYGLTF_TYPE_VEC4, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT},
                        fourJoints<std::uint16_t>(primitive.joints));
        addVertices("WEIGHTS_0", {TINYGLTF_TYPE_VEC4, TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, true},
                    std::vector<std::array<std::uint8_t, 4>>(primitive.joints.size(), {kWhole, 0, 0, 0}));
    }
    addIndices(added, primitive);
    return added;
}

void MeshBuilder::addIndices(tinygltf::Primitive& to, const core::Primitive& primitive) {
    const auto add = [&](int component, const auto& indices) {
        to.indices =
            buffer_.addVertexData({TINYGLTF_TYPE_SCALAR, component}, indices, TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER);
    };
    // The largest index of 16 bits means something else in some renderers.
    if (primitive.positions.size() <= std::numeric_limits<std::uint16_t>::max())
        add(TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT, narrowed<std::uint16_t>(primitive.indices));
    else
        add(TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT, primitive.indices);
}

}  // namespace reanima::gltf
