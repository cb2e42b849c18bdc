/// Tables of broken files: every message of a decoder is provoked and compared whole.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "core/bytes.h"
#include "core/decode_error.h"
#include "core/diagnostics.h"

namespace reanima::test {

/// A change to a valid file, and the expected message.
struct Broken {
    const char* name;
    std::size_t at;
    core::ByteVector bytes;           ///< the new bytes
    std::optional<std::size_t> size;  ///< new size of the file, if it changes
    const char* message;
};

inline void PrintTo(const Broken& c, std::ostream* out) { *out << c.name; }

inline core::ByteVector brokenFile(const core::ByteVector& sound, const Broken& c) {
    core::ByteVector file = sound;
    if (c.at + c.bytes.size() > file.size())
        throw std::out_of_range(std::string(c.name) + " changes bytes follow the end of the file");
    std::copy(c.bytes.begin(), c.bytes.end(), file.begin() + static_cast<std::ptrdiff_t>(c.at));
    file.resize(c.size.value_or(file.size()));
    file.shrink_to_fit();  // so AddressSanitizer sees a read past the end
    return file;
}

/// The error that `decode(diagnostics)` throws, otherwise its warnings.
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

/// Decodes every broken version of a valid file and compares whole messages.
/// @param decode takes bytes and diagnostics
template <typename Decode>
void expectMessages(const core::ByteVector& sound, const Decode& decode, std::initializer_list<Broken> cases) {
    for (const Broken& c : cases) {
        SCOPED_TRACE(c.name);
        const core::ByteVector file = brokenFile(sound, c);
        EXPECT_EQ(messageOf([&](core::Diagnostics& diagnostics) { (void)decode(file, diagnostics); }), c.message);
    }
}

/// The same for a format that can be written. Decodable versions must be reproduced.
template <typename Decode, typename Encode>
void expectMessages(const core::ByteVector& sound, const Decode& decode, const Encode& encode,
                    std::initializer_list<Broken> cases) {
    const auto decodeAndEncode = [&](const core::ByteVector& file, core::Diagnostics& diagnostics) {
        EXPECT_EQ(encode(decode(file, diagnostics)), file);
        return 0;
    };
    expectMessages(sound, decodeAndEncode, cases);
}

}  // namespace reanima::test
