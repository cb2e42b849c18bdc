/// A simple reader of animation blocks that follows their description: frame by frame, bone by bone, angle by angle. It
/// uses sinf and cosf, and checks nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

namespace reanima::bench {

struct PlainFrame {
    glm::vec3 translation;
    std::vector<glm::quat> rotations;  ///< one per bone, relative to the parent
};

std::vector<PlainFrame> decodePlainly(const std::uint8_t* block, std::size_t boneCount);

}  // namespace reanima::bench
