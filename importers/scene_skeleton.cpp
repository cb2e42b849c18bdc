#include "importers/scene_skeleton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include <assimp/DefaultIOSystem.h>
#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <fmt/format.h>
#include <glm/gtc/matrix_inverse.hpp>
#include <glm/matrix.hpp>

#include "core/text.h"
#include "importers/rig_io.h"

namespace reanima {

namespace {

glm::dmat4 toGlm(const aiMatrix4x4& m) {
    glm::dmat4 matrix(1);
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 3; ++row)
            matrix[column][row] = static_cast<double>(m[static_cast<unsigned>(row)][static_cast<unsigned>(column)]);
    return matrix;
}

glm::dmat4 withLengthsTimes(double factor, glm::dmat4 matrix) {
    for (int row = 0; row < 3; ++row)
        matrix[3][row] *= factor;
    return matrix;
}

std::string textOf(const aiString& text) { return core::validUtf8({text.C_Str(), text.length}); }

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
        scene_.fieldOf = [nodes = nodes_](std::uint32_t node) {
            return fmt::format("node \"{}\"", textOf(nodes[node]->mName));
        };
        return std::move(scene_);
    }

    [[nodiscard]] double metresPerUnit() const { return metres_; }

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
                fmt::format("the unit is {} cm; lengths are multiplied by {} to give metres", centimetres, metres_));
    }

    /// Depth first, without recursion: a file may nest as deep as it likes.
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

    /// The vertices of a mesh, each with the bone that moves it most.
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

    /// Nodes below bones that carry no mesh, camera or light, nor anything that does.
    void addTips() {
        constexpr auto kNone = std::numeric_limits<std::size_t>::max();
        std::vector<std::size_t> skinOf(nodes_.size(), kNone);
        for (std::size_t skin = 0; skin < scene_.skins.size(); ++skin)
            for (const std::uint32_t joint : scene_.skins[skin].joints)
                skinOf[joint] = std::min(skinOf[joint], skin);
        std::vector<bool> carries(nodes_.size(), false);
        for (std::size_t node = nodes_.size(); node-- > 0;) {  // children stand after their parents
            const core::SceneNode& content = scene_.nodes[node];
            if ((carries[node] || content.hasContent) && content.parent != core::kNoParent)
                carries[static_cast<std::size_t>(content.parent)] = true;
            carries[node] = carries[node] || content.hasContent;
        }
        for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
            const int parent = scene_.nodes[node].parent;
            if (skinOf[node] != kNone || carries[node] || parent == core::kNoParent)
                continue;
            skinOf[node] = skinOf[static_cast<std::size_t>(parent)];
            if (skinOf[node] == kNone)
                continue;
            scene_.skins[skinOf[node]].joints.push_back(node);
            scene_.skins[skinOf[node]].binds.emplace_back();
        }
    }

    const aiScene& source_;
    core::Diagnostics& diagnostics_;
    core::Scene scene_;
    double metres_ = 1;  // a unit of the file
    std::vector<const aiNode*> nodes_;
    std::unordered_map<std::string, std::uint32_t> indexOf_;
    std::unordered_map<unsigned, std::uint32_t> meshNode_;  // mesh to the first node that shows it
    std::unordered_map<unsigned, std::size_t> skinOf_;      // mesh to its skin
    std::unordered_set<unsigned> seen_;                     // meshes whose vertices were read
};

}  // namespace

core::Rig rigOf(const aiScene& scene, const std::string& name, core::Diagnostics& diagnostics) {
    SceneReader reader(scene, diagnostics);
    core::Rig rig = core::makeRig(reader.read(name), diagnostics);
    rig.metresPerUnit = reader.metresPerUnit();
    return rig;
}

core::Rig readSceneRig(const std::string& path, core::Diagnostics& diagnostics, Assimp::IOSystem* io) {
    const auto about = diagnostics.about(path);
    Assimp::DefaultIOSystem disk;  // outlives the importer, which closes its files
    Assimp::Importer importer;
    importer.SetIOHandler(new RigIOSystem(io != nullptr ? *io : disk, path));  // the importer owns it
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
    return core::inFile(path, [&] {
        const aiScene* scene = importer.ReadFile(path, 0);
        if (scene == nullptr || scene->mRootNode == nullptr)
            throw core::DecodeError(fmt::format("can't be read by Assimp: {}", importer.GetErrorString()));
        return rigOf(*scene, std::string(core::stemOf(core::fileNameOf(path))), diagnostics);
    });
}

}  // namespace reanima
