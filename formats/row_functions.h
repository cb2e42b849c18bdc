/// Functions for registry rows that only call their game's decoder, encoder and JSON.
#pragma once

#include <type_traits>
#include <utility>

#include <nlohmann/json.hpp>

#include "formats/format.h"
#include "formats/json_memory.h"

namespace reanima {

namespace detail {

/// Calls a game's function with its argument and, if it accepts them, with the context or with limits and diagnostics.
template <auto function, typename Argument>
auto calledWith(const Argument& argument, Context& context) {
    using Function = decltype(function);
    if constexpr (std::is_invocable_v<Function, const Argument&, Context&>)
        return function(argument, context);
    else if constexpr (std::is_invocable_v<Function, const Argument&, const core::Limits&, core::Diagnostics&>)
        return function(argument, context.limits, context.diagnostics);
    else if constexpr (std::is_invocable_v<Function, const Argument&, core::Diagnostics&>)
        return function(argument, context.diagnostics);
    else
        return function(argument);
}

/// Calls the game's toJson() for a native struct, with limits and diagnostics if the function accepts them.
template <typename Native>
Json jsonOf(const Native& native, Context& context) {
    if constexpr (requires { toJson(native, context.limits, context.diagnostics); })
        return toJson(native, context.limits, context.diagnostics);
    else
        return toJson(native, context.diagnostics);
}

}  // namespace detail

/// Opens a file that needs no other file. Its dump is the toJson() of the result of `decode`.
template <auto decode>
class OpenedBytes : public Opened {
  public:
    using Opened::Opened;
    using Native = decltype(detail::calledWith<decode>(core::Bytes(), std::declval<Context&>()));

    [[nodiscard]] Json dump() override { return detail::jsonOf(native(), context()); }

  protected:
    [[nodiscard]] const Native& native() {
        return native_.by([&] { return detail::calledWith<decode>(core::Bytes(file().bytes), context()); });
    }

  private:
    Once<Native> native_;
};

/// Opens a file that consists mainly of numbers. Checks the memory for the dump, which is much larger than the file.
template <typename Opening>
class OpenedNumbers : public Opening {
  public:
    using Opening::Opening;

    [[nodiscard]] Json dump() override {
        requireRoomForJson(this->file().bytes, this->context().limits);
        return Opening::dump();
    }
};

/// Implements Format::needs for a companion with the file's name and the first extension of the companion's format.
template <Role role, const auto& extensions>
std::vector<Need> needsOfSameName(const File& file) {
    return {{role, companionNames(file.name, extensions.front())}};
}

/// Implements Format::encode: calls `fromJson`, then `encode`.
template <auto fromJson, auto encode>
core::ByteVector encodeBy(const JsonReader& json, Context& context) {
    return detail::calledWith<encode>(detail::calledWith<fromJson>(json, context), context);
}

/// Implements Format::isWhole for a decoder that warns about everything doubtful, including trailing bytes.
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
