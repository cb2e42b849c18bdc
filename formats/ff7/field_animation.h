/// Field animations of Final Fantasy VII (PC), `*.a`.
///
/// Layout and evidence: docs/formats/ff7_field_animation.md
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/bytes.h"
#include "core/diagnostics.h"
#include "core/limits.h"

namespace reanima::ff7 {

using Triple = std::array<float, 3>;  ///< x, y, z

/// The content of a file, word for word.
struct FieldAnimation {
    std::uint32_t version = 1;
    std::uint32_t frameCount = 0;                ///< number of frames, as stated
    std::uint32_t boneCount = 0;                 ///< bones in every frame
    std::array<std::uint8_t, 3> order{1, 0, 2};  ///< order of the factors of a rotation: 1, 0, 2 is Ry * Rx * Rz
    std::uint8_t unknown0F = 0;
    std::array<std::uint32_t, 5> runtime{};  ///< leftovers of run-time memory

    struct Frame {
        Triple rotation{};     ///< rotation of the root in degrees
        Triple translation{};  ///< position of the root in the game's units
    };
    std::vector<Frame> frames;      ///< complete frames
    std::vector<Triple> rotations;  ///< degrees; boneCount per frame
    core::ByteVector tail;          ///< all bytes after the last readable frame
};

/// The order of the factors. It is Y, X, Z if the file's order is not a permutation.
[[nodiscard]] std::array<std::uint8_t, 3> factorsOf(const FieldAnimation& animation);

/// True if the bytes are too few for a frame with this number of bones, but enough for a frame with fewer bones.
[[nodiscard]] bool hasTooManyBones(std::uint32_t bones, std::uint64_t bytes);

/// @throws core::DecodeError for a truncated header, a version other than 1, or a first frame that is truncated or not
/// finite. If the file is shorter than one frame with its number of bones, the result has no frames.
[[nodiscard]] FieldAnimation decodeFieldAnimation(core::Bytes file, const core::Limits& limits,
                                                  core::Diagnostics& diagnostics);

[[nodiscard]] core::ByteVector encodeFieldAnimation(const FieldAnimation& animation);

/// True if all bytes have the structure of an animation.
[[nodiscard]] bool isFieldAnimation(core::Bytes file);
/// True if the header is valid.
[[nodiscard]] bool beginsLikeFieldAnimation(core::Bytes file);

}  // namespace reanima::ff7
