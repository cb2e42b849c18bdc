/// Reads and writes the fields named by describe(): big-endian numbers, and texts that end with a zero byte.
#pragma once

#include "formats/fields.h"
#include "formats/metroid/reading.h"

namespace reanima::metroid {

/// Like fields::Read, but checks floats as readNumber() does.
struct ReadFields : fields::Read<Reader> {
    using fields::Read<Reader>::operator();
    void operator()(std::string_view name, float& value, auto...) const { value = readNumber(file, name); }
    void operator()(std::string_view name, std::string& text, auto...) const { text = readText(file, name); }
};

struct WriteFields : fields::Write<Writer> {
    using fields::Write<Writer>::operator();
    void operator()(std::string_view, const std::string& text, auto...) const { writeText(out, text); }
};

}  // namespace reanima::metroid
