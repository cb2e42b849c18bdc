/// A parsed glTF file, and its JSON text with changes.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "gltf_document.h"
#include "json_text.h"

namespace reanima::gltf {

/// What the steps of a patch share: the file's values and text, and the changes to the text.
struct PatchedDocument {
    /// @throws core::DecodeError if it is not glTF 2.0
    PatchedDocument(const GltfInput& input, const core::Limits& limits)
        : document(input, limits),
          text(document.text()),
          whole(wholeValue(text)),
          members(membersOf(text, whole)),
          edits(text) {}
    PatchedDocument(const PatchedDocument&) = delete;
    PatchedDocument& operator=(const PatchedDocument&) = delete;

    [[nodiscard]] Field root() const { return document.root(); }
    /// The length of one of the file's lists; 0 if the file has no such list.
    [[nodiscard]] std::size_t countOf(std::string_view key) const { return root().list(key).size(); }
    /// The elements of one of the file's lists; empty if the file has no such list.
    [[nodiscard]] std::vector<TextRange> elementsOf(std::string_view key) const {
        const JsonMember* list = memberNamed(members, key);
        return list != nullptr ? gltf::elementsOf(text, list->value) : std::vector<TextRange>{};
    }
    /// The default scene. Empty in a file without scenes.
    [[nodiscard]] std::optional<TextRange> shownScene() const {
        const std::vector<TextRange> list = elementsOf("scenes");
        const std::uint64_t chosen = root().wholeOr("scene", 0);
        return chosen < list.size() ? std::optional(list[static_cast<std::size_t>(chosen)]) : std::nullopt;
    }

    Document document;
    std::string_view text;
    TextRange whole;                  ///< the root object
    std::vector<JsonMember> members;  ///< members of the root object
    JsonEdits edits;
};

}  // namespace reanima::gltf
