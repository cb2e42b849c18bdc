#include "gltf_export/gltf_patch.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "core/memory.h"
#include "core/text.h"
#include "core/validate.h"
#include "gltf_export/animated_nodes.h"
#include "gltf_export/animation_builder.h"
#include "gltf_export/animation_data.h"
#include "gltf_export/glb_chunks.h"
#include "gltf_export/joint_node.h"
#include "gltf_export/json_text.h"
#include "gltf_export/model_text.h"
#include "gltf_export/own_hash.h"
#include "gltf_export/patched_accessors.h"
#include "gltf_export/patched_buffers.h"
#include "gltf_export/patched_document.h"
#include "gltf_export/scene_extras.h"

namespace reanima::gltf {

using core::Clip;

namespace {

std::string listOf(const glm::vec3& v) { return fmt::format("[{},{},{}]", v.x, v.y, v.z); }

std::uint64_t memoryOf(std::span<const Clip> clips) {
    std::uint64_t bytes = 0;
    for (const Clip& clip : clips)
        bytes += core::memoryOf(clip);
    return bytes;
}

/// Adds the clips to the JSON and the BIN chunk of one file.
class Patcher {
  public:
    Patcher(const GltfInput& input, const Rig& rig, std::span<const Clip> clips, const GltfOptions& options,
            const core::Limits& limits, core::Diagnostics& diagnostics, const std::string& bufferName)
        : rig_(rig),
          clips_(clips),
          options_(options),
          diagnostics_(diagnostics),
          bufferName_(bufferName),
          file_(input, limits),
          nodeRanges_(file_.elementsOf("nodes")),
          extras_("given", options),
          buffers_(file_, limits, input.bytes.size() + file_.document.memory() + memoryOf(clips), diagnostics),
          accessors_(file_, buffers_) {}

    GltfFile patch() {
        requireSameFile();
        if (options_.replacesAnimations) {
            AnimationData data = dataOfAnimations(file_.root());
            accessors_.giveUp(std::move(data.accessors));
            buffers_.giveUp(std::move(data.views));
        }
        buffers_.gather();
        addNodes();
        const double rotationError = addAnimations();
        buffers_.embedImages();
        ByteBlocks binary = buffers_.finish(bufferName_);
        const core::Bytes further = file_.document.furtherChunks();
        GltfFile result;
        result.rotationError = rotationError;
        result.ownAnimations = options_.replacesAnimations ? 0 : file_.countOf("animations");
        if (bufferName_.empty()) {
            result.bytes = makeGlb(file_.edits.takeApplied(), std::move(binary), further);
        } else {
            result.bytes = file_.edits.takeApplied();
            result.buffer = std::move(binary);
            if (!further.empty())
                diagnostics_.warn(core::Code::ignored, {},
                                  fmt::format("{} bytes of other chunks are left out, because a .gltf can't store them",
                                              further.size()));
        }
        result.hash = hashItself(result.bytes, options_.contentKey);
        return result;
    }

  private:
    void requireSameFile() const {
        const std::size_t nodes = file_.countOf("nodes");
        if (rig_.nodes.size() > rig_.skeleton.joints.size() ||
            std::any_of(rig_.nodes.begin(), rig_.nodes.end(), [nodes](std::uint32_t n) { return n >= nodes; }))
            throw std::invalid_argument("the rig was not read from this file");
        const std::vector<std::string> problems = core::validate(rig_.skeleton, clips_);
        if (!problems.empty())
            throw std::invalid_argument("the clips are not valid: " + problems.front());
        if (options_.replacesAnimations && std::ranges::none_of(clips_, hasTracks))
            throw std::invalid_argument("there are no clips to replace the animations with");
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Nodes

    /// The node of a joint, in the file or added to it.
    [[nodiscard]] std::size_t nodeOf(std::size_t joint) const { return nodeOfJoint(rig_, nodeRanges_.size(), joint); }

    void addNodes() {
        const std::vector<core::Joint>& joints = rig_.skeleton.joints;
        const std::size_t known = rig_.nodes.size();
        if (known == joints.size())
            return;
        core::UniqueNames names;
        for (const Field& node : file_.root().list("nodes"))
            (void)names.unique(node.textOrNone("name"));
        tinygltf::Model model;
        std::map<std::size_t, std::string> children;  // new children of the file's nodes
        std::string tops;
        const auto list = [](std::string& indices, std::size_t node) {
            indices += fmt::format("{}{}", indices.empty() ? "" : ",", node);
        };
        for (std::size_t i = known; i < joints.size(); ++i) {
            tinygltf::Node& node = model.nodes.emplace_back(gltf::nodeOf(joints[i], i, options_));
            const std::string wanted = node.name;
            node.name = names.unique(wanted);
            if (node.name != wanted)
                diagnostics_.warn(core::Code::renamed, {},
                                  fmt::format("already has a node {}; the new one is called {}", wanted, node.name));
            const auto parent = static_cast<std::size_t>(joints[i].parent);
            if (joints[i].parent == core::kNoParent)
                list(tops, nodeOf(i));
            else if (parent < known)
                list(children[nodeOf(parent)], nodeOf(i));
            else
                model.nodes[parent - known].children.push_back(static_cast<int>(nodeOf(i)));
        }
        for (const auto& [node, indices] : children)
            file_.edits.appendToList(nodeRanges_[node], "children", indices);
        if (const std::optional<TextRange> scene = file_.shownScene(); scene && !tops.empty())
            file_.edits.appendToList(*scene, "nodes", tops);
        ListText added;
        for (const tinygltf::Node& node : model.nodes)
            added.add(node);
        file_.edits.appendToList(file_.whole, "nodes", added.take());
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Animations

    /// @return GltfFile::rotationError
    double addAnimations() {
        if (std::none_of(clips_.begin(), clips_.end(), hasTracks)) {
            if (!options_.contentKey.empty())
                addSceneExtras();
            return 0;
        }
        Model model;
        BufferWriter buffer(model, {file_.countOf("accessors"), buffers_.viewCount(), buffers_.beginData()});
        const std::vector<AnimatedNode> nodes = animatedNodes(file_.root(), rig_, clips_);
        const std::optional<WholeNode> whole = rootMotionNode(file_.root(), rig_, clips_, nodes);
        AnimationBuilder builder(model, buffer, rig_.skeleton, nodes, whole, options_);
        core::UniqueNames names;
        if (!options_.replacesAnimations)
            for (const Field& animation : file_.root().list("animations"))
                (void)names.unique(animation.textOrNone("name"));
        ListText animations;
        builder.reserveFor(clips_);
        for (const Clip& clip : clips_) {
            const std::string name = names.unique(core::validUtf8(clip.name));
            if (!hasTracks(clip))
                continue;
            builder.add(clip, name, extras_.addClip(clip, name));
            accessors_.take(model);
            takeInto(animations, model.animations);
            buffers_.requireMemory(accessors_.size() + animations.size() + extras_.memory() + buffer.memory());
        }
        builder.finish();
        buffers_.add(buffer.take(), model.bufferViews);
        accessors_.finish();
        const JsonMember* before = memberNamed(file_.members, "animations");
        if (options_.replacesAnimations && before != nullptr) {
            const core::ByteVector list = animations.take().joined();
            file_.edits.replace(before->value, "[" + std::string(list.begin(), list.end()) + "]");
        } else {
            file_.edits.prependToList(file_.whole, "animations", animations.take());  // since players show the first
        }
        addSceneExtras();
        for (std::size_t joint = 0; joint < rig_.nodes.size(); ++joint)
            if (nodes[joint].translation || nodes[joint].rotation || nodes[joint].scale)
                replaceMatrix(rig_.nodes[joint]);
        if (whole)
            replaceMatrix(static_cast<std::size_t>(whole->node));
        return builder.rotations().largestError();
    }

    static bool hasTracks(const Clip& clip) { return !clip.tracks.empty(); }

    template <typename Element>
    static void takeInto(ListText& text, std::vector<Element>& elements) {
        for (const Element& element : elements)
            text.add(element);
        elements.clear();
    }

    /// Adds the extras to the scene, too, since Blender shows only the extras of scenes after an import.
    void addSceneExtras() {
        const std::optional<TextRange> scene = file_.shownScene();
        if (!scene)
            return;
        const std::string clips = extras_.clips();
        const std::string reanima = extras_.takeReanima();
        if (reanima.empty())
            return;
        const std::vector<JsonMember> members = membersOf(file_.text, *scene);
        const JsonMember* extras = memberNamed(members, "extras");
        if (extras == nullptr) {
            file_.edits.append(*scene, fmt::format(R"("extras":{{"reanima":{}}})", reanima));
            return;
        }
        const std::vector<JsonMember> values = membersOf(file_.text, extras->value);
        const JsonMember* ours = memberNamed(values, "reanima");
        if (ours == nullptr) {
            if (isObject(file_.text, extras->value))  // extras may have any type
                file_.edits.append(extras->value, "\"reanima\":" + reanima);
            return;
        }
        const std::vector<JsonMember> parts = membersOf(file_.text, ours->value);
        const JsonMember* known = memberNamed(parts, "clips");
        if (options_.compact || known == nullptr || file_.text[known->value.begin] != '[') {
            file_.edits.replace(ours->value, reanima);
            return;
        }
        if (options_.replacesAnimations)
            file_.edits.replace(known->value, "[" + clips + "]");
        else
            file_.edits.append(known->value, clips);
        const std::string& key = options_.contentKey;
        setMark(*ours, "key", key);
        setMark(*ours, "hash", key.empty() ? key : hashToCome(key));
    }

    /// Replaces the rig's own value, if there is one.
    void setMark(const JsonMember& ours, std::string_view name, const std::string& value) {
        const std::vector<JsonMember> parts = membersOf(file_.text, ours.value);
        if (const JsonMember* known = memberNamed(parts, name))
            file_.edits.replace(known->value, jsonString(value));
        else if (!value.empty())
            file_.edits.append(ours.value, fmt::format("{}:{}", jsonString(name), jsonString(value)));
    }

    void replaceMatrix(std::size_t node) {
        const std::vector<JsonMember> members = membersOf(file_.text, nodeRanges_[node]);
        const JsonMember* matrix = memberNamed(members, "matrix");
        if (matrix == nullptr)
            return;
        const core::Transform parts = partsOf(file_.root().at("nodes").at(node));
        const glm::quat& r = parts.rotation;
        file_.edits.replace(matrix->whole,
                            fmt::format(R"("translation":{},"rotation":[{},{},{},{}],"scale":{})",
                                        listOf(parts.translation), r.x, r.y, r.z, r.w, listOf(parts.scale)));
    }

    const Rig& rig_;
    std::span<const Clip> clips_;
    const GltfOptions& options_;
    core::Diagnostics& diagnostics_;
    const std::string& bufferName_;  ///< empty: the BIN chunk
    PatchedDocument file_;
    std::vector<TextRange> nodeRanges_;
    SceneExtras extras_;
    PatchedBuffers buffers_;
    PatchedAccessors accessors_;
};

}  // namespace

GltfFile addAnimations(const GltfInput& input, const Rig& rig, std::span<const Clip> clips, const GltfOptions& options,
                       const core::Limits& limits, core::Diagnostics& diagnostics, const std::string& bufferName) {
    const auto about = diagnostics.about(input.name);
    return core::inFile(input.name,
                        [&] { return Patcher(input, rig, clips, options, limits, diagnostics, bufferName).patch(); });
}

}  // namespace reanima::gltf
