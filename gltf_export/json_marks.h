/// Classifies the characters of JSON text, without building a tree of values.
#pragma once

#include <cstddef>
#include <cstdint>

namespace reanima::gltf {

/// Reads a text's characters one by one. The text need not be valid.
class JsonMarks {
  public:
    enum class Mark : std::uint8_t {
        quote,  ///< the quote that begins a string
        text,   ///< inside a string, or the quote at its end
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

    /// The number of open objects and lists.
    [[nodiscard]] std::size_t depth() const { return depth_; }
    /// False if a value may be complete at this point.
    [[nodiscard]] bool isInside() const { return inString_ || depth_ > 0; }

  private:
    std::size_t depth_ = 0;
    bool inString_ = false;
    bool isEscaped_ = false;
};

}  // namespace reanima::gltf
