/// The formats that this library reads.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "options.h"

namespace reanima {

struct Format;

enum class Kind {
    animation,
    skeleton,
    events,
    images,     ///< a video
    mesh,       ///< a part of a character, without joints
    picture,    ///< a texture
    materials,  ///< the look of a character, without meshes and textures
    skin,       ///< the joints that each vertex of a mesh follows
};

/// The public facts about a format.
struct FormatInfo {
    std::string_view id;     ///< `ff7-battle-animation`
    std::string_view label;  ///< `Final Fantasy VII battle animations`
    Kind kind;
    std::span<const std::string_view> extensions;  ///< lower case, without dot
    std::span<const OptionInfo> options;
};

/// Every format. If several claim a file equally, the first is used.
[[nodiscard]] std::span<const Format* const> formats();

/// The format with this id. Null if there is none.
[[nodiscard]] const Format* formatNamed(std::string_view id);

/// The public facts about a format.
[[nodiscard]] FormatInfo infoOf(const Format& format);

/// The options of all formats, or of formats of one kind, and of other programs' files. Each key occurs once.
[[nodiscard]] std::vector<OptionInfo> formatOptions(std::optional<Kind> kind = {});

}  // namespace reanima
