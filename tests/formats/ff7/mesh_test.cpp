/// Meshes, textures and resources made by hand.
#include <limits>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/byte_writer.h"
#include "formats/ff7/field_json.h"
#include "formats/ff7/mesh_json.h"

namespace reanima::ff7 {
namespace {

using core::ByteVector;
using core::DecodeError;
using testing::ElementsAre;

ByteVector resourceOf(const std::string& text) { return {text.begin(), text.end()}; }

/// The error message of a call, or `none`.
template <typename Call>
std::string errorOf(const Call& call) {
    try {
        call();
    } catch (const DecodeError& error) {
        return error.what();
    }
    return "none";
}

std::vector<std::string> messagesOf(const core::Diagnostics& diagnostics) {
    std::vector<std::string> messages;
    for (const core::Warning& warning : diagnostics.warnings())
        messages.push_back(warning.message());
    return messages;
}

// ---------------------------------------------------------------------------------------------------------------------
// Meshes

/// The words of a header: one triangle with a normal, a textured group with its state, a box and normal indices.
std::vector<std::uint32_t> triangleHeader() { return {1, 1, 1, 3, 1, 0, 3, 3, 1, 1, 0, 0, 1, 1, 1, 1}; }

ByteVector triangle(const std::vector<std::uint32_t>& header = triangleHeader(), float corner = 4) {
    core::LittleEndianWriter out;
    for (const std::uint32_t word : header)
        out.write(word);
    for (std::uint32_t i = 0; i < 16; ++i)
        out.write(i);
    for (const float value : {0.0F, 0.0F, 0.0F, 0.0F, 2.0F, 0.0F, corner, 0.0F, 0.0F, 0.0F, 0.0F, 1.0F})
        out.write(value);
    for (std::uint32_t i = 0; i < header[5]; ++i)  // extra vectors
        out.write(core::Bytes(ByteVector(12)));
    for (const float value : {0.0F, 0.25F, 0.5F, 0.75F, 1.0F, -0.0F})
        out.write(value);
    for (std::uint32_t i = 0; i < header[7]; ++i)
        out.write(core::Bytes(ByteVector{1, 2, 3, 4}));
    out.write(core::Bytes(ByteVector{5, 6, 7, 8}));
    for (const int half : {0, 1, 0, 0, 1, 2, 0, 0, 0, 7, 8, 9})  // an edge and a polygon
        out.write(static_cast<std::uint16_t>(half));
    out.write(std::uint32_t{11});
    for (std::uint32_t i = 0; i < 25 * header[12]; ++i)
        out.write(i);
    for (const std::uint32_t word : {2U, 0U, 1U, 0U, 3U, 0U, 1U, 0U, 0U, 0U, 0U, 0U, 1U, 6U})
        out.write(word);
    for (std::uint32_t i = 0; i < 7; ++i)
        out.write(static_cast<float>(i));
    for (std::uint32_t i = 0; i < 3; ++i)
        out.write(std::uint32_t{0});
    return out.take();
}

/// A header with another word.
std::vector<std::uint32_t> headerWith(std::size_t word, std::uint32_t value) {
    std::vector<std::uint32_t> header = triangleHeader();
    header[word] = value;
    return header;
}

/// A file with another 32-bit word.
ByteVector patched(ByteVector file, std::size_t offset, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i)
        file[offset + i] = static_cast<std::uint8_t>(value >> 8 * i);
    return file;
}

std::string meshError(const ByteVector& file, const core::Limits& limits = {}) {
    core::Diagnostics diagnostics;
    return errorOf([&] { (void)decodePiece(file, limits, diagnostics); });
}

std::vector<std::string> meshWarnings(const ByteVector& file) {
    core::Diagnostics diagnostics;
    const Piece piece = decodePiece(file, {}, diagnostics);
    EXPECT_EQ(encodePiece(piece), file);
    core::Diagnostics edits;
    EXPECT_EQ(encodePiece(pieceFromJson(JsonReader(toJson(piece, diagnostics)), {}, edits)), file);
    EXPECT_EQ(messagesOf(edits), std::vector<std::string>());
    return messagesOf(diagnostics);
}

// Offsets in the file of triangle(): vertices 0x80, normal 0xA4, texture coordinates 0xB0, colours 0xC8, polygon colour
// 0xD4, edge 0xD8, polygon 0xDC, state 0xF4, group 0x158, box 0x190, normal indices 0x1AC, end 0x1B8.
constexpr std::size_t kPolygon = 0xDC;
constexpr std::size_t kGroup = 0x158;
constexpr std::size_t kBox = 0x190;
constexpr std::size_t kEnd = 0x1B8;

TEST(Mesh, IsReadSectionBySection) {
    const ByteVector file = triangle();
    ASSERT_EQ(file.size(), kEnd);
    core::Diagnostics diagnostics;
    const Piece piece = decodePiece(file, {}, diagnostics);
    EXPECT_EQ(messagesOf(diagnostics), std::vector<std::string>());
    EXPECT_EQ(piece.runtime[15], 15U);
    EXPECT_EQ(piece.vertices[2], (Triple{4, 0, 0}));
    EXPECT_EQ(piece.normals[0], (Triple{0, 0, 1}));
    EXPECT_EQ(piece.textureCoordinates[1], (Pair{0.5F, 0.75F}));
    EXPECT_EQ(piece.vertexColors[2], (StoredColor{1, 2, 3, 4}));
    EXPECT_EQ(piece.polygonColors[0], (StoredColor{5, 6, 7, 8}));
    EXPECT_THAT(piece.edges[0], ElementsAre(0, 1));
    EXPECT_THAT(piece.polygons[0].vertices, ElementsAre(0, 1, 2));
    EXPECT_THAT(piece.polygons[0].edges, ElementsAre(7, 8, 9));
    EXPECT_EQ(piece.polygons[0].unknown14, 11U);
    EXPECT_EQ(piece.renderStates[0].options, 2U);
    EXPECT_EQ(piece.renderStates[0].blendMode, 17U);
    EXPECT_EQ(piece.renderStates[0].vertexAlpha, 23U);
    EXPECT_EQ(piece.groups[0].textured, 1U);
    EXPECT_EQ(piece.groups[0].texture, 6U);
    EXPECT_THAT(piece.boxes[0].maximum, ElementsAre(0x3F800000U, 0x40000000U, 0x40400000U));
    EXPECT_EQ(piece.normalIndices.size(), 3U);
    EXPECT_TRUE(isPiece(file));
    EXPECT_EQ(meshWarnings(file), std::vector<std::string>());
}

TEST(Mesh, Errors) {
    EXPECT_EQ(meshError(ByteVector(3)), "version at 0x0: needs 4 bytes, but only 3 are left");
    EXPECT_EQ(meshError(triangle(headerWith(0, 2))), "version at 0x0: is 2, expected 1");
    EXPECT_EQ(meshError(triangle(headerWith(2, 2))), "vertex_type at 0x8: is 2, expected 0 or 1");
    EXPECT_EQ(meshError(patched(triangle(), 0x0C, 0xFFFFFFFF)),
              "vertices at 0x80: these and the lists after them need 51539607776 bytes, but only 312 are left");
    EXPECT_EQ(meshError(triangle(triangleHeader(), std::numeric_limits<float>::infinity())),
              "vertices[2] at 0x98: is not finite");
    EXPECT_EQ(meshError(patched(triangle(), kGroup + 4, 1)),
              "groups[0].first_polygon: the group needs 1 starting at 1, but there are only 1");
    EXPECT_EQ(meshError(patched(triangle(), kGroup + 16, 4)),
              "groups[0].first_vertex: the group needs 4 starting at 0, but there are only 3");
    EXPECT_EQ(meshError(patched(triangle(), kGroup + 16, 2)),
              "polygons[0].vertices: is 2, but its group has only 2 vertices");
    core::Limits few;
    few.samples = 0;
    EXPECT_EQ(
        meshError(triangle(), few),
        "groups[0].polygon_count: the file decodes to more samples than the limit allows (see option limit-samples=N)");
}

TEST(Mesh, Warnings) {
    ByteVector longer = triangle();
    longer.push_back(9);
    EXPECT_THAT(meshWarnings(longer), ElementsAre("warning: tail: 1 bytes follow the mesh"));
    EXPECT_THAT(meshWarnings(triangle(headerWith(5, 1))),
                ElementsAre("warning: extra_count: is 1, expected 0: game files contain no such vectors, and programs "
                            "disagree on their position"));
    EXPECT_THAT(
        meshWarnings(triangle(headerWith(7, 2))),
        ElementsAre("warning: vertex_color_count: is 2, but there are 3 vertices; vertices without a color are white"));
    EXPECT_THAT(
        meshWarnings(triangle(headerWith(12, 0))),
        ElementsAre(
            "warning: render_state_count: is 0, but there are 1 groups; groups without a render state are opaque"));
    EXPECT_THAT(meshWarnings(patched(triangle(), kGroup + 44, 1)),
                ElementsAre("warning: groups[0].first_texture_coordinate: is 1, so its polygons need 4 texture "
                            "coordinates, but there are only 3"));
    EXPECT_THAT(meshWarnings(patched(triangle(), kPolygon + 8, 1)),
                ElementsAre("warning: polygons[0].normals: contain the index of a missing normal: there are only 1"));
    EXPECT_THAT(meshWarnings(patched(triangle(), kEnd - 4, 1)),
                ElementsAre("warning: normal_indices[2]: is 1, but there are only 1 normals"));
    EXPECT_THAT(meshWarnings(patched(triangle(), kBox + 4, 0x7FC00001)),
                ElementsAre("warning: boxes[0]: is not finite. Boxes are not used, so this changes nothing"));
}

TEST(Mesh, MayEndBeforeItsBoxes) {
    ByteVector cut = triangle();
    cut.resize(kEnd - 1);
    EXPECT_THAT(
        meshWarnings(cut),
        ElementsAre(
            "warning: normal_indices: 12 bytes are stated, but only 11 are left; the file is read without this data"));
    cut.resize(kBox);
    EXPECT_THAT(
        meshWarnings(cut),
        ElementsAre("warning: boxes: 28 bytes are stated, but only 0 are left; the file is read without this data"));
    EXPECT_FALSE(isPiece(cut));
    EXPECT_TRUE(beginsLikePiece(cut));
}

TEST(Mesh, EditsThatDoNotFit) {
    core::Diagnostics diagnostics;
    const Json original = toJson(decodePiece(triangle(), {}, diagnostics), diagnostics);
    const auto edited = [&](const auto& edit) {
        Json json = original;
        edit(json);
        return errorOf([&] { (void)pieceFromJson(JsonReader(json), {}, diagnostics); });
    };
    EXPECT_EQ(edited([](Json& json) { json["header"]["version"] = 3; }), "header.version: is 3, expected 1");
    EXPECT_EQ(edited([](Json& json) { json["polygon_colors"] = Json::array(); }),
              "polygon_colors: has 0 colors, but there are 1 polygons");
    EXPECT_EQ(edited([](Json& json) { json["normal_indices"] = {0}; }),
              "normal_indices: has 1 elements, expected none or 3, one per vertex");
    EXPECT_EQ(edited([](Json& json) { json["boxes"] = Json::array(); }),
              "normal_indices: can't be written, because the boxes before them are missing");
    EXPECT_EQ(edited([](Json& json) { json["boxes"][0]["max"][0] = "3f800000"; }),
              "boxes[0].max[0]: is \"3f800000\", expected a number, or eight hexadecimal digits for a value that is "
              "not finite");
    EXPECT_EQ(edited([](Json& json) { json["records24"] = {"00"}; }),
              "records24[0]: is \"00\", expected 24 bytes in hexadecimal");
    Json flag = original;
    flag["header"]["has_normal_indices"] = 0;
    EXPECT_EQ(pieceFromJson(JsonReader(flag), {}, diagnostics).header.hasNormalIndices, 1U);
    EXPECT_THAT(messagesOf(diagnostics),
                ElementsAre("warning: header.has_normal_indices: is 0, but there are 3 normal indices"));
}

TEST(Mesh, CountsFollowTheLists) {
    core::Diagnostics diagnostics;
    Json json = toJson(decodePiece(triangle(), {}, diagnostics), diagnostics);
    json["vertices"].push_back({7, 8, 9});
    json["vertex_colors"].push_back({0, 0, 0, 255});
    json["normal_indices"].push_back(0);
    const Piece piece = pieceFromJson(JsonReader(json), {}, diagnostics);
    EXPECT_EQ(piece.header.vertexCount, 4U);
    EXPECT_EQ(piece.header.vertexColorCount, 4U);
    EXPECT_TRUE(isPiece(encodePiece(piece)));
}

// ---------------------------------------------------------------------------------------------------------------------
// Textures

/// Words by their offset.
using Words = std::map<std::size_t, std::uint32_t>;

/// Two by two indices into two palettes of two colours.
ByteVector texture(const Words& words = {}, ByteVector pixels = {0, 1, 1, 0}, const ByteVector& rest = {}) {
    Words all = {{0x00, 1}, {0x0C, 1}, {0x30, 2}, {0x34, 2}, {0x3C, 2},
                 {0x40, 2}, {0x4C, 1}, {0x58, 4}, {0x68, 1}, {0xC4, 99}};
    for (const auto& [offset, value] : words)
        all[offset] = value;
    core::LittleEndianWriter out;
    for (std::size_t at = 0; at < 0xEC; at += 4)
        out.write(all[at]);
    if (all[0x4C] != 0)
        out.write(core::Bytes(ByteVector{10, 20, 30, 255, 40, 50, 60, 0xFE, 1, 2, 3, 4, 5, 6, 7, 0}));
    out.write(core::Bytes(pixels));
    out.write(core::Bytes(rest));
    return out.take();
}

std::vector<std::uint8_t> pixelsOf(const ByteVector& file, std::uint32_t palette = 0) {
    core::Diagnostics diagnostics;
    return imageOf(decodeTexture(file, {}, diagnostics), palette).rgba;
}

std::string textureError(const ByteVector& file, const core::Limits& limits = {}) {
    core::Diagnostics diagnostics;
    return errorOf([&] { (void)decodeTexture(file, limits, diagnostics); });
}

std::vector<std::string> textureWarnings(const ByteVector& file) {
    core::Diagnostics diagnostics;
    const Texture read = decodeTexture(file, {}, diagnostics);
    core::Diagnostics edits;
    EXPECT_EQ(encodeTexture(textureFromJson(JsonReader(toJson(read, {}, diagnostics)), {}, edits)), file);
    EXPECT_EQ(messagesOf(edits), std::vector<std::string>());
    return messagesOf(diagnostics);
}

TEST(Texture, ShowsItsPalettes) {
    // Alpha 0xFE is the reference alpha; a texel of alpha 0 has no colour.
    EXPECT_THAT(pixelsOf(texture()), ElementsAre(30, 20, 10, 255, 60, 50, 40, 99, 60, 50, 40, 99, 30, 20, 10, 255));
    EXPECT_THAT(pixelsOf(texture(), 1), ElementsAre(3, 2, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0, 3, 2, 1, 4));
    EXPECT_TRUE(isTexture(texture()));
    EXPECT_EQ(textureWarnings(texture()), std::vector<std::string>());
}

TEST(Texture, HasColorKeys) {
    const std::vector<std::uint8_t> keyed = {0, 0, 0, 0, 60, 50, 40, 99, 60, 50, 40, 99, 0, 0, 0, 0};
    EXPECT_EQ(pixelsOf(texture({{0x08, 1}})), keyed);
    // The array takes precedence. Palettes that are not in the array have the header's key.
    EXPECT_EQ(pixelsOf(texture({{0xBC, 1}}, {0, 1, 1, 0}, {1, 0})), keyed);
    EXPECT_NE(pixelsOf(texture({{0x08, 1}, {0xBC, 1}}, {0, 1, 1, 0}, {0, 0})), keyed);
    EXPECT_EQ(pixelsOf(texture({{0x08, 1}, {0xBC, 1}}, {0, 1, 1, 0}, {0}), 1)[3], 0);
    EXPECT_THAT(textureWarnings(texture({{0xBC, 1}}, {0, 1, 1, 0}, {1})),
                ElementsAre("warning: color_keys: 2 are stated, but only 1 are present"));
}

TEST(Texture, HasPixelsThatAreColors) {
    const Words high = {{0x4C, 0}, {0x68, 2}, {0x3C, 4}, {0x40, 1}, {0x88, 0x8000}};
    EXPECT_THAT(pixelsOf(texture(high, {0x00, 0x80, 0x00, 0x00, 0x1F, 0x7C, 0xFF, 0xFF})),
                ElementsAre(0, 0, 0, 255, 0, 0, 0, 255, 255, 0, 255, 255, 0, 0, 0, 0));
    // Red has 4 bits: 7 of 15 is 119. The mask of green is wrong, with 12 bits: the result is clamped to 255.
    Words placed = {{0x4C, 0}, {0x68, 3}, {0x3C, 1}, {0x40, 1}};
    placed[0x7C] = 0xF0;     // red mask
    placed[0x80] = 0xFFF00;  // green mask
    placed[0x8C] = 4;        // red shift
    placed[0x90] = 8;        // green shift
    placed[0xAC] = 15;       // red max
    placed[0xB0] = 15;       // green max
    EXPECT_THAT(pixelsOf(texture(placed, {0x70, 0xFF, 0x0F})), ElementsAre(119, 255, 0, 255));
}

TEST(Texture, Errors) {
    EXPECT_EQ(textureError(texture({{0x00, 3}})), "version at 0x0: is 3, expected 1 or 2");
    EXPECT_EQ(textureError(texture({{0x3C, 0}})), "width at 0x3c: is 0, expected 1 or more");
    EXPECT_EQ(textureError(texture({{0x40, 0}})), "height at 0x40: is 0, expected 1 or more");
    EXPECT_EQ(textureError(texture({{0x68, 5}})), "bytes_per_pixel at 0x68: is 5, expected 1 to 4");
    EXPECT_EQ(textureError(texture({{0x4C, 0}})),
              "has_palette at 0x4c: is 0, expected a palette for pixels of one byte");
    EXPECT_EQ(textureError(texture({{0x3C, 0x10000000}})),
              "width at 0x3c: is 268435456, and there are 2 rows: 536870912 texels exceed the limit of 67108864");
    EXPECT_EQ(textureError(texture({{0x58, 0xFFFFFFFF}})),
              "palette at 0xec: needs 17179869180 bytes, but only 20 are left");
    EXPECT_EQ(textureError(texture({}, {0, 1, 1})), "pixels at 0xfc: needs 4 bytes, but only 3 are left");
    core::Limits few;
    few.samples = 3;
    EXPECT_EQ(textureError(texture(), few),
              "width at 0x3c: the file decodes to more samples than the limit allows (see option limit-samples=N)");
}

TEST(Texture, Warnings) {
    EXPECT_THAT(textureWarnings(texture({}, {0, 2, 1, 0})),
                ElementsAre("warning: pixels: 1 of 4 pixels refer to none of the 4 colours of the palettes and become "
                            "transparent with palette 1"));
    EXPECT_THAT(textureWarnings(texture({}, {0, 1, 1, 0}, {7, 7})),
                ElementsAre("warning: tail: 2 bytes follow the texture"));
}

TEST(Texture, EditsThatDoNotFit) {
    core::Diagnostics diagnostics;
    const Texture read = decodeTexture(texture(), {}, diagnostics);
    const Json original = toJson(read, {}, diagnostics);
    Json json = original;
    json["pixels"] = "00";
    EXPECT_EQ(errorOf([&] { (void)textureFromJson(JsonReader(json), {}, diagnostics); }),
              "pixels: contains 1 bytes, but the header states 4");
    json = original;
    json["header"]["width"] = 0;
    EXPECT_EQ(errorOf([&] { (void)textureFromJson(JsonReader(json), {}, diagnostics); }),
              "header.width: is 0, expected 1 or more");
    core::Limits few;
    few.videoPixels = 7;
    EXPECT_EQ(errorOf([&] { (void)toJson(read, few, diagnostics); }),
              "palette: would make 2 images of 4 texels, but the limit is 7 texels in all");
}

// ---------------------------------------------------------------------------------------------------------------------
// Resources

const std::string kResource =
    "@RSD940102\r\nPLY=D:\\work/AAAC.PLY\r\nMAT=AAAC.MAT\r\nNTEX=2\r\nTEX[1]=AABC.TIM \r\nTEX[0]=aabb\r\n";

std::string resourceError(const std::string& text) {
    core::Diagnostics diagnostics;
    return errorOf([&] { (void)decodeFieldResource(resourceOf(text), diagnostics); });
}

TEST(FieldResource, IsReadLineByLine) {
    core::Diagnostics diagnostics;
    const FieldResource resource = decodeFieldResource(resourceOf(kResource), diagnostics);
    EXPECT_EQ(resource.mesh, "AAAC");
    EXPECT_THAT(resource.textures, ElementsAre("aabb", "AABC"));
    EXPECT_EQ(encodeFieldResource(resource), resourceOf(kResource));
    EXPECT_TRUE(isFieldResource(resourceOf(kResource)));
    EXPECT_EQ(messagesOf(diagnostics), std::vector<std::string>());
}

TEST(FieldResource, IsRewrittenAfterAnEdit) {
    core::Diagnostics diagnostics;
    Json json = toJson(decodeFieldResource(resourceOf(kResource), diagnostics), diagnostics);
    json["textures"] = {"X", nullptr};
    EXPECT_EQ(encodeFieldResource(fieldResourceFromJson(JsonReader(json), diagnostics)),
              resourceOf("@RSD940102\r\nPLY=AAAC.PLY\r\nMAT=AAAC.MAT\r\nGRP=AAAC.GRP\r\nNTEX=2\r\nTEX[0]=X.TIM\r\n"));
    EXPECT_THAT(messagesOf(diagnostics),
                ElementsAre("warning: text: disagrees with the other values and is recalculated from them"));
    json["textures"] = {"a/b"};
    EXPECT_EQ(errorOf([&] { (void)encodeFieldResource(fieldResourceFromJson(JsonReader(json), diagnostics)); }),
              "textures: a texture or the mesh has a name that this format can't store");
    json["textures"] = {7};
    EXPECT_EQ(errorOf([&] { (void)fieldResourceFromJson(JsonReader(json), diagnostics); }),
              "textures[0]: is 7, expected a text or null");
}

TEST(FieldResource, ErrorsAndWarnings) {
    EXPECT_EQ(resourceError("RSD940102\nPLY=A.PLY\n"), "text at 0x0: does not begin with @RSD");
    EXPECT_EQ(resourceError("@RSD940102\nNTEX=0\n"), "mesh: there is no PLY line");
    EXPECT_EQ(resourceError("@RSD940102\nPLY=A.PLY\nNTEX=5000\n"),
              "texture_count at 0x15: is \"5000\", expected a number up to 4096");
    core::Diagnostics diagnostics;
    (void)decodeFieldResource(resourceOf("@RSD\nPLY=A\nNTEX=2\nTEX[0]=x\nTEX[2]=z\n"), diagnostics);
    EXPECT_THAT(messagesOf(diagnostics), ElementsAre("warning: textures[2]: exceeds the 2 textures that NTEX states",
                                                     "warning: textures[1]: is not named, but NTEX states 2 textures"));
}

}  // namespace
}  // namespace reanima::ff7
