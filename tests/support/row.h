/// Provokes messages of a format through its row of the registry: of the decoder by `dump`, of the encoder by `encode`.
#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/format.h"
#include "formats/registry.h"
#include "support/broken.h"

namespace reanima::test {

// Not templates: GCC 14 fails if a template is the first code that needs the complete class.
inline Json dumped(std::string_view id, const core::ByteVector& file, core::Diagnostics& diagnostics) {
    const OptionValues options{};
    const core::Limits limits{};
    Context context{options, limits, diagnostics};
    return formatNamed(id)->open(File{{}, file}, {}, context)->dump();
}

inline core::ByteVector encoded(std::string_view id, const Json& json, core::Diagnostics& diagnostics) {
    const OptionValues options{};
    const core::Limits limits{};
    Context context{options, limits, diagnostics};
    return formatNamed(id)->encode(JsonReader(json), context);
}

/// A file of a format: dumped, changed and encoded.
/// @param edit called with the dump
/// @throws core::DecodeError
template <typename Edit>
core::ByteVector editedFile(std::string_view id, const core::ByteVector& file, const Edit& edit,
                            core::Diagnostics& diagnostics) {
    Json json = dumped(id, file, diagnostics);
    edit(json);
    return encoded(id, json, diagnostics);
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
