#include "formats/ff7/mesh_json.h"

#include <bit>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/sha256.h"
#include "formats/ff7/json_arrays.h"
#include "formats/fields_json.h"

namespace reanima::ff7 {

using core::Code;
using core::DecodeError;

namespace {

// ---------------------------------------------------------------------------------------------------------------------
// Records with a describe()

template <typename Record>
concept DescribedInJson = requires(Json& json, const Record& record) {
    describe(fields::ToJson{json}, record);
};

Json element(const DescribedInJson auto& record) {
    Json json = Json::object();
    describe(fields::ToJson{json}, record);
    return json;
}

void read(const JsonReader& json, DescribedInJson auto& record) { describe(fields::FromJson{json}, record); }

// ---------------------------------------------------------------------------------------------------------------------
// Elements of a mesh

template <std::size_t n>
Json element(const std::array<float, n>& values) {
    return toJson(values);
}

Json element(const StoredColor& color) { return color; }

Json element(const std::array<std::uint16_t, 2>& edge) { return edge; }

template <std::size_t n>
requires(n != std::tuple_size_v<StoredColor>) Json element(const std::array<std::uint8_t, n>& record) {
    return toHex(record);
}

Json boxCorner(const std::array<std::uint32_t, 3>& words) {
    Json corner = Json::array();
    for (const std::uint32_t word : words)
        corner.push_back(floatToJson(std::bit_cast<float>(word)));
    return corner;
}

Json element(const Box& box) {
    return {{"unknown_00", box.unknown00}, {"max", boxCorner(box.maximum)}, {"min", boxCorner(box.minimum)}};
}

Json element(std::uint32_t number) { return number; }

template <typename T>
Json listToJson(const std::vector<T>& list) {
    Json json = Json::array();
    for (const T& value : list)
        json.push_back(element(value));
    return json;
}

template <typename T, std::size_t n>
void read(const JsonReader& json, std::array<T, n>& values) {
    arrayFrom(json, values);
}

template <std::size_t n>
requires(n != std::tuple_size_v<StoredColor>) void read(const JsonReader& json, std::array<std::uint8_t, n>& record) {
    const core::ByteVector bytes = json.hex();
    if (bytes.size() != n)
        json.fail(fmt::format("{} bytes in hexadecimal", n));
    std::copy(bytes.begin(), bytes.end(), record.begin());
}

void readCorner(const JsonReader& json, std::array<std::uint32_t, 3>& words) {
    json.requireSize(words.size());
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = std::bit_cast<std::uint32_t>(floatFromJson(json.at(i)));
}

void read(const JsonReader& json, Box& box) {
    box.unknown00 = json.integerOr("unknown_00", box.unknown00);
    readCorner(json.at("max"), box.maximum);
    readCorner(json.at("min"), box.minimum);
}

void read(const JsonReader& json, std::uint32_t& number) { number = json.integer<std::uint32_t>(); }

template <typename T>
void readList(const JsonReader& json, std::string_view key, std::vector<T>& list) {
    const JsonReader values = json.at(key);
    const std::size_t size = values.size();
    for (std::size_t i = 0; i < size; ++i)
        read(values.at(i), list.emplace_back());
}

void readLists(const JsonReader& json, Piece& piece) {
    readList(json, "vertices", piece.vertices);
    readList(json, "normals", piece.normals);
    readList(json, "extra", piece.extra);
    readList(json, "texture_coordinates", piece.textureCoordinates);
    readList(json, "vertex_colors", piece.vertexColors);
    readList(json, "polygon_colors", piece.polygonColors);
    readList(json, "edges", piece.edges);
    readList(json, "polygons", piece.polygons);
    readList(json, "records24", piece.records24);
    readList(json, "records3", piece.records3);
    readList(json, "render_states", piece.renderStates);
    readList(json, "groups", piece.groups);
    readList(json, "boxes", piece.boxes);
    readList(json, "normal_indices", piece.normalIndices);
    piece.tail = json.hexOrNone("tail");
}

// ---------------------------------------------------------------------------------------------------------------------
// Counts of a mesh

/// Writes the sizes of the lists to the header; one note names the first size that changed.
class Counts {
  public:
    Counts(const JsonReader& header, PieceHeader& words) : header_(header), words_(words) {}

    template <typename T>
    void follow(std::string_view name, std::uint32_t PieceHeader::*count, const std::vector<T>& list) {
        words_.*count = static_cast<std::uint32_t>(list.size());
        derived_.expect(header_, name, words_.*count);
    }
    void report(core::Diagnostics& diagnostics) const { derived_.report(diagnostics); }

  private:
    const JsonReader& header_;
    PieceHeader& words_;
    DerivedMembers derived_;
};

/// True if a section is stated but missing because the file ends before it.
bool isCut(std::uint64_t stated, const Piece& piece) { return stated > piece.tail.size(); }

/// @throws DecodeError if the lengths of the lists contradict each other
void setCounts(const JsonReader& json, Piece& piece, core::Diagnostics& diagnostics) {
    PieceHeader& header = piece.header;
    const bool boxesCut = piece.boxes.empty() && isCut(boxBytes(header), piece);
    Counts counts(json, header);
    counts.follow("vertex_count", &PieceHeader::vertexCount, piece.vertices);
    counts.follow("normal_count", &PieceHeader::normalCount, piece.normals);
    counts.follow("extra_count", &PieceHeader::extraCount, piece.extra);
    counts.follow("texture_coordinate_count", &PieceHeader::textureCoordinateCount, piece.textureCoordinates);
    counts.follow("vertex_color_count", &PieceHeader::vertexColorCount, piece.vertexColors);
    counts.follow("edge_count", &PieceHeader::edgeCount, piece.edges);
    counts.follow("polygon_count", &PieceHeader::polygonCount, piece.polygons);
    counts.follow("record24_count", &PieceHeader::record24Count, piece.records24);
    counts.follow("record3_count", &PieceHeader::record3Count, piece.records3);
    counts.follow("render_state_count", &PieceHeader::renderStateCount, piece.renderStates);
    counts.follow("group_count", &PieceHeader::groupCount, piece.groups);
    if (!boxesCut)
        counts.follow("box_count", &PieceHeader::boxCount, piece.boxes);
    counts.report(diagnostics);
    if (piece.polygonColors.size() != piece.polygons.size())
        throw DecodeError(
            {"polygon_colors", std::nullopt},
            fmt::format("has {} colors, but there are {} polygons", piece.polygonColors.size(), piece.polygons.size()));
    const std::size_t indices = piece.normalIndices.size();
    if (indices > 0 && indices != piece.vertices.size())
        throw DecodeError(
            {"normal_indices", std::nullopt},
            fmt::format("has {} elements, expected none or {}, one per vertex", indices, piece.vertices.size()));
    if (indices > 0 && boxesCut)
        throw DecodeError({"normal_indices", std::nullopt},
                          "can't be written, because the boxes before them are missing");
    const bool isStated = header.hasNormalIndices != 0;
    const bool lacks =
        isStated && indices == 0 && !piece.vertices.empty() && !boxesCut && !isCut(normalIndexBytes(header), piece);
    if (lacks || (indices > 0 && !isStated)) {
        diagnostics.warn(Code::recomputed, {"header.has_normal_indices", std::nullopt},
                         fmt::format("is {}, but there are {} normal indices", header.hasNormalIndices, indices));
        header.hasNormalIndices = lacks ? 0 : 1;
    }
}

/// Runs code that may reject a header, and adds the JSON's path to the error.
template <typename Check>
auto ofHeader(const Check& check) {
    try {
        return check();
    } catch (const DecodeError& error) {
        throw DecodeError({"header." + error.field(), std::nullopt}, error.problem(), error.kind());
    }
}

/// The hash of the pixels that each palette shows.
/// @throws DecodeError of the kind `limit`
Json hashesOf(const Texture& texture, const core::Limits& limits) {
    const std::uint32_t palettes = palettesOf(texture);
    const std::uint64_t texels = sizesOf(texture.header).texels;
    if (palettes * texels > limits.videoPixels)
        throw DecodeError({"palette", std::nullopt},
                          fmt::format("would make {} images of {} texels, but the limit is {} texels in all", palettes,
                                      texels, limits.videoPixels),
                          DecodeError::Kind::limit);
    core::requireMemory(4 * texels, limits, {"pixels", std::nullopt});
    Json hashes = Json::array();
    for (std::uint32_t palette = 0; palette < palettes; ++palette)
        hashes.push_back(toHex(core::sha256(imageOf(texture, palette).rgba)));
    return hashes;
}

/// @throws DecodeError unless a list has the expected number of elements
void requireCount(std::string_view name, std::size_t count, std::uint64_t expected, std::string_view what) {
    if (count != expected)
        throw DecodeError({std::string(name), std::nullopt},
                          fmt::format("contains {} {}, but the header states {}", count, what, expected));
}

}  // namespace

Json toJson(const Piece& piece, const core::Diagnostics& diagnostics) {
    return {{"schema", 1},
            {"format", "ff7-mesh"},
            {"header", element(piece.header)},
            {"runtime", piece.runtime},
            {"vertices", listToJson(piece.vertices)},
            {"normals", listToJson(piece.normals)},
            {"extra", listToJson(piece.extra)},
            {"texture_coordinates", listToJson(piece.textureCoordinates)},
            {"vertex_colors", listToJson(piece.vertexColors)},
            {"polygon_colors", listToJson(piece.polygonColors)},
            {"edges", listToJson(piece.edges)},
            {"polygons", listToJson(piece.polygons)},
            {"records24", listToJson(piece.records24)},
            {"records3", listToJson(piece.records3)},
            {"render_states", listToJson(piece.renderStates)},
            {"groups", listToJson(piece.groups)},
            {"boxes", listToJson(piece.boxes)},
            {"normal_indices", listToJson(piece.normalIndices)},
            {"tail", toHex(piece.tail)},
            {"warnings", warningsToJson(diagnostics)}};
}

Piece pieceFromJson(const JsonReader& json, const core::Limits& limits, core::Diagnostics& diagnostics) {
    Piece piece;
    const JsonReader header = json.at("header");
    read(header, piece.header);
    ofHeader([&] { requireKnown(piece.header); });
    if (json.has("runtime"))
        arrayFrom(json.at("runtime"), piece.runtime);
    readLists(json, piece);
    setCounts(header, piece, diagnostics);
    requireGroupsInside(piece, limits);
    return piece;
}

Json toJson(const Texture& texture, const core::Limits& limits, const core::Diagnostics& diagnostics) {
    return {{"schema", 1},
            {"format", "ff7-texture"},
            {"header", element(texture.header)},
            {"extra", toHex(texture.extra)},
            {"palette", listToJson(texture.palette)},
            {"pixels", toHex(texture.pixels)},
            {"color_keys", texture.colorKeys},
            {"tail", toHex(texture.tail)},
            {"sha256_rgba", hashesOf(texture, limits)},
            {"warnings", warningsToJson(diagnostics)}};
}

Texture textureFromJson(const JsonReader& json, const core::Limits& limits, core::Diagnostics& diagnostics) {
    Texture texture;
    const JsonReader header = json.at("header");
    read(header, texture.header);
    const TextureSizes sizes = ofHeader([&] { return sizesOf(texture.header); });
    texture.extra = json.at("extra").hex();
    requireCount("extra", texture.extra.size(), sizes.extra, "bytes");
    readList(json, "palette", texture.palette);
    requireCount("palette", texture.palette.size(), sizes.paletteEntries, "colours");
    texture.pixels = json.at("pixels").hex();
    requireCount("pixels", texture.pixels.size(), sizes.pixelBytes, "bytes");
    if (json.has("color_keys"))
        texture.colorKeys = json.at("color_keys").integers<std::uint8_t>();
    texture.tail = json.hexOrNone("tail");
    // A file that was truncated here has fewer colour keys.
    if (texture.colorKeys.size() > sizes.colorKeys || !texture.tail.empty())
        requireCount("color_keys", texture.colorKeys.size(), sizes.colorKeys, "keys");
    if (json.has("sha256_rgba")) {
        DerivedMembers derived;
        derived.expect(json, "sha256_rgba", hashesOf(texture, limits));
        derived.report(diagnostics);
    }
    return texture;
}

}  // namespace reanima::ff7
