#include "importers/ff9/model.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/byte_writer.h"

namespace reanima::ff9 {

using core::DecodeError;

namespace {

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
std::size_t gapSize(std::uint32_t boneTable, const core::LittleEndianReader& afterHeader) {
    if ((boneTable & kAddressBit) != 0)
        return 0;
    constexpr std::size_t kBack = 8;  // the pointer, and the one after it
    const core::Place place = afterHeader.place("bone_table", kBack);
    if (boneTable < kModelHeaderSize)
        throw DecodeError(
            place, fmt::format("is 0x{:x}, expected 0x{:x} or more, after the header", boneTable, kModelHeaderSize));
    if (boneTable - kModelHeaderSize > afterHeader.remaining())
        throw DecodeError(place, fmt::format("is 0x{:x}, the file has {} bytes", boneTable,
                                             kModelHeaderSize + afterHeader.remaining()));
    return boneTable - kModelHeaderSize;
}

/// A head, and the bytes in front of its bones.
struct HeadAndGap {
    ModelHead head;
    core::Bytes gap;
};

/// Reads up to the last bone.
HeadAndGap readHead(core::LittleEndianReader& file) {
    HeadAndGap result;
    ModelHead& head = result.head;
    head.loaded = file.read<std::uint16_t>("loaded");
    if (head.loaded > kLoaded)
        throw DecodeError(file.place("loaded", 2), fmt::format("is {}, expected 0 or 1", head.loaded));
    const auto boneCount = file.read<std::uint8_t>("bone_count");
    const core::Place countPlace = file.place("bone_count", 1);
    if (boneCount == 0)
        throw DecodeError(countPlace, "is 0, expected 1 or more");
    head.groupCount = file.read<std::uint8_t>("group_count");
    head.size = file.read<std::uint16_t>("size");
    head.neckBone = file.read<std::uint8_t>("neck_bone");
    head.unknown07 = file.read<std::uint8_t>("unknown_07");
    head.height = file.read<std::uint16_t>("height");
    head.radius = file.read<std::uint16_t>("radius");
    head.boneTable = file.read<std::uint32_t>("bone_table");
    head.meshGroups = file.read<std::uint32_t>("mesh_groups");
    result.gap = file.bytes(gapSize(head.boneTable, file), {});
    if (boneCount > file.remaining() / kBoneSize)
        throw DecodeError(countPlace,
                          fmt::format("is {}, the file has room for {}", boneCount, file.remaining() / kBoneSize));
    head.bones.reserve(boneCount);
    while (head.bones.size() < boneCount) {
        const auto scope = file.enter("bones", head.bones.size());
        head.bones.push_back(readBone(file, head.bones.size()));
    }
    return result;
}

/// Where the group table begins. In a model that was cut from the console's memory all pointers are addresses; its
/// bone table, after the header, tells from where they count.
std::uint64_t groupTableOf(const ModelHead& head) {
    const bool isInMemory = (head.boneTable & kAddressBit) != 0 && (head.meshGroups & kAddressBit) != 0;
    return isInMemory ? std::uint64_t{head.meshGroups} - head.boneTable + kModelHeaderSize : head.meshGroups;
}

}  // namespace

Model decodeModel(core::LittleEndianReader file) {
    HeadAndGap read = readHead(file);
    return {std::move(read.head), core::copyOf(read.gap), core::copyOf(file.rest())};
}

ModelHead decodeModelHead(core::LittleEndianReader file) { return readHead(file).head; }

std::uint64_t countTriangles(const ModelHead& head, const core::LittleEndianReader& file) {
    constexpr std::size_t kGroupSize = 0x28;
    constexpr std::size_t kPacketBytes = 2;
    constexpr std::size_t kMeshGroupsAt = 0x10;
    constexpr std::array<std::uint64_t, 8> kTriangles = {2, 1, 2, 1, 2, 1, 2, 1};  // ft4 ft3 gt4 gt3 g4 g3 f4 f3
    const std::uint64_t table = groupTableOf(head);
    if (table > file.remaining() || file.remaining() - table < head.groupCount * kGroupSize)
        throw DecodeError(file.at(kMeshGroupsAt, "mesh_groups").place("mesh_groups"),
                          fmt::format("is 0x{:x}, {} groups there end outside the model of {} bytes", head.meshGroups,
                                      head.groupCount, file.remaining()));
    std::uint64_t triangles = 0;
    core::LittleEndianReader groups = file.at(static_cast<std::size_t>(table), "mesh_groups");
    for (std::size_t group = 0; group < head.groupCount; ++group) {
        core::LittleEndianReader words(groups.bytes(kGroupSize, "mesh_groups"));
        (void)words.bytes(kPacketBytes, {});
        for (const std::uint64_t each : kTriangles)
            triangles += each * words.read<std::uint16_t>({});
    }
    return triangles;
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
