#include "formats/ff7/piece.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "core/byte_reader.h"
#include "core/byte_writer.h"
#include "core/decode_watch.h"

namespace reanima::ff7 {

using core::Code;
using core::DecodeError;
using Reader = core::LittleEndianReader;

namespace {

constexpr std::uint64_t kBoxSize = 28;
constexpr std::uint64_t kNormalIndexSize = 4;

// ---------------------------------------------------------------------------------------------------------------------
// The elements of the sections

template <typename T, std::size_t n>
void read(Reader& file, std::array<T, n>& values, std::string_view field) {
    for (T& value : values)
        value = file.read<T>(field);
}

template <typename T, std::size_t n>
void write(core::LittleEndianWriter& out, const std::array<T, n>& values) {
    for (const T value : values)
        out.write(value);
}

template <std::size_t n>
void read(Reader& file, std::array<std::uint8_t, n>& bytes, std::string_view field) {
    std::ranges::copy(file.bytes(n, field), bytes.begin());
}

void read(Reader& file, std::uint32_t& word, std::string_view field) { word = file.read<std::uint32_t>(field); }

void write(core::LittleEndianWriter& out, std::uint32_t word) { out.write(word); }

template <typename Record>
concept Described = requires(Record& record, Reader& file) {
    describe(fields::Read<Reader>{file}, record);
};

void read(Reader& file, Described auto& record, std::string_view) { describe(fields::Read<Reader>{file}, record); }

void write(core::LittleEndianWriter& out, const Described auto& record) {
    describe(fields::Write<core::LittleEndianWriter>{out}, record);
}

// ---------------------------------------------------------------------------------------------------------------------
// Sections

/// Bytes of the sections before the boxes.
std::uint64_t sizeBeforeBoxes(const PieceHeader& header) {
    const auto bytes = [](std::uint32_t count, std::uint64_t size) { return count * size; };
    return bytes(header.vertexCount, 12) + bytes(header.normalCount, 12) + bytes(header.extraCount, 12) +
           bytes(header.textureCoordinateCount, 8) + bytes(header.vertexColorCount, 4) + bytes(header.polygonCount, 4) +
           bytes(header.edgeCount, 4) + bytes(header.polygonCount, 24) + bytes(header.record24Count, 24) +
           bytes(header.record3Count, 3) + bytes(header.renderStateCount, 100) + bytes(header.groupCount, 56);
}

/// Reads a list. The file must contain all its elements.
template <typename T>
void readList(Reader& file, std::uint32_t count, std::string_view name, std::vector<T>& list) {
    list.reserve(count);
    while (list.size() < count) {
        const auto scope = file.enter(name, list.size());
        read(file, list.emplace_back(), {});
    }
}

/// Reads a list whose numbers must be finite.
template <typename T>
void readFinite(Reader& file, std::uint32_t count, std::string_view name, std::vector<T>& list) {
    list.reserve(count);
    while (list.size() < count) {
        const auto scope = file.enter(name, list.size());
        read(file, list.emplace_back(), {});
        if (!std::ranges::all_of(list.back(), [](float value) { return std::isfinite(value); }))
            throw DecodeError(file.place({}, sizeof(T)), "is not finite");
    }
}

/// @throws DecodeError if the bytes are not the header of a mesh
PieceHeader readHeader(Reader& file) {
    PieceHeader header;
    read(file, header, {});
    requireKnown(header);
    return header;
}

void readBody(Reader& file, Piece& piece) {
    const PieceHeader& header = piece.header;
    if (const std::uint64_t size = sizeBeforeBoxes(header); size > file.remaining())
        throw DecodeError(
            file.place("vertices"),
            fmt::format("these and the lists after them need {} bytes, but only {} are left", size, file.remaining()));
    readFinite(file, header.vertexCount, "vertices", piece.vertices);
    readFinite(file, header.normalCount, "normals", piece.normals);
    readFinite(file, header.extraCount, "extra", piece.extra);
    readFinite(file, header.textureCoordinateCount, "texture_coordinates", piece.textureCoordinates);
    readList(file, header.vertexColorCount, "vertex_colors", piece.vertexColors);
    readList(file, header.polygonCount, "polygon_colors", piece.polygonColors);
    readList(file, header.edgeCount, "edges", piece.edges);
    readList(file, header.polygonCount, "polygons", piece.polygons);
    readList(file, header.record24Count, "records24", piece.records24);
    readList(file, header.record3Count, "records3", piece.records3);
    readList(file, header.renderStateCount, "render_states", piece.renderStates);
    readList(file, header.groupCount, "groups", piece.groups);
}

/// Reads boxes and normal indices. Some shipped files state them but do not contain them.
void readEnd(Reader& file, Piece& piece, core::Diagnostics& diagnostics) {
    const auto isThere = [&](std::uint64_t size, std::string_view name) {
        if (size > file.remaining())
            diagnostics.warn(
                Code::countMismatch, file.place(name),
                fmt::format("{} bytes are stated, but only {} are left; the file is read without this data", size,
                            file.remaining()));
        return size <= file.remaining();
    };
    if (isThere(boxBytes(piece.header), "boxes")) {
        readList(file, piece.header.boxCount, "boxes", piece.boxes);
        if (isThere(normalIndexBytes(piece.header), "normal_indices")) {
            const std::uint32_t count = piece.header.hasNormalIndices != 0 ? piece.header.vertexCount : 0;
            readList(file, count, "normal_indices", piece.normalIndices);
            if (!file.atEnd())
                diagnostics.warn(Code::trailingBytes, file.place("tail"),
                                 fmt::format("{} bytes follow the mesh", file.remaining()));
        }
    }
    piece.tail = core::copyOf(file.rest());
}

// ---------------------------------------------------------------------------------------------------------------------
// Consistency

/// @throws DecodeError unless the group's polygons and vertices exist, and the polygons' vertices are in the group
void requireInside(const Piece& piece, std::size_t index) {
    const Group& group = piece.groups[index];
    const auto require = [&](std::string_view what, std::uint64_t first, std::uint64_t count, std::size_t all) {
        if (first + count > all)
            throw DecodeError(
                {fmt::format("groups[{}].first_{}", index, what), std::nullopt},
                fmt::format("the group needs {1} starting at {0}, but there are only {2}", first, count, all));
    };
    require("polygon", group.firstPolygon, group.polygonCount, piece.polygons.size());
    require("vertex", group.firstVertex, group.vertexCount, piece.vertices.size());
    for (std::uint32_t i = 0; i < group.polygonCount; ++i)
        for (const std::uint16_t vertex : piece.polygons[group.firstPolygon + i].vertices)
            if (vertex >= group.vertexCount)
                throw DecodeError({fmt::format("polygons[{}].vertices", group.firstPolygon + i), std::nullopt},
                                  fmt::format("is {}, but its group has only {} vertices", vertex, group.vertexCount));
}

/// Warns about missing texture coordinates of a group's polygons.
void checkTextureCoordinates(const Piece& piece, std::size_t index, core::Diagnostics& diagnostics) {
    const Group& group = piece.groups[index];
    if (group.textured == 0)
        return;
    std::uint64_t last = 0;
    for (std::uint32_t i = 0; i < group.polygonCount; ++i)
        for (const std::uint16_t vertex : piece.polygons[group.firstPolygon + i].vertices)
            last = std::max(last, std::uint64_t{group.firstTextureCoordinate} + vertex + 1);
    if (last > piece.textureCoordinates.size())
        diagnostics.warn(Code::countMismatch, {fmt::format("groups[{}].first_texture_coordinate", index), std::nullopt},
                         fmt::format("is {}, so its polygons need {} texture coordinates, but there are only {}",
                                     group.firstTextureCoordinate, last, piece.textureCoordinates.size()));
}

void checkNormals(const Piece& piece, core::Diagnostics& diagnostics) {
    const std::size_t count = piece.normals.size();
    const auto isOutside = [count](std::uint32_t normal) { return normal >= count; };
    if (count == 0)
        return;
    const auto outside = std::ranges::find_if(
        piece.polygons, [&](const Polygon& polygon) { return std::ranges::any_of(polygon.normals, isOutside); });
    if (outside != piece.polygons.end())
        diagnostics.warn(Code::countMismatch,
                         {fmt::format("polygons[{}].normals", outside - piece.polygons.begin()), std::nullopt},
                         fmt::format("contain the index of a missing normal: there are only {}", count));
    const auto index = std::ranges::find_if(piece.normalIndices, isOutside);
    if (index != piece.normalIndices.end())
        diagnostics.warn(Code::countMismatch,
                         {fmt::format("normal_indices[{}]", index - piece.normalIndices.begin()), std::nullopt},
                         fmt::format("is {}, but there are only {} normals", *index, count));
}

void checkBoxes(const Piece& piece, core::Diagnostics& diagnostics) {
    const auto isNotFinite = [](std::uint32_t word) { return !std::isfinite(std::bit_cast<float>(word)); };
    for (std::size_t i = 0; i < piece.boxes.size(); ++i)
        if (std::ranges::any_of(piece.boxes[i].maximum, isNotFinite) ||
            std::ranges::any_of(piece.boxes[i].minimum, isNotFinite))
            diagnostics.warn(Code::damaged, {fmt::format("boxes[{}]", i), std::nullopt},
                             "is not finite. Boxes are not used, so this changes nothing");
}

void check(const Piece& piece, const core::Limits& limits, core::Diagnostics& diagnostics) {
    const PieceHeader& header = piece.header;
    if (header.extraCount > 0)
        diagnostics.warn(
            Code::rareLayout, {"extra_count", 0x14},
            fmt::format(
                "is {}, expected 0: game files contain no such vectors, and programs disagree on their position",
                header.extraCount));
    if (header.vertexColorCount != header.vertexCount)
        diagnostics.warn(Code::countMismatch, {"vertex_color_count", 0x1C},
                         fmt::format("is {}, but there are {} vertices; vertices without a color are white",
                                     header.vertexColorCount, header.vertexCount));
    if (header.renderStateCount < header.groupCount)
        diagnostics.warn(Code::countMismatch, {"render_state_count", 0x30},
                         fmt::format("is {}, but there are {} groups; groups without a render state are opaque",
                                     header.renderStateCount, header.groupCount));
    requireGroupsInside(piece, limits);
    for (std::size_t i = 0; i < piece.groups.size(); ++i)
        checkTextureCoordinates(piece, i, diagnostics);
    checkNormals(piece, diagnostics);
    checkBoxes(piece, diagnostics);
}

}  // namespace

void requireKnown(const PieceHeader& header) {
    if (header.version != 1)
        throw DecodeError({"version", 0x00}, fmt::format("is {}, expected 1", header.version));
    if (header.vertexType > 1)
        throw DecodeError({"vertex_type", 0x08}, fmt::format("is {}, expected 0 or 1", header.vertexType));
}

void requireGroupsInside(const Piece& piece, const core::Limits& limits) {
    core::SampleBudget budget(limits);
    for (std::size_t i = 0; i < piece.groups.size(); ++i) {
        budget.take(piece.groups[i].polygonCount, {fmt::format("groups[{}].polygon_count", i), std::nullopt});
        requireInside(piece, i);
    }
}

std::uint64_t boxBytes(const PieceHeader& header) { return header.boxCount * kBoxSize; }

std::uint64_t normalIndexBytes(const PieceHeader& header) {
    return header.hasNormalIndices != 0 ? header.vertexCount * kNormalIndexSize : 0;
}

Piece decodePiece(core::Bytes bytes, const core::Limits& limits, core::Diagnostics& diagnostics) {
    core::tellDecoding("ff7 mesh", bytes);
    Reader file(bytes);
    Piece piece;
    piece.header = readHeader(file);
    read(file, piece.runtime, "runtime");
    core::requireMemory(bytes.size(), limits, {"vertices", std::nullopt});
    readBody(file, piece);
    readEnd(file, piece, diagnostics);
    check(piece, limits, diagnostics);
    return piece;
}

core::ByteVector encodePiece(const Piece& piece) {
    core::LittleEndianWriter out;
    write(out, piece.header);
    write(out, piece.runtime);
    const auto writeAll = [&out](const auto&... lists) {
        const auto writeList = [&out](const auto& list) {
            for (const auto& element : list)
                write(out, element);
        };
        (writeList(lists), ...);
    };
    writeAll(piece.vertices, piece.normals, piece.extra, piece.textureCoordinates, piece.vertexColors,
             piece.polygonColors, piece.edges, piece.polygons, piece.records24, piece.records3, piece.renderStates,
             piece.groups, piece.boxes, piece.normalIndices);
    out.write(core::Bytes(piece.tail));
    return out.take();
}

bool isPiece(core::Bytes bytes) {
    try {
        Reader file(bytes);
        const PieceHeader header = readHeader(file);
        (void)file.bytes(sizeof(Piece::runtime), {});
        if (header.unknown04 != 1 ||
            file.remaining() != sizeBeforeBoxes(header) + boxBytes(header) + normalIndexBytes(header))
            return false;
        core::Diagnostics ignored;
        (void)decodePiece(bytes, {}, ignored);
        return true;
    } catch (const DecodeError&) {
        return false;
    }
}

bool beginsLikePiece(core::Bytes bytes) {
    try {
        Reader file(bytes);
        const PieceHeader header = readHeader(file);
        (void)file.bytes(sizeof(Piece::runtime), {});
        return header.unknown04 == 1 && header.vertexCount > 0 &&
               header.vertexCount * std::uint64_t{sizeof(Triple)} <= file.remaining();
    } catch (const DecodeError&) {
        return false;
    }
}

}  // namespace reanima::ff7
