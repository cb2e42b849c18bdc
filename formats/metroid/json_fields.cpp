#include "formats/metroid/json_fields.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text.h"
#include "formats/metroid/reading.h"

namespace reanima::metroid {

Game gameFromJson(const JsonReader& json) {
    const std::optional<Game> game = gameNamed(json.text());
    if (!game)
        json.fail("\"mp1\" or \"mp2\"");
    return *game;
}

void noteHiddenGame(Game game, core::Diagnostics& diagnostics) {
    diagnostics.note(
        core::Code::assumed, {"game", std::nullopt},
        fmt::format("is \"{}\", but the file can't record which game it belongs to; to read the file, name the game",
                    gameName(game)));
}

std::string textFromJson(const JsonReader& json) {
    std::string text = storedTextFromJson(json);
    if (text.find('\0') != std::string::npos)
        json.fail("a text without zero bytes");
    return text;
}

float numberFromJson(const JsonReader& json) {
    const float value = json.single();
    if (!(std::abs(value) <= kLargestNumber))
        json.fail("a number of at most 1e18");
    return value;
}

core::ByteVector paddingFromJson(const JsonReader& json, std::size_t contentSize, DerivedMembers& derived,
                                 core::Diagnostics& diagnostics) {
    derived.expect(json, "content_size", contentSize);
    core::ByteVector padding = json.hexOrNone("padding");
    const bool asLongAsBefore =
        json.has("content_size") &&
        static_cast<std::uint64_t>(json.at("content_size").integer(0, std::numeric_limits<std::int64_t>::max())) ==
            contentSize;
    const std::size_t needed = (kPakAlignment - contentSize % kPakAlignment) % kPakAlignment;
    if (padding.empty() || asLongAsBefore || padding.size() == needed || !isPadding(padding, kPakAlignment))
        return padding;
    diagnostics.warn(core::Code::recomputed, {"padding", std::nullopt},
                     fmt::format("has {} bytes, but the file's size must be a multiple of {}; {} are written",
                                 padding.size(), kPakAlignment, needed));
    padding.assign(needed, 0xFF);
    return padding;
}

}  // namespace reanima::metroid
