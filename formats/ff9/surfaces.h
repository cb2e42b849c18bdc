/// The parts of textures that the faces of a model show.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/diagnostics.h"
#include "look.h"
#include "mesh.h"
#include "model.h"

namespace reanima::ff9 {

/// A rectangle of texels: the part of a page that faces use, or a whole picture.
struct Surface {
    std::array<std::int32_t, 2> origin{};  ///< the texture coordinate of its first texel
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<MaterialTexels::Texel> texels{};  ///< row by row
    bool showsHoles = false;                      ///< a face shows a transparent texel
};

/// The surfaces of all materials of a model, for all groups.
class Surfaces {
  public:
    /// @param look must outlive this object
    /// @return warnings in `diagnostics` for materials without textures, and for texels that were never loaded
    /// @throws core::DecodeError of the kind `limit` for more memory than the limits allow
    Surfaces(const Model& model, const Look& look, const core::Limits& limits, core::Diagnostics& diagnostics);

    [[nodiscard]] const MaterialTexels& source() const { return source_; }

    /// A material number, and whether faces read its page with more bits per texel.
    using Key = std::pair<std::uint8_t, Depth>;
    [[nodiscard]] Key keyOf(const Face& face) const;
    /// The surface that faces show. Null: they are drawn without a texture.
    [[nodiscard]] const Surface* find(const Key& key) const;
    [[nodiscard]] const std::map<Key, std::optional<Surface>>& all() const { return surfaces_; }
    /// Bytes of the texels.
    [[nodiscard]] std::uint64_t memory() const { return bytes_; }

  private:
    using Triangle = std::array<std::array<std::uint8_t, 2>, 3>;
    /// The part of a page used by faces of one material.
    struct Use {
        std::array<std::uint8_t, 2> least{255, 255};
        std::array<std::uint8_t, 2> most{};
        std::map<Depth, std::vector<Triangle>> triangles;
    };

    void survey(const Group& group, std::map<std::uint8_t, Use>& uses) const;
    void addSurfaces(std::uint8_t material, Use& use);
    [[nodiscard]] Surface frameOf(std::uint8_t material, const Use& use) const;
    [[nodiscard]] std::optional<Surface> read(const Key& key, Surface surface, std::vector<Triangle>& triangles);
    bool warnIfAbsent(std::uint8_t material);
    void requireRoomFor(std::uint64_t bytes, const core::Place& place);

    MaterialTexels source_;
    std::size_t materialCount_;
    std::map<Key, std::optional<Surface>> surfaces_;
    std::uint64_t bytes_ = 0;
    bool saidNoRecord_ = false;
    core::Limits limits_;
    core::Diagnostics& diagnostics_;
};

/// The triangles of a face with this number of corners, counter-clockwise seen from the front in glTF's axes.
[[nodiscard]] std::vector<std::array<std::size_t, 3>> trianglesOf(std::size_t corners);

}  // namespace reanima::ff9
