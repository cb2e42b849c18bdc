/// Memoria's models can be read in two ways. Clips of the same body show which one is right. The models are 30 random
/// people in the game's coordinates (left-handed, Y down, facing -Z, left at -X), as clips and as scenes of Assimp.
#include "importers/memoria_scene.h"

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <assimp/metadata.h>
#include <fmt/format.h>
#include <glm/gtc/quaternion.hpp>
#include <gtest/gtest.h>

#include "binding/roles/role_matches.h"
#include "core/pose.h"
#include "formats/load.h"
#include "importers/scene_skeleton.h"
#include "pipeline/memoria_body.h"
#include "pipeline/memoria_folder.h"

namespace reanima {
namespace {

enum class Kind { leftHanded, rightHanded, oneArmed };

struct Bone {
    int parent;
    glm::vec3 place;               ///< in the game's space, at rest
    glm::quat turn{1, 0, 0, 0};    ///< the same
    glm::quat stance{1, 0, 0, 0};  ///< rotation in clips, relative to the rest
    float swing = 0;               ///< radians
};
using Body = std::vector<Bone>;

glm::vec3 localPlace(const Body& body, std::size_t bone) {
    const int parent = body[bone].parent;
    if (parent < 0)
        return body[bone].place;
    const Bone& above = body[static_cast<std::size_t>(parent)];
    return glm::inverse(above.turn) * (body[bone].place - above.place);
}

glm::quat localTurn(const Body& body, std::size_t bone) {
    const int parent = body[bone].parent;
    return parent < 0 ? body[bone].turn : glm::inverse(body[static_cast<std::size_t>(parent)].turn) * body[bone].turn;
}

class BodyMaker {
  public:
    explicit BodyMaker(unsigned number) : random_(number), kind_(static_cast<Kind>(number % 3)) {}

    Body make() {
        const float leg = between(120, 220);
        const float hips = between(8, 24);
        const float shoulder = between(14, 40);
        const float top = leg + between(70, 140);
        add(-1, {0, -leg, 0}, 0);
        const int chest = add(add(0, {0, -leg, 0}, 0.05F), {0, -leg - 30, between(-4, 4)}, 0.1F);
        add(chest, {0, -top, 0}, 0.1F);
        add(static_cast<int>(body_.size()) - 1, {0, -top - between(10, 25), -2}, 0.1F);
        for (const float side : {1.0F, -1.0F}) {
            const int thigh = add(0, {side * hips, -leg, 0}, side * between(0.3F, 0.6F));
            const int shin = add(thigh, {side * (hips + 2), -leg * 0.55F, -3}, between(0, 0.3F));
            add(shin, {side * (hips + 3), -leg * 0.15F, 4}, between(0, 0.2F));
            if (kind_ != Kind::oneArmed || side < 0)
                addArm(chest, side, shoulder, top);
        }
        aim();
        return body_;
    }

  private:
    float between(float least, float most) { return std::uniform_real_distribution<float>(least, most)(random_); }

    int add(int parent, const glm::vec3& place, float swing) {
        body_.push_back({parent, place});
        body_.back().swing = swing;
        return static_cast<int>(body_.size()) - 1;
    }

    void addArm(int chest, float side, float shoulder, float top) {
        const float length = between(40, 75);
        const float reach = side * (shoulder + length * 0.8F);
        const int upper = add(chest, {side * shoulder, -top + 8, 0}, -side * between(0.2F, 0.5F));
        body_.back().stance = glm::angleAxis(between(0.3F, 0.9F), glm::vec3(0.2F, -0.9F, 0.4F * side));
        const int lower = add(upper, {reach, -top + 8 + length * 0.6F, 0}, between(0, 0.3F));
        const int hand = add(lower, {reach + side * length * 0.6F, -top + 8 + length * 1.2F, -8}, 0.1F);
        const bool isHolding = (kind_ == Kind::leftHanded) == (side < 0);
        if (isHolding && kind_ != Kind::oneArmed)
            add(hand, {reach + side * length, -top + length, -90}, 0);
    }

    /// Bones point along their Z at their first child, like the game's, rolled by any angle.
    void aim() {
        for (std::size_t i = 0; i < body_.size(); ++i) {
            glm::vec3 to(0, -1, 0.1F);
            for (std::size_t child = body_.size(); child-- > i + 1;)
                if (body_[child].parent == static_cast<int>(i) && glm::distance(body_[child].place, body_[i].place) > 1)
                    to = body_[child].place - body_[i].place;
            to = glm::normalize(to);
            const glm::vec3 axis = glm::cross(glm::vec3(0, 0, 1), to);
            const float angle = std::atan2(glm::length(axis), to.z);
            const glm::quat turn =
                glm::length(axis) > 0 ? glm::angleAxis(angle, glm::normalize(axis)) : glm::quat(1, 0, 0, 0);
            body_[i].turn =
                turn * glm::angleAxis(std::floor(between(0, 4)) * glm::half_pi<float>(), glm::vec3(0, 0, 1));
        }
    }

    std::mt19937 random_;
    Kind kind_;
    Body body_;
};

std::string pathOf(const Body& body, std::size_t bone) {
    const int parent = body[bone].parent;
    const std::string name = fmt::format("bone{:03}", bone);
    return parent < 0 ? name : pathOf(body, static_cast<std::size_t>(parent)) + "/" + name;
}

/// A walk in the form of a file.
std::string clipOf(const Body& body) {
    constexpr int kKeys = 9;
    std::string text = R"({"frameRate": 15, "transform": [)";
    for (std::size_t bone = 0; bone < body.size(); ++bone) {
        const glm::vec3 place = localPlace(body, bone);
        text += fmt::format(R"({}{{"bone": "{}", "localPosition": [{{"time": 0, "x": {}, "y": {}, "z": {}}}], )",
                            bone == 0 ? "" : ",", pathOf(body, bone), place.x, place.y, place.z);
        text += R"("localRotation": [)";
        for (int key = 0; key < kKeys; ++key) {
            const float phase = static_cast<float>(key) / (kKeys - 1) * glm::two_pi<float>();
            const glm::quat q = localTurn(body, bone) * body[bone].stance *
                                glm::angleAxis(body[bone].swing * std::sin(phase), glm::vec3(1, 0, 0));
            text += fmt::format(R"({}{{"time": {}, "x": {}, "y": {}, "z": {}, "w": {}}})", key == 0 ? "" : ",",
                                static_cast<float>(key) / 15, q.x, q.y, q.z, q.w);
        }
        text += "]}";
    }
    return text + "]}";
}

core::Asset loadClipOf(const Body& body) {
    core::MemoryFiles folder;
    const std::string text = clipOf(body);
    folder.add("GEO_X/walk.anim", {text.begin(), text.end()});
    const Input input = memoriaCharacter("GEO_X", {"walk.anim"}, folder, {});
    const OptionValues options;
    core::Diagnostics diagnostics;
    Context context{options, {}, diagnostics, {}, &input.siblings};
    return load(input, {}, context);
}

aiMatrix4x4 matrixOf(const glm::quat& turn, const glm::vec3& place) {
    return {aiVector3D(1), aiQuaternion(turn.w, turn.x, turn.y, turn.z), aiVector3D(place.x, place.y, place.z)};
}

/// A model like Assimp's scene of a file: nodes of the bones, and a mesh with a triangle at each.
std::unique_ptr<aiScene> sceneOf(const Body& body, MemoriaReading reading) {
    const bool isMirrored = reading == MemoriaReading::mirrored;
    const auto placed = [&](glm::vec3 p) { return isMirrored ? glm::vec3(-p.x, p.y, p.z) : p; };
    const auto turned = [&](glm::quat q) { return isMirrored ? glm::quat(q.w, q.x, -q.y, -q.z) : q; };
    auto scene = std::make_unique<aiScene>();
    scene->mRootNode = new aiNode("RootNode");
    scene->mRootNode->mMeshes = new unsigned[1]{0};
    scene->mRootNode->mNumMeshes = 1;
    scene->mMeshes = new aiMesh* [1] { new aiMesh };
    scene->mNumMeshes = 1;
    aiMesh& mesh = *scene->mMeshes[0];
    mesh.mNumVertices = static_cast<unsigned>(3 * body.size());
    mesh.mVertices = new aiVector3D[mesh.mNumVertices];
    mesh.mNumFaces = mesh.mNumBones = static_cast<unsigned>(body.size());
    mesh.mFaces = new aiFace[body.size()];
    mesh.mBones = new aiBone*[body.size()];
    std::vector<aiNode*> nodes;
    for (unsigned i = 0; i < body.size(); ++i) {
        aiNode* node = new aiNode(fmt::format("bone{:03}", i));
        node->mTransformation = matrixOf(turned(localTurn(body, i)), placed(localPlace(body, i)));
        aiNode* above = body[i].parent < 0 ? scene->mRootNode : nodes[static_cast<std::size_t>(body[i].parent)];
        above->addChildren(1, &node);
        nodes.push_back(node);
        aiBone* bone = mesh.mBones[i] = new aiBone;
        bone->mName = node->mName;
        bone->mOffsetMatrix = matrixOf(turned(body[i].turn), placed(body[i].place)).Inverse();
        bone->mWeights = new aiVertexWeight[3];
        bone->mNumWeights = 3;
        mesh.mFaces[i].mIndices = new unsigned[3];
        mesh.mFaces[i].mNumIndices = 3;
        for (unsigned corner = 0; corner < 3; ++corner) {
            const glm::vec3 place = placed(body[i].place);
            mesh.mVertices[3 * i + corner] = {place.x + static_cast<float>(corner), place.y, place.z};
            mesh.mFaces[i].mIndices[corner] = 3 * i + corner;
            bone->mWeights[corner] = {3 * i + corner, 1};
        }
    }
    return scene;
}

class Proportions : public testing::TestWithParam<unsigned> {};

TEST_P(Proportions, ClipsTellTheReadingOrNobodyDoes) {
    const Body body = BodyMaker(GetParam()).make();
    const core::Asset asset = loadClipOf(body);
    for (const MemoriaReading written : {MemoriaReading::raw, MemoriaReading::mirrored}) {
        const std::unique_ptr<aiScene> scene = sceneOf(body, written);
        core::Diagnostics diagnostics;
        ASSERT_EQ(standMemoriaModel(*scene, "x.fbx", MemoriaReading::unknown, diagnostics), MemoriaReading::raw);
        ASSERT_EQ(diagnostics.warnings().size(), 1U);  // it says that the reading is assumed
        const core::Rig rig = rigOf(*scene, "x", diagnostics);
        ASSERT_TRUE(roles::hasJointsNamedAlike(*asset.skeleton, asset.clips, rig.skeleton));
        const std::optional<bool> told = isSeenInMirror(rig.skeleton, asset);
        EXPECT_EQ(told, std::optional(written == MemoriaReading::mirrored)) << "body " << GetParam();
    }
}

INSTANTIATE_TEST_SUITE_P(Bodies, Proportions, testing::Range(0U, 30U));

}  // namespace
}  // namespace reanima
