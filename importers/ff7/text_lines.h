/// The texts of field models, line by line.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "../../core/bytes.h"

namespace reanima::ff7 {

/// Without blanks around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// A text's words.
[[nodiscard]] std::vector<std::string_view> wordsOf(std::string_view text);

/// A file's bytes as a text.
[[nodiscard]] std::string_view asText(core::Bytes bytes);

/// The number that a text is, whatever the locale.
template <typename T>
[[nodiscard]] std::optional<T> numberFrom(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// The lines of a text that say something, one after another: neither empty ones nor those that begin with `#`.
class Lines {
  public:
    explicit Lines(std::string_view text) : text_(text) { skip(); }

    [[nodiscard]] bool atEnd() const { return at_ == text_.size(); }
    /// Of the current line, from the text's first byte.
    [[nodiscard]] std::uint64_t offset() const { return at_; }
    /// Without blanks around it; empty at the end.
    [[nodiscard]] std::string_view current() const;
    /// The current line; goes on to the one after it.
    std::string_view next();

  private:
    void step();
    void skip();

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace reanima::ff7
