/// Battle skeletons of Final Fantasy VII (PC), `**aa` and `*.d`.
///
/// Layout and evidence: docs/formats/ff7_battle_skeleton.md
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "../../core/bytes.h"
#include "../../core/diagnostics.h"
#include "../fields.h"

namespace reanima::ff7 {

struct Bone {
    std::int32_t parent = -1;    ///< index of an earlier bone, -1 for the root
    float length = 0;            ///< in the game's units; children start at its end. Negative: the bone points along -Z
    std::uint32_t hasModel = 0;  ///< non-zero: the bone has a geometry file
};

inline constexpr std::uint32_t kLastSkeletonKind = 2;

/// The content of a file, word for word.
struct BattleSkeleton {
    std::uint32_t kind = 0;  ///< 0 enemy, 1 location, 2 player
    std::uint32_t unknown04 = 1;
    std::uint32_t unknown08 = 1;
    std::uint32_t unknown10 = 0;
    std::uint32_t jointCount = 0;  ///< the number of pieces, if this is a location without bones
    std::uint32_t textureCount = 0;
    std::uint32_t bodyAnimationCount = 0;
    std::uint32_t unknown20 = 0;
    std::uint32_t weaponCount = 0;
    std::uint32_t weaponAnimationCount = 0;
    std::uint32_t unknown2C = 0;
    std::uint32_t unknown30 = 0;
    std::vector<Bone> bones;
    core::ByteVector trailing;  ///< bytes after the last bone
};
/// The header before the bones.
void describe(auto&& f, fields::RecordOf<BattleSkeleton> auto& skeleton, auto& boneCount) {
    f("kind", skeleton.kind, fields::kMayLack);
    f("unknown_04", skeleton.unknown04, fields::kMayLack);
    f("unknown_08", skeleton.unknown08, fields::kMayLack);
    f("bone_count", boneCount, fields::kDerived);
    f("unknown_10", skeleton.unknown10, fields::kMayLack);
    f("joint_count", skeleton.jointCount, fields::kMayLack);
    f("texture_count", skeleton.textureCount, fields::kMayLack);
    f("body_animation_count", skeleton.bodyAnimationCount, fields::kMayLack);
    f("unknown_20", skeleton.unknown20, fields::kMayLack);
    f("weapon_count", skeleton.weaponCount, fields::kMayLack);
    f("weapon_animation_count", skeleton.weaponAnimationCount, fields::kMayLack);
    f("unknown_2c", skeleton.unknown2C, fields::kMayLack);
    f("unknown_30", skeleton.unknown30, fields::kMayLack);
}

/// @throws core::DecodeError for a truncated file, a parent after its child, or a length that is not finite
[[nodiscard]] BattleSkeleton decodeBattleSkeleton(core::Bytes file, core::Diagnostics& diagnostics);

/// Encodes a skeleton. A decoded file is reproduced byte for byte.
[[nodiscard]] core::ByteVector encodeBattleSkeleton(const BattleSkeleton& skeleton);

/// True if all bytes have the structure of a skeleton.
[[nodiscard]] bool isBattleSkeleton(core::Bytes file);

}  // namespace reanima::ff7
