#include "formats/ff7/battle_skeleton.h"

#include <cmath>

#include <fmt/format.h>

#include "core/byte_reader.h"
#include "core/byte_writer.h"
#include "formats/records.h"

namespace reanima::ff7 {

using core::DecodeError;

namespace {

constexpr std::size_t kBoneSize = 12;

Bone readBone(core::LittleEndianReader& file, std::size_t index) {
    Bone bone;
    bone.parent = file.read<std::int32_t>("parent");
    if (bone.parent < -1 || bone.parent >= static_cast<std::int32_t>(index))
        throw DecodeError(file.place("parent", 4),
                          fmt::format("is {}, expected -1 or an earlier bone, below {}", bone.parent, index));
    bone.length = file.read<float>("length");
    if (!std::isfinite(bone.length))
        throw DecodeError(file.place("length", 4), fmt::format("is {}, expected a finite number", bone.length));
    bone.hasModel = file.read<std::uint32_t>("has_model");
    return bone;
}

}  // namespace

BattleSkeleton decodeBattleSkeleton(core::Bytes bytes, core::Diagnostics& diagnostics) {
    core::LittleEndianReader file(bytes);
    BattleSkeleton skeleton;
    skeleton.kind = file.read<std::uint32_t>("kind");
    if (skeleton.kind > kLastSkeletonKind)
        throw DecodeError(file.place("kind", 4), fmt::format("is {}, expected 0, 1 or 2", skeleton.kind));
    skeleton.unknown04 = file.read<std::uint32_t>("unknown_04");
    skeleton.unknown08 = file.read<std::uint32_t>("unknown_08");
    const auto boneCount = file.read<std::uint32_t>("bone_count");
    const core::Place countPlace = file.place("bone_count", 4);
    skeleton.unknown10 = file.read<std::uint32_t>("unknown_10");
    skeleton.jointCount = file.read<std::uint32_t>("joint_count");
    skeleton.textureCount = file.read<std::uint32_t>("texture_count");
    skeleton.bodyAnimationCount = file.read<std::uint32_t>("body_animation_count");
    skeleton.unknown20 = file.read<std::uint32_t>("unknown_20");
    skeleton.weaponCount = file.read<std::uint32_t>("weapon_count");
    skeleton.weaponAnimationCount = file.read<std::uint32_t>("weapon_animation_count");
    skeleton.unknown2C = file.read<std::uint32_t>("unknown_2c");
    skeleton.unknown30 = file.read<std::uint32_t>("unknown_30");
    if (boneCount > file.remaining() / kBoneSize)
        throw DecodeError(
            countPlace, fmt::format("is {}, the file has room for {} bones", boneCount, file.remaining() / kBoneSize));
    skeleton.bones.reserve(boneCount);
    while (skeleton.bones.size() < boneCount) {
        const auto scope = file.enter("bones", skeleton.bones.size());
        skeleton.bones.push_back(readBone(file, skeleton.bones.size()));
    }
    skeleton.trailing = readTrailing(file, "the last bone", diagnostics);
    return skeleton;
}

core::ByteVector encodeBattleSkeleton(const BattleSkeleton& skeleton) {
    core::LittleEndianWriter out;
    out.write(skeleton.kind);
    out.write(skeleton.unknown04);
    out.write(skeleton.unknown08);
    out.write(static_cast<std::uint32_t>(skeleton.bones.size()));
    out.write(skeleton.unknown10);
    out.write(skeleton.jointCount);
    out.write(skeleton.textureCount);
    out.write(skeleton.bodyAnimationCount);
    out.write(skeleton.unknown20);
    out.write(skeleton.weaponCount);
    out.write(skeleton.weaponAnimationCount);
    out.write(skeleton.unknown2C);
    out.write(skeleton.unknown30);
    for (const Bone& bone : skeleton.bones) {
        out.write(bone.parent);
        out.write(bone.length);
        out.write(bone.hasModel);
    }
    out.write(core::Bytes(skeleton.trailing));
    return out.take();
}

bool isBattleSkeleton(core::Bytes file) {
    try {
        core::Diagnostics ignored;
        const BattleSkeleton skeleton = decodeBattleSkeleton(file, ignored);
        return skeleton.trailing.empty() && skeleton.unknown04 == 1 && skeleton.unknown08 == 1;
    } catch (const DecodeError&) {
        return false;
    }
}

}  // namespace reanima::ff7
