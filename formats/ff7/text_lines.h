/// The texts of field models, line by line.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/bytes.h"
#include "core/decode_error.h"
#include "core/decode_watch.h"
#include "core/diagnostics.h"

namespace reanima::ff7 {

/// A text without blanks at its ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// A text's words.
[[nodiscard]] std::vector<std::string_view> wordsOf(std::string_view text);

/// A file's bytes as a text.
[[nodiscard]] std::string_view asText(core::Bytes bytes);
/// A text as a file's bytes.
[[nodiscard]] core::Bytes asBytes(std::string_view text);

/// The number in a text, independent of the locale.
template <typename T>
[[nodiscard]] std::optional<T> numberFrom(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// Iterates over the lines of a text. Skips empty lines and lines that begin with `#`. Lines end with LF or CR LF or,
/// in a text without LF, with CR.
class Lines {
  public:
    explicit Lines(std::string_view text) : text_(text), end_(text.find('\n') == std::string_view::npos ? '\r' : '\n') {
        skip();
    }

    /// Warns about line ends that no file of the game has.
    void checkEnds(core::Diagnostics& diagnostics) const;
    [[nodiscard]] bool atEnd() const { return at_ == text_.size(); }
    /// The offset of the current line from the text's first byte.
    [[nodiscard]] std::uint64_t offset() const { return at_; }
    /// The current line without blanks at its ends; empty after the last line.
    [[nodiscard]] std::string_view current() const;
    /// Returns the current line and advances.
    std::string_view next();

  private:
    void step();
    void skip();

    std::string_view text_;
    char end_;
    std::size_t at_ = 0;
};

/// True if a file's text agrees with its other members.
/// @param content has the file's text as its member `text`
/// @param decode (core::Bytes, core::Diagnostics&) -> Content
template <typename Content, typename Decode>
[[nodiscard]] bool saysTheSame(const Content& content, const Decode& decode) {
    const core::Unwatched trial;
    try {
        core::Diagnostics repeated;
        return decode(asBytes(content.text), repeated) == content;
    } catch (const core::DecodeError&) {
        return false;
    }
}

/// A file's text if it agrees with the other members, otherwise a new text.
/// @param write (const Content&) -> std::string: makes the new text
/// @return empty if the new text does not agree either
template <typename Content, typename Decode, typename Write>
[[nodiscard]] std::optional<core::ByteVector> encodedText(Content content, const Decode& decode, const Write& write) {
    if (!saysTheSame(content, decode)) {
        content.text = write(content);
        if (!saysTheSame(content, decode))
            return std::nullopt;
    }
    return core::ByteVector(content.text.begin(), content.text.end());
}

/// True if a file can be read without warnings.
template <typename Decode>
[[nodiscard]] bool isBeyondDoubt(core::Bytes file, const Decode& decode) {
    try {
        core::Diagnostics doubts;
        (void)decode(file, doubts);
        return doubts.warnings().empty();
    } catch (const core::DecodeError&) {
        return false;
    }
}

}  // namespace reanima::ff7
