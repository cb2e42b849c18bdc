/// Models of Metroid Prime and Metroid Prime 2: Echoes (CMDL): vertices, and surfaces that draw them with materials.
///
/// Layout and evidence: docs/formats/metroid_cmdl.md
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/bytes.h"
#include "core/diagnostics.h"
#include "formats/metroid/game.h"

namespace reanima::metroid {

inline constexpr std::uint32_t kModelMagic = 0xDEADBABE;

// Flags of a model.
inline constexpr std::uint32_t kSkinnedModel = 1;
inline constexpr std::uint32_t kShortNormals = 2;
inline constexpr std::uint32_t kShortUvSection = 4;

// Flags of a material.
inline constexpr std::uint32_t kHasKonst = 8;
inline constexpr std::uint32_t kAlphaTest = 0x20;
inline constexpr std::uint32_t kReflections = 0x140;
inline constexpr std::uint32_t kShadowCaster = 0x200;
inline constexpr std::uint32_t kIndirect = 0x400;
inline constexpr std::uint32_t kLightMap = 0x800;
inline constexpr std::uint32_t kShortUv = 0x2000;

/// A stage of the console's colour unit, which combines the previous result, light and a texture.
struct TevStage {
    std::uint32_t colorIn = 0;  ///< 4 x 5 bits: a, b, c, d; the result is d + (1 - c) a + c b
    std::uint32_t alphaIn = 0;
    std::uint32_t colorOp = 0;
    std::uint32_t alphaOp = 0;
    std::uint8_t unknown10 = 0;
    std::uint8_t konstAlpha = 0;
    std::uint8_t konstColor = 0;
    std::uint8_t raster = 0;
    std::uint16_t unknown14 = 0;
    std::uint8_t texture = 0;     ///< index into the material's textures; kNoneOfStage: none
    std::uint8_t coordinate = 0;  ///< index of a generator; kNoneOfStage: none
};
inline constexpr std::uint8_t kNoneOfStage = 0xFF;

/// How the texture coordinates of a material move.
struct UvAnimation {
    std::uint32_t type = 0;
    std::vector<float> values;  ///< their number depends on the type: uvAnimationValues()
};
inline constexpr std::uint32_t kLastUvAnimation = 7;
[[nodiscard]] std::size_t uvAnimationValues(std::uint32_t type);

struct CmdlMaterial {
    std::uint32_t flags = 0;
    std::vector<std::uint32_t> textures;     ///< indices into the set's ids
    std::uint32_t vertexWord = 0;            ///< the attributes of a vertex: VertexLayout
    std::array<std::uint32_t, 2> unknown{};  ///< Echoes only
    std::uint32_t group = 0;
    std::vector<std::array<std::uint8_t, 4>> konst;  ///< with kHasKonst only: red, green, blue, alpha
    std::uint16_t destination = 0;                   ///< blend factor of the pixel in the image
    std::uint16_t source = 0;                        ///< blend factor of the drawn pixel
    std::uint32_t indirect = 0;                      ///< with kIndirect only
    std::vector<std::uint32_t> channels;
    std::vector<TevStage> stages;
    std::vector<std::uint32_t> generators;  ///< generators of texture coordinates
    std::vector<UvAnimation> animations;
};

/// One look of a model.
struct MaterialSet {
    std::vector<std::uint32_t> textures;  ///< ids of TXTR files
    std::vector<CmdlMaterial> materials;
};

/// The vertex layout of a display list.
struct VertexLayout {
    static constexpr std::size_t kFields = 12;
    enum Field : std::uint8_t { position, normal, color0, color1, uv0 };

    std::size_t matrices = 0;                   ///< bytes before the indices
    std::array<std::uint8_t, kFields> sizes{};  ///< bytes of the index of each field; 0: there is none
    std::array<std::size_t, kFields> places{};  ///< position of each present field among the numbers of a vertex
    std::size_t numbers = 0;                    ///< numbers of a vertex: matrices and indices
    std::size_t bytes = 0;                      ///< size of a vertex in the file

    explicit VertexLayout(std::uint32_t vertexWord);
    [[nodiscard]] bool has(std::size_t field) const { return sizes.at(field) > 0; }
};

/// A command of a display list.
struct DrawCall {
    std::uint8_t opcode = 0;
    std::uint16_t vertices = 0;
    std::size_t first = 0;  ///< index of its first number in CmdlSurface::numbers
};

struct CmdlSurface {
    std::array<float, 3> center{};
    std::uint32_t material = 0;
    std::uint32_t sizeWord =
        0;  ///< bit 31, and the size of the display list in bytes; some files only have its low 16 bits
    std::array<std::uint32_t, 2> unknown{};
    std::array<float, 3> normal{};  ///< normal for reflections
    std::int16_t bank = 0;          ///< Echoes only
    std::uint16_t group = 0;        ///< Echoes only
    core::ByteVector extra;
    core::ByteVector gap;  ///< bytes before the display list, if not zeros
    std::vector<DrawCall> calls;
    std::vector<std::uint16_t> numbers;  ///< numbers of all vertices, one vertex after another
};

struct Cmdl {
    Game game = Game::prime;  ///< from the version
    std::uint32_t flags = 0;
    std::array<float, 6> box{};  ///< lowest x, y, z and highest
    std::vector<std::uint32_t> sectionSizes;
    core::ByteVector headerGap;  ///< bytes before the first section, if not zeros
    std::vector<MaterialSet> sets;
    std::vector<std::array<float, 3>> positions;  ///< all complete entries of the section; the last may be padding
    std::vector<std::array<float, 3>> normals;    ///< empty if kShortNormals is set
    std::vector<std::array<std::int16_t, 3>> shortNormals;  ///< if kShortNormals is set, in 1/16384
    std::vector<std::array<std::uint8_t, 4>> colors;
    std::vector<std::array<float, 2>> uv;
    std::vector<std::array<std::uint16_t, 2>> shortUv;  ///< if kShortUvSection is set, in 1/32768
    std::vector<CmdlSurface> surfaces;
    std::vector<std::uint32_t> surfaceEnds;  ///< as stored, if they differ from the sums of the surfaces' sizes
    struct Rest {
        std::uint32_t section = 0;
        core::ByteVector bytes;
    };
    std::vector<Rest> rests;    ///< bytes after the content of a section, if not zeros
    core::ByteVector trailing;  ///< bytes after the last section

    [[nodiscard]] bool isSkinned() const { return (flags & kSkinnedModel) != 0; }
};

/// @throws core::DecodeError for errors that the format page lists, and for another magic or version; it names these
[[nodiscard]] Cmdl decodeCmdl(core::Bytes file, core::Diagnostics& diagnostics);

/// Encodes a model. A decoded file is reproduced byte for byte. Sections keep their size from `sectionSizes` if the
/// content fits. Warnings report rewritten fields.
[[nodiscard]] core::ByteVector encodeCmdl(const Cmdl& cmdl, core::Diagnostics& diagnostics);

/// True if all bytes are a model, without warnings.
[[nodiscard]] bool isCmdl(core::Bytes file);
/// True if the bytes begin like a model.
[[nodiscard]] bool beginsLikeCmdl(core::Bytes file);

}  // namespace reanima::metroid
