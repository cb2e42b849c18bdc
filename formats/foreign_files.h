/// Recognises files of other programs by their first bytes, with advice on how to use them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/bytes.h"
#include "core/decode_error.h"

namespace reanima {

/// The number of bytes needed to recognise a file.
inline constexpr std::size_t kForeignHead = 0x9920;

/// A file of another program. It contains no game data, or only packed game data.
struct ForeignFile {
    std::string label;        ///< `a PNG image`
    std::string next;         ///< advice
    core::OptionHint hint{};  ///< the option for such files, if there is one
    /// `gltf`, `fbx`, `bvh`, `memoria` or `collada` for a scene of another program, with or without motion.
    std::string_view scene{};

    /// The error for this file: `is a PNG image; images are not converted`
    [[nodiscard]] core::DecodeError asError() const;
};

/// @param head the first kForeignHead bytes, or all of a smaller file
/// @return empty for unknown files
[[nodiscard]] std::optional<ForeignFile> foreignFile(core::Bytes head);

/// A part of a disc image that was split.
struct ImagePart {
    std::string next;   ///< name of the part after it
    ForeignFile whole;  ///< the whole image, with advice on how to join the parts
};

/// Recognises a part by its name: `game.iso.001`, `game.part0.iso`, `game.wbfs` or `game.wbf1`. A file with the name of
/// a first part may also be a whole image; then there is no next part beside it.
[[nodiscard]] std::optional<ImagePart> imagePart(std::string_view name);

/// True if a file is an animation of Memoria, see pipeline/memoria_file.h. JSON with Memoria's members may have any
/// name. Other JSON and the binary form need the extension `.anim`. Metroid Prime's files have the same extension, but
/// begin differently.
[[nodiscard]] bool isMemoriaAnimation(core::Bytes bytes, std::string_view name);
/// True for a text that begins like an object or a list of JSON.
[[nodiscard]] bool beginsLikeJson(core::Bytes bytes);

}  // namespace reanima
