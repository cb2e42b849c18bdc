/// What the characters of a JSON text are, without a tree of its values.
#pragma once

#include <cstddef>
#include <cstdint>

namespace reanima::gltf {

/// Is told a text's characters one after the other. Nothing is taken for granted: any text may be told.
class JsonMarks {
  public:
    enum class Mark : std::uint8_t {
        quote,  ///< the one that begins a string
        text,   ///< of a string, and the quote at its end
        opens,  ///< a bracket or brace
        closes,
        comma,
        colon,
        other,  ///< space, numbers, words
    };

    Mark next(char c) {
        if (inString_) {
            inString_ = isEscaped_ || c != '"';
            isEscaped_ = !isEscaped_ && c == '\\';
            return Mark::text;
        }
        switch (c) {
            case '"':
                inString_ = true;
                return Mark::quote;
            case '{':
            case '[':
                ++depth_;
                return Mark::opens;
            case '}':
            case ']':
                depth_ -= depth_ > 0 ? 1 : 0;
                return Mark::closes;
            case ',':
                return Mark::comma;
            case ':':
                return Mark::colon;
            default:
                return Mark::other;
        }
    }

    /// Objects and lists that are open.
    [[nodiscard]] std::size_t depth() const { return depth_; }
    /// False where a value may be at its end.
    [[nodiscard]] bool isInside() const { return inString_ || depth_ > 0; }

  private:
    std::size_t depth_ = 0;
    bool inString_ = false;
    bool isEscaped_ = false;
};

}  // namespace reanima::gltf
