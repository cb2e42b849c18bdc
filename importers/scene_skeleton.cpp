#include "importers/scene_skeleton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <assimp/DefaultIOSystem.h>
#include <assimp/Importer.hpp>
#include <assimp/commonMetaData.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/version.h>
#include <fmt/format.h>
#include <glm/gtc/matrix_inverse.hpp>
#include <glm/matrix.hpp>

#include "core/pose.h"
#include "core/text.h"
#include "importers/memoria_scene.h"
#include "importers/rig_io.h"
#include "importers/scene_values.h"
#include "pipeline/rigs_module.h"

namespace reanima {

namespace {

class SceneReader {
  public:
    SceneReader(const aiScene& scene, core::Diagnostics& diagnostics) : source_(scene), diagnostics_(diagnostics) {}

    core::Scene read(const std::string& name) {
        scene_.name = name;
        readUnit();
        readNodes();
        markContent();
        for (unsigned i = 0; i < source_.mNumMeshes; ++i)
            if (source_.mMeshes[i]->HasBones())
                readSkin(i);
        for (std::uint32_t node = 0; node < nodes_.size(); ++node)
            for (unsigned m = 0; m < nodes_[node]->mNumMeshes; ++m)
                readSurface(nodes_[node]->mMeshes[m], node);
        addTips();
        for (unsigned i = 0; i < source_.mNumAnimations; ++i)
            readClip(*source_.mAnimations[i]);
        scene_.fieldOf = [nodes = nodes_](std::uint32_t node) {
            return fmt::format("node \"{}\"", textOf(nodes[node]->mName));
        };
        return std::move(scene_);
    }

    [[nodiscard]] double metresPerUnit() const { return metres_; }
    [[nodiscard]] std::vector<const aiNode*> nodes() const { return nodes_; }
    [[nodiscard]] const std::unordered_map<std::string, std::uint32_t>& indexOf() const { return indexOf_; }

  private:
    void readUnit() {
        double centimetres = 0;
        float single = 0;
        if (source_.mMetaData != nullptr && !source_.mMetaData->Get("UnitScaleFactor", centimetres) &&
            source_.mMetaData->Get("UnitScaleFactor", single))
            centimetres = static_cast<double>(single);
        if (!(centimetres > 0 && std::isfinite(centimetres)))
            return;
        metres_ = centimetres / 100;
        if (metres_ != 1)
            diagnostics_.note(
                core::Code::assumed, {},
                fmt::format("the unit is {} cm, so lengths are multiplied by {} to convert them to metres", centimetres,
                            metres_));
    }

    /// Reads the nodes depth first, without recursion, since a file may be nested very deeply.
    void readNodes() {
        struct Open {
            const aiNode* node;
            int parent;
        };
        std::vector<Open> open = {{source_.mRootNode, core::kNoParent}};
        while (!open.empty()) {
            const auto [source, parent] = open.back();
            open.pop_back();
            if (source == nullptr)
                continue;
            const auto index = static_cast<int>(nodes_.size());
            nodes_.push_back(source);
            indexOf_.try_emplace(textOf(source->mName), static_cast<std::uint32_t>(index));
            core::SceneNode& node = scene_.nodes.emplace_back();
            node.name = textOf(source->mName);
            node.parent = parent;
            node.local = withLengthsTimes(metres_, toGlm(source->mTransformation));
            node.hasContent = source->mNumMeshes > 0;
            for (unsigned i = source->mNumChildren; i > 0; --i)
                open.push_back({source->mChildren[i - 1], index});
        }
    }

    [[nodiscard]] core::SceneNode* nodeNamed(const aiString& name) {
        const auto found = indexOf_.find(textOf(name));
        return found == indexOf_.end() ? nullptr : &scene_.nodes[found->second];
    }

    void markContent() {
        for (unsigned i = 0; i < source_.mNumCameras; ++i)
            if (core::SceneNode* node = nodeNamed(source_.mCameras[i]->mName))
                node->hasContent = true;
        for (unsigned i = 0; i < source_.mNumLights; ++i)
            if (core::SceneNode* node = nodeNamed(source_.mLights[i]->mName))
                node->hasContent = true;
        for (unsigned i = 0; i < source_.mNumAnimations; ++i)
            for (unsigned c = 0; c < source_.mAnimations[i]->mNumChannels; ++c)
                if (core::SceneNode* node = nodeNamed(source_.mAnimations[i]->mChannels[c]->mNodeName))
                    node->isAnimated = true;
        for (std::uint32_t node = 0; node < nodes_.size(); ++node)
            for (unsigned m = 0; m < nodes_[node]->mNumMeshes; ++m)
                meshNode_.try_emplace(nodes_[node]->mMeshes[m], node);
    }

    void readSkin(unsigned index) {
        const aiMesh& mesh = *source_.mMeshes[index];
        core::SceneSkin& skin = scene_.skins.emplace_back();
        skin.field = fmt::format("mesh \"{}\"", textOf(mesh.mName));
        if (const auto node = meshNode_.find(index); node != meshNode_.end())
            skin.meshNode = node->second;
        std::unordered_set<std::uint32_t> listed;
        for (unsigned i = 0; i < mesh.mNumBones; ++i) {
            const aiBone& bone = *mesh.mBones[i];
            const auto node = indexOf_.find(textOf(bone.mName));
            if (node == indexOf_.end()) {
                diagnostics_.warn(core::Code::damaged, {skin.field, std::nullopt},
                                  fmt::format("the bone \"{}\" has no node and is left out", textOf(bone.mName)));
                continue;
            }
            if (!listed.insert(node->second).second)
                continue;
            skin.joints.push_back(node->second);
            const glm::dmat4 bind = withLengthsTimes(metres_, glm::affineInverse(toGlm(bone.mOffsetMatrix)));
            const bool isSound = std::isfinite(glm::determinant(bind)) && std::isfinite(glm::length(bind[3]));
            skin.binds.push_back(isSound ? std::optional(bind) : std::nullopt);
        }
        if (skin.joints.empty())
            scene_.skins.pop_back();
        else
            skinOf_.emplace(index, scene_.skins.size() - 1);
    }

    /// Reads the vertices of a mesh, each with the bone that moves it most.
    void readSurface(unsigned index, std::uint32_t node) {
        if (index >= source_.mNumMeshes || !seen_.insert(index).second)
            return;
        const aiMesh& mesh = *source_.mMeshes[index];
        core::SceneSurface& surface = scene_.surfaces.emplace_back();
        surface.node = node;
        for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
            const aiVector3D& v = mesh.mVertices[i];
            surface.positions.emplace_back(static_cast<float>(metres_) * glm::vec3(v.x, v.y, v.z));
        }
        for (unsigned i = 0; i < mesh.mNumFaces; ++i)
            addTriangles(mesh.mFaces[i], surface);
        const auto skin = skinOf_.find(index);
        if (skin == skinOf_.end())
            return;
        surface.skin = skin->second;
        surface.joints.resize(surface.positions.size());
        const std::vector<std::uint32_t>& joints = scene_.skins[skin->second].joints;
        std::unordered_map<std::uint32_t, std::uint32_t> listedAs;
        for (std::uint32_t i = 0; i < joints.size(); ++i)
            listedAs.emplace(joints[i], i);
        std::vector<float> most(surface.positions.size());
        for (unsigned b = 0; b < mesh.mNumBones; ++b) {
            const aiBone& bone = *mesh.mBones[b];
            const auto bound = indexOf_.find(textOf(bone.mName));
            if (bound == indexOf_.end() || !listedAs.contains(bound->second))
                continue;
            for (unsigned w = 0; w < bone.mNumWeights; ++w)
                if (const aiVertexWeight& weight = bone.mWeights[w];
                    weight.mVertexId < most.size() && weight.mWeight > most[weight.mVertexId]) {
                    most[weight.mVertexId] = weight.mWeight;
                    surface.joints[weight.mVertexId] = listedAs.at(bound->second);
                }
        }
    }

    /// Adds a polygon as a fan. Flat triangles, and triangles with missing vertices, are left out.
    static void addTriangles(const aiFace& face, core::SceneSurface& surface) {
        for (unsigned i = 0; i < face.mNumIndices; ++i)
            if (face.mIndices[i] >= surface.positions.size())
                return;
        for (unsigned i = 2; i < face.mNumIndices; ++i)
            surface.indices.insert(surface.indices.end(), {face.mIndices[0], face.mIndices[i - 1], face.mIndices[i]});
    }

    /// For every node, whether a mesh, a camera or a light is on it or below it.
    [[nodiscard]] std::vector<bool> carryingNodes() const {
        std::vector<bool> carries(nodes_.size(), false);
        for (std::size_t node = nodes_.size(); node-- > 0;) {  // children come after their parents
            const core::SceneNode& content = scene_.nodes[node];
            if ((carries[node] || content.hasContent) && content.parent != core::kNoParent)
                carries[static_cast<std::size_t>(content.parent)] = true;
            carries[node] = carries[node] || content.hasContent;
        }
        return carries;
    }

    /// Adds nodes without content to the skins: nodes below bones, and chains beside a bone if the common parent has no
    /// content either. Assimp only lists bones that move a vertex; IK targets of feet, for example, may move none.
    void addTips() {
        constexpr auto kNone = std::numeric_limits<std::size_t>::max();
        const std::vector<bool> carries = carryingNodes();
        std::vector<std::size_t> skinOf(nodes_.size(), kNone);
        for (std::size_t skin = 0; skin < scene_.skins.size(); ++skin)
            for (const std::uint32_t joint : scene_.skins[skin].joints)
                skinOf[joint] = std::min(skinOf[joint], skin);
        std::vector<std::size_t> skinBelow(nodes_.size(), kNone);
        std::vector<bool> hasChild(nodes_.size(), false);
        for (std::size_t node = 0; node < nodes_.size(); ++node) {
            const int parent = scene_.nodes[node].parent;
            if (parent == core::kNoParent)
                continue;
            const auto above = static_cast<std::size_t>(parent);
            hasChild[above] = true;
            if (!carries[above] && skinOf[above] == kNone)
                skinBelow[above] = std::min(skinBelow[above], skinOf[node]);
        }
        for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
            const int parent = scene_.nodes[node].parent;
            if (skinOf[node] != kNone || skinBelow[node] != kNone || carries[node] || parent == core::kNoParent)
                continue;
            const auto above = static_cast<std::size_t>(parent);
            skinOf[node] = hasChild[node] ? std::min(skinOf[above], skinBelow[above]) : skinOf[above];
            if (skinOf[node] == kNone)
                continue;
            scene_.skins[skinOf[node]].joints.push_back(node);
            scene_.skins[skinOf[node]].binds.emplace_back();
        }
    }

    void readClip(const aiAnimation& animation) {
        scene_.clips.push_back({textOf(animation.mName), animation.mDuration / ticksPerSecond(animation)});
    }

    const aiScene& source_;
    core::Diagnostics& diagnostics_;
    core::Scene scene_;
    double metres_ = 1;  // per unit of the file
    std::vector<const aiNode*> nodes_;
    std::unordered_map<std::string, std::uint32_t> indexOf_;
    std::unordered_map<unsigned, std::uint32_t> meshNode_;  // per mesh: the first node that shows it
    std::unordered_map<unsigned, std::size_t> skinOf_;      // per mesh: its skin
    std::unordered_set<unsigned> seen_;                     // meshes whose vertices were read
};

}  // namespace

SceneNodes nodesOf(const aiScene& scene, const std::string& name, core::Diagnostics& diagnostics) {
    SceneReader reader(scene, diagnostics);
    SceneNodes nodes;
    nodes.scene = reader.read(name);
    nodes.nodes = reader.nodes();
    nodes.indexOf = reader.indexOf();
    nodes.metresPerUnit = reader.metresPerUnit();
    return nodes;
}

core::Rig rigOf(const aiScene& scene, const std::string& name, core::Diagnostics& diagnostics) {
    return rigOf(nodesOf(scene, name, diagnostics), diagnostics);
}

core::Rig rigOf(const SceneNodes& nodes, core::Diagnostics& diagnostics) {
    core::Rig rig = core::makeRig(nodes.scene, diagnostics);
    rig.metresPerUnit = nodes.metresPerUnit;
    rig.hasMesh = !rig.triangles.empty();
    return rig;
}

void requireCredibleRest(const core::Rig& rig, const SceneNodes& nodes, std::string_view path) {
    constexpr double kFar = 0.6;
    std::unordered_set<std::uint32_t> bones;
    for (const core::SceneSkin& skin : nodes.scene.skins)
        for (std::size_t i = 0; i < skin.joints.size(); ++i)
            if (skin.binds[i])
                bones.insert(skin.joints[i]);
    const std::vector<glm::dmat4> rest = core::globalMatrices(rig.skeleton, core::restPose(rig.skeleton));
    std::vector<double> nearest(rig.nodes.size(), std::numeric_limits<double>::infinity());
    glm::vec3 low(std::numeric_limits<float>::infinity());
    glm::vec3 high = -low;
    for (const core::SurfacePoint& point : rig.surface) {
        low = glm::min(low, point.at);
        high = glm::max(high, point.at);
        const double distance = glm::distance(glm::dvec3(point.at), glm::dvec3(rest[point.joint][3]));
        nearest[point.joint] = std::min(nearest[point.joint], distance);
    }
    const auto size = static_cast<double>(glm::distance(low, high));
    for (std::size_t joint = 0; joint < nearest.size(); ++joint)
        if (std::isfinite(nearest[joint]) && nearest[joint] > kFar * size && bones.contains(rig.nodes[joint]))
            throw core::DecodeError(
                fmt::format("the rest pose can't be right, because \"{}\" is far from all vertices that it "
                            "moves ({:.1f} times the meshes' size){}",
                            rig.skeleton.joints[joint].name, nearest[joint] / size, throughBlender(path)));
}

namespace {

/// An axis that a file states: X, Y or Z, or its opposite.
std::optional<aiVector3D> axisOf(const aiMetadata& facts, const std::string& name) {
    std::int32_t axis = -1;
    std::int32_t sign = 1;
    if (!facts.Get(name, axis) || axis < 0 || axis > 2 || !facts.Get(name + "Sign", sign))
        return std::nullopt;
    aiVector3D result;
    result[static_cast<unsigned>(axis)] = sign < 0 ? -1.0F : 1.0F;
    return result;
}

/// Rotates the scene upright. FBX files state which axes point right, up and to the viewer, and Assimp passes this on.
/// Does nothing if these axes are mirrored.
void turnUpright(const aiScene& scene) {
    if (scene.mMetaData == nullptr || !scene.mRootNode->mTransformation.IsIdentity())
        return;
    const auto right = axisOf(*scene.mMetaData, "CoordAxis");
    const auto up = axisOf(*scene.mMetaData, "UpAxis");
    const auto front = axisOf(*scene.mMetaData, "FrontAxis");
    if (!right || !up || !front || ((*right ^ *up) - *front).SquareLength() > 0)
        return;
    const aiMatrix4x4 upright(right->x, right->y, right->z, 0, up->x, up->y, up->z, 0, front->x, front->y, front->z, 0,
                              0, 0, 0, 1);
    scene.mRootNode->mTransformation = upright * scene.mRootNode->mTransformation;
}

/// Compares relative to the largest number in the matrices.
bool areAlike(const aiMatrix4x4& a, const aiMatrix4x4& b) {
    float largest = 0;
    float apart = 0;
    for (unsigned row = 0; row < 3; ++row)
        for (unsigned column = 0; column < 4; ++column) {
            largest = std::max({largest, std::abs(a[row][column]), std::abs(b[row][column])});
            apart = std::max(apart, std::abs(a[row][column] - b[row][column]));
        }
    constexpr float kRounding = 1e-3F;
    return apart <= kRounding * largest;
}

/// Nodes, and their positions in the scene.
struct PlacedNodes {
    std::vector<std::pair<const aiNode*, aiMatrix4x4>> all;
    std::unordered_map<std::string, std::size_t> named;  ///< index of a node by name; of equal names, the first
};

PlacedNodes placed(const aiScene& scene) {
    PlacedNodes nodes;
    std::vector<std::pair<const aiNode*, aiMatrix4x4>> open = {{scene.mRootNode, {}}};
    while (!open.empty()) {
        const auto [node, above] = open.back();
        open.pop_back();
        nodes.named.try_emplace(textOf(node->mName), nodes.all.size());
        nodes.all.emplace_back(node, above * node->mTransformation);
        for (unsigned i = node->mNumChildren; i > 0; --i)
            open.emplace_back(node->mChildren[i - 1], nodes.all.back().second);
    }
    return nodes;
}

/// True if, in the rest pose, the bones place the mesh where its node would be without the node's ancestors.
bool forgetsParents(const aiMesh& mesh, const aiMatrix4x4& alone, const PlacedNodes& nodes) {
    return mesh.HasBones() && std::all_of(mesh.mBones, mesh.mBones + mesh.mNumBones, [&](const aiBone* bone) {
               const auto joint = nodes.named.find(textOf(bone->mName));
               return joint == nodes.named.end() ||
                      areAlike(nodes.all[joint->second].second * bone->mOffsetMatrix, alone);
           });
}

/// Corrects Blender's Collada files (tested with 3.4). They bind bones in world space, but vertices in armature space,
/// as if the armature were at the origin. Here, as in Blender, bones are at their nodes.
void bindWhereNodesStand(const aiScene& scene) {
    aiString generator;
    if (scene.mMetaData == nullptr || !scene.mMetaData->Get(AI_METADATA_SOURCE_GENERATOR, generator) ||
        textOf(generator).find("Blender") == std::string::npos)
        return;
    const PlacedNodes nodes = placed(scene);
    std::unordered_set<unsigned> seen;
    for (const auto& [node, global] : nodes.all)
        for (unsigned i = 0; i < node->mNumMeshes && node->mParent != nullptr; ++i) {
            if (node->mMeshes[i] >= scene.mNumMeshes || !seen.insert(node->mMeshes[i]).second)
                continue;
            const aiMesh& mesh = *scene.mMeshes[node->mMeshes[i]];
            aiMatrix4x4 moved = scene.mRootNode->mTransformation * node->mTransformation;
            if (!forgetsParents(mesh, moved, nodes))
                continue;
            moved.Inverse();
            moved *= global;
            for (unsigned b = 0; b < mesh.mNumBones; ++b)
                mesh.mBones[b]->mOffsetMatrix *= moved;
        }
}

/// Corrects FBX files that Assimp 5.4 has read. Assimp 5.4 rotates the root as turnUpright() does, but also scales it
/// by the unit. It binds bones as if the mesh's node had no transformation and its parent were the root.
void undoAssimp54(const aiScene& scene) {
    scene.mRootNode->mTransformation = {};
    const PlacedNodes nodes = placed(scene);
    std::unordered_set<unsigned> seen;
    for (const auto& [node, global] : nodes.all)
        for (unsigned i = 0; i < node->mNumMeshes && node->mParent != nullptr; ++i) {
            if (node->mMeshes[i] >= scene.mNumMeshes || !seen.insert(node->mMeshes[i]).second)
                continue;
            const aiNode* above = node->mParent;
            while (above->mParent != nullptr && textOf(above->mName).find("_$AssimpFbx$") != std::string::npos)
                above = above->mParent;  // other parts of the node's transformation
            aiMatrix4x4 moved = above->mTransformation;
            moved.Inverse();
            moved *= global;
            const aiMesh& mesh = *scene.mMeshes[node->mMeshes[i]];
            for (unsigned b = 0; b < mesh.mNumBones; ++b)
                mesh.mBones[b]->mOffsetMatrix *= moved;
        }
}

bool hasEqualNames(const aiNode& root) {
    std::unordered_set<std::string> names;
    std::vector<const aiNode*> open = {&root};
    while (!open.empty()) {
        const aiNode& node = *open.back();
        open.pop_back();
        if (!names.insert(textOf(node.mName)).second)
            return true;
        open.insert(open.end(), node.mChildren, node.mChildren + node.mNumChildren);
    }
    return false;
}

/// Nodes of Collada have identifiers, which Assimp uses, and names that people chose. Blender's identifier for `hand.l`
/// is `Armature_hand_l`. The names are therefore used if they are unique.
const aiScene* readFile(Assimp::Importer& importer, const std::string& path) {
    constexpr unsigned kSteps = aiProcess_Triangulate | aiProcess_JoinIdenticalVertices;
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, true);
    const aiScene* scene = importer.ReadFile(path, kSteps);
    if (core::extensionOf(path) == "dae" && scene != nullptr && scene->mRootNode != nullptr &&
        hasEqualNames(*scene->mRootNode)) {
        importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, false);
        scene = importer.ReadFile(path, kSteps);
    }
    return scene;
}

}  // namespace

void openScene(const std::string& path, core::Diagnostics& diagnostics, const SceneReading& reading,
               const std::function<void(const aiScene& scene, RigIOSystem& files)>& use) {
    const auto about = diagnostics.about(path);
    Assimp::DefaultIOSystem disk;  // must outlive the importer, which closes its files
    Assimp::Importer importer;
    auto* files = new RigIOSystem(reading.io != nullptr ? *reading.io : disk, path);
    importer.SetIOHandler(files);  // the importer owns it
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
    importer.SetPropertyBool("AI_CONFIG_IMPORT_FBX_IGNORE_UP_DIRECTION", true);  // in Assimp 6, see turnUpright()
    core::inFile(path, [&] {
        aiScene* scene = const_cast<aiScene*>(readFile(importer, path));  // NOLINT: the importer is used by nobody else
        if (std::string_view(importer.GetErrorString()).find("bad_alloc") != std::string_view::npos)
            throw std::bad_alloc();
        if (scene == nullptr || scene->mRootNode == nullptr)
            throw core::DecodeError(fmt::format("can't be read by Assimp: {}{}", importer.GetErrorString(),
                                                core::extensionOf(path) == "fbx" ? throughBlender(path) : ""));
        if (core::extensionOf(path) == "fbx" && aiGetVersionMajor() == 5 && aiGetVersionMinor() == 4)
            undoAssimp54(*scene);
        MemoriaReading memoria = MemoriaReading::unknown;
        if (core::extensionOf(path) == "fbx")
            memoria =
                standMemoriaModel(*scene, path, reading.memoria != nullptr ? *reading.memoria : memoria, diagnostics);
        if (memoria == MemoriaReading::unknown)
            turnUpright(*scene);
        if (reading.memoria != nullptr)
            *reading.memoria = memoria;
        if (core::extensionOf(path) == "dae")
            bindWhereNodesStand(*scene);
        use(*scene, *files);
    });
}

core::Rig readSceneRig(const std::string& path, core::Diagnostics& diagnostics, Assimp::IOSystem* io) {
    core::Rig rig;
    openScene(path, diagnostics, {io}, [&](const aiScene& scene, RigIOSystem&) {
        const SceneNodes nodes = nodesOf(scene, std::string(core::stemOf(core::fileNameOf(path))), diagnostics);
        rig = rigOf(nodes, diagnostics);
        requireCredibleRest(rig, nodes, path);
    });
    return rig;
}

}  // namespace reanima
