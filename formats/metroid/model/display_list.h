/// The commands by which a surface of a model of Metroid Prime draws its vertices.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "cmdl.h"
#include "formats/metroid/reading.h"

namespace reanima::metroid {

enum class Shape { quads, triangles, strip, fan, lines, lineStrip, points };

/// The shape that an opcode draws. Empty for an opcode that the format page does not list.
[[nodiscard]] std::optional<Shape> shapeOf(std::uint8_t opcode);

/// @throws core::DecodeError if the list contains attributes instead of indices, or if positions are missing
void refuseLayout(std::uint32_t vertexWord, const core::Place& place);

/// The number of entries that vertex indices may refer to, in all material sets.
class EntryCounts {
  public:
    /// @param cmdl must have complete material sets and lists, and must outlive this object
    explicit EntryCounts(const Cmdl& cmdl);

    /// @param material the surface's material
    /// @param field a field of VertexLayout
    [[nodiscard]] std::size_t of(std::uint32_t material, std::size_t field) const;

  private:
    const Cmdl& cmdl_;
    std::vector<std::size_t> firstUv_;  ///< by material, since material sets may use either list
};

/// Reads the commands up to a zero opcode or the section's end. The layout of vertices is in the vertex word of the
/// surface's material.
/// @throws core::DecodeError for an unknown opcode, for a layout that refuseLayout() rejects, for an index out of
/// range, and for a command beyond the end of the section
void readDisplayList(Reader& section, const Cmdl& cmdl, const EntryCounts& entries, CmdlSurface& surface,
                     core::Diagnostics& diagnostics);

void writeDisplayList(Writer& out, const VertexLayout& layout, const CmdlSurface& surface);

/// The vertices of a command's triangles, counter-clockwise seen from the front. Empty for lines and points.
[[nodiscard]] std::vector<std::array<std::uint32_t, 3>> trianglesOf(const DrawCall& call);

}  // namespace reanima::metroid
