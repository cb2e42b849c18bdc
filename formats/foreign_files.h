/// Files of other programs, known by how they begin: what they are, and what to do with them.
#pragma once

#include <optional>
#include <string>

#include "core/bytes.h"
#include "core/decode_error.h"

namespace reanima {

/// How many bytes of a file tell what it is.
inline constexpr std::size_t kForeignHead = 0x9920;

/// A file that holds nothing of a game, or holds it packed.
struct ForeignFile {
    std::string label;        ///< `a PNG image`
    std::string next;         ///< what to do with it
    core::OptionHint hint{};  ///< the option that takes it, if there is one
    /// Of a scene of another program, which may hold motion: `gltf`, `fbx`, `bvh`, `memoria` or `collada`; else empty.
    std::string_view scene{};

    /// `is a PNG image; images are not converted`
    [[nodiscard]] core::DecodeError asError() const;
};

/// @param head the first kForeignHead bytes, or all of a smaller file
/// @return nothing for a file that is not known
[[nodiscard]] std::optional<ForeignFile> foreignFile(core::Bytes head);

/// True if a file is an animation of Memoria, see pipeline/memoria_file.h: a text with its members, or by its name any
/// other text of JSON, or what begins like the binary form. Its extension is that of a format of a game, too, whose
/// files begin otherwise.
[[nodiscard]] bool isMemoriaAnimation(core::Bytes bytes, std::string_view name);
/// True for a text that begins like an object or a list of JSON.
[[nodiscard]] bool beginsLikeJson(core::Bytes bytes);

}  // namespace reanima
