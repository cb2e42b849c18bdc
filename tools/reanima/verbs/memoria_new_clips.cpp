#include "tools/reanima/verbs/memoria_new_clips.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "archives/characters.h"
#include "core/decode_error.h"
#include "core/text.h"

namespace reanima::tool {

namespace {

std::optional<std::uint32_t> valueOfDigits(std::string_view digits) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() && end == digits.data() + digits.size() ? std::optional(number) : std::nullopt;
}

std::string inUpperCase(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return text;
}

}  // namespace

MemoriaNewClips::MemoriaNewClips(const std::string& folder, const std::vector<std::string>& files)
    : model_(archives::modelCalledAs(inUpperCase(folder))), isByNumber_(std::ranges::all_of(folder, core::isDigit)) {
    for (const std::string& file : files) {
        const auto [known, isNew] = clips_.emplace(core::lowerCase(file), core::stemOf(file));
        if (const std::optional<std::uint32_t> number = valueOfDigits(known->second))
            numbered_.emplace(*number, known->second);
    }
}

bool MemoriaNewClips::isKnown(const std::string& clip) const {
    return std::ranges::any_of(clips_, [&](const auto& known) { return known.second == clip; });
}

MemoriaNewClips::Place MemoriaNewClips::placeOf(const std::string& clip) {
    const std::size_t digits = std::min(clip.find_first_not_of("0123456789"), clip.size());
    const bool isNumbered = digits > 0 && clip[digits] == '_' && digits + 1 < clip.size();
    const std::string number = clip.substr(0, digits);
    if (isNumbered)
        claim(number, clip);
    std::string name = clip;
    if (isNumbered && !model_.empty())
        name = isByNumber_ ? number : nameInGame(clip.substr(digits + 1));
    Place place{core::portableName(name) + ".anim", {}};
    const auto [known, isNew] = clips_.try_emplace(core::lowerCase(place.file), clip);
    if (!isNew)
        throw core::DecodeError({"animations", std::nullopt},
                                fmt::format("{} and {} would both become the file {}. Rename one of these clips",
                                            known->second, clip, place.file));
    if (!isNumbered)
        place.advice = fmt::format(
            "the game finds clips by number. Name the clip NUMBER_{} to see the line that DictionaryPatch.txt needs",
            clip);
    else if (model_.empty())
        place.advice =
            "DictionaryPatch.txt of the mod needs a line with the model's name. To see this line, rename the folder to "
            "GEO_TYPE_VERSION_CODE or to the model's number";
    else
        place.advice = fmt::format(
            "DictionaryPatch.txt of the mod needs the line `3DModelAnimation {} {}`{}", number,
            nameInGame(clip.substr(digits + 1)),
            isByNumber_
                ? ""
                : fmt::format("; the engine looks for Animations/MODEL/{}.anim, where MODEL is the model's number",
                              number));
    return place;
}

void MemoriaNewClips::claim(const std::string& number, const std::string& clip) {
    const std::optional<std::uint32_t> value = valueOfDigits(number);
    const std::string_view ofGame = value ? archives::animationCalled(*value) : std::string_view();
    if (!value || !ofGame.empty())
        throw core::DecodeError({"animations", std::nullopt},
                                fmt::format("{}: {}. Choose a number from 15000 to 65535", clip,
                                            value ? fmt::format("{} is the game's number for {}", number, ofGame)
                                                  : "the number is too large"));
    const auto [known, isNew] = numbered_.emplace(*value, clip);
    if (!isNew)
        throw core::DecodeError({"animations", std::nullopt},
                                fmt::format("{} and {} have the same number. Change one of "
                                            "them",
                                            known->second, clip));
}

std::string MemoriaNewClips::nameInGame(const std::string& word) const {
    std::string name = fmt::format("ANH_{}_{}", model_.substr(4), inUpperCase(word));
    std::ranges::replace_if(
        name, [](char c) { return !core::isDigit(c) && !(c >= 'A' && c <= 'Z'); }, '_');
    return name;
}

}  // namespace reanima::tool
