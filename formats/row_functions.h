/// What rows of the registry do where they only call their game's decoder, encoder and JSON.
#pragma once

#include <type_traits>

#include <nlohmann/json.hpp>

#include "formats/format.h"

namespace reanima {

namespace detail {

/// What a game's function gives for its argument, with the limits and the diagnostics as far as it takes them.
template <auto function, typename Argument>
auto calledWith(const Argument& argument, Context& context) {
    using Function = decltype(function);
    if constexpr (std::is_invocable_v<Function, const Argument&, const core::Limits&, core::Diagnostics&>)
        return function(argument, context.limits, context.diagnostics);
    else if constexpr (std::is_invocable_v<Function, const Argument&, core::Diagnostics&>)
        return function(argument, context.diagnostics);
    else
        return function(argument);
}

}  // namespace detail

/// Format::dump where nothing but the bytes tells what they are: the game's toJson() of what `decode` makes of them.
template <auto decode>
Json dumpBy(const File& file, const Companions&, Context& context) {
    const auto native = detail::calledWith<decode>(core::Bytes(file.bytes), context);
    if constexpr (requires { toJson(native, context.limits, context.diagnostics); })
        return toJson(native, context.limits, context.diagnostics);
    else
        return toJson(native, context.diagnostics);
}

/// Format::needs where a companion has the file's name: the first of its format's extensions.
template <Role role, const auto& extensions>
std::vector<Need> needsOfSameName(const File& file) {
    return {{role, companionNames(file.name, extensions.front())}};
}

/// Format::encode: the bytes that `encode` makes of what `fromJson` reads.
template <auto fromJson, auto encode>
core::ByteVector encodeBy(const JsonReader& json, Context& context) {
    return detail::calledWith<encode>(detail::calledWith<fromJson>(json, context), context);
}

/// Format::isWhole of a format whose decoder warns of all that is doubtful, bytes after the end included.
template <auto decode>
bool isReadWithoutWarnings(core::Bytes bytes) {
    try {
        const OptionValues options{};
        const core::Limits limits{};
        core::Diagnostics diagnostics;
        Context context{options, limits, diagnostics};
        (void)detail::calledWith<decode>(bytes, context);
        return diagnostics.warnings().empty();
    } catch (const core::DecodeError&) {
        return false;
    }
}

}  // namespace reanima
