/// Tables of broken files: every message of a decoder is provoked and compared whole.
#pragma once

#include <algorithm>
#include <optional>
#include <ostream>
#include <string>

#include "core/bytes.h"
#include "core/decode_error.h"
#include "core/diagnostics.h"

namespace reanima::test {

/// What is done to a sound file, and what is said about it then.
struct Broken {
    const char* name;
    std::size_t at;
    core::ByteVector bytes;           ///< put there
    std::optional<std::size_t> size;  ///< of the file then, if it changes
    const char* message;
};

inline void PrintTo(const Broken& c, std::ostream* out) { *out << c.name; }

inline core::ByteVector brokenFile(const core::ByteVector& sound, const Broken& c) {
    core::ByteVector file = sound;
    std::copy(c.bytes.begin(), c.bytes.end(), file.begin() + static_cast<std::ptrdiff_t>(c.at));
    file.resize(c.size.value_or(file.size()));
    file.shrink_to_fit();  // AddressSanitizer then sees a read past the end
    return file;
}

/// The error that `decode(diagnostics)` throws, else its warnings.
template <typename Decode>
std::string messageOf(Decode decode) {
    core::Diagnostics diagnostics;
    std::string message;
    try {
        decode(diagnostics);
        for (const core::Warning& warning : diagnostics.warnings())
            message += warning.message();
    } catch (const core::DecodeError& error) {
        message = error.what();
    }
    return message;
}

}  // namespace reanima::test
