#include "gltf_export/gltf_patch.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "core/edit.h"
#include "core/memory.h"
#include "core/text.h"
#include "core/validate.h"
#include "gltf_export/animation_builder.h"
#include "gltf_export/glb_chunks.h"
#include "gltf_export/gltf_document.h"
#include "gltf_export/joint_node.h"
#include "gltf_export/json_text.h"
#include "gltf_export/model_text.h"
#include "gltf_export/scene_extras.h"

namespace reanima::gltf {

using core::Clip;

namespace {

std::string listOf(const glm::vec3& v) { return fmt::format("[{},{},{}]", v.x, v.y, v.z); }

std::string jsonString(std::string_view text) { return nlohmann::json(text).dump(); }

/// The type of a picture by its URI: `data:image/jpeg;...` or a file name.
std::string_view pictureType(std::string_view uri) {
    constexpr std::string_view kData = "data:";
    if (uri.starts_with(kData))
        return uri.substr(kData.size(), uri.find_first_of(";,") - kData.size());
    const std::string_view extension = uri.substr(std::min(uri.rfind('.') + 1, uri.size()));
    return extension == "jpg" || extension == "jpeg" ? "image/jpeg"
           : extension == "webp"                     ? "image/webp"
           : extension == "ktx2"                     ? "image/ktx2"
                                                     : "image/png";
}

class Patcher {
  public:
    Patcher(const GltfInput& input, const Rig& rig, std::span<const Clip> clips, const GltfOptions& options,
            const core::Limits& limits, core::Diagnostics& diagnostics)
        : rig_(rig),
          clips_(clips),
          options_(options),
          diagnostics_(diagnostics),
          document_(input, limits),
          text_(document_.text()),
          whole_(wholeValue(text_)),
          root_(membersOf(text_, whole_)),
          nodeRanges_(elementsOf("nodes")),
          edits_(text_),
          extras_("given", options),
          viewCount_(countOf("bufferViews")),
          limits_(limits),
          heldBefore_(input.bytes.size() + document_.memory()) {
        for (const Clip& clip : clips)
            heldBefore_ += core::memoryOf(clip);
    }

    GltfFile patch() {
        requireSameFile();
        gatherBuffers();
        addNodes();
        const double rotationError = addAnimations();
        embedPictures();
        if (views_.count() > 0)
            edits_.appendToList(whole_, "bufferViews", views_.take());
        rewriteBuffers();
        return {makeGlb(edits_.takeApplied(), std::move(data_), document_.furtherChunks()), {}, rotationError};
    }

  private:
    [[nodiscard]] std::size_t countOf(std::string_view key) const { return document_.root().list(key).size(); }

    /// Of a list of the file; none if there is no such list.
    [[nodiscard]] std::vector<TextRange> elementsOf(std::string_view key) const {
        const JsonMember* list = memberNamed(root_, key);
        return list != nullptr ? gltf::elementsOf(text_, list->value) : std::vector<TextRange>{};
    }

    void requireSameFile() const {
        const std::size_t nodes = countOf("nodes");
        if (rig_.nodes.size() > rig_.skeleton.joints.size() ||
            std::any_of(rig_.nodes.begin(), rig_.nodes.end(), [nodes](std::uint32_t n) { return n >= nodes; }))
            throw std::invalid_argument("the rig was not read from this file");
        const std::vector<std::string> problems = core::validate(rig_.skeleton, clips_);
        if (!problems.empty())
            throw std::invalid_argument("the clips are not valid: " + problems.front());
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Nodes

    /// The node of a joint, in the file or added to it.
    [[nodiscard]] std::size_t nodeOf(std::size_t joint) const {
        return joint < rig_.nodes.size() ? rig_.nodes[joint] : nodeRanges_.size() + (joint - rig_.nodes.size());
    }

    void addNodes() {
        const std::vector<core::Joint>& joints = rig_.skeleton.joints;
        const std::size_t known = rig_.nodes.size();
        if (known == joints.size())
            return;
        core::UniqueNames names;
        for (const Field& node : document_.root().list("nodes"))
            (void)names.unique(node.textOrNone("name"));
        tinygltf::Model model;
        std::map<std::size_t, std::string> children;  // of the file's nodes
        std::string tops;
        const auto list = [](std::string& indices, std::size_t node) {
            indices += fmt::format("{}{}", indices.empty() ? "" : ",", node);
        };
        for (std::size_t i = known; i < joints.size(); ++i) {
            tinygltf::Node& node = model.nodes.emplace_back(gltf::nodeOf(joints[i], i, options_));
            node.name = names.unique(joints[i].name);
            if (node.name != joints[i].name)
                diagnostics_.warn(core::Code::renamed, {},
                                  fmt::format("has a node {} already; the one that is added is called {}",
                                              joints[i].name, node.name));
            const auto parent = static_cast<std::size_t>(joints[i].parent);
            if (joints[i].parent == core::kNoParent)
                list(tops, nodeOf(i));
            else if (parent < known)
                list(children[nodeOf(parent)], nodeOf(i));
            else
                model.nodes[parent - known].children.push_back(static_cast<int>(nodeOf(i)));
        }
        for (const auto& [node, indices] : children)
            edits_.appendToList(nodeRanges_[node], "children", indices);
        if (const std::optional<TextRange> scene = shownScene(); scene && !tops.empty())
            edits_.appendToList(*scene, "nodes", tops);
        ListText added;
        for (const tinygltf::Node& node : model.nodes)
            added.add(node);
        edits_.appendToList(whole_, "nodes", added.take());
    }

    /// None in a file without scenes.
    [[nodiscard]] std::optional<TextRange> shownScene() const {
        const std::vector<TextRange> list = elementsOf("scenes");
        const std::uint64_t chosen = document_.root().wholeOr("scene", 0);
        return chosen < list.size() ? std::optional(list[static_cast<std::size_t>(chosen)]) : std::nullopt;
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Animations

    /// @return GltfFile::rotationError
    double addAnimations() {
        if (std::none_of(clips_.begin(), clips_.end(), hasTracks))
            return 0;
        data_.pad('\0');
        tinygltf::Model model;
        BufferWriter buffer(model, {countOf("accessors"), viewCount_, data_.size()});
        const std::vector<AnimatedNode> nodes = animatedNodes();
        const std::optional<WholeNode> whole = wholeNode(nodes);
        AnimationBuilder builder(model, buffer, rig_.skeleton, nodes, whole, options_);
        core::UniqueNames names;
        for (const Field& animation : document_.root().list("animations"))
            (void)names.unique(animation.textOrNone("name"));
        ListText accessors;
        ListText animations;
        builder.reserveFor(clips_);
        for (const Clip& clip : clips_) {
            const std::string name = names.unique(core::validUtf8(clip.name));
            if (!hasTracks(clip))
                continue;
            builder.add(clip, name, extras_.addClip(clip, name));
            takeInto(accessors, model.accessors);
            takeInto(animations, model.animations);
            requireMemory(accessors.size() + animations.size() + extras_.memory() + buffer.memory());
        }
        builder.finish();
        data_.append(buffer.take());
        takeInto(views_, model.bufferViews);
        ++viewCount_;
        edits_.appendToList(whole_, "accessors", accessors.take());
        edits_.appendToList(whole_, "animations", animations.take());
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

    /// The node above all joints that move, if clips travel.
    [[nodiscard]] std::optional<WholeNode> wholeNode(const std::vector<AnimatedNode>& animated) const {
        if (std::none_of(clips_.begin(), clips_.end(), [](const Clip& clip) { return clip.travel.isPresent(); }))
            return std::nullopt;
        const std::vector<Field> fields = document_.root().list("nodes");
        std::vector<int> parents(fields.size(), core::kNoParent);
        for (std::size_t node = 0; node < fields.size(); ++node)
            for (const Field& child : fields[node].list("children"))
                parents[child.index(fields.size())] = static_cast<int>(node);
        std::vector<int> above;  // what is right above the joints that move
        for (std::size_t joint = 0; joint < rig_.nodes.size(); ++joint) {
            const auto moves = [&](int j) {
                const AnimatedNode& node = animated[static_cast<std::size_t>(j)];
                return node.translation || node.rotation || node.scale;
            };
            const int parent = rig_.skeleton.joints[joint].parent;
            if (moves(static_cast<int>(joint)) && (parent == core::kNoParent || !moves(parent)))
                above.push_back(parents[rig_.nodes[joint]]);
        }
        for (std::size_t joint = rig_.nodes.size(); joint < rig_.skeleton.joints.size(); ++joint)
            if (rig_.skeleton.joints[joint].parent == core::kNoParent)
                throw core::DecodeError(
                    fmt::format("{} would be added beside the joints and not follow their root motion",
                                rig_.skeleton.joints[joint].name))
                    .withHint({"root-motion", "in-place"});
        if (above.empty() || above.front() == core::kNoParent ||
            std::any_of(above.begin(), above.end(), [&](int node) { return node != above.front(); }))
            throw core::DecodeError(
                "has no node above its joints that could take their root motion: put the joints below an empty node")
                .withHint({"root-motion", "in-place"});
        glm::dmat3 toModel(1);
        for (int node = parents[static_cast<std::size_t>(above.front())]; node != core::kNoParent;
             node = parents[static_cast<std::size_t>(node)])
            toModel = glm::dmat3(core::matrixOf(partsOf(fields[static_cast<std::size_t>(node)]))) * toModel;
        return WholeNode{above.front(), partsOf(fields[static_cast<std::size_t>(above.front())]).translation,
                         glm::mat3(glm::inverse(toModel))};
    }

    [[nodiscard]] std::vector<AnimatedNode> animatedNodes() const {
        const std::size_t joints = rig_.skeleton.joints.size();
        const std::vector<Field> fields = document_.root().list("nodes");
        std::vector<bool> inSkin(nodeOf(joints), false);
        for (const Field& skin : document_.root().list("skins"))
            for (const Field& joint : skin.list("joints"))
                inSkin[joint.index(fields.size())] = true;
        const std::vector<core::AnimatedProperties> animated = core::animatedProperties(clips_, joints);
        const std::vector<core::AnimatedProperties> before = animatedBefore(inSkin.size());
        std::vector<AnimatedNode> nodes;
        for (std::size_t joint = 0; joint < joints; ++joint) {
            const std::size_t node = nodeOf(joint);
            const core::Transform& rest = rig_.skeleton.joints[joint].rest;
            const core::Transform stands = node < fields.size() ? partsOf(fields[node]) : rest;
            core::AnimatedProperties moves = before[node];
            moves.translation |= animated[joint].translation;
            moves.rotation |= animated[joint].rotation;
            moves.scale |= animated[joint].scale;
            const bool isOurs = inSkin[node] || moves.translation || moves.rotation || moves.scale;
            // Clips count from the rest pose; where a node stands elsewhere, each must say so.
            nodes.push_back({static_cast<int>(node),
                             isOurs && (moves.translation || stands.translation != rest.translation), isOurs,
                             isOurs && (moves.scale || stands.scale != rest.scale)});
        }
        return nodes;
    }

    /// What the animations of the file move, for every node.
    [[nodiscard]] std::vector<core::AnimatedProperties> animatedBefore(std::size_t nodes) const {
        std::vector<core::AnimatedProperties> animated(nodes);
        for (const Field& animation : document_.root().list("animations"))
            for (const Field& channel : animation.list("channels")) {
                const Field target = channel.at("target");
                const std::optional<Field> node = target.find("node");
                if (!node)
                    continue;
                core::AnimatedProperties& moves = animated[node->index(nodeRanges_.size())];
                const std::string path = target.textOrNone("path");
                moves.translation |= path == "translation";
                moves.rotation |= path == "rotation";
                moves.scale |= path == "scale";
            }
        return animated;
    }

    [[nodiscard]] static core::Transform partsOf(const Field& node) {
        const NodeTransform transform = transformOf(node);
        return transform.parts ? *transform.parts : core::decomposed(transform.matrix);
    }

    /// Blender's importer shows the extras of scenes only.
    void addSceneExtras() {
        const std::optional<TextRange> scene = shownScene();
        if (!scene)
            return;
        const std::string clips = extras_.clips();
        const std::string reanima = extras_.takeReanima();
        if (reanima.empty())
            return;
        const std::vector<JsonMember> members = membersOf(text_, *scene);
        const JsonMember* extras = memberNamed(members, "extras");
        if (extras == nullptr) {
            edits_.append(*scene, fmt::format(R"("extras":{{"reanima":{}}})", reanima));
            return;
        }
        const std::vector<JsonMember> values = membersOf(text_, extras->value);
        const JsonMember* ours = memberNamed(values, "reanima");
        if (ours == nullptr) {
            if (isObject(text_, extras->value))  // extras may be anything
                edits_.append(extras->value, "\"reanima\":" + reanima);
            return;
        }
        const std::vector<JsonMember> parts = membersOf(text_, ours->value);
        const JsonMember* known = memberNamed(parts, "clips");
        if (options_.compact || known == nullptr || text_[known->value.begin] != '[') {
            edits_.replace(ours->value, reanima);
            return;
        }
        edits_.append(known->value, clips);
        const JsonMember* key = memberNamed(parts, "key");  // of what the rig was made from
        const std::string& ownKey = options_.contentKey;
        if (key != nullptr)
            edits_.replace(key->value, jsonString(ownKey));
        else if (!ownKey.empty())
            edits_.append(ours->value, "\"key\":" + jsonString(ownKey));
    }

    void replaceMatrix(std::size_t node) {
        const std::vector<JsonMember> members = membersOf(text_, nodeRanges_[node]);
        const JsonMember* matrix = memberNamed(members, "matrix");
        if (matrix == nullptr)
            return;
        const core::Transform parts = partsOf(document_.root().at("nodes").at(node));
        const glm::quat& r = parts.rotation;
        edits_.replace(matrix->whole, fmt::format(R"("translation":{},"rotation":[{},{},{},{}],"scale":{})",
                                                  listOf(parts.translation), r.x, r.y, r.z, r.w, listOf(parts.scale)));
    }

    // -----------------------------------------------------------------------------------------------------------------
    // What the .glb holds

    /// Appends to the BIN chunk.
    /// @return where the bytes begin
    std::size_t append(ByteBlocks bytes) {
        data_.pad('\0');
        const std::size_t begin = data_.size();
        data_.append(std::move(bytes));
        requireMemory(0);
        return begin;
    }

    /// @param more bytes than those of the file, of the clips and of the BIN chunk
    void requireMemory(std::uint64_t more) const {
        core::requireMemory(heldBefore_ + data_.owned() + more, limits_, {"the glTF file", std::nullopt});
    }

    /// The object without the named members, and with others.
    [[nodiscard]] std::string changed(const TextRange& object, std::initializer_list<std::string_view> without,
                                      const std::string& added) const {
        std::string text = "{" + added;
        for (const JsonMember& member : membersOf(text_, object))
            if (std::find(without.begin(), without.end(), member.key) == without.end())
                text += "," + std::string(member.whole.in(text_));
        return text + "}";
    }

    /// Buffers that are files or URIs join the BIN chunk, and their views follow: data URIs have no place in a .glb.
    /// Extensions of views may refer to buffers by number, so there only the first buffer is the BIN chunk.
    void gatherBuffers() {
        const std::vector<Field> buffers = document_.root().list("buffers");
        const std::vector<Field> views = document_.root().list("bufferViews");
        isGathered_ =
            std::all_of(buffers.begin(), buffers.end(),
                        [&](const Field& b) { return &b == &buffers[0] || b.find("uri"); }) &&
            std::none_of(views.begin(), views.end(), [](const Field& view) { return view.find("extensions"); });
        std::vector<std::size_t> begins;
        for (std::uint32_t i = 0; i < (isGathered_ ? buffers.size() : std::min<std::size_t>(1, buffers.size())); ++i)
            begins.push_back(append(document_.takeBuffer(i)));
        if (begins.size() < 2)
            return;
        const std::vector<TextRange> ranges = elementsOf("bufferViews");
        for (std::size_t i = 0; i < views.size(); ++i)
            if (const std::uint32_t buffer = views[i].at("buffer").index(begins.size()); buffer > 0)
                edits_.replace(ranges[i], changed(ranges[i], {"buffer", "byteOffset"},
                                                  fmt::format(R"("buffer":0,"byteOffset":{})",
                                                              begins[buffer] + views[i].wholeOr("byteOffset", 0))));
    }

    void rewriteBuffers() {
        const JsonMember* buffers = memberNamed(root_, "buffers");
        const std::string length = fmt::format(R"("byteLength":{})", data_.size());
        const std::vector<TextRange> list = elementsOf("buffers");
        if (list.empty()) {
            if (data_.size() > 0)
                edits_.appendToList(whole_, "buffers", "{" + length + "}");
            return;
        }
        const std::string first = changed(list.front(), {"byteLength", "uri"}, length);
        edits_.replace(isGathered_ ? buffers->value : list.front(), isGathered_ ? "[" + first + "]" : first);
    }

    void embedPictures() {
        const std::vector<TextRange> list = elementsOf("images");
        for (std::size_t i = 0; i < list.size(); ++i)
            embed(document_.root().at("images").at(i), list[i]);
    }

    /// Moves a picture that is found into the BIN chunk.
    void embed(const Field& image, const TextRange& object) {
        const std::optional<Field> uri = image.find("uri");
        if (!uri)
            return;
        std::optional<core::ByteVector> bytes = found(*uri);
        if (!bytes) {
            diagnostics_.warn(core::Code::ignored, uri->place(),
                              fmt::format("the file \"{}\" can't be read; the output goes on referring to it",
                                          uri->text().substr(0, 200)));
            return;
        }
        const std::string stated = image.textOrNone("mimeType");
        tinygltf::BufferView view;
        view.buffer = 0;
        view.byteLength = bytes->size();
        ByteBlocks blocks;
        blocks.append(*std::move(bytes));
        view.byteOffset = append(std::move(blocks));
        views_.add(view);
        edits_.replace(
            object, changed(object, {"uri", "mimeType"},
                            fmt::format(R"("mimeType":{},"bufferView":{})",
                                        jsonString(stated.empty() ? pictureType(uri->text()) : stated), viewCount_++)));
    }

    [[nodiscard]] std::optional<core::ByteVector> found(const Field& uri) const {
        try {
            return document_.resource(uri);
        } catch (const core::DecodeError&) {  // it leads out of the folder
            return std::nullopt;
        }
    }

    const Rig& rig_;
    std::span<const Clip> clips_;
    const GltfOptions& options_;
    core::Diagnostics& diagnostics_;
    Document document_;
    std::string_view text_;
    TextRange whole_;
    std::vector<JsonMember> root_;
    std::vector<TextRange> nodeRanges_;
    JsonEdits edits_;
    SceneExtras extras_;
    ListText views_;         // buffer views that are added
    std::size_t viewCount_;  // with the added ones
    ByteBlocks data_;        // the BIN chunk
    bool isGathered_ = true;
    const core::Limits& limits_;
    std::uint64_t heldBefore_;
};

}  // namespace

GltfFile addAnimations(const GltfInput& input, const Rig& rig, std::span<const Clip> clips, const GltfOptions& options,
                       const core::Limits& limits, core::Diagnostics& diagnostics) {
    const auto about = diagnostics.about(input.name);
    try {
        return Patcher(input, rig, clips, options, limits, diagnostics).patch();
    } catch (const core::DecodeError& error) {
        throw error.inFile(input.name);
    }
}

}  // namespace reanima::gltf
