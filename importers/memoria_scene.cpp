#include "importers/memoria_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <assimp/commonMetaData.h>
#include <fmt/format.h>

#include "core/text.h"
#include "importers/scene_values.h"

namespace reanima {

namespace {

constexpr std::string_view kTopmost = "bone000";

/// `bone` and three digits.
bool isMemoriaJoint(std::string_view name) {
    constexpr std::string_view kPrefix = "bone";
    return name.size() == kTopmost.size() && name.starts_with(kPrefix) &&
           std::ranges::all_of(name.substr(kPrefix.size()), core::isDigit);
}

struct PlacedNode {
    aiNode* node;
    aiMatrix4x4 global;
};

/// The nodes depth first, without recursion, since a file may be nested very deeply.
std::vector<PlacedNode> placedBelow(aiNode& top, const aiMatrix4x4& above) {
    std::vector<PlacedNode> placed;
    std::vector<PlacedNode> open = {{&top, above * top.mTransformation}};
    while (!open.empty()) {
        const PlacedNode next = open.back();
        open.pop_back();
        placed.push_back(next);
        for (unsigned i = next.node->mNumChildren; i > 0; --i)
            if (aiNode* child = next.node->mChildren[i - 1])
                open.push_back({child, next.global * child->mTransformation});
    }
    return placed;
}

/// The topmost joint and the nodes above it. Null if the scene is not a model of Memoria.
struct Topmost {
    aiNode* joint = nullptr;
    aiMatrix4x4 above{};
};

Topmost topmostJoint(const std::vector<PlacedNode>& nodes) {
    Topmost topmost;
    for (const PlacedNode& each : nodes) {
        const aiNode* parent = each.node->mParent;
        if (textOf(each.node->mName) != kTopmost || parent == nullptr)
            continue;
        topmost.joint = each.node;
        for (const PlacedNode& other : nodes)
            if (other.node == parent)
                topmost.above = other.global;
        return topmost;
    }
    return topmost;
}

/// True if most joints have names like `bone000` and the body is upside down, with its feet near the plane y = 0.
bool hangsHeadDown(const std::vector<PlacedNode>& joints) {
    constexpr std::size_t kFewest = 5;  // smallest number of joints of a body
    constexpr float kBelowFloor = 0.1F;
    std::size_t numbered = 0;
    float highest = -std::numeric_limits<float>::infinity();
    float lowest = -highest;
    for (const PlacedNode& each : joints) {
        if (!isMemoriaJoint(textOf(each.node->mName)))
            continue;
        ++numbered;
        highest = std::max(highest, each.global.b4);
        lowest = std::min(lowest, each.global.b4);
    }
    return numbered >= kFewest && 2 * numbered > joints.size() && lowest < 0 && highest < -kBelowFloor * lowest;
}

/// Chooses the reading by the file's name and writer. Exporters of Unity's files write `(merge)` in the name and use
/// Autodesk's library; modders export from Blender.
MemoriaReading readingOf(const aiScene& scene, std::string_view path) {
    aiString creator;
    const bool isAutodesk = scene.mMetaData != nullptr && scene.mMetaData->Get(AI_METADATA_SOURCE_GENERATOR, creator) &&
                            textOf(creator).find("FBX SDK") != std::string::npos;
    return isAutodesk || core::lowerCase(core::fileNameOf(path)).find("(merge)") != std::string::npos
               ? MemoriaReading::mirrored
               : MemoriaReading::raw;
}

/// Sets a scene's unit to metres, if it states a unit.
void setMetres(const aiScene& scene) {
    constexpr const char* kUnit = "UnitScaleFactor";
    constexpr double kCentimetres = 100;
    double exact = 0;
    if (scene.mMetaData != nullptr && scene.mMetaData->Get(kUnit, exact))
        scene.mMetaData->Set(kUnit, kCentimetres);
    else if (scene.mMetaData != nullptr)
        scene.mMetaData->Set(kUnit, static_cast<float>(kCentimetres));
}

/// Converts a file's space to the common model's space, whose axes are opposite to the game's.
struct SpaceChange {
    aiMatrix4x4 to{};
    aiMatrix4x4 back{};

    explicit SpaceChange(MemoriaReading reading) {
        constexpr float kMetresAUnit = 1.0F / 256;
        to.a1 = reading == MemoriaReading::raw ? -1.0F : 1.0F;
        to.b2 = to.c3 = -1;
        aiMatrix4x4 size;
        aiMatrix4x4::Scaling(aiVector3D(kMetresAUnit), size);
        to *= size;
        back = to;
        back.Inverse();
    }

    [[nodiscard]] aiMatrix4x4 of(const aiMatrix4x4& transform) const { return to * transform * back; }
    [[nodiscard]] bool isMirrored() const { return to.Determinant() < 0; }
};

/// Moves the topmost joint to the scene's root. Its global transform stays the same.
void foldAbove(const Topmost& topmost, aiNode& root) {
    aiNode& joint = *topmost.joint;
    aiNode& parent = *joint.mParent;
    joint.mTransformation = topmost.above * joint.mTransformation;
    if (&parent == &root)
        return;
    aiNode** const end = std::remove(parent.mChildren, parent.mChildren + parent.mNumChildren, &joint);
    parent.mNumChildren = static_cast<unsigned>(end - parent.mChildren);
    aiNode* child = &joint;
    root.addChildren(1, &child);
}

/// The sum of the distances between vertices and their joints in the rest pose, for one position of a mesh.
/// @param stands the transform that takes bind matrices to that position
double looseness(const aiMesh& mesh, const aiMatrix4x4& stands, const std::map<std::string, aiMatrix4x4>& globals) {
    double sum = 0;
    for (unsigned b = 0; b < mesh.mNumBones; ++b) {
        const aiBone& bone = *mesh.mBones[b];
        const auto joint = globals.find(textOf(bone.mName));
        if (joint == globals.end())
            continue;
        const aiMatrix4x4 shown = joint->second * bone.mOffsetMatrix * stands;
        const aiVector3D place(joint->second.a4, joint->second.b4, joint->second.c4);
        for (unsigned w = 0; w < bone.mNumWeights; ++w)
            if (bone.mWeights[w].mVertexId < mesh.mNumVertices)
                sum += static_cast<double>(bone.mWeights[w].mWeight) *
                       static_cast<double>((shown * mesh.mVertices[bone.mWeights[w].mVertexId] - place).Length());
    }
    return sum;
}

/// Corrects the bind matrices of meshes. Assimp binds vertices at the mesh's node, but exporters rotate that node by 90
/// or 180 degrees, contrary to the file's bind matrices. The position in which vertices are nearer to joints is right.
void bindInModelSpace(const aiScene& scene, const std::vector<PlacedNode>& nodes) {
    std::map<std::string, aiMatrix4x4> globals;
    for (const PlacedNode& each : nodes)
        globals.emplace(textOf(each.node->mName), each.global);
    for (const PlacedNode& each : nodes)
        for (unsigned i = 0; i < each.node->mNumMeshes; ++i) {
            aiMesh& mesh = *scene.mMeshes[each.node->mMeshes[i]];
            aiMatrix4x4 undone = each.global;
            if (!mesh.HasBones() || undone.IsIdentity() || std::abs(undone.Determinant()) < 1e-9F)
                continue;
            undone.Inverse();
            if (looseness(mesh, undone, globals) >= looseness(mesh, {}, globals))
                continue;
            for (unsigned b = 0; b < mesh.mNumBones; ++b)
                mesh.mBones[b]->mOffsetMatrix *= undone;
        }
}

void change(const SpaceChange& space, aiMesh& mesh) {
    const aiMatrix3x3 axes(space.to);
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
        mesh.mVertices[i] = axes * mesh.mVertices[i];
        if (mesh.HasNormals())
            mesh.mNormals[i] = (axes * mesh.mNormals[i]).NormalizeSafe();
    }
    for (unsigned b = 0; b < mesh.mNumBones; ++b)
        mesh.mBones[b]->mOffsetMatrix = space.of(mesh.mBones[b]->mOffsetMatrix);
    if (!space.isMirrored())
        return;
    for (unsigned i = 0; i < mesh.mNumFaces; ++i)  // mirroring changes the winding of triangles
        std::reverse(mesh.mFaces[i].mIndices, mesh.mFaces[i].mIndices + mesh.mFaces[i].mNumIndices);
}

}  // namespace

MemoriaReading standMemoriaModel(aiScene& scene, std::string_view path, MemoriaReading reading,
                                 core::Diagnostics& diagnostics) {
    const std::vector<PlacedNode> nodes = placedBelow(*scene.mRootNode, {});
    const Topmost topmost = topmostJoint(nodes);
    if (topmost.joint == nullptr || !hangsHeadDown(placedBelow(*topmost.joint, topmost.above)))
        return MemoriaReading::unknown;
    if (reading == MemoriaReading::unknown) {
        reading = readingOf(scene, path);
        diagnostics.note(
            core::Code::assumed, {},
            fmt::format("models for Memoria do not state whether they are mirrored. Judging by the file name and the "
                        "program that wrote it, this model is{} mirrored. To be sure, convert the "
                        "model's own clips with it",
                        reading == MemoriaReading::raw ? " not" : ""));
    }
    bindInModelSpace(scene, nodes);
    foldAbove(topmost, *scene.mRootNode);
    const SpaceChange space(reading);
    for (const PlacedNode& each : nodes)
        each.node->mTransformation = space.of(each.node->mTransformation);
    for (unsigned i = 0; i < scene.mNumMeshes; ++i)
        change(space, *scene.mMeshes[i]);
    setMetres(scene);
    return reading;
}

}  // namespace reanima
