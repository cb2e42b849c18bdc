/// Models of Final Fantasy IX (PlayStation), file type 0x02: a skeleton, and the groups of its mesh.
///
/// Layout and evidence: docs/formats/ff9_model.md
#pragma once

#include <cstdint>
#include <vector>

#include "../../core/byte_reader.h"
#include "../fields.h"
#include "mesh.h"

namespace reanima::ff9 {

inline constexpr std::size_t kModelHeaderSize = 0x14;
inline constexpr std::size_t kBoneSize = 4;
inline constexpr std::uint32_t kAddressBit = 0x80000000;  ///< marks a pointer into the console's memory
inline constexpr std::uint16_t kLoaded = 1;

struct Bone {
    /// Distance from the parent's joint to this one, along the parent's +Z, in the game's units. It may be negative,
    /// and is not used for bone 0.
    std::int16_t length = 0;
    std::uint8_t unknown02 = 0;
    std::uint8_t parent = 0;  ///< index of an earlier bone; not used for bone 0
};

/// The header and the bones, word for word.
struct ModelHead {
    std::uint16_t loaded = 0;  ///< 0 in files; 1 after the game replaced offsets by addresses
    std::uint8_t groupCount = 0;
    std::uint16_t size = 0;  ///< size of all groups' drawing commands, modulo 65536
    std::uint8_t neckBone = 0;
    std::uint8_t unknown07 = 0;
    std::uint16_t height = 0;
    std::uint16_t radius = 0;
    std::uint32_t boneTable = 0;   ///< an offset or, with bit 31 set, an address in the console's memory
    std::uint32_t meshGroups = 0;  ///< like boneTable
    std::vector<Bone> bones;       ///< parents first, 1 to 255
};
template <typename Record>
concept HeadOfModel = std::derived_from<Record, ModelHead>;

/// The header before the bones.
void describe(auto&& f, HeadOfModel auto& head, auto& boneCount) {
    f("loaded", head.loaded);
    f("bone_count", boneCount);
    f("group_count", head.groupCount);
    f("size", head.size);
    f("neck_bone", head.neckBone);
    f("unknown_07", head.unknown07);
    f("height", head.height);
    f("radius", head.radius);
    f("bone_table", head.boneTable);
    f("mesh_groups", head.meshGroups);
}

struct Model : ModelHead {
    std::vector<Group> groups;
};

/// Decodes a model. A group that extends beyond the model is reported by a warning; the others are kept.
/// @throws core::DecodeError for a truncated file, a parent after its child or a group table out of range; of the kind
/// `limit` for more vertices or faces than decodeGroups() allows
[[nodiscard]] Model decodeModel(const core::LittleEndianReader& file, const core::Limits& limits,
                                core::Diagnostics& diagnostics);

/// Decodes a model without its groups.
[[nodiscard]] ModelHead decodeModelHead(core::LittleEndianReader file);

/// The number of triangles that the group table of a model states. A quad is two triangles.
/// @param file reader at the model's first byte
/// @throws core::DecodeError if the table is not inside the file
[[nodiscard]] std::uint64_t countTriangles(const ModelHead& head, const core::LittleEndianReader& file);

/// Encodes a model in the layout of the game's tool: with offsets, consecutive blocks, and no shared bytes.
/// @throws core::DecodeError for a damaged group
[[nodiscard]] core::ByteVector encodeModel(const Model& model);

/// The size of all groups' drawing commands: ModelHead::size.
[[nodiscard]] std::uint16_t packetBytesOf(const Model& model);

/// True if the bytes are a model of which every group can be read.
[[nodiscard]] bool isModel(core::Bytes file);
/// True if the bytes have the structure of a model's head.
[[nodiscard]] bool beginsLikeModel(core::Bytes file);

}  // namespace reanima::ff9
