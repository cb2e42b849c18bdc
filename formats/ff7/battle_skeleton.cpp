#include "formats/ff7/battle_skeleton.h"

#include <cmath>

#include <fmt/format.h>

#include "core/byte_reader.h"
#include "core/byte_writer.h"
#include "core/decode_watch.h"
#include "formats/records.h"

namespace reanima::ff7 {

using core::DecodeError;

namespace {

constexpr std::size_t kBoneSize = 12;
constexpr std::size_t kBoneCountAt = 12;

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
    core::tellDecoding("ff7 battle skeleton", bytes);
    core::LittleEndianReader file(bytes);
    BattleSkeleton skeleton;
    const core::LittleEndianReader begin = file;
    std::uint32_t boneCount = 0;
    describe(fields::Read<core::LittleEndianReader>{file}, skeleton, boneCount);
    if (skeleton.kind > kLastSkeletonKind)
        throw DecodeError(begin.place("kind"), fmt::format("is {}, expected 0, 1 or 2", skeleton.kind));
    if (boneCount > file.remaining() / kBoneSize)
        throw DecodeError(
            begin.at(kBoneCountAt, "bone_count").place("bone_count"),
            fmt::format("is {}, but the file has room for only {} bones", boneCount, file.remaining() / kBoneSize));
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
    const auto boneCount = static_cast<std::uint32_t>(skeleton.bones.size());
    describe(fields::Write<core::LittleEndianWriter>{out}, skeleton, boneCount);
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
