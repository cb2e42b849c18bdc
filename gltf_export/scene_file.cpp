#include "gltf_export/scene_file.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <glm/gtc/type_ptr.hpp>
#include <glm/matrix.hpp>
#include <nlohmann/json.hpp>

#include "core/pose.h"
#include "core/text.h"
#include "gltf_export/buffer_writer.h"
#include "gltf_export/glb_chunks.h"
#include "gltf_export/model_text.h"

namespace reanima::gltf {

namespace {

constexpr ElementType kFloat3 = {TINYGLTF_TYPE_VEC3};
constexpr ElementType kFloat4 = {TINYGLTF_TYPE_VEC4};

bool isFinite(const glm::dmat4& matrix) {
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 4; ++row)
            if (!std::isfinite(matrix[column][row]))
                return false;
    return true;
}

/// The translation, rotation and scale of a node. Empty if they can't represent its matrix.
std::optional<core::Transform> partsOf(const core::SceneNode& node) {
    const double volume = glm::determinant(glm::dmat3(node.local));
    if (node.parts || volume == 0)
        return node.parts;
    glm::dmat4 upright = node.local;
    if (volume < 0)
        upright[0] = -upright[0];
    core::Transform parts = core::decomposed(upright);
    if (volume < 0)
        parts.scale.x = -parts.scale.x;
    const glm::dmat4 again = core::matrixOf(parts);
    constexpr double kRounding = 1e-5;
    for (int column = 0; column < 3; ++column)
        if (glm::distance(again[column], node.local[column]) > kRounding * glm::length(node.local[column]))
            return std::nullopt;
    return parts;
}

template <typename Vector>
std::pair<std::vector<double>, std::vector<double>> boundsOf(const std::vector<Vector>& values) {
    Vector lowest = values.front();
    Vector highest = values.front();
    for (const Vector& value : values) {
        lowest = glm::min(lowest, value);
        highest = glm::max(highest, value);
    }
    const auto listed = [](const Vector& v) { return std::vector<double>(&v[0], &v[0] + Vector::length()); };
    return {listed(lowest), listed(highest)};
}

/// Builds the model part by part.
class SceneFileBuilder {
  public:
    SceneFileBuilder(const core::SceneContent& content, const core::Limits& limits)
        : content_(content), memory_(limits, "the rig as a glTF file") {}

    core::ByteVector build() {
        addNodes();
        addMaterials();
        for (const core::SceneBones& bones : content_.bones)
            addSkin(bones);
        addParts();
        for (const core::SceneAnimation& animation : content_.animations)
            addAnimation(animation);
        const core::ByteVector data = buffer_.take();
        memory_.require(2 * std::uint64_t{data.size()});
        std::string json;
        ModelText().finish(std::move(model_), data, {}).drain([&json](core::Bytes part) {
            json.append(reinterpret_cast<const char*>(part.data()), part.size());  // NOLINT: JSON is text
        });
        return makeGlb(json, data);
    }

  private:
    void addNodes() {
        tinygltf::Scene& scene = model_.scenes.emplace_back();
        scene.name = content_.scene.name;
        const std::vector<core::SceneNode>& nodes = content_.scene.nodes;
        model_.nodes.resize(nodes.size());
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            tinygltf::Node& node = model_.nodes[i];
            node.name = nodes[i].name;
            setTransform(nodes[i], node);
            if (nodes[i].parent == core::kNoParent)
                scene.nodes.push_back(static_cast<int>(i));
            else
                model_.nodes[static_cast<std::size_t>(nodes[i].parent)].children.push_back(static_cast<int>(i));
        }
    }

    static void setTransform(const core::SceneNode& from, tinygltf::Node& node) {
        if (!isFinite(from.local))
            return;
        const std::optional<core::Transform> parts = partsOf(from);
        if (!parts) {
            node.matrix.assign(glm::value_ptr(from.local), glm::value_ptr(from.local) + 16);
            return;
        }
        const glm::vec3& t = parts->translation;
        const glm::quat& r = parts->rotation;
        const glm::vec3& s = parts->scale;
        if (t != glm::vec3(0))
            node.translation = {t.x, t.y, t.z};
        if (r != glm::quat(1, 0, 0, 0))
            node.rotation = {r.x, r.y, r.z, r.w};
        if (s != glm::vec3(1))
            node.scale = {s.x, s.y, s.z};
    }

    void addMaterials() {
        for (const core::SceneImage& image : content_.images) {
            memory_.add(image.bytes.size());
            tinygltf::Image& added = model_.images.emplace_back();
            added.name = image.name;
            added.mimeType = image.mimeType;
            added.bufferView = buffer_.addView(image.bytes);
            tinygltf::Texture& texture = model_.textures.emplace_back();
            texture.sampler = 0;
            texture.source = static_cast<int>(model_.images.size()) - 1;
        }
        if (!content_.images.empty())
            model_.samplers.emplace_back();
        for (const core::SceneMaterial& material : content_.materials) {
            tinygltf::Material& added = model_.materials.emplace_back();
            added.name = material.name;
            added.pbrMetallicRoughness.metallicFactor = 0;
            added.doubleSided = material.doubleSided;
            const glm::vec4& color = material.baseColor;
            added.pbrMetallicRoughness.baseColorFactor = {color.r, color.g, color.b, color.a};
            if (material.image)
                added.pbrMetallicRoughness.baseColorTexture.index = static_cast<int>(*material.image);
            if (color.a < 1)
                added.alphaMode = "BLEND";
        }
    }

    void addSkin(const core::SceneBones& bones) {
        tinygltf::Skin& skin = model_.skins.emplace_back();
        skin.joints.assign(bones.joints.begin(), bones.joints.end());
        skin.skeleton = -1;
        std::vector<glm::mat4> matrices;
        for (const glm::dmat4& inverse : bones.inverseBinds) {
            matrices.emplace_back(inverse);
            for (int column = 0; column < 4; ++column)
                matrices.back()[column][3] = column == 3 ? 1.0F : 0.0F;
        }
        memory_.add(matrices.size() * sizeof(glm::mat4));
        const int view = buffer_.beginView();
        skin.inverseBindMatrices = buffer_.addAccessor(view, {TINYGLTF_TYPE_MAT4}, matrices.data(), matrices.size());
        buffer_.endView(view);
    }

    /// Parts of one node become one mesh if they have the same bones and the same number of shapes.
    void addParts() {
        std::map<std::tuple<std::uint32_t, std::optional<std::size_t>, std::size_t>, std::size_t> meshOf;
        for (const core::ScenePart& part : content_.parts) {
            const auto [mesh, isNew] =
                meshOf.try_emplace({part.node, part.bones, part.shapes.size()}, model_.meshes.size());
            if (isNew)
                addMesh(part);
            model_.meshes[mesh->second].primitives.push_back(primitiveOf(part));
        }
    }

    void addMesh(const core::ScenePart& part) {
        tinygltf::Mesh& mesh = model_.meshes.emplace_back();
        mesh.name = part.name;
        if (!part.shapes.empty()) {
            nlohmann::json names = nlohmann::json::array();
            for (const core::SceneShape& shape : part.shapes)
                names.push_back(shape.name);
            mesh.extras_json_string = nlohmann::json{{"targetNames", names}}.dump();
        }
        const int index = static_cast<int>(model_.meshes.size()) - 1;
        tinygltf::Node& own = model_.nodes[part.node];
        if (!part.bones && own.mesh < 0) {
            own.mesh = index;
            return;
        }
        const int added = static_cast<int>(model_.nodes.size());
        if (part.bones)
            model_.scenes.front().nodes.push_back(added);
        else
            own.children.push_back(added);
        tinygltf::Node& node = model_.nodes.emplace_back();
        node.name = part.name;
        node.mesh = index;
        if (part.bones)
            node.skin = static_cast<int>(*part.bones);
    }

    template <typename Value>
    int addVertices(const ElementType& element, const std::vector<Value>& values) {
        memory_.add(values.size() * sizeof(Value));
        return buffer_.addVertexData(element, values, TINYGLTF_TARGET_ARRAY_BUFFER);
    }

    int addPositions(const std::vector<glm::vec3>& positions) {
        const int accessor = addVertices(kFloat3, positions);
        auto [lowest, highest] = boundsOf(positions);
        buffer_.setBounds(std::move(lowest), std::move(highest));
        return accessor;
    }

    tinygltf::Primitive primitiveOf(const core::ScenePart& part) {
        tinygltf::Primitive primitive;
        primitive.mode = TINYGLTF_MODE_TRIANGLES;
        primitive.material = static_cast<int>(part.material);
        primitive.attributes["POSITION"] = addPositions(part.positions);
        if (!part.normals.empty())
            primitive.attributes["NORMAL"] = addVertices(kFloat3, part.normals);
        if (!part.textureCoordinates.empty())
            primitive.attributes["TEXCOORD_0"] = addVertices({TINYGLTF_TYPE_VEC2}, part.textureCoordinates);
        if (!part.colors.empty())
            primitive.attributes["COLOR_0"] = addVertices(kFloat4, part.colors);
        if (part.bones) {
            primitive.attributes["JOINTS_0"] =
                addVertices({TINYGLTF_TYPE_VEC4, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT}, part.joints);
            primitive.attributes["WEIGHTS_0"] = addVertices(kFloat4, part.weights);
        }
        memory_.add(part.indices.size() * sizeof(std::uint32_t));
        primitive.indices = buffer_.addVertexData({TINYGLTF_TYPE_SCALAR, TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT},
                                                  part.indices, TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER);
        for (const core::SceneShape& shape : part.shapes) {
            std::map<std::string, int>& target = primitive.targets.emplace_back();
            target["POSITION"] = addPositions(shape.positions);
            if (!shape.normals.empty())
                target["NORMAL"] = addVertices(kFloat3, shape.normals);
        }
        return primitive;
    }

    void addAnimation(const core::SceneAnimation& animation) {
        Animation added;
        added.name = animation.name;
        const int view = buffer_.beginView();
        for (const core::SceneTrack& track : animation.tracks) {
            addChannel(track.node, "translation", view, kFloat3, track.translationTimes, track.translations, added);
            addChannel(track.node, "rotation", view, kFloat4, track.rotationTimes, track.rotations, added);
            addChannel(track.node, "scale", view, kFloat3, track.scaleTimes, track.scales, added);
        }
        if (added.channels.empty()) {
            model_.bufferViews.pop_back();
            return;
        }
        buffer_.endView(view);
        model_.animations.push_back(std::move(added));
    }

    template <typename Value>
    void addChannel(std::uint32_t node, std::string_view path, int view, const ElementType& element,
                    const std::vector<float>& times, const std::vector<Value>& values, Animation& animation) {
        if (values.empty() || !model_.nodes[node].matrix.empty())  // in glTF, a node with a matrix can't be animated
            return;
        memory_.add(values.size() * (sizeof(Value) + sizeof(float)));
        AnimationSampler& sampler = animation.samplers.emplace_back();
        sampler.input = buffer_.timeAccessor(view, times);
        sampler.output = buffer_.addAccessor(view, element, values.data(), values.size());
        animation.channels.push_back({static_cast<int>(animation.samplers.size()) - 1, static_cast<int>(node), path});
    }

    const core::SceneContent& content_;
    core::MemoryCount memory_;
    Model model_;
    BufferWriter buffer_{model_};
};

}  // namespace

core::ByteVector makeSceneFile(const core::SceneContent& content, const core::Limits& limits) {
    return SceneFileBuilder(content, limits).build();
}

}  // namespace reanima::gltf
