#include "gltf_export/gltf_scene.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <glm/gtc/matrix_inverse.hpp>
#include <glm/matrix.hpp>

#include "core/pose.h"
#include "gltf_export/clip_extras.h"
#include "gltf_export/required_extensions.h"

namespace reanima::gltf {

using core::DecodeError;

namespace {

template <std::size_t count>
std::optional<std::array<double, count>> numbers(const Field& node, std::string_view key) {
    const std::optional<Field> list = node.find(key);
    if (!list)
        return std::nullopt;
    if (list->size() != count)
        throw DecodeError(list->place(), fmt::format("has {} elements, expected {}", list->size(), count));
    std::array<double, count> values;  // NOLINT: filled below
    for (std::size_t i = 0; i < count; ++i)
        values[i] = list->at(i).number();
    return values;
}

/// The joint's index, from the extras that this program writes.
std::optional<std::uint32_t> statedJointOf(const Field& node) {
    const std::optional<Field> extras = node.find("extras");
    const std::optional<std::uint64_t> index =
        extras && extras->has("index") ? extras->at("index").wholeOrNone() : std::nullopt;
    return index && *index <= std::numeric_limits<std::uint32_t>::max()
               ? std::optional(static_cast<std::uint32_t>(*index))
               : std::nullopt;
}

class SceneReader {
  public:
    SceneReader(Document& document, core::Diagnostics& diagnostics)
        : document_(document), diagnostics_(diagnostics), root_(document.root()), nodes_(root_.list("nodes")) {}

    core::Scene read(const std::string& name) {
        scene_.name = name;
        scene_.fieldOf = [](std::uint32_t node) { return fmt::format("nodes[{}]", node); };
        scene_.nodes.resize(nodes_.size());
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            readNode(i);
        readTree();
        markScene();
        readAnimations();
        for (const Field& skin : root_.list("skins"))
            readSkin(skin);
        findMeshNodes();
        return std::move(scene_);
    }

  private:
    void readNode(std::size_t index) {
        const Field& field = nodes_[index];
        core::SceneNode& node = scene_.nodes[index];
        node.name = field.textOrNone("name");
        NodeTransform transform = transformOf(field);
        node.local = transform.matrix;
        node.parts = transform.parts;
        node.statedJoint = statedJointOf(field);
        const std::optional<Field> extensions = field.find("extensions");
        node.hasContent =
            field.find("mesh") || field.find("camera") || (extensions && extensions->find("KHR_lights_punctual"));
    }

    void readTree() {
        std::vector<std::string> childField(nodes_.size());
        for (std::size_t parent = 0; parent < nodes_.size(); ++parent)
            for (const Field& child : nodes_[parent].list("children")) {
                const std::uint32_t node = child.index(nodes_.size());
                if (scene_.nodes[node].parent != core::kNoParent)
                    child.fail(fmt::format("a node without a parent, but this node is already a child of nodes[{}]",
                                           scene_.nodes[node].parent));
                scene_.nodes[node].parent = static_cast<int>(parent);
                childField[node] = child.place().field;
            }
        refuseCycles(childField);
    }

    /// Every node has one parent or none. So each walk upwards ends at a root, at a node seen before, or at its start.
    void refuseCycles(const std::vector<std::string>& childField) const {
        std::vector<std::size_t> seenFrom(nodes_.size(), 0);  // number of the last walk that reached it, from 1
        for (std::size_t first = 0; first < nodes_.size(); ++first)
            for (int node = static_cast<int>(first); node != core::kNoParent;) {
                std::size_t& seen = seenFrom[static_cast<std::size_t>(node)];
                if (seen == first + 1)
                    throw DecodeError({childField[static_cast<std::size_t>(node)], std::nullopt},
                                      fmt::format("is {}, an ancestor of this node, expected a tree", node));
                if (seen != 0)
                    break;
                seen = first + 1;
                node = scene_.nodes[static_cast<std::size_t>(node)].parent;
            }
    }

    /// The nodes of the default scene; all nodes if there are no scenes.
    void markScene() {
        const std::vector<Field> scenes = root_.list("scenes");
        if (scenes.empty())
            return;
        const std::optional<Field> chosen = root_.find("scene");
        const Field& scene = scenes[chosen ? chosen->index(scenes.size()) : 0];
        for (core::SceneNode& node : scene_.nodes)
            node.isInScene = false;
        std::vector<std::uint32_t> open;
        for (const Field& top : scene.list("nodes"))
            open.push_back(top.index(nodes_.size()));
        while (!open.empty()) {
            const std::uint32_t node = open.back();
            open.pop_back();
            if (scene_.nodes[node].isInScene)
                continue;
            scene_.nodes[node].isInScene = true;
            for (const Field& child : nodes_[node].list("children"))
                open.push_back(child.index(nodes_.size()));
        }
    }

    void readAnimations() {
        for (const Field& animation : root_.list("animations")) {
            core::SceneClip& clip = scene_.clips.emplace_back(core::SceneClip{animation.textOrNone("name")});
            for (const Field& channel : animation.list("channels"))
                if (const std::optional<ChannelTarget> target = targetOf(channel, nodes_.size()))
                    scene_.nodes[target->node].isAnimated = true;
            for (const Field& sampler : animation.list("samplers"))
                clip.seconds = std::max(clip.seconds, lastTimeOf(sampler));
            clip.stated = statedClipOf(animation, clip.seconds);
        }
    }

    /// The time of the last key, as stated by the accessor. glTF requires this statement; 0 if it is missing.
    [[nodiscard]] double lastTimeOf(const Field& sampler) const {
        const std::optional<Field> input = sampler.find("input");
        const std::optional<Field> accessors = root_.find("accessors");
        if (!input || !accessors)
            return 0;
        const Field accessor = accessors->at(input->index(accessors->size()));
        const std::optional<Field> last = accessor.find("max");
        return last && last->size() == 1 ? last->at(0).number() : 0;
    }

    void readSkin(const Field& field) {
        core::SceneSkin& skin = scene_.skins.emplace_back();
        skin.field = field.place().field;
        skin.name = field.textOrNone("name");
        listedBy_.resize(nodes_.size(), 0);
        for (const Field& joint : field.list("joints")) {
            const std::uint32_t node = joint.index(nodes_.size());
            if (std::exchange(listedBy_[node], scene_.skins.size()) == scene_.skins.size())
                joint.fail("a node that the skin does not list yet");
            skin.joints.push_back(node);
        }
        if (const std::optional<Field> matrices = field.find("inverseBindMatrices"))
            readBinds(*matrices, skin);
    }

    void readBinds(const Field& accessor, core::SceneSkin& skin) {
        if (const std::string_view extension = document_.compressionOf(accessor); !extension.empty()) {
            diagnostics_.note(
                core::Code::assumed, accessor.place(),
                fmt::format("its matrices are compressed ({}), so the rest pose is taken from the nodes", extension));
            return;
        }
        std::size_t useless = 0;
        for (glm::dmat4& inverse : document_.matrices(accessor, skin.joints.size())) {
            for (int column = 0; column < 4; ++column)  // some writers leave rounding errors in the last row
                inverse[column][3] = column == 3 ? 1 : 0;
            const glm::dmat4 bind = glm::affineInverse(inverse);
            const bool isSound = std::abs(glm::determinant(bind)) > 0 && std::isfinite(glm::determinant(bind)) &&
                                 glm::length(bind[3]) < static_cast<double>(std::numeric_limits<float>::max());
            skin.binds.push_back(isSound ? std::optional(bind) : std::nullopt);
            useless += isSound ? 0U : 1U;
        }
        if (useless > 0)
            diagnostics_.warn(
                core::Code::damaged, accessor.place(),
                fmt::format(
                    "{} of {} matrices can't be inverted, so the rest poses of these joints are taken from the nodes",
                    useless, skin.joints.size()));
    }

    void findMeshNodes() {
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            if (const std::optional<Field> skin = nodes_[i].find("skin")) {
                std::optional<std::uint32_t>& meshNode = scene_.skins[skin->index(scene_.skins.size())].meshNode;
                if (!meshNode)
                    meshNode = static_cast<std::uint32_t>(i);
            }
    }

    Document& document_;
    core::Diagnostics& diagnostics_;
    Field root_;
    std::vector<Field> nodes_;
    core::Scene scene_;
    std::vector<std::size_t> listedBy_;  // per node: number of the last skin that lists it, from 1
};

}  // namespace

NodeTransform transformOf(const Field& node) {
    NodeTransform transform;
    if (const auto m = numbers<16>(node, "matrix")) {
        for (int column = 0; column < 4; ++column)
            for (int row = 0; row < 4; ++row) {
                const int place = 4 * column + row;
                transform.matrix[column][row] =
                    row == 3 ? (column == 3 ? 1 : 0) : (*m)[static_cast<std::size_t>(place)];
            }
        return transform;
    }
    const auto t = numbers<3>(node, "translation").value_or(std::array<double, 3>{0, 0, 0});
    const auto r = numbers<4>(node, "rotation").value_or(std::array<double, 4>{0, 0, 0, 1});
    const auto s = numbers<3>(node, "scale").value_or(std::array<double, 3>{1, 1, 1});
    const glm::dquat rotation(r[3], r[0], r[1], r[2]);
    const double length = glm::length(rotation);
    if (!(length > 1e-6 && length < 1e6))
        throw DecodeError(node.at("rotation").place(), fmt::format("has the length {}, expected 1", length));
    transform.parts =
        core::Transform{glm::vec3(t[0], t[1], t[2]), glm::quat(rotation / length), glm::vec3(s[0], s[1], s[2])};
    // Rotations that are of unit length as floats are kept bit for bit.
    const glm::quat stored(rotation);
    if (std::abs(glm::length(glm::dquat(stored)) - 1) <= 1e-6)
        transform.parts->rotation = stored;
    transform.matrix = core::matrixOf(*transform.parts);
    return transform;
}

std::optional<ChannelTarget> targetOf(const Field& channel, std::size_t nodes) {
    const Field target = channel.at("target");
    if (target.has("node"))
        return ChannelTarget{target.at("node").index(nodes), target.textOrNone("path")};
    if (target.textOrNone("path") != "pointer")
        return std::nullopt;
    const Field field = target.at("extensions").at("KHR_animation_pointer").at("pointer");
    constexpr std::string_view kNodes = "/nodes/";
    const std::string_view pointer = field.text();
    if (!pointer.starts_with(kNodes))
        return std::nullopt;
    const std::string_view number = pointer.substr(kNodes.size(), pointer.find('/', kNodes.size()) - kNodes.size());
    ChannelTarget pointed{0, std::string(pointer.substr(std::min(kNodes.size() + number.size() + 1, pointer.size()))),
                          true};
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), pointed.node);
    if (error != std::errc() || end != number.data() + number.size() || pointed.node >= nodes)
        field.fail(fmt::format("one of the {} nodes", nodes));
    return pointed;
}

core::Scene readScene(Document& document, const std::string& name, core::Diagnostics& diagnostics) {
    requireKnownExtensions(document);
    return SceneReader(document, diagnostics).read(name);
}

}  // namespace reanima::gltf
