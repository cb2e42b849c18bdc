/// Skins of Metroid Prime and Metroid Prime 2: Echoes (CSKR): which bones the vertices of a model follow.
///
/// Layout and evidence: docs/formats/metroid_cskr.md
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/bytes.h"
#include "core/diagnostics.h"

namespace reanima::metroid {

/// Vertices that follow the same bones. In order, the groups cover all positions of a model.
struct SkinGroup {
    struct Weight {
        std::uint32_t bone = 0;  ///< id
        float weight = 0;
    };
    std::vector<Weight> weights;  ///< at least one; the game uses the first three
    std::uint32_t vertices = 0;
};

/// An unused list in older files.
struct SkinList {
    std::uint32_t count = 0;
    std::optional<std::vector<std::array<float, 3>>> values{};  ///< empty if the file stores only the count
};

struct Cskr {
    std::vector<SkinGroup> groups;
    SkinList positions;
    SkinList normals;
    core::ByteVector padding;  ///< bytes after the content
};

inline constexpr std::size_t kMostSkinWeights = 3;

/// @throws core::DecodeError for a truncated file, inconsistent counts, a group without weights, a negative weight, and
/// a skin of Metroid Prime 3: Corruption
[[nodiscard]] Cskr decodeCskr(core::Bytes file, core::Diagnostics& diagnostics);

/// Encodes a skin. A decoded file is reproduced byte for byte.
[[nodiscard]] core::ByteVector encodeCskr(const Cskr& cskr);

/// The number of positions that the groups cover.
[[nodiscard]] std::uint64_t verticesOf(const Cskr& cskr);

/// True if all bytes are a skin, without warnings.
[[nodiscard]] bool isCskr(core::Bytes file);

}  // namespace reanima::metroid
