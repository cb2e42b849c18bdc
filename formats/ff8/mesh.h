/// The meshes of Final Fantasy VIII: textured faces, and objects whose vertices each follow a single bone.
///
/// Layout and evidence: docs/formats/ff8_monster.md
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/byte_reader.h"
#include "core/diagnostics.h"
#include "formats/psx/texture_memory.h"

namespace reanima::ff8 {

/// A vertex in the space of its bone, in units of length.
struct Vertex {
    std::uint16_t bone = 0;
    std::array<std::int16_t, 3> place{};
};

inline constexpr std::size_t kMostCorners = 4;

struct Face {
    std::size_t corners = 3;  ///< 3, or 4 for a quad, whose corners are in the order of a Z
    std::array<std::uint16_t, kMostCorners> vertices{};
    std::array<std::array<std::uint8_t, 2>, kMostCorners> uv{};  ///< texture coordinates on the page
    psx::PageAndClut texture;

    /// False for faces that the game leaves out.
    [[nodiscard]] bool isDrawn() const { return (texture.page & 0xFE00U) == 0; }
};

/// A part that the game can hide. It has no faces if it can't be read.
struct Object {
    std::vector<Vertex> vertices;
    std::vector<Face> faces;
};

/// @param section the mesh's section; if it is empty, there are no objects
/// @return warnings in `diagnostics` for objects that can't be read
/// @throws core::DecodeError if the table of objects can't be read; of the kind `limit` for too many faces or vertices
[[nodiscard]] std::vector<Object> decodeMesh(core::LittleEndianReader section, std::size_t bones,
                                             core::Diagnostics& diagnostics);

}  // namespace reanima::ff8
