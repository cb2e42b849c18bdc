/// Skeletons of other programs' files and of malicious ones.
#include <cstring>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/pose.h"
#include "core/validate.h"
#include "gltf_export/gltf_file.h"
#include "gltf_export/gltf_skeleton.h"
#include "support/base64.h"
#include "support/files.h"

namespace reanima::gltf {
namespace {

struct Read {
    Rig rig;
    std::vector<std::string> warnings;
};

Read readText(const std::string& json, const core::Siblings& beside = {}) {
    core::Diagnostics diagnostics;
    const core::ByteVector bytes(json.begin(), json.end());
    Read read{readRig({bytes, "rig.gltf", beside}, {}, diagnostics), {}};
    for (const core::Warning& warning : diagnostics.warnings())
        read.warnings.push_back(warning.message());
    core::Asset asset;
    asset.skeleton.emplace(read.rig.skeleton);
    EXPECT_EQ(core::validate(asset), std::vector<std::string>{});
    EXPECT_EQ(read.rig.nodes.size(), read.rig.skeleton.joints.size());
    return read;
}

/// A file with these members besides `asset`.
std::string file(const std::string& members) { return R"({"asset":{"version":"2.0"},)" + members + "}"; }

std::vector<std::string> namesOf(const core::Skeleton& skeleton) {
    std::vector<std::string> names;
    for (const core::Joint& joint : skeleton.joints)
        names.push_back(joint.name);
    return names;
}

std::vector<int> parentsOf(const core::Skeleton& skeleton) {
    std::vector<int> parents;
    for (const core::Joint& joint : skeleton.joints)
        parents.push_back(joint.parent);
    return parents;
}

using Names = std::vector<std::string>;
using Parents = std::vector<int>;

std::string refusalOf(const std::string& json) {
    try {
        (void)readText(json);
    } catch (const core::DecodeError& error) {
        return error.what();
    }
    return "none";
}

/// Accessor 0 with inverse bind matrices that undo these translations.
std::string bindsAt(const std::vector<glm::vec3>& places) {
    std::vector<float> values;
    for (const glm::vec3& p : places)
        values.insert(values.end(), {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -p.x, -p.y, -p.z, 1});
    core::ByteVector bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return fmt::format(R"("accessors":[{{"bufferView":0,"componentType":5126,"type":"MAT4","count":{}}}],)"
                       R"("bufferViews":[{{"buffer":0,"byteLength":{}}}],)"
                       R"("buffers":[{{"byteLength":{},"uri":"data:application/octet-stream;base64,{}"}}])",
                       places.size(), bytes.size(), bytes.size(), test::toBase64(bytes));
}

TEST(GltfSkeleton, TheContainerStaysOutIfItsTransformIsTheIdentity) {
    const std::string skin = R"("skins":[{"name":"hero","joints":[1,2]}],)";
    const Read plain = readText(file(skin + R"("nodes":[{"name":"Armature","children":[1]},
        {"name":"hips","translation":[0,1,0],"children":[2]},{"name":"chest","translation":[0,0.5,0]}])"));
    EXPECT_EQ(namesOf(plain.rig.skeleton), (Names{"hips", "chest"}));
    EXPECT_EQ(parentsOf(plain.rig.skeleton), (Parents{-1, 0}));
    EXPECT_EQ(plain.rig.nodes, (std::vector<std::uint32_t>{1, 2}));
    EXPECT_EQ(plain.rig.skeleton.name, "hero");
    EXPECT_EQ(plain.rig.restFrom, Rig::RestFrom::nodes);
    EXPECT_TRUE(plain.rig.skeleton.hasRest);
    EXPECT_EQ(plain.rig.skeleton.joints[1].rest.translation, glm::vec3(0, 0.5, 0));

    const Read scaled = readText(file(skin + R"("nodes":[{"name":"Armature","scale":[0.01,0.01,0.01],"children":[1]},
        {"name":"hips","translation":[0,100,0],"children":[2]},{"name":"chest","translation":[0,50,0]}])"));
    EXPECT_EQ(namesOf(scaled.rig.skeleton), (Names{"Armature", "hips", "chest"}));
    EXPECT_EQ(parentsOf(scaled.rig.skeleton), (Parents{-1, 0, 1}));
    EXPECT_NEAR(core::verticalExtent(scaled.rig.skeleton, core::restPose(scaled.rig.skeleton)).top, 1.5, 1e-6);
}

TEST(GltfSkeleton, NodesBetweenJointsAreJointsAndTipsAreNot) {
    const Read read = readText(file(R"("skins":[{"joints":[0,2]}],"nodes":[{"name":"hips","children":[1]},
        {"name":"twist","translation":[0,1,0],"children":[2]},{"name":"chest","children":[3]},{"name":"socket"}])"));
    EXPECT_EQ(namesOf(read.rig.skeleton), (Names{"hips", "twist", "chest"}));
    EXPECT_EQ(read.rig.skeleton.name, "rig");  // of the file, since there is no other
}

TEST(GltfSkeleton, TheRestPoseComesFromTheBindMatrices) {
    // The nodes are in another pose. The chest is bound 0.5 above the hips, which are bound at 1.
    const Read read = readText(file(R"("skins":[{"joints":[0,1],"inverseBindMatrices":0}],"nodes":[
        {"name":"hips","translation":[3,1,0],"children":[1]},{"name":"chest","rotation":[0.6,0,0,0.8]}],)" +
                                    bindsAt({{0, 1, 0}, {0, 1.5, 0.25}})));
    EXPECT_EQ(read.rig.restFrom, Rig::RestFrom::skin);
    EXPECT_EQ(read.rig.skeleton.joints[0].rest.translation, glm::vec3(0, 1, 0));
    EXPECT_EQ(read.rig.skeleton.joints[1].rest.translation, glm::vec3(0, 0.5, 0.25));
    EXPECT_EQ(read.rig.skeleton.joints[1].rest.rotation, glm::quat(1, 0, 0, 0));
}

TEST(GltfSkeleton, BindMatricesOfAMeshThatIsScaledAreTakenInItsSpace) {
    // The armature converts centimetres to metres. The mesh is below it, and its matrices are in centimetres.
    const Read read = readText(file(R"("skins":[{"joints":[1,2],"inverseBindMatrices":0}],"meshes":[{}],"nodes":[
        {"name":"Armature","scale":[0.01,0.01,0.01],"children":[1,3]},{"name":"hips","translation":[0,100,0],
        "children":[2]},{"name":"chest","translation":[0,50,0],"rotation":[0.6,0,0,0.8]},{"mesh":0,"skin":0}],)" +
                                    bindsAt({{0, 100, 0}, {0, 150, 0}})));
    ASSERT_EQ(namesOf(read.rig.skeleton), (Names{"Armature", "hips", "chest"}));
    EXPECT_EQ(read.rig.skeleton.joints[1].rest.translation, glm::vec3(0, 100, 0));
    EXPECT_NEAR(read.rig.skeleton.joints[2].rest.translation.y, 50, 1e-4);
    EXPECT_NEAR(read.rig.skeleton.joints[2].rest.rotation.w, 1, 1e-6);
    EXPECT_EQ(read.rig.skeleton.joints[2].rest.scale, glm::vec3(1));
}

TEST(GltfSkeleton, SkinsOfOneArmatureAreUnited) {
    // The face's joints are below the body's. The cape's joint is beside the body's root.
    const Read read = readText(file(R"("skins":[{"joints":[1,2]},{"joints":[3]},{"joints":[4]}],"nodes":[
        {"name":"Armature","children":[1,4]},{"name":"hips","children":[2]},{"name":"head","children":[3]},
        {"name":"jaw"},{"name":"cape"}])"));
    EXPECT_EQ(namesOf(read.rig.skeleton), (Names{"hips", "head", "jaw", "cape"}));
    EXPECT_EQ(parentsOf(read.rig.skeleton), (Parents{-1, 0, 1, -1}));
    EXPECT_EQ(read.warnings, Names{});
}

TEST(GltfSkeleton, OfSkinsThatBindAJointInTwoPosesTheFirstTakesPrecedence) {
    // The second skin lists the joints in reverse order. It binds the hips at 1.5 and the chest at 1.
    const Read read = readText(file(R"("skins":[{"joints":[0,1],"inverseBindMatrices":0},
        {"joints":[1,0],"inverseBindMatrices":0}],"nodes":[{"name":"hips","children":[1]},
        {"name":"chest","rotation":[0.6,0,0,0.8]}],)" +
                                    bindsAt({{0, 1, 0}, {0, 1.5, 0}})));
    EXPECT_EQ(read.rig.skeleton.joints[0].rest.translation, glm::vec3(0, 1, 0));
    EXPECT_EQ(read.rig.skeleton.joints[1].rest.translation, glm::vec3(0, 0.5, 0));
    EXPECT_EQ(read.warnings, (Names{"rig.gltf: warning: skins[1]: binds \"chest\", \"hips\" in a different pose than "
                                    "an earlier skin. The earlier pose is used"}));
}

TEST(GltfSkeleton, WhereABindMatrixIsUselessTheNodeCounts) {
    const Read read = readText(file(R"("skins":[{"joints":[0],"inverseBindMatrices":0}],
        "nodes":[{"name":"hips","translation":[0,1,0]}],
        "accessors":[{"bufferView":0,"componentType":5126,"type":"MAT4","count":1}],
        "bufferViews":[{"buffer":0,"byteLength":64}],
        "buffers":[{"byteLength":64,"uri":"data:;base64,)" +
                                    std::string(86, 'A') + "\"}]"));
    EXPECT_EQ(read.rig.skeleton.joints[0].rest.translation, glm::vec3(0, 1, 0));
    EXPECT_EQ(read.warnings, (Names{"rig.gltf: warning: skins[0].inverseBindMatrices: 1 of 1 matrices can't be "
                                    "inverted, so the rest poses of these joints are taken from the nodes"}));
}

TEST(GltfSkeleton, OfTwoSkeletonsTheOneWithMostJointsIsTakenAndTheOtherNamed) {
    const Read read = readText(file(R"("skins":[{"joints":[0]},{"joints":[2,3]}],"nodes":[
        {"name":"dog"},{"name":"Armature","children":[2]},{"name":"hips","children":[3]},{"name":"chest"}])"));
    EXPECT_EQ(namesOf(read.rig.skeleton), (Names{"hips", "chest"}));
    EXPECT_EQ(read.warnings,
              (Names{"rig.gltf: warning: contains 2 skeletons; using \"hips\" with 2 joints, not \"dog\""}));
}

TEST(GltfSkeleton, WithoutASkinTheNodesOfTheSceneAreTheJoints) {
    const std::string nodes = R"("meshes":[{}],"cameras":[{}],"nodes":[{"name":"Scene","children":[1]},
        {"name":"hips","translation":[0,1,0],"children":[2,3,4]},{"name":"hand","mesh":0},{"name":"view","camera":0},
        {"name":"head"},{"name":"elsewhere"}],"scenes":[{"nodes":[0]}])";
    const Read read = readText(file(nodes));
    EXPECT_EQ(namesOf(read.rig.skeleton), (Names{"hips", "head"}));
    EXPECT_EQ(read.rig.nodes, (std::vector<std::uint32_t>{1, 4}));
    EXPECT_EQ(read.rig.skeleton.name, "Scene");
    // every moving node is a joint, with or without a mesh
    const Read moved = readText(file(nodes + R"(,"animations":[{"channels":[{"sampler":0,"target":{"node":2}},
        {"sampler":0,"target":{"node":0}}]}])"));
    EXPECT_EQ(namesOf(moved.rig.skeleton), (Names{"Scene", "hips", "hand", "head"}));
}

TEST(GltfSkeleton, NamesAreKeptAndMadeUnique) {
    const Read read = readText(file(R"("skins":[{"joints":[0,1,2]}],"nodes":[{"name":"mixamorig:Arm.L","children":[1]},
        {"name":"mixamorig:Arm.L","children":[2]},{}])"));
    EXPECT_EQ(namesOf(read.rig.skeleton), (Names{"mixamorig:Arm.L", "mixamorig:Arm.L_2", "node2"}));
    EXPECT_EQ(read.warnings,
              (Names{"rig.gltf: warning: joints with duplicate names were renamed: \"mixamorig:Arm.L_2\""}));
}

TEST(GltfSkeleton, ParentsComeFirstWhateverTheOrderOfTheNodes) {
    const Read read = readText(file(R"("skins":[{"joints":[0,1,2]}],"nodes":[{"name":"hand"},
        {"name":"arm","children":[0]},{"name":"chest","children":[1]}])"));
    EXPECT_EQ(namesOf(read.rig.skeleton), (Names{"chest", "arm", "hand"}));
    EXPECT_EQ(read.rig.nodes, (std::vector<std::uint32_t>{2, 1, 0}));
}

TEST(GltfSkeleton, NonUniformScaleIsReadWithAWarning) {
    const Read read = readText(file(R"("skins":[{"joints":[0]}],"nodes":[{"name":"hips","scale":[1,2,1]}])"));
    EXPECT_EQ(read.rig.skeleton.joints[0].rest.scale, glm::vec3(1, 2, 1));
    EXPECT_EQ(read.warnings,
              (Names{"rig.gltf: warning: the rest pose scales 1 joints by different factors along their axes: "
                     "\"hips\""}));
}

TEST(GltfSkeleton, AChainOfTenThousandJointsIsReadAtOnce) {
    std::string nodes;
    std::string joints;
    constexpr int kJoints = 10000;
    for (int i = 0; i < kJoints; ++i) {
        nodes += fmt::format(R"({}{{"name":"same"{}}})", i > 0 ? "," : "",
                             i + 1 < kJoints ? fmt::format(R"(,"children":[{}])", i + 1) : "");
        joints += fmt::format("{}{}", i > 0 ? "," : "", i);
    }
    const Read read = readText(file(fmt::format(R"("skins":[{{"joints":[{}]}}],"nodes":[{}])", joints, nodes)));
    ASSERT_EQ(read.rig.skeleton.joints.size(), 10000U);
    EXPECT_EQ(read.rig.skeleton.joints.back().parent, 9998);
    EXPECT_EQ(read.rig.skeleton.joints.back().name, "same_10000");
}

TEST(GltfSkeleton, BuffersMayBeFilesBelowTheFolder) {
    std::string asked;
    core::ByteVector matrix(64);
    const std::array<float, 16> values = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, -2, -3, 1};
    std::memcpy(matrix.data(), values.data(), matrix.size());
    const std::string json = file(R"("skins":[{"joints":[0],"inverseBindMatrices":0}],"nodes":[{"name":"hips"}],
        "accessors":[{"bufferView":0,"componentType":5126,"type":"MAT4","count":1}],
        "bufferViews":[{"buffer":0,"byteLength":64}],"buffers":[{"byteLength":64,"uri":"data/my%20rig.bin"}])");
    const Read read = readText(json, test::siblingsBy([&](std::string_view path) {
                                   asked = path;
                                   return std::optional(matrix);
                               }));
    EXPECT_EQ(asked, "data/my rig.bin");
    EXPECT_EQ(read.rig.skeleton.joints[0].rest.translation, glm::vec3(1, 2, 3));
    EXPECT_EQ(refusalOf(json), "rig.gltf: buffers[0].uri: the file \"data/my rig.bin\" can't be read");
}

TEST(GltfSkeleton, WhatIsWrittenIsReadBackAsItWas) {
    core::Asset asset;
    core::Skeleton& skeleton = asset.skeleton.emplace();
    skeleton.name = "figure";
    for (int i = 0; i < 12; ++i) {
        core::Joint& joint = skeleton.joints.emplace_back();
        joint.name = fmt::format("bone{:03}", i);
        joint.parent = i == 0 || i == 7 ? core::kNoParent : i / 2;  // neither depth first nor breadth first
        if (i == 7)
            joint.name = "weapon000";
        const auto f = static_cast<float>(i);
        joint.rest.translation = {0.3F * f, 1 - 0.1F * f, 0.05F * f};
        joint.rest.rotation = glm::angleAxis(0.4F * f, glm::normalize(glm::vec3(1, f, 0.3F)));
    }
    for (const bool proxyMesh : {false, true}) {
        GltfOptions options;
        options.proxyMesh = proxyMesh;
        const core::ByteVector bytes = writeGlb(asset, options);
        core::Diagnostics diagnostics;
        const Rig rig = readRig({bytes, "figure.glb"}, {}, diagnostics);
        EXPECT_TRUE(diagnostics.warnings().empty());
        EXPECT_EQ(rig.skeleton.name, "figure");
        EXPECT_EQ(rig.restFrom, Rig::RestFrom::skin);
        ASSERT_EQ(namesOf(rig.skeleton), namesOf(skeleton));
        EXPECT_EQ(parentsOf(rig.skeleton), parentsOf(skeleton));
        for (std::size_t i = 0; i < skeleton.joints.size(); ++i) {
            EXPECT_EQ(rig.nodes[i], i + 1);
            const core::Transform& was = skeleton.joints[i].rest;
            const core::Transform& is = rig.skeleton.joints[i].rest;
            EXPECT_LE(glm::distance(is.translation, was.translation), 1e-6F) << i;
            EXPECT_LE(glm::length(is.rotation - was.rotation), 1e-6F) << i;
            EXPECT_LE(glm::distance(is.scale, was.scale), 1e-6F) << i;
        }
    }
}

TEST(GltfSkeleton, EveryDefectHasItsMessage) {
    const std::string joints = R"("skins":[{"joints":[0],"inverseBindMatrices":0}],"nodes":[{"name":"hips"}],)";
    const std::string view = R"("bufferViews":[{"buffer":0,"byteLength":64}],)";
    const std::string buffer = R"("buffers":[{"byteLength":64,"uri":"data:;base64,)" + std::string(86, 'A') + "\"}]";
    const auto accessor = [](const std::string& more) {
        return R"("accessors":[{"bufferView":0,"componentType":5126,"type":"MAT4")" + more + "}],";
    };
    const struct {
        std::string json;
        std::string message;
    } cases[] = {
        {"", "is not a glTF file, because the text is not JSON"},
        {"{", "is not a glTF file, because the text is not JSON"},
        {R"({"asset":{"version":"1.0"}})", "asset.version: is \"1.0\", expected 2.0"},
        {"[]", "is a list, expected an object"},
        {std::string(100000, '['), "the JSON is 100000 levels deep, expected at most 200"},
        {file(R"("nodes":[])"),
         "contains no skeleton, because it has no skin, and all nodes are meshes, cameras or lights"},
        {file(R"("nodes":[{"mesh":0}])"),
         "contains no skeleton, because it has no skin, and all nodes are meshes, cameras or lights"},
        {file(R"("nodes":[{}],"skins":[{"joints":[]}])"), "contains no skeleton, because its skins list no joints"},
        {file(R"("nodes":[{},{"children":[0]},{"children":[1,3]},{"children":[2]}])"),
         "nodes[3].children[0]: is 2, an ancestor of this node, expected a tree"},
        {file(R"("nodes":[{"children":[0]}])"),
         "nodes[0].children[0]: is 0, an ancestor of this node, expected a tree"},
        {file(R"("nodes":[{"children":[2]},{"children":[2]},{}])"),
         "nodes[1].children[0]: is 2, expected a node without a parent, but this node is already a child of nodes[0]"},
        {file(R"("nodes":[{"children":[1]}])"), "nodes[0].children[0]: is 1, expected an index below 1"},
        {file(R"("nodes":[{"children":[-1]}])"), "nodes[0].children[0]: is -1, expected an index below 1"},
        {file(R"("nodes":[{}],"skins":[{"joints":[4000000000]}])"),
         "skins[0].joints[0]: is 4000000000, expected an index below 1"},
        {file(R"("nodes":[{}],"skins":[{"joints":[0,0]}])"),
         "skins[0].joints[1]: is 0, expected a node that the skin does not list yet"},
        {file(R"("nodes":[{"name":"arm","scale":[-1,1,1]}],"skins":[{"joints":[0]}])"),
         "nodes[0]: joint \"arm\" is mirrored in the rest pose (negative scale), expected rotations and positive "
         "scales"},
        {file(R"("nodes":[{"name":"arm","scale":[1,0,1]}],"skins":[{"joints":[0]}])"),
         "nodes[0]: joint \"arm\" has the scale 0 in the rest pose, expected a scale above 0"},
        {file(R"("nodes":[{"name":"arm","translation":[1e300,0,0]}],"skins":[{"joints":[0]}])"),
         "nodes[0]: joint \"arm\" is not finite in the rest pose"},
        {file(R"("nodes":[{"rotation":[0,0,0,0]}])"), "nodes[0].rotation: has the length 0, expected 1"},
        {file(R"("nodes":[{"rotation":[0,0,1]}])"), "nodes[0].rotation: has 3 elements, expected 4"},
        {file(R"("nodes":[{"matrix":"one"}])"), "nodes[0].matrix: is \"one\", expected a list"},
        {file(R"("nodes":[{"translation":[0,null,0]}])"), "nodes[0].translation[1]: is null, expected a number"},
        {file(R"("nodes":[7])"), "nodes[0]: is 7, expected an object"},
        {file(joints + view + buffer), "accessors: is missing"},
        {file(joints + accessor(R"(,"count":0)") + view + buffer), "accessors[0].count: is 0, expected at least 1"},
        {file(joints + R"("accessors":[{"componentType":5126,"type":"MAT4","count":1}],)" + view + buffer),
         "accessors[0].bufferView: is missing"},
        {file(joints + R"("accessors":[{"bufferView":1,"componentType":5126,"type":"MAT4","count":1}],)" + view +
              buffer),
         "accessors[0].bufferView: is 1, expected an index below 1"},
        {file(joints + accessor(R"(,"count":1,"byteOffset":4)") + view + buffer),
         "accessors[0]: 1 elements starting at byte 4 end beyond the buffer view of 64 bytes"},
        {file(joints + accessor(R"(,"count":1,"sparse":{})") + view + buffer),
         "accessors[0].sparse: is an object, expected elements without gaps (not sparse)"},
        {file(joints + accessor(R"(,"count":1)") + R"("bufferViews":[{"buffer":0,"byteOffset":4,"byteLength":64}],)" +
              buffer),
         "bufferViews[0]: covers 64 bytes starting at byte 4, but the buffer has 64"},
        {file(joints + accessor(R"(,"count":1)") + view + R"("buffers":[{"byteLength":65,"uri":"data:;base64,AA=="}])"),
         "buffers[0].byteLength: is 65, expected at most 1, the number of bytes present"},
        {file(joints + accessor(R"(,"count":1)") + view + R"("buffers":[{"byteLength":65,"uri":"data:,AA"}])"),
         "buffers[0].uri: contains data that is not in base64"},
        {file(joints + accessor(R"(,"count":1)") + view + R"("buffers":[{"byteLength":65,"uri":"../../etc/passwd"}])"),
         "buffers[0].uri: is \"../../etc/passwd\", expected a file in or below the folder of the glTF file"},
        {file(joints + accessor(R"(,"count":1)") + view + R"("buffers":[{"byteLength":64}])"),
         "buffers[0]: has neither a URI nor a BIN chunk"},
    };
    for (const auto& [json, message] : cases)
        EXPECT_EQ(refusalOf(json), "rig.gltf: " + message) << json.substr(0, 300);
}

/// Two vertices that both joints move: one mostly by the first, the other mostly by the second.
/// @param indices buffer view with three indices: 1 contains 0, 1, 0, and 2 contains 200, 55, 0
std::string withMesh(const std::string& elementsOfJoints, const std::string& indices = {}) {
    const std::string triangle = indices.empty() ? "" : R"(,"indices":4)";
    const std::string accessor =
        indices.empty() ? "" : R"(,{"bufferView":)" + indices + R"(,"componentType":5121,"type":"SCALAR","count":3})";
    std::string json =
        R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,2]}],"nodes":[{"name":"hip","children":[1]},{"name":"knee","translation":[0,1,0]},{"mesh":0,"skin":0}],"skins":[{"joints":[0,1],"inverseBindMatrices":3}],"meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2})" +
        triangle +
        R"(}]}],"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":2},{"bufferView":1,"componentType":5121,"type":"VEC4","count":)" +
        elementsOfJoints +
        R"(},{"bufferView":2,"componentType":5121,"normalized":true,"type":"VEC4","count":2},{"bufferView":3,"componentType":5126,"type":"MAT4","count":2})" +
        accessor +
        R"(],"bufferViews":[{"buffer":0,"byteLength":24},{"buffer":0,"byteOffset":24,"byteLength":8},{"buffer":0,"byteOffset":32,"byteLength":8},{"buffer":0,"byteOffset":40,"byteLength":128}],"buffers":[{"byteLength":168,"uri":"data:;base64,AAAAAAAAgD8AAAAAAAAAAAAAAEAAAAAAAAEAAAABAADINwAAN8gAAAAAgD8AAAAAAAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAAAAAAAAgD8AAIA/AAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAACAvwAAAAAAAIA/"}]})";
    return json;
}

TEST(GltfSkeleton, VerticesBelongToTheJointThatMovesThemMost) {
    const auto [rig, warnings] = readText(withMesh("2"));
    ASSERT_EQ(rig.surface.size(), 2U);
    EXPECT_EQ(rig.surface[0].joint, 0U);
    EXPECT_EQ(rig.surface[0].at, glm::vec3(0, 1, 0));
    EXPECT_EQ(rig.surface[1].joint, 1U);
    EXPECT_EQ(rig.surface[1].at, glm::vec3(0, 2, 0));
    EXPECT_TRUE(warnings.empty());
    EXPECT_TRUE(rig.triangles.empty());  // two vertices are not a triangle
}

TEST(GltfSkeleton, MorphTargetsThatAreShownAtRestMoveVertices) {
    std::string json = withMesh("2");
    const std::string primitives = R"("primitives":[{)";
    json.replace(json.find(primitives), primitives.size(),
                 R"("weights":[0.5,0,1],"primitives":[{"targets":[{"POSITION":0},{"POSITION":0},{}],)");
    const auto [rig, warnings] = readText(json);
    ASSERT_EQ(rig.surface.size(), 2U);
    EXPECT_EQ(rig.surface[0].at, glm::vec3(0, 1.5F, 0));
    EXPECT_EQ(rig.surface[1].at, glm::vec3(0, 3, 0));
    EXPECT_TRUE(warnings.empty());
}

TEST(GltfSkeleton, TrianglesJoinVertices) {
    EXPECT_EQ(readText(withMesh("2", "1")).rig.triangles, (std::vector<std::uint32_t>{0, 1, 0}));
    const auto [rig, warnings] = readText(withMesh("2", "2"));
    EXPECT_TRUE(rig.surface.empty());
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_EQ(
        warnings[0],
        "rig.gltf: note: meshes[0].primitives[0].indices: is 4, expected indices of vertices; the mesh is ignored");
}

TEST(GltfSkeleton, JointsOfVerticesAreNumbersOfJoints) {
    std::string json = withMesh("2");
    const std::string joints = R"("bufferView":1,"componentType":5121)";
    json.replace(json.find(joints), joints.size(), R"("bufferView":2,"componentType":5120)");  // 200 as -56
    const auto [rig, warnings] = readText(json);
    EXPECT_TRUE(rig.surface.empty());
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_EQ(warnings[0],
              "rig.gltf: note: meshes[0].primitives[0].attributes.JOINTS_0: is 1, expected whole numbers of 16 bits; "
              "the mesh is ignored");
}

TEST(GltfSkeleton, AnimationsEndWithTheirLastKey) {
    const auto [rig, warnings] = readText(
        R"({"asset":{"version":"2.0"},"nodes":[{"name":"hip"}],"animations":[{"name":"walk","channels":[],"samplers":[{"input":0},{"input":1}]},{"channels":[],"samplers":[{}]}],"accessors":[{"max":[1.5]},{"max":[0.25]}]})");
    ASSERT_EQ(rig.clips.size(), 2U);
    EXPECT_EQ(rig.clips[0].name, "walk");
    EXPECT_EQ(rig.clips[0].seconds, 1.5);
    EXPECT_EQ(rig.clips[1].name, "");
    EXPECT_EQ(rig.clips[1].seconds, 0);
}

TEST(GltfSkeleton, ADamagedMeshIsNotLookedAt) {
    const auto [rig, warnings] = readText(withMesh("1"));
    EXPECT_EQ(rig.skeleton.joints.size(), 2U);
    EXPECT_TRUE(rig.surface.empty());
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_EQ(warnings[0],
              "rig.gltf: note: meshes[0].primitives[0].attributes.JOINTS_0: is 1, expected as many elements as there "
              "are positions; the mesh is ignored");
}

TEST(GltfSkeleton, CountsLargerThanTheFileTakeNoMemory) {
    const std::string json = file(R"("nodes":[{}],"skins":[{"joints":[0],"inverseBindMatrices":0}],
        "accessors":[{"bufferView":0,"componentType":5126,"type":"MAT4","count":4000000000}],
        "bufferViews":[{"buffer":0,"byteLength":4000000000}],"buffers":[{"byteLength":4000000000,"uri":"x.bin"}])");
    EXPECT_EQ(refusalOf(json), "rig.gltf: buffers[0].uri: the file \"x.bin\" can't be read");
    core::Limits small;
    small.memory = 1000;
    core::Diagnostics diagnostics;
    const core::ByteVector bytes(json.begin(), json.end());
    EXPECT_THROW((void)readRig({bytes, "rig.gltf"}, small, diagnostics), core::DecodeError);
}

TEST(GltfSkeleton, EveryShorterGlbIsRefused) {
    core::Asset asset;
    asset.skeleton.emplace().joints.resize(1);
    asset.skeleton->joints[0].name = "hips";
    asset.skeleton->joints[0].rest.translation = {0, 1, 0};
    const core::ByteVector whole = writeGlb(asset, {});
    core::Diagnostics diagnostics;
    EXPECT_EQ(readRig({whole, "a.glb"}, {}, diagnostics).skeleton.joints.size(), 1U);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const core::ByteVector cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_THROW((void)readRig({cut, "a.glb"}, {}, diagnostics), core::DecodeError) << size;
    }
    const core::ByteVector cut(whole.begin(), whole.end() - 4);
    try {
        (void)readRig({cut, "a.glb"}, {}, diagnostics);
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.what(), fmt::format("a.glb: length at 0x8: is {}, but the file has {} bytes", whole.size(),
                                            whole.size() - 4));
    }
}

}  // namespace
}  // namespace reanima::gltf
