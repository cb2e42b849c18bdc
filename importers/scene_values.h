/// Assimp's values in this library's types.
#pragma once

#include <string>

#include <assimp/anim.h>
#include <assimp/types.h>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include "core/text.h"

namespace reanima {

[[nodiscard]] inline std::string textOf(const aiString& text) { return core::validUtf8({text.C_Str(), text.length}); }

[[nodiscard]] inline glm::vec3 toGlm(const aiVector3D& v) { return {v.x, v.y, v.z}; }

[[nodiscard]] inline glm::dmat4 toGlm(const aiMatrix4x4& m) {
    glm::dmat4 matrix(1);
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 3; ++row)
            matrix[column][row] = static_cast<double>(m[static_cast<unsigned>(row)][static_cast<unsigned>(column)]);
    return matrix;
}

[[nodiscard]] inline glm::dmat4 withLengthsTimes(double factor, glm::dmat4 matrix) {
    for (int row = 0; row < 3; ++row)
        matrix[3][row] *= factor;
    return matrix;
}

/// Ticks per second, as stated in the file, otherwise the default that viewers usually assume.
[[nodiscard]] inline double ticksPerSecond(const aiAnimation& animation) {
    constexpr double kUsual = 25;
    return animation.mTicksPerSecond > 0 ? animation.mTicksPerSecond : kUsual;
}

}  // namespace reanima
