/// Changes to a JSON text that leave all other characters unchanged.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "byte_blocks.h"

namespace reanima::gltf {

/// A range of characters.
struct TextRange {
    std::size_t begin = 0;
    std::size_t end = 0;

    [[nodiscard]] std::string_view in(std::string_view text) const { return text.substr(begin, end - begin); }
};

struct JsonMember {
    std::string key;
    TextRange whole;  ///< from the key's quote to the value's end
    TextRange value;
};

/// A text in quotes.
[[nodiscard]] std::string jsonString(std::string_view text);

/// The range of the text's value. This function and those below may only be called for text that a parser accepted.
[[nodiscard]] TextRange wholeValue(std::string_view text);
[[nodiscard]] bool isObject(std::string_view text, const TextRange& value);
/// The members of an object. Empty if the value is not an object.
[[nodiscard]] std::vector<JsonMember> membersOf(std::string_view text, const TextRange& object);
/// The elements of a list. Empty if the value is not a list.
[[nodiscard]] std::vector<TextRange> elementsOf(std::string_view text, const TextRange& list);
/// The member of that name, or null. If several have the name, the last one, as in parsers.
[[nodiscard]] const JsonMember* memberNamed(const std::vector<JsonMember>& members, std::string_view key);
/// The trimmed content between the brackets of a list or an object.
[[nodiscard]] std::string_view contentOf(std::string_view text, const TextRange& value);

/// Collects changes to one text.
class JsonEdits {
  public:
    explicit JsonEdits(std::string_view text) : text_(text) {}

    void replace(const TextRange& range, std::string_view with);
    /// Appends elements to a list, or members to an object. Empty content changes nothing. May be called several times.
    void append(const TextRange& value, ByteBlocks content);
    void append(const TextRange& value, std::string_view content);
    /// Appends to the list of that name. If the list is missing, it is added to the object.
    void appendToList(const TextRange& object, std::string_view key, ByteBlocks elements);
    /// Like appendToList(), but at the beginning of the list. May be called once per list.
    void prependToList(const TextRange& object, std::string_view key, ByteBlocks elements);
    void appendToList(const TextRange& object, std::string_view key, std::string_view elements);

    /// The text with all changes. Unchanged parts are not copied from the original text. The ranges must not overlap.
    [[nodiscard]] ByteBlocks takeApplied();

  private:
    struct Edit {
        TextRange range;
        ByteBlocks with;
    };
    std::string_view text_;
    std::vector<Edit> edits_;
};

}  // namespace reanima::gltf
