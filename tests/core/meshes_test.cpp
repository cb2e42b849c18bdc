/// Meshes, materials and images of the common model.
#include <functional>

#include <gmock/gmock.h>

#include "core/bake.h"
#include "core/body_surface.h"
#include "core/decode_error.h"
#include "core/memory.h"
#include "core/rest_height.h"
#include "core/validate.h"
#include "core/weld.h"
#include "support/doll.h"

namespace reanima::core {
namespace {

using test::doll;
using test::plate;
using ::testing::ElementsAre;

void expectNear(const glm::vec3& a, const glm::vec3& b) {
    for (glm::length_t i = 0; i < 3; ++i)
        EXPECT_NEAR(a[i], b[i], 1e-6) << i;
}

TEST(RestBaker, PutsVerticesWhereTheSkeletonRests) {
    const Asset asset = doll();
    const RestBaker baker(asset);
    EXPECT_DOUBLE_EQ(baker.height(), 2);  // only of the body; the sword is 3 m long
    const std::vector<glm::vec3> quad = baker.positions(asset.meshes[0].primitives[0]);
    ASSERT_EQ(quad.size(), 4U);
    expectNear(quad[0], {-1, 0, 0});
    expectNear(quad[2], {1, 2, 0});
    expectNear(baker.positions(asset.meshes[1].primitives[0])[2], {0, 3, 1});
    expectNear(baker.normals(asset.meshes[0].primitives[1])[0], {-1, 0, 0});
    EXPECT_TRUE(baker.normals(asset.meshes[1].primitives[0]).empty());
}

TEST(RestHeight, IsThatOfTheBodyAtRest) {
    const Asset asset = doll();
    EXPECT_DOUBLE_EQ(restHeight(surfaceOf(asset), *asset.skeleton).value(), 2);  // the sword is 3 m long
    EXPECT_FALSE(restHeight({}, *asset.skeleton));
}

TEST(RestBaker, MovesVerticesByTheWeightedSumOfTheirJoints) {
    Asset asset;
    Skeleton& skeleton = asset.skeleton.emplace();
    skeleton.joints.resize(2);
    skeleton.joints[1].rest.translation = {0, 4, 0};
    Primitive& primitive = asset.meshes.emplace_back().primitives.emplace_back();
    primitive.positions = {{1, 0, 0}};
    primitive.joints = {0};
    primitive.others = {{Influence{1, 0.25F, {1, -4, 0}}, Influence{}}};
    const RestBaker baker(asset);
    EXPECT_EQ(baker.positions(primitive).at(0), glm::vec3(1, 0, 0)) << "both lead to the same place";
    Pose pose = restPose(skeleton);
    pose[1].translation.y = 8;
    EXPECT_EQ(baker.posed(skeleton, pose).positions(primitive).at(0), glm::vec3(1, 1, 0)) << "a quarter of 4";
    skeleton.joints[1].rest.translation.y = 8;
    skeleton.joints[1].bind = glm::dmat4(1);
    (*skeleton.joints[1].bind)[3].y = 4;
    EXPECT_EQ(baker.bound(skeleton).positions(primitive).at(0), glm::vec3(1, 0, 0)) << "whatever the rest pose is";
}

TEST(JoinInfluences, MakesOneOfThoseOfOneJoint) {
    Primitive primitive;
    primitive.positions = {{0, 0, 0}};
    primitive.joints = {3};
    primitive.others = {{Influence{3, 0.25F, {4, 0, 0}}, Influence{5, 0.25F, {9, 9, 9}}}};
    joinInfluences(primitive, 0);
    EXPECT_EQ(firstWeight(primitive, 0), 0.75F);
    EXPECT_NEAR(primitive.positions[0].x, 4.0 / 3, 1e-6) << "the weighted middle";
    EXPECT_EQ(primitive.others[0][0].weight, 0);
    EXPECT_EQ(primitive.others[0][1].joint, 5U);
}

TEST(RestBaker, LiftsAreSharesOfTheHeight) {
    const Asset asset = doll();
    const std::vector<glm::vec3> sleeve = RestBaker(asset).positions(asset.meshes[0].primitives[1]);
    ASSERT_EQ(sleeve.size(), 3U);
    expectNear(sleeve[0], {0.5F, 1, 0.02F});
    expectNear(sleeve[1], {0.5F, 1.5F, 0.02F});
    expectNear(sleeve[2], {0, 1, 0.02F});
}

TEST(RestBaker, ScaledJointsKeepLiftsAndNormals) {
    Asset asset = doll();
    asset.skeleton->joints[1].rest.scale = {4, 2, 0.5F};
    Primitive& sleeve = asset.meshes[0].primitives[1];
    sleeve.normals.assign(3, glm::normalize(glm::vec3(1, 0, 1)));
    const RestBaker baker(asset);
    expectNear(baker.positions(sleeve)[1], {0.5F, 3, 0.03F});  // 0.5 x 4 above the joint; the body is 3 m high now
    // A plane through (0, 0, 1) and (1, 0, 0) of the joint's space becomes four times as long and half as deep. Its
    // normal is then (1/4, 0, 2), and after the rotation (0, 1/4, 2).
    expectNear(baker.normals(sleeve)[0], glm::normalize(glm::vec3(0, 0.25F, 2)));
}

TEST(RestBaker, WithoutASkeletonVerticesStay) {
    Asset asset = plate();
    asset.meshes[0].primitives[0].lifts.assign(4, {0, 0, 0.5F});
    const RestBaker baker(asset);
    EXPECT_DOUBLE_EQ(baker.height(), 2);
    expectNear(baker.positions(asset.meshes[0].primitives[0])[0], {-1, -1, 1});
    EXPECT_EQ(baker.normals(asset.meshes[0].primitives[0])[3], glm::vec3(0, 0, 1));
    asset.meshes.clear();
    EXPECT_DOUBLE_EQ(RestBaker(asset).height(), 0);
}

TEST(RestBaker, RefusesVerticesBeyondAllNumbers) {
    Asset asset = doll();
    asset.skeleton->joints[0].rest.scale = glm::vec3(1e38F);
    asset.meshes[0].primitives[0].positions[0].x = 1e10F;
    const RestBaker baker(asset);
    try {
        (void)baker.positions(asset.meshes[0].primitives[0]);
        FAIL() << "taken";
    } catch (const DecodeError& error) {
        EXPECT_STREQ(error.what(), "has mesh vertices that are too far from the origin for 32-bit numbers");
    }
}

TEST(SharedVertices, AreThoseWhoseAttributesAreEqual) {
    Primitive corners;
    corners.material = 3;
    corners.positions = {{0, 0, 0}, {9, 9, 9}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 0}};
    corners.textureCoordinates.assign(8, {0, 0});
    corners.textureCoordinates[7] = {0, 1};  // another corner at the position of 0 and 4
    corners.joints.assign(8, 2);
    corners.joints[5] = 1;  // follows another joint than 3
    corners.indices = {0, 2, 3, 4, 5, 6, 7, 3, 6};
    const Primitive shared = withSharedVertices(corners);
    EXPECT_EQ(shared.material, 3U);
    EXPECT_THAT(shared.indices, ElementsAre(0, 1, 2, 0, 3, 4, 5, 2, 4));
    EXPECT_THAT(shared.positions, ElementsAre(glm::vec3(0, 0, 0), glm::vec3(1, 0, 0), glm::vec3(1, 1, 0),
                                              glm::vec3(1, 1, 0), glm::vec3(0, 1, 0), glm::vec3(0, 0, 0)));
    EXPECT_THAT(shared.joints, ElementsAre(2, 2, 2, 1, 2, 2));
    EXPECT_EQ(shared.textureCoordinates.back(), glm::vec2(0, 1));
    EXPECT_TRUE(shared.normals.empty());
}

TEST(Validate, FindsNothingInSoundMeshes) {
    EXPECT_THAT(validate(doll()), ElementsAre());
    EXPECT_THAT(validate(plate()), ElementsAre());
}

TEST(Validate, NamesEveryBrokenRuleOfMeshes) {
    const auto problemAfter = [](const std::function<void(Asset&, Primitive&)>& damage) {
        Asset asset = doll();
        damage(asset, asset.meshes[0].primitives[0]);
        const std::vector<std::string> problems = validate(asset);
        return problems.empty() ? std::string("none") : problems.front();
    };
    EXPECT_EQ(problemAfter([](Asset& a, Primitive&) { a.images.push_back(a.images[0]); }),
              "image 1: the name \"face\" is empty or used twice");
    EXPECT_EQ(problemAfter([](Asset& a, Primitive&) { a.images[0].height = 3; }),
              "image face: 2 x 3 texels do not fit 16 bytes");
    EXPECT_EQ(problemAfter([](Asset& a, Primitive&) {
                  a.images[0] = {"face", 0, 0, {}};
              }),
              "image face: 0 x 0 texels do not fit 0 bytes");
    EXPECT_EQ(problemAfter([](Asset& a, Primitive&) { a.materials[1].name.clear(); }), "material 1 has no name");
    EXPECT_EQ(problemAfter([](Asset& a, Primitive&) { a.materials[1].image = 1; }),
              "material doll_colors: there is no image 1");
    EXPECT_EQ(problemAfter([](Asset& a, Primitive&) { a.materials[0].alphaCutoff = NAN; }),
              "material face: the alpha cutoff is not between 0 and 1");
    EXPECT_EQ(problemAfter([](Asset& a, Primitive&) { a.materials[0].factor.r = 2; }),
              "material face: its factor is out of range");
    EXPECT_EQ(problemAfter([](Asset& a, Primitive&) { a.materials[0].emissive = 7; }),
              "material face: there is no image 7");
    EXPECT_EQ(problemAfter([](Asset&, Primitive& p) { p.emissiveCoordinates.resize(1); }),
              "mesh doll_body: primitive 0: 1 emissive coordinates do not fit 4 vertices");
    EXPECT_EQ(problemAfter([](Asset&, Primitive& p) {
                  p.others.assign(4, {Influence{0, 2, {}}, Influence{}});
              }),
              "mesh doll_body: primitive 0: its influences are out of range");
    EXPECT_EQ(problemAfter([](Asset& a, Primitive&) { a.meshes[0].name = "doll"; }),
              "mesh 0: the name \"doll\" is empty or used twice");
    EXPECT_EQ(problemAfter([](Asset& a, Primitive&) { a.meshes[1].primitives.clear(); }), "mesh doll_sword is empty");
    EXPECT_EQ(problemAfter([](Asset&, Primitive& p) { p.positions[1].y = INFINITY; }),
              "mesh doll_body: primitive 0: the positions are out of range");
    EXPECT_EQ(problemAfter([](Asset&, Primitive& p) { p.normals[1] *= 1.01F; }),
              "mesh doll_body: primitive 0: the normals are out of range");
    EXPECT_EQ(problemAfter([](Asset&, Primitive& p) { p.colors[1].a = 1.5F; }),
              "mesh doll_body: primitive 0: the colors are out of range");
    EXPECT_EQ(problemAfter([](Asset&, Primitive& p) { p.lifts.resize(2); }),
              "mesh doll_body: primitive 0: 2 lifts do not fit 4 vertices");
    EXPECT_EQ(problemAfter([](Asset&, Primitive& p) { p.textureCoordinates.pop_back(); }),
              "mesh doll_body: primitive 0: 3 texture coordinates do not fit 4 vertices");
    EXPECT_EQ(problemAfter([](Asset&, Primitive& p) { p.textureCoordinates.clear(); }),
              "mesh doll_body: primitive 0: its material has an image, but there are no texture coordinates");
    EXPECT_EQ(problemAfter([](Asset&, Primitive& p) { p.material = 2; }),
              "mesh doll_body: primitive 0: there is no material 2");
    EXPECT_EQ(problemAfter([](Asset&, Primitive& p) { p.joints[3] = 3; }),
              "mesh doll_body: primitive 0: not every vertex has a joint of the skeleton");
    EXPECT_EQ(problemAfter([](Asset&, Primitive& p) { p.joints.clear(); }), "none");
    EXPECT_EQ(problemAfter([](Asset&, Primitive& p) { p.joints.pop_back(); }),
              "mesh doll_body: primitive 0: not every vertex has a joint of the skeleton");
    EXPECT_EQ(problemAfter([](Asset&, Primitive& p) { p.indices.pop_back(); }),
              "mesh doll_body: primitive 0: its 5 indices do not form triangles of its 4 vertices");
    EXPECT_EQ(problemAfter([](Asset&, Primitive& p) { p.indices[5] = 4; }),
              "mesh doll_body: primitive 0: its 6 indices do not form triangles of its 4 vertices");
}

TEST(Memory, CountsMeshesAndImages) {
    Asset asset = doll();
    const std::uint64_t before = memoryOf(asset);
    asset.images[0].width = 1000;
    asset.images[0].height = 1000;
    asset.images[0].rgba.assign(4'000'000, 0);
    EXPECT_GE(memoryOf(asset), before + 4'000'000 - 16);
    Primitive& quad = asset.meshes[0].primitives[0];
    const std::uint64_t withImage = memoryOf(asset);
    quad.positions.resize(10'000);
    quad.indices.resize(30'000);
    EXPECT_GE(memoryOf(asset), withImage + 10'000 * 12 + 30'000 * 4 - 96);
}

}  // namespace
}  // namespace reanima::core
