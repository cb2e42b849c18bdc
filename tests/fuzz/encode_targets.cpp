/// Edited JSON of `dump`. The output of `encode` can be dumped, and encoding that dump gives the same bytes.

#include <algorithm>

#include <nlohmann/json.hpp>

#include "formats/dump.h"
#include "formats/format.h"
#include "formats/load.h"
#include "formats/registry.h"
#include "fuzz/targets.h"

namespace reanima::fuzz {

namespace {

/// True if a note states that readers need the game as an option, since the bytes do not show it.
bool hidesGame(const core::Diagnostics& diagnostics) {
    return std::ranges::any_of(diagnostics.warnings(), [](const core::Warning& warning) {
        return warning.code == core::Code::assumed && warning.place.field == "game";
    });
}

std::optional<core::ByteVector> encoded(const Format& format, core::Bytes text, Context& context) {
    try {
        const Json json = parseJson(text);
        return format.encode(JsonReader(json), context);
    } catch (const core::DecodeError&) {
        return std::nullopt;
    }
}

void check(const Format& format, core::Bytes text) {
    OptionValues options;
    const core::Limits limits = smallLimits();
    core::Diagnostics diagnostics;
    Context context{options, limits, diagnostics, {}};
    std::optional<core::ByteVector> bytes = encoded(format, text, context);
    if (!bytes)
        return;
    if (hidesGame(diagnostics))
        options.set("game", parseJson(text).at("game").get<std::string>());
    const Input input{{"fuzz." + std::string(format.extensions.front()), std::move(*bytes)}, {}, &format, {}};
    try {
        const Json json = dump(input, {}, context);
        require(format.encode(JsonReader(json), context) == input.file.bytes, "encoding what was dumped differs");
    } catch (const core::DecodeError& error) {
        // A valid result may still exceed these limits.
        require(error.kind() == core::DecodeError::Kind::limit, error.what());
    }
}

}  // namespace

std::vector<Target> encodeTargets() {
    std::vector<Target> all;
    for (const Format* format : formats())
        if (format->encode != nullptr)
            all.push_back({std::string(format->id) + "-json", Mutation::json,
                           [format](core::Bytes text) { check(*format, text); }});
    return all;
}

}  // namespace reanima::fuzz
