#include "formats/metroid/model/display_list.h"

#include <algorithm>

#include <fmt/format.h>

namespace reanima::metroid {

namespace {

using core::Code;
using core::DecodeError;

constexpr std::uint8_t kShapeBits = 0xF8;
constexpr std::uint8_t kFormatBits = 0x07;
constexpr std::uint8_t kShortUvFormat = 2;  ///< the highest of kFormatBits

/// The limits for the indices of a vertex.
class Bounds {
  public:
    Bounds(const EntryCounts& entries, std::uint32_t material) {
        for (std::size_t field = 0; field < VertexLayout::kFields; ++field)
            most_.at(field) = entries.of(material, field);
    }

    void require(std::size_t field, std::uint16_t index, Reader& at, std::size_t size) const {
        constexpr std::array<std::string_view, VertexLayout::kFields> kNames = {
            "positions", "normals", "colors", "colors", "uv", "uv", "uv", "uv", "uv", "uv", "uv", "uv"};
        if (index >= most_.at(field))
            throw DecodeError(at.place("vertices", size),
                              fmt::format("is {}, but there are only {} {}", index, most_.at(field), kNames.at(field)));
    }

  private:
    std::array<std::size_t, VertexLayout::kFields> most_{};
};

void readVertex(Reader& list, const VertexLayout& layout, const Bounds& bounds, std::vector<std::uint16_t>& numbers) {
    for (std::size_t i = 0; i < layout.matrices; ++i)
        numbers.push_back(list.read<std::uint8_t>("vertices"));
    for (std::size_t field = 0; field < VertexLayout::kFields; ++field) {
        const std::uint8_t size = layout.sizes.at(field);
        if (size == 0)
            continue;
        const std::uint16_t index =
            size == 1 ? list.read<std::uint8_t>("vertices") : list.read<std::uint16_t>("vertices");
        bounds.require(field, index, list, size);
        numbers.push_back(index);
    }
}

}  // namespace

void refuseLayout(std::uint32_t vertexWord, const core::Place& place) {
    for (std::size_t field = 0; field < VertexLayout::kFields; ++field)
        if ((vertexWord >> 2 * field & 3U) == 1)
            throw DecodeError(
                place, fmt::format("its material's vertex word 0x{:x} has a direct attribute, which is not supported",
                                   vertexWord));
    if ((vertexWord & 3U) == 0)
        throw DecodeError(place, fmt::format("its material's vertex word 0x{:x} has no positions", vertexWord));
}

EntryCounts::EntryCounts(const Cmdl& cmdl)
    : cmdl_(cmdl), firstUv_(cmdl.sets.front().materials.size(), std::max(cmdl.uv.size(), cmdl.shortUv.size())) {
    for (const MaterialSet& set : cmdl.sets)
        for (std::size_t i = 0; i < firstUv_.size(); ++i) {
            const bool isShort = (set.materials[i].flags & kShortUv) != 0;
            firstUv_[i] = std::min(firstUv_[i], isShort ? cmdl.shortUv.size() : cmdl.uv.size());
        }
}

std::size_t EntryCounts::of(std::uint32_t material, std::size_t field) const {
    switch (field) {
        case VertexLayout::position:
            return cmdl_.positions.size();
        case VertexLayout::normal:
            return (cmdl_.flags & kShortNormals) != 0 ? cmdl_.shortNormals.size() : cmdl_.normals.size();
        case VertexLayout::color0:
        case VertexLayout::color1:
            return cmdl_.colors.size();
        case VertexLayout::uv0:
            return firstUv_[material];
        default:
            return cmdl_.uv.size();
    }
}

std::optional<Shape> shapeOf(std::uint8_t opcode) {
    if ((opcode & kFormatBits) > kShortUvFormat)
        return std::nullopt;
    switch (opcode & kShapeBits) {
        case 0x80:
            return Shape::quads;
        case 0x90:
            return Shape::triangles;
        case 0x98:
            return Shape::strip;
        case 0xA0:
            return Shape::fan;
        case 0xA8:
            return Shape::lines;
        case 0xB0:
            return Shape::lineStrip;
        case 0xB8:
            return Shape::points;
        default:
            return std::nullopt;
    }
}

void readDisplayList(Reader& section, const Cmdl& cmdl, const EntryCounts& entries, CmdlSurface& surface,
                     core::Diagnostics& diagnostics) {
    const CmdlMaterial& material = cmdl.sets.front().materials[surface.material];
    refuseLayout(material.vertexWord, section.place("primitives"));
    const VertexLayout layout(material.vertexWord);
    const Bounds bounds(entries, surface.material);
    const bool wantsShortUv = (material.flags & kShortUv) != 0;
    std::size_t contradictions = 0;
    core::Place contradiction;
    while (section.remaining() > 0) {
        const auto scope = section.enter("primitives", surface.calls.size());
        Reader ahead = section;
        if (ahead.read<std::uint8_t>("opcode") == 0)  // offset of the first byte after the commands
            break;
        const Field<std::uint8_t> opcode = readField<std::uint8_t>(section, "opcode");
        if (!shapeOf(opcode.value))
            throw DecodeError(opcode.place,
                              fmt::format("is 0x{:02x}, which is not a command of a display list", opcode.value));
        DrawCall call{opcode.value, 0, surface.numbers.size()};
        const Field<std::uint16_t> count = readField<std::uint16_t>(section, "vertex_count");
        if (count.value > section.remaining() / layout.bytes)
            throw DecodeError(count.place, fmt::format("is {}, but the section has room for only {}", count.value,
                                                       section.remaining() / layout.bytes));
        call.vertices = count.value;
        for (std::uint16_t i = 0; i < count.value; ++i)
            readVertex(section, layout, bounds, surface.numbers);
        surface.calls.push_back(call);
        const bool saysShortUv = (opcode.value & kFormatBits) == kShortUvFormat;
        if (saysShortUv != wantsShortUv && layout.has(VertexLayout::uv0) && ++contradictions == 1)
            contradiction = opcode.place;
    }
    if (contradictions > 0)
        diagnostics.warn(Code::countMismatch, contradiction,
                         fmt::format("the opcodes of {} commands and the material's flags disagree about the position "
                                     "of texture coordinates; the flags are used",
                                     contradictions));
}

void writeDisplayList(Writer& out, const VertexLayout& layout, const CmdlSurface& surface) {
    for (const DrawCall& call : surface.calls) {
        out.write(call.opcode);
        out.write(call.vertices);
        const std::uint16_t* number = surface.numbers.data() + call.first;
        for (std::uint16_t i = 0; i < call.vertices; ++i) {
            for (std::size_t matrix = 0; matrix < layout.matrices; ++matrix)
                out.write(static_cast<std::uint8_t>(*number++));
            for (const std::uint8_t size : layout.sizes) {
                if (size == 1)
                    out.write(static_cast<std::uint8_t>(*number++));
                else if (size == 2)
                    out.write(*number++);
            }
        }
    }
}

std::vector<std::array<std::uint32_t, 3>> trianglesOf(const DrawCall& call) {
    std::vector<std::array<std::uint32_t, 3>> triangles;
    const std::uint32_t count = call.vertices;
    switch (shapeOf(call.opcode).value_or(Shape::points)) {
        case Shape::quads:
            for (std::uint32_t i = 0; i + 3 < count; i += 4) {
                triangles.push_back({i, i + 1, i + 2});
                triangles.push_back({i, i + 2, i + 3});
            }
            break;
        case Shape::triangles:
            for (std::uint32_t i = 0; i + 2 < count; i += 3)
                triangles.push_back({i, i + 1, i + 2});
            break;
        case Shape::strip:
            for (std::uint32_t i = 0; i + 2 < count; ++i)
                triangles.push_back({i, i + 1 + i % 2, i + 2 - i % 2});
            break;
        case Shape::fan:
            for (std::uint32_t i = 1; i + 1 < count; ++i)
                triangles.push_back({0, i, i + 1});
            break;
        default:
            break;
    }
    return triangles;
}

}  // namespace reanima::metroid
