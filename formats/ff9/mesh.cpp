#include "formats/ff9/mesh.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/byte_writer.h"

namespace reanima::ff9 {

namespace {

using core::Code;
using core::DecodeError;
using core::LittleEndianReader;

constexpr std::array<FaceLayout, kFaceKinds> kLayouts = {{
    {"ft4", 24, 4, 0x28, 0x15, 0x08, std::nullopt, 0x10, 0x13, 0x14},
    {"ft3", 20, 3, 0x20, 0x12, 0x0C, std::nullopt, 0x08, 0x06, 0x0B},
    {"gt4", 32, 4, 0x34, 0x1C, 0x08, 0x10, std::nullopt, 0x1D, std::nullopt},
    {"gt3", 24, 3, 0x28, 0x0F, 0x06, 0x10, std::nullopt, 0x16, std::nullopt},
    {"g4", 24, 4, 0x24, 0x14, std::nullopt, 0x08, std::nullopt, std::nullopt, std::nullopt},
    {"g3", 20, 3, 0x1C, 0x13, std::nullopt, 0x08, std::nullopt, std::nullopt, std::nullopt},
    {"f4", 16, 4, 0x18, 0x0D, std::nullopt, std::nullopt, 0x08, std::nullopt, std::nullopt},
    {"f3", 12, 3, 0x14, 0x0B, std::nullopt, std::nullopt, 0x08, std::nullopt, std::nullopt},
}};

/// Calls apply(offset, member) for every member that faces of this kind have; offsets count bytes of the record.
template <typename FaceType, typename Apply>
void eachField(FaceType& face, const Apply& apply) {
    const FaceLayout& layout = layoutOf(face.kind);
    const auto list = [&](std::size_t offset, auto& indices) {
        for (std::size_t corner = 0; corner < layout.corners; ++corner)
            apply(offset + corner * sizeof(std::uint16_t), indices[corner]);
    };
    list(0, face.vertices);
    if (layout.uv)
        list(*layout.uv, face.uv);
    if (layout.colors)
        list(*layout.colors, face.colors);
    if (layout.rgb)
        for (std::size_t i = 0; i < face.rgb.size(); ++i)
            apply(*layout.rgb + i, face.rgb[i]);
    if (layout.material)
        apply(*layout.material, face.material);
    if (layout.direction)
        apply(*layout.direction, face.direction);
    apply(layout.flags, face.flags);
}

/// The number of list entries that a group's faces need: the highest index plus 1.
template <typename Indices>
std::size_t countUsed(const Group& group, std::optional<std::size_t> FaceLayout::*has, Indices indices) {
    std::size_t used = 0;
    for (const Face& face : group.faces)
        if (const FaceLayout& layout = layoutOf(face.kind); layout.*has)
            for (std::size_t corner = 0; corner < layout.corners; ++corner)
                used = std::max<std::size_t>(used, (face.*indices)[corner] + std::size_t{1});
    return used;
}

/// One row of the group table.
struct Entry {
    std::uint16_t packetBytes = 0;
    std::array<std::uint16_t, kFaceKinds> faceCounts{};
    std::uint8_t unknown12 = 0;
    std::int8_t depth = 0;
    std::uint32_t vertexCounts = 0;  // pointers
    std::uint32_t vertices = 0;
    std::uint32_t faces = 0;
    std::uint32_t uv = 0;
    std::uint32_t colors = 0;
};

Entry readEntry(LittleEndianReader& table) {
    Entry entry;
    entry.packetBytes = table.read<std::uint16_t>("packet_bytes");
    for (std::uint16_t& count : entry.faceCounts)
        count = table.read<std::uint16_t>("face_counts");
    entry.unknown12 = table.read<std::uint8_t>("unknown_12");
    entry.depth = table.read<std::int8_t>("depth");
    for (std::uint32_t* pointer : {&entry.vertexCounts, &entry.vertices, &entry.faces, &entry.uv, &entry.colors})
        *pointer = table.read<std::uint32_t>("pointers");
    return entry;
}

/// The blocks of a group. All blocks of known size are inside the model.
struct Blocks {
    Entry entry;
    std::vector<std::uint16_t> vertexCounts;
    LittleEndianReader vertices{core::Bytes{}};
    LittleEndianReader faces{core::Bytes{}};
    std::size_t vertexCount = 0;
    std::size_t faceCount = 0;
};

constexpr std::size_t kVertexSize = 8;
constexpr std::uint64_t kMostIndices = 65536;

/// Reads the groups of one model.
class GroupReader {
  public:
    GroupReader(const LittleEndianReader& model, const GroupTable& table, core::Diagnostics& diagnostics)
        : model_(model), table_(table), diagnostics_(diagnostics) {}

    /// Finds the blocks of all groups. The result is empty for a group with blocks outside the model.
    std::vector<std::optional<Blocks>> locateAll() {
        LittleEndianReader rows = model_.at(table_.offset, "mesh_groups");
        std::vector<std::optional<Blocks>> located(table_.groups);
        for (std::size_t i = 0; i < located.size(); ++i) {
            const auto row = rows.enter("groups", i);
            const Entry entry = readEntry(rows);
            const auto scope = model_.enter("groups", i);
            orWarn([&] { located[i] = locate(entry); });
        }
        return located;
    }

    std::vector<Group> readAll(const std::vector<std::optional<Blocks>>& located) {
        std::vector<Group> groups(located.size());
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const auto scope = model_.enter("groups", i);
            groups[i].damaged = true;
            if (located[i])
                orWarn([&] { groups[i] = read(*located[i]); });
        }
        return groups;
    }

  private:
    template <typename Work>
    void orWarn(const Work& work) {
        try {
            work();
        } catch (const DecodeError& error) {
            if (error.kind() == DecodeError::Kind::limit)
                throw;
            diagnostics_.warn(Code::damaged, error);
        }
    }

    /// A reader of `size` bytes at a pointer.
    [[nodiscard]] LittleEndianReader follow(std::uint32_t pointer, std::uint64_t size, std::string_view field) const {
        if (pointer < table_.base)
            throw DecodeError(model_.place(field),
                              fmt::format("0x{:x} is before the model's first byte at 0x{:x}", pointer, table_.base));
        LittleEndianReader block = model_.at(pointer - table_.base, field);
        return block.slice(size, field);
    }

    [[nodiscard]] Blocks locate(const Entry& entry) const {
        Blocks blocks;
        blocks.entry = entry;
        LittleEndianReader counts = follow(entry.vertexCounts, 2 * table_.bones, "vertex_counts");
        blocks.vertexCounts.resize(table_.bones);
        for (std::uint16_t& count : blocks.vertexCounts)
            blocks.vertexCount += count = counts.read<std::uint16_t>("vertex_counts");
        blocks.vertices = follow(entry.vertices, kVertexSize * blocks.vertexCount, "vertices");
        std::size_t faceBytes = 0;
        for (std::size_t kind = 0; kind < kFaceKinds; ++kind) {
            blocks.faceCount += entry.faceCounts[kind];
            faceBytes += entry.faceCounts[kind] * kLayouts[kind].size;
        }
        blocks.faces = follow(entry.faces, faceBytes, "faces");
        return blocks;
    }

    [[nodiscard]] Group read(Blocks blocks) const {
        Group group;
        group.packetBytes = blocks.entry.packetBytes;
        group.unknown12 = blocks.entry.unknown12;
        group.depth = blocks.entry.depth;
        group.vertexCounts = std::move(blocks.vertexCounts);
        group.vertices.resize(blocks.vertexCount);
        for (Vertex& vertex : group.vertices)
            vertex = readVertex(blocks.vertices);
        readFaces(blocks, group);
        readUv(blocks.entry, group);
        readColors(blocks.entry, group);
        return group;
    }

    static Vertex readVertex(LittleEndianReader& block) {
        Vertex vertex;
        vertex.x = block.read<std::int16_t>("vertices");
        vertex.y = block.read<std::int16_t>("vertices");
        vertex.z = block.read<std::int16_t>("vertices");
        vertex.bone = block.read<std::uint8_t>("vertices");
        vertex.direction = block.read<std::uint8_t>("vertices");
        return vertex;
    }

    void readFaces(Blocks& blocks, Group& group) const {
        group.faces.reserve(blocks.faceCount);
        for (std::size_t kind = 0; kind < kFaceKinds; ++kind)
            for (std::size_t i = 0; i < blocks.entry.faceCounts[kind]; ++i) {
                const FaceLayout& layout = kLayouts[kind];
                const core::Place place = blocks.faces.place({});
                const Face& face = group.faces.emplace_back(
                    decodeFace(static_cast<FaceKind>(kind), blocks.faces.bytes(layout.size, "faces")));
                for (std::size_t corner = 0; corner < layout.corners; ++corner)
                    if (face.vertices[corner] >= group.vertices.size())
                        throw DecodeError(
                            {fmt::format("{}.faces.{}[{}].vertices[{}]", model_.path(), layout.name, i, corner),
                             *place.offset + 2 * corner},
                            fmt::format("is {}, but the group has only {} vertices", face.vertices[corner],
                                        group.vertices.size()));
            }
    }

    void readUv(const Entry& entry, Group& group) const {
        group.uv.resize(countUsedUv(group));
        if (group.uv.empty())
            return;
        LittleEndianReader block = follow(entry.uv, 2 * group.uv.size(), "uv");
        for (auto& uv : group.uv)
            uv = {block.read<std::uint8_t>("uv"), block.read<std::uint8_t>("uv")};
    }

    void readColors(const Entry& entry, Group& group) const {
        group.colors.resize(countUsedColors(group));
        if (group.colors.empty())
            return;
        LittleEndianReader block = follow(entry.colors, 4 * group.colors.size(), "colors");
        for (auto& color : group.colors)
            for (std::uint8_t& channel : color)
                channel = block.read<std::uint8_t>("colors");
    }

    LittleEndianReader model_;
    GroupTable table_;
    core::Diagnostics& diagnostics_;
};

/// Counts everything before memory is reserved. Groups may share blocks, so a small file can expand a lot.
void requireWithinLimits(const std::vector<std::optional<Blocks>>& located, std::size_t modelSize,
                         const core::Limits& limits, const core::Place& place) {
    std::uint64_t vertices = 0;
    std::uint64_t faces = 0;
    std::uint64_t lists =
        0;  // bytes of texture coordinates and colours: limited by the possible indices and by the model's size
    for (const auto& blocks : located)
        if (blocks) {
            vertices += blocks->vertexCount;
            faces += blocks->faceCount;
            lists += blocks->faceCount == 0 ? 0 : std::min<std::uint64_t>(modelSize, kMostIndices * 4);
        }
    if (std::max(vertices, faces) > kMostInGroups)
        throw DecodeError(place,
                          fmt::format("the groups have {} vertices and {} faces, expected at most {} of each", vertices,
                                      faces, kMostInGroups),
                          DecodeError::Kind::limit);
    core::requireMemory(vertices * sizeof(Vertex) + faces * sizeof(Face) + 2 * lists, limits, place);
}

void warnOfDoubts(const std::vector<Group>& groups, const core::Place& table, core::Diagnostics& diagnostics) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const Group& group = groups[i];
        if (group.damaged)
            continue;
        const auto place = [&](std::string_view field) {
            return core::Place{fmt::format("groups[{}].{}", i, field), *table.offset + i * kGroupSize};
        };
        const std::vector<std::uint8_t> bones = bonesByCounts(group);
        std::size_t others = 0;
        for (std::size_t v = 0; v < bones.size(); ++v)
            others += group.vertices[v].bone != bones[v] ? 1U : 0U;
        if (others > 0)
            diagnostics.warn(
                Code::countMismatch, place("vertices"),
                fmt::format(
                    "{} of {} vertices belong to a different bone than the vertex counts state; the counts are used",
                    others, bones.size()));
        if (group.packetBytes != packetBytesOf(group))
            diagnostics.warn(
                Code::countMismatch, place("packet_bytes"),
                fmt::format("is {}, but the faces need {} bytes", group.packetBytes, packetBytesOf(group)));
        const auto unknown = std::count_if(group.faces.begin(), group.faces.end(),
                                           [](const Face& face) { return (face.flags & kUnknownFlags) != 0; });
        if (unknown > 0)
            diagnostics.warn(Code::rareLayout, place("faces"),
                             fmt::format("{} faces have the flags 0x1c, whose meaning is not known", unknown));
    }
}

/// The blocks of one group, in order, and their offsets.
struct EncodedGroup {
    core::ByteVector bytes;
    std::array<std::size_t, 5> starts{};
};

EncodedGroup encodeBlocks(const Group& group) {
    EncodedGroup encoded;
    core::LittleEndianWriter out;
    for (const std::uint16_t count : group.vertexCounts)
        out.write(count);
    out.pad(4);
    encoded.starts[1] = out.size();
    for (const Vertex& vertex : group.vertices) {
        for (const std::int16_t axis : {vertex.x, vertex.y, vertex.z})
            out.write(axis);
        out.write(vertex.bone);
        out.write(vertex.direction);
    }
    encoded.starts[2] = out.size();
    for (const Face& face : group.faces) {
        const auto record = encodeFace(face);
        out.write(core::Bytes(record).first(layoutOf(face.kind).size));
    }
    encoded.starts[3] = out.size();
    for (const auto& uv : group.uv)
        out.write(core::Bytes(uv));
    out.pad(4);
    encoded.starts[4] = out.size();
    for (const auto& color : group.colors)
        out.write(core::Bytes(color));
    encoded.bytes = out.take();
    return encoded;
}

}  // namespace

const FaceLayout& layoutOf(FaceKind kind) { return kLayouts[static_cast<std::size_t>(kind)]; }

Face decodeFace(FaceKind kind, core::Bytes record) {
    Face face;
    face.kind = kind;
    std::copy(record.begin(), record.end(), face.unnamed.begin());
    eachField(face, [&]<typename T>(std::size_t offset, T& member) {
        member = LittleEndianReader(record.subspan(offset)).read<T>({});
        std::fill_n(face.unnamed.begin() + static_cast<std::ptrdiff_t>(offset), sizeof(T), std::uint8_t{0});
    });
    return face;
}

std::array<std::uint8_t, kLargestFace> encodeFace(const Face& face) {
    std::array<std::uint8_t, kLargestFace> record = face.unnamed;
    eachField(face, [&](std::size_t offset, auto member) {
        core::LittleEndianWriter bytes;
        bytes.write(member);
        std::copy(bytes.bytes().begin(), bytes.bytes().end(), record.begin() + static_cast<std::ptrdiff_t>(offset));
    });
    return record;
}

std::vector<Group> decodeGroups(const LittleEndianReader& model, const GroupTable& table, const core::Limits& limits,
                                core::Diagnostics& diagnostics) {
    GroupReader reader(model, table, diagnostics);
    const std::vector<std::optional<Blocks>> located = reader.locateAll();
    const core::Place place = model.at(table.offset, "mesh_groups").place("mesh_groups");
    requireWithinLimits(located, model.remaining(), limits, place);
    std::vector<Group> groups = reader.readAll(located);
    warnOfDoubts(groups, place, diagnostics);
    return groups;
}

core::ByteVector encodeGroups(const std::vector<Group>& groups, std::size_t offset) {
    core::LittleEndianWriter table;
    core::LittleEndianWriter blocks;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const Group& group = groups[i];
        if (group.damaged)
            throw DecodeError({fmt::format("groups[{}]", i), std::nullopt}, "is damaged and can't be written");
        std::array<std::uint16_t, kFaceKinds> counts{};
        for (const Face& face : group.faces)
            ++counts[static_cast<std::size_t>(face.kind)];
        table.write(group.packetBytes);
        for (const std::uint16_t count : counts)
            table.write(count);
        table.write(group.unknown12);
        table.write(group.depth);
        const EncodedGroup encoded = encodeBlocks(group);
        const std::size_t start = offset + groups.size() * kGroupSize + blocks.size();
        for (const std::size_t block : encoded.starts)
            table.write(static_cast<std::uint32_t>(start + block));
        blocks.write(core::Bytes(encoded.bytes));
    }
    table.write(blocks.bytes());
    return table.take();
}

std::vector<std::uint8_t> bonesByCounts(const Group& group) {
    std::vector<std::uint8_t> bones;
    bones.reserve(group.vertices.size());
    for (std::size_t bone = 0; bone < group.vertexCounts.size(); ++bone)
        bones.insert(bones.end(), group.vertexCounts[bone], static_cast<std::uint8_t>(bone));
    return bones;
}

std::size_t countUsedUv(const Group& group) { return countUsed(group, &FaceLayout::uv, &Face::uv); }

std::size_t countUsedColors(const Group& group) { return countUsed(group, &FaceLayout::colors, &Face::colors); }

std::uint16_t packetBytesOf(const Group& group) {
    const std::size_t sum =
        std::accumulate(group.faces.begin(), group.faces.end(), std::size_t{0},
                        [](std::size_t bytes, const Face& face) { return bytes + layoutOf(face.kind).packetBytes; });
    return static_cast<std::uint16_t>(sum);
}

}  // namespace reanima::ff9
