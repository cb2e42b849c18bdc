/// Resources of field models of Final Fantasy VII (PC), `*.rsd`: a text that names a mesh and its textures.
///
/// Layout and evidence: docs/formats/ff7_field_resource.md
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/bytes.h"
#include "core/diagnostics.h"

namespace reanima::ff7 {

struct FieldResource {
    std::string mesh;                                  ///< stem of a `.p`, as stored; compared without case
    std::vector<std::optional<std::string>> textures;  ///< stems of `.tex` by number; empty if there is none
    std::string text;                                  ///< the whole file

    friend bool operator==(const FieldResource&, const FieldResource&) = default;
};

/// @throws core::DecodeError for a file whose first line is not @RSD, that names no mesh, or whose number of textures
/// is invalid or above 4096
[[nodiscard]] FieldResource decodeFieldResource(core::Bytes file, core::Diagnostics& diagnostics);

/// True if the text agrees with the other members.
[[nodiscard]] bool agreesWithText(const FieldResource& resource);

/// The unchanged text if it agrees with the other members; otherwise a new text in the game's layout.
[[nodiscard]] core::ByteVector encodeFieldResource(const FieldResource& resource);

/// True if the bytes are certainly a field resource.
[[nodiscard]] bool isFieldResource(core::Bytes file);
/// True if the bytes begin like a field resource.
[[nodiscard]] bool beginsLikeFieldResource(core::Bytes file);

}  // namespace reanima::ff7
