/// The textures of a model of Final Fantasy VIII, and which of them a face shows.
///
/// Rules and evidence: docs/formats/ff8_monster.md
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/diagnostics.h"
#include "core/limits.h"
#include "formats/psx/shown_texels.h"
#include "formats/psx/texture_memory.h"
#include "mesh.h"

namespace reanima::ff8 {

/// A texture with the colour depth and palette of a face.
struct PictureKey {
    std::size_t texture = 0;
    unsigned depth = 0;
    std::uint16_t clut = 0;

    friend auto operator<=>(const PictureKey&, const PictureKey&) = default;
};

class Textures {
  public:
    Textures() = default;
    /// @param section the textures' section; if it is empty, there are no textures
    /// @return warnings in `diagnostics` for unreadable textures
    /// @throws core::DecodeError of the kind `limit` for more memory than the limits allow
    Textures(const core::LittleEndianReader& section, const core::Limits& limits, core::Diagnostics& diagnostics);

    /// The picture that a face shows, and the places of the face's corners in it, in texels.
    struct Shown {
        PictureKey picture;
        std::array<psx::PagePlace, kMostCorners> corners{};
    };
    /// Empty if no picture contains the whole face.
    [[nodiscard]] std::optional<Shown> shownBy(const Face& face) const;

    /// Width and height in texels.
    [[nodiscard]] std::array<std::uint32_t, 2> sizeOf(const PictureKey& key) const;
    /// A texel as stored; 0 is transparent.
    [[nodiscard]] std::uint16_t texel(const PictureKey& key, std::uint32_t x, std::uint32_t y) const;

  private:
    /// @param origin where the texture coordinates begin in the texture, in texels
    [[nodiscard]] std::optional<Shown> shownIn(const PictureKey& key, const Face& face,
                                               const std::array<std::int64_t, 2>& origin) const;
    [[nodiscard]] std::optional<Shown> shownInMemory(std::size_t texture, const Face& face) const;
    [[nodiscard]] std::optional<Shown> shownByNumber(Face face) const;

    std::vector<std::optional<psx::Tim>> tims_;
    std::optional<psx::TextureMemory> memory_;
};

}  // namespace reanima::ff8
