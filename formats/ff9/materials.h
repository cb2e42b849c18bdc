/// Objects of type 0x12 of Final Fantasy IX (PlayStation): default animations and materials of a container's models.
///
/// Layout and evidence: docs/formats/ff9_materials.md
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "../../core/byte_reader.h"
#include "../fields.h"

namespace reanima::ff9 {

/// The place of a material's texels in the console's texture memory.
struct MaterialPlace {
    std::uint16_t page = 0;  ///< bits 0 to 3: x / 64 words, 4: y / 256, 5 and 6: blend mode, 7 and 8: bits per texel
    std::uint16_t clut = 0;  ///< bits 0 to 5: x / 16 words, the others: y
    std::array<std::int16_t, 2> window{};  ///< added to texture coordinates, modulo 256
    std::array<std::int16_t, 4> place{};   ///< x, y, width and height of the texture in texture memory
};
/// In dump order; the file stores page and CLUT of all materials of a record, then all windows, then all places.
void describe(auto&& f, fields::RecordOf<MaterialPlace> auto& material) {
    f("page", material.page);
    f("clut", material.clut);
    f("window", material.window);
    f("place", material.place);
}

/// Materials and default animation of one model.
struct MaterialRecord {
    std::uint16_t model = 0;           ///< id of the model
    std::uint16_t animation = 0xFFFF;  ///< as stored: see defaultAnimation()
    std::uint32_t offset = 0;          ///< offset of the materials from this record; 24 bits
    std::uint16_t blink = 0xFFFF;      ///< id of an object of type 0x19, 0xFFFF: none
    std::array<std::uint8_t, 2> junk{};
    std::vector<MaterialPlace> materials{};

    /// The id of the animation that the game shows first; it may be in another file.
    [[nodiscard]] std::optional<std::uint16_t> defaultAnimation() const;
};
/// @param offset the materials' offset; in files, the highest byte is the number of materials
void describe(auto&& f, fields::RecordOf<MaterialRecord> auto& record, auto& offset) {
    f("model", record.model);
    f("animation", record.animation, fields::kMayLack);
    f("offset", offset, fields::kMayLack);
    f("blink", record.blink, fields::kMayLack);
    f("junk", record.junk, fields::kMayLack);
}

struct Materials {
    std::uint16_t unknown02 = 0;
    std::vector<MaterialRecord> records{};

    /// Bytes that no record and no material covers.
    struct Unused {
        std::uint32_t offset = 0;
        core::ByteVector bytes{};
    };
    std::vector<Unused> unused{};
};

inline constexpr std::uint32_t kMaterialsHeader = 4;      ///< bytes
inline constexpr std::uint32_t kMaterialRecordSize = 12;  ///< bytes
inline constexpr std::uint32_t kMaterialSize = 16;        ///< bytes of page, CLUT, window and place
inline constexpr std::uint32_t kMostMaterials = 255;      ///< most materials in a record, and most records

/// @throws core::DecodeError if the bytes are not such an object, or the table or materials extend beyond it
[[nodiscard]] Materials decodeMaterials(const core::LittleEndianReader& object);

/// @throws core::DecodeError if records share bytes and need different values there
[[nodiscard]] core::ByteVector encodeMaterials(const Materials& materials);

/// True if all bytes are an object of type 0x12.
[[nodiscard]] bool isMaterials(core::Bytes file);
/// True if the bytes begin like a truncated object.
[[nodiscard]] bool beginsLikeMaterials(core::Bytes file);

}  // namespace reanima::ff9
