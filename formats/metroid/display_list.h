/// The commands by which a surface of a model of Metroid Prime draws its vertices.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "cmdl.h"
#include "reading.h"

namespace reanima::metroid {

enum class Shape { quads, triangles, strip, fan, lines, lineStrip, points };

/// Null for an opcode that the page does not list.
[[nodiscard]] std::optional<Shape> shapeOf(std::uint8_t opcode);

/// @throws core::DecodeError for attributes that lie in the list itself, and a list without positions
void refuseLayout(std::uint32_t vertexWord, const core::Place& place);

/// How many entries the indices of vertices may mean, in the looks of every set.
class EntryCounts {
  public:
    /// @param cmdl with its sets and lists; it is referred to
    explicit EntryCounts(const Cmdl& cmdl);

    /// @param material of the surface
    /// @param field of VertexLayout
    [[nodiscard]] std::size_t of(std::uint32_t material, std::size_t field) const;

  private:
    const Cmdl& cmdl_;
    std::vector<std::size_t> firstUv_;  ///< by material: its sets may take it from either list
};

/// Reads the commands up to a zero opcode or the section's end, by the vertex word of the surface's material.
/// @throws core::DecodeError for an unknown opcode, a direct attribute, no position, an index outside of its section,
/// and a command that leaves the section
void readDisplayList(Reader& section, const Cmdl& cmdl, const EntryCounts& entries, CmdlSurface& surface,
                     core::Diagnostics& diagnostics);

void writeDisplayList(Writer& out, const VertexLayout& layout, const CmdlSurface& surface);

/// The vertices of the triangles that a command draws, counter-clockwise seen from the front; none for lines and
/// points.
[[nodiscard]] std::vector<std::array<std::uint32_t, 3>> trianglesOf(const DrawCall& call);

}  // namespace reanima::metroid
