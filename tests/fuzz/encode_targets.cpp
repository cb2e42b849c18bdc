/// JSON as `dump` writes it, edited at will: what `encode` makes of it can be dumped and comes back byte for byte.

#include <nlohmann/json.hpp>

#include "formats/dump.h"
#include "formats/format.h"
#include "formats/load.h"
#include "formats/registry.h"
#include "fuzz/targets.h"

namespace reanima::fuzz {

namespace {

std::optional<core::ByteVector> encoded(const Format& format, core::Bytes text, Context& context) {
    try {
        const Json json = parseJson(text);
        return format.encode(JsonReader(json), context);
    } catch (const core::DecodeError&) {
        return std::nullopt;
    }
}

void check(const Format& format, core::Bytes text) {
    const OptionValues options;
    const core::Limits limits = smallLimits();
    core::Diagnostics diagnostics;
    Context context{options, limits, diagnostics, {}};
    std::optional<core::ByteVector> bytes = encoded(format, text, context);
    if (!bytes)
        return;
    const Input input{{"fuzz." + std::string(format.extensions.front()), std::move(*bytes)}, {}, &format, {}};
    try {
        const Json json = dump(input, {}, context);
        require(format.encode(JsonReader(json), context) == input.file.bytes, "encoding what was dumped differs");
    } catch (const core::DecodeError& error) {
        // What is right may still be more than these limits allow.
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
