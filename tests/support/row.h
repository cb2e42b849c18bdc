/// Messages of a format, provoked through its row of the registry: the decoder by `dump`, the encoder by `encode`.
#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/format.h"
#include "formats/registry.h"
#include "support/broken.h"

namespace reanima::test {

/// Not in the template below: GCC 14 fails there, where it would need the whole class Json for the first time.
inline core::ByteVector encoded(const Format& format, const Json& json, Context& context) {
    return format.encode(JsonReader(json), context);
}

/// A file of a format: dumped, changed and encoded.
/// @param edit called with the dump
/// @throws core::DecodeError
template <typename Edit>
core::ByteVector editedFile(std::string_view id, const core::ByteVector& file, const Edit& edit,
                            core::Diagnostics& diagnostics) {
    const Format& format = *formatNamed(id);
    const OptionValues options{};
    const core::Limits limits{};
    Context context{options, limits, diagnostics};
    Json json = format.open(File{{}, file}, {}, context)->dump();
    edit(json);
    return encoded(format, json, context);
}

/// The messages of editedFile().
template <typename Edit>
std::string messageOfEdited(std::string_view id, const core::ByteVector& file, const Edit& edit) {
    return messageOf([&](core::Diagnostics& diagnostics) { (void)editedFile(id, file, edit, diagnostics); });
}

/// Dumps every broken version of a valid file and compares whole messages. `encode` must reproduce every version that
/// can be dumped.
inline void expectMessages(std::string_view id, const core::ByteVector& sound, std::initializer_list<Broken> cases) {
    const auto dumpAndEncode = [&](const core::ByteVector& file, core::Diagnostics& diagnostics) {
        EXPECT_EQ(editedFile(
                      id, file, [](Json&) {}, diagnostics),
                  file);
        return 0;
    };
    expectMessages(sound, dumpAndEncode, cases);
}

}  // namespace reanima::test
