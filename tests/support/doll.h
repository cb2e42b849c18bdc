/// A character with meshes, made by hand. Its vertices in the rest pose can be computed on paper.
#pragma once

#include <numbers>

#include "core/asset.h"

namespace reanima::test {

inline core::Clip wave() {
    core::Clip clip;
    clip.name = "wave";
    clip.source = "test";
    clip.rate = 10;
    clip.frames = 2;
    clip.duration = 0.1;
    clip.timelines = {{0, 0.1F}};
    core::JointTrack& arm = clip.tracks.emplace_back();
    arm.joint = 1;
    arm.rotation.values = {glm::angleAxis(0.0F, glm::vec3(0, 0, 1)), glm::angleAxis(0.5F, glm::vec3(0, 0, 1))};
    return clip;
}

/// The joints are a root one metre up, an arm half a metre to its right, rotated by 90 degrees about Z, and a weapon
/// beside the root, one metre in front. A point (x, y, z) of the arm is at (0.5 - y, 1 + x, z) in the model.
///
/// The body is a textured quad of the root from (-1, 0, 0) to (1, 2, 0), so it is 2 m high, and a red triangle of the
/// arm. The triangle is lifted by a hundredth of the height along the arm's Z. The sword is a green triangle of the
/// weapon.
inline core::Asset doll() {
    core::Asset asset;
    core::Skeleton& skeleton = asset.skeleton.emplace();
    skeleton.name = "doll";
    skeleton.hasRest = true;
    skeleton.joints.resize(3);
    skeleton.joints[0].name = "root";
    skeleton.joints[0].rest.translation = {0, 1, 0};
    skeleton.joints[1].name = "arm";
    skeleton.joints[1].parent = 0;
    skeleton.joints[1].rest.translation = {0.5F, 0, 0};
    skeleton.joints[1].rest.rotation = glm::angleAxis(std::numbers::pi_v<float> / 2, glm::vec3(0, 0, 1));
    skeleton.joints[2].name = "weapon000";
    skeleton.joints[2].rest.translation = {0, 0, 1};
    asset.clips = {wave()};
    asset.images = {{"face", 2, 2, {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 9, 9, 9, 0}}};
    asset.materials.resize(2);
    asset.materials[0].name = "face";
    asset.materials[0].image = 0;
    asset.materials[0].alphaMode = core::AlphaMode::mask;
    asset.materials[0].doubleSided = true;
    asset.materials[0].extras = {{"game", core::Properties{{"blend", 4}}}};
    asset.materials[1].name = "doll_colors";
    asset.materials[1].unlit = false;

    core::Mesh& body = asset.meshes.emplace_back();
    body.name = "doll_body";
    body.extras = {{"game", core::Properties{{"pieces", 2}}}};
    core::Primitive& quad = body.primitives.emplace_back();
    quad.positions = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    quad.normals.assign(4, {0, 0, 1});
    quad.textureCoordinates = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    quad.colors.assign(4, {1, 1, 1, 1});
    quad.joints.assign(4, 0);
    quad.indices = {0, 1, 2, 0, 2, 3};
    core::Primitive& sleeve = body.primitives.emplace_back();
    sleeve.material = 1;
    sleeve.positions = {{0, 0, 0}, {0.5F, 0, 0}, {0, 0.5F, 0}};
    sleeve.normals.assign(3, {0, 1, 0});
    sleeve.lifts.assign(3, {0, 0, 0.01F});
    sleeve.colors.assign(3, {1, 0, 0, 0.5F});
    sleeve.joints.assign(3, 1);
    sleeve.indices = {0, 1, 2};
    core::Mesh& sword = asset.meshes.emplace_back();
    sword.name = "doll_sword";
    core::Primitive& blade = sword.primitives.emplace_back();
    blade.material = 1;
    blade.positions = {{0, 0, 0}, {0.1F, 0, 0}, {0, 3, 0}};
    blade.colors.assign(3, {0, 1, 0, 1});
    blade.joints.assign(3, 2);
    blade.indices = {0, 1, 2};
    asset.character = {{"pieces", 3}};
    return asset;
}

/// Only the body's quad, without a skeleton: in model space from (-1, -1, 0) to (1, 1, 0).
inline core::Asset plate() {
    core::Asset asset = doll();
    asset.skeleton.reset();
    asset.clips.clear();
    asset.meshes.pop_back();
    asset.meshes[0].name = "plate";
    asset.meshes[0].primitives.pop_back();
    asset.meshes[0].primitives[0].joints.clear();
    asset.materials.pop_back();
    return asset;
}

}  // namespace reanima::test
