#include "formats/ff9/model.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/byte_writer.h"
#include "core/decode_watch.h"

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

/// Bytes between the header and the bones. In a model dumped from the console's memory the pointer is an address. Its
/// bones then follow the header, as in every known file.
std::size_t gapSize(std::uint32_t boneTable, const core::LittleEndianReader& afterHeader) {
    if ((boneTable & kAddressBit) != 0)
        return 0;
    constexpr std::size_t kBack = 8;  // the bone pointer and the pointer after it
    const core::Place place = afterHeader.place("bone_table", kBack);
    if (boneTable < kModelHeaderSize)
        throw DecodeError(
            place, fmt::format("is 0x{:x}, expected 0x{:x} or more, after the header", boneTable, kModelHeaderSize));
    if (boneTable - kModelHeaderSize > afterHeader.remaining())
        throw DecodeError(place, fmt::format("is 0x{:x}, but the file has only {} bytes", boneTable,
                                             kModelHeaderSize + afterHeader.remaining()));
    return boneTable - kModelHeaderSize;
}

/// Reads the head up to the last bone.
ModelHead readHead(core::LittleEndianReader& file) {
    ModelHead head;
    const core::LittleEndianReader begin = file;
    std::uint8_t boneCount = 0;
    describe(fields::Read<core::LittleEndianReader>{file}, head, boneCount);
    if (head.loaded > kLoaded)
        throw DecodeError(begin.place("loaded"), fmt::format("is {}, expected 0 or 1", head.loaded));
    constexpr std::size_t kBoneCountAt = 2;
    const core::Place countPlace = begin.at(kBoneCountAt, "bone_count").place("bone_count");
    if (boneCount == 0)
        throw DecodeError(countPlace, "is 0, expected 1 or more");
    (void)file.bytes(gapSize(head.boneTable, file), {});
    if (boneCount > file.remaining() / kBoneSize)
        throw DecodeError(countPlace, fmt::format("is {}, but the file has room for only {}", boneCount,
                                                  file.remaining() / kBoneSize));
    head.bones.reserve(boneCount);
    while (head.bones.size() < boneCount) {
        const auto scope = file.enter("bones", head.bones.size());
        head.bones.push_back(readBone(file, head.bones.size()));
    }
    return head;
}

/// In a model dumped from the console's memory all pointers are addresses. Its bone table follows the header directly,
/// so the address of the table shows the base of all addresses.
GroupTable groupTableOf(const ModelHead& head, const core::LittleEndianReader& file) {
    constexpr std::size_t kMeshGroupsAt = 0x10;
    GroupTable table{head.meshGroups, head.groupCount, head.bones.size()};
    if ((head.boneTable & kAddressBit) != 0)
        table.base = head.boneTable - kModelHeaderSize;
    const core::Place place = file.at(kMeshGroupsAt, "mesh_groups").place("mesh_groups");
    if (head.meshGroups < table.base)
        throw DecodeError(
            place, fmt::format("is 0x{:x}, before the model's first byte at 0x{:x}", head.meshGroups, table.base));
    table.offset -= table.base;
    if (table.offset > file.remaining() || file.remaining() - table.offset < table.groups * kGroupSize)
        throw DecodeError(place,
                          fmt::format("is 0x{:x}, but the {} groups from there end outside the model of {} bytes",
                                      head.meshGroups, head.groupCount, file.remaining()));
    return table;
}

void warnOfSize(const Model& model, const core::LittleEndianReader& file, core::Diagnostics& diagnostics) {
    constexpr std::size_t kSizeAt = 4;
    const bool isWhole =
        std::none_of(model.groups.begin(), model.groups.end(), [](const Group& group) { return group.damaged; });
    if (isWhole && !model.groups.empty() && model.size != packetBytesOf(model))
        diagnostics.warn(core::Code::countMismatch, file.at(kSizeAt, "size").place("size"),
                         fmt::format("is {}, but the faces need {} bytes", model.size, packetBytesOf(model)));
}

}  // namespace

Model decodeModel(const core::LittleEndianReader& file, const core::Limits& limits, core::Diagnostics& diagnostics) {
    core::tellDecoding("ff9 model", file);
    core::LittleEndianReader head = file;
    Model model{readHead(head), {}};
    model.groups = decodeGroups(file, groupTableOf(model, file), limits, diagnostics);
    warnOfSize(model, file, diagnostics);
    return model;
}

ModelHead decodeModelHead(core::LittleEndianReader file) {
    core::tellDecoding("ff9 model head", file);
    return readHead(file);
}

std::uint64_t countTriangles(const ModelHead& head, const core::LittleEndianReader& file) {
    constexpr std::size_t kPacketBytes = 2;
    const GroupTable table = groupTableOf(head, file);
    std::uint64_t triangles = 0;
    core::LittleEndianReader groups = file.at(table.offset, "mesh_groups");
    for (std::size_t group = 0; group < table.groups; ++group) {
        core::LittleEndianReader words(groups.bytes(kGroupSize, "mesh_groups"));
        (void)words.bytes(kPacketBytes, {});
        for (std::size_t kind = 0; kind < kFaceKinds; ++kind)
            triangles += (layoutOf(static_cast<FaceKind>(kind)).corners - 2) * words.read<std::uint16_t>({});
    }
    return triangles;
}

core::ByteVector encodeModel(const Model& model) {
    const std::size_t bonesEnd = kModelHeaderSize + model.bones.size() * kBoneSize;
    core::LittleEndianWriter out;
    ModelHead head = model;
    head.groupCount = static_cast<std::uint8_t>(model.groups.size());
    head.boneTable = static_cast<std::uint32_t>(kModelHeaderSize);
    head.meshGroups = static_cast<std::uint32_t>(bonesEnd);
    const auto boneCount = static_cast<std::uint8_t>(model.bones.size());
    describe(fields::Write<core::LittleEndianWriter>{out}, head, boneCount);
    for (const Bone& bone : model.bones) {
        out.write(bone.length);
        out.write(bone.unknown02);
        out.write(bone.parent);
    }
    out.write(core::Bytes(encodeGroups(model.groups, bonesEnd)));
    return out.take();
}

std::uint16_t packetBytesOf(const Model& model) {
    std::uint16_t sum = 0;
    for (const Group& group : model.groups)
        sum = static_cast<std::uint16_t>(sum + packetBytesOf(group));
    return sum;
}

bool beginsLikeModel(core::Bytes bytes) {
    try {
        const core::LittleEndianReader file(bytes);
        const ModelHead head = decodeModelHead(file);
        const GroupTable table = groupTableOf(head, file);
        // Rejects animations: if the HIGH table follows the header, masks are in the place of these zeros.
        const bool bonesFit =
            std::all_of(head.bones.begin(), head.bones.end(), [](const Bone& bone) { return bone.unknown02 == 0; });
        const bool isWhereTheGameHasIt = table.base != 0 || head.boneTable == kModelHeaderSize;
        return bonesFit && head.unknown07 == 0 && isWhereTheGameHasIt &&
               table.offset >= kModelHeaderSize + head.bones.size() * kBoneSize;
    } catch (const DecodeError&) {
        return false;
    }
}

bool isModel(core::Bytes bytes) {
    if (!beginsLikeModel(bytes))
        return false;
    try {
        core::Diagnostics diagnostics;
        const Model model = decodeModel(core::LittleEndianReader(bytes), {}, diagnostics);
        const bool isWhole =
            std::none_of(model.groups.begin(), model.groups.end(), [](const Group& group) { return group.damaged; });
        const std::size_t bonesEnd = kModelHeaderSize + model.bones.size() * kBoneSize;
        return isWhole && (!model.groups.empty() || bytes.size() == bonesEnd);
    } catch (const DecodeError&) {
        return false;
    }
}

}  // namespace reanima::ff9
