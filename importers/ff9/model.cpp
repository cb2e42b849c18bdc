#include "importers/ff9/model.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/byte_writer.h"

namespace reanima::ff9 {

using core::DecodeError;

namespace {

constexpr std::uint32_t kAddressBit = 0x80000000;

Bone readBone(core::LittleEndianReader& file, std::size_t index) {
    Bone bone;
    bone.length = file.read<std::int16_t>("length");
    bone.unknown02 = file.read<std::uint8_t>("unknown_02");
    bone.parent = file.read<std::uint8_t>("parent");
    if (index > 0 && bone.parent >= index)
        throw DecodeError(file.place("parent", 1),
                          fmt::format("is {}, expected an earlier bone, below {}", bone.parent, index));
    return bone;
}

/// Bytes between the header and the bones. In a model that was cut from the console's memory the pointer is an address;
/// the bones follow the header as in every known file.
std::size_t gapSize(std::uint32_t boneTable, const core::LittleEndianReader& behindHeader) {
    if ((boneTable & kAddressBit) != 0)
        return 0;
    constexpr std::size_t kBack = 8;  // the pointer, and the one behind it
    const core::Place place = behindHeader.place("bone_table", kBack);
    if (boneTable < kModelHeaderSize)
        throw DecodeError(
            place, fmt::format("is 0x{:x}, expected 0x{:x} or more, behind the header", boneTable, kModelHeaderSize));
    if (boneTable - kModelHeaderSize > behindHeader.remaining())
        throw DecodeError(place, fmt::format("is 0x{:x}, the file has {} bytes", boneTable,
                                             kModelHeaderSize + behindHeader.remaining()));
    return boneTable - kModelHeaderSize;
}

}  // namespace

Model decodeModel(core::LittleEndianReader file) {
    Model model;
    model.loaded = file.read<std::uint16_t>("loaded");
    if (model.loaded > 1)
        throw DecodeError(file.place("loaded", 2), fmt::format("is {}, expected 0 or 1", model.loaded));
    const auto boneCount = file.read<std::uint8_t>("bone_count");
    const core::Place countPlace = file.place("bone_count", 1);
    if (boneCount == 0)
        throw DecodeError(countPlace, "is 0, expected 1 or more");
    model.groupCount = file.read<std::uint8_t>("group_count");
    model.size = file.read<std::uint16_t>("size");
    model.neckBone = file.read<std::uint8_t>("neck_bone");
    model.unknown07 = file.read<std::uint8_t>("unknown_07");
    model.height = file.read<std::uint16_t>("height");
    model.radius = file.read<std::uint16_t>("radius");
    model.boneTable = file.read<std::uint32_t>("bone_table");
    model.meshGroups = file.read<std::uint32_t>("mesh_groups");
    model.gap = core::copyOf(file.bytes(gapSize(model.boneTable, file), {}));
    if (boneCount > file.remaining() / kBoneSize)
        throw DecodeError(countPlace,
                          fmt::format("is {}, the file has room for {}", boneCount, file.remaining() / kBoneSize));
    model.bones.reserve(boneCount);
    while (model.bones.size() < boneCount) {
        const auto scope = file.enter("bones", model.bones.size());
        model.bones.push_back(readBone(file, model.bones.size()));
    }
    model.meshes = core::copyOf(file.rest());
    return model;
}

core::ByteVector encodeModel(const Model& model) {
    core::LittleEndianWriter out;
    out.write(model.loaded);
    out.write(static_cast<std::uint8_t>(model.bones.size()));
    out.write(model.groupCount);
    out.write(model.size);
    out.write(model.neckBone);
    out.write(model.unknown07);
    out.write(model.height);
    out.write(model.radius);
    out.write(model.boneTable);
    out.write(model.meshGroups);
    out.write(core::Bytes(model.gap));
    for (const Bone& bone : model.bones) {
        out.write(bone.length);
        out.write(bone.unknown02);
        out.write(bone.parent);
    }
    out.write(core::Bytes(model.meshes));
    return out.take();
}

bool isModel(core::Bytes bytes) {
    try {
        const Model model = decodeModel(core::LittleEndianReader(bytes));
        const std::size_t bonesEnd = kModelHeaderSize + model.bones.size() * kBoneSize;
        const bool meshesFit = model.groupCount == 0 ? model.meshes.empty() : !model.meshes.empty();
        // An animation whose HIGH table follows its header has masks where bones have zeros.
        const bool bonesFit =
            std::all_of(model.bones.begin(), model.bones.end(), [](const Bone& bone) { return bone.unknown02 == 0; });
        return bonesFit && model.loaded == 0 && model.unknown07 == 0 && model.boneTable == kModelHeaderSize &&
               model.meshGroups >= bonesEnd && model.meshGroups <= bytes.size() && meshesFit;
    } catch (const DecodeError&) {
        return false;
    }
}

}  // namespace reanima::ff9
