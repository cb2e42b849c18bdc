#include "tools/reanima/verbs/memoria_new_clips.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/decode_error.h"
#include "core/text.h"

namespace reanima::tool {

namespace {

std::string inUpperCase(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return text;
}

}  // namespace

MemoriaNewClips::MemoriaNewClips(std::string folder, const std::vector<std::string>& files)
    : folder_(std::move(folder)) {
    for (const std::string& file : files)
        clips_.emplace(core::lowerCase(file), core::stemOf(file));
}

bool MemoriaNewClips::isKnown(const std::string& clip) const {
    return std::ranges::any_of(clips_, [&](const auto& known) { return known.second == clip; });
}

MemoriaNewClips::Place MemoriaNewClips::placeOf(const std::string& clip) {
    const std::size_t digits = clip.find_first_not_of("0123456789");
    const bool isNumbered =
        digits != 0 && digits != std::string::npos && clip[digits] == '_' && folder_.starts_with("GEO_");
    const std::string name =
        isNumbered ? fmt::format("ANH_{}_{}", folder_.substr(4), inUpperCase(clip.substr(digits + 1))) : clip;
    Place place{core::portableName(name) + ".anim", {}};
    const auto [known, isNew] = clips_.try_emplace(core::lowerCase(place.file), clip);
    if (!isNew)
        throw core::DecodeError(
            {"animations", std::nullopt},
            fmt::format("{} and {} would be one file, {}. Rename one of these clips", known->second, clip, place.file));
    place.advice = isNumbered ? fmt::format("DictionaryPatch.txt of the mod needs the line `3DModelAnimation {} {}`",
                                            clip.substr(0, digits), name)
                              : fmt::format(
                                    "the game finds clips by number. Name the clip NUMBER_{} to see the line that "
                                    "DictionaryPatch.txt needs",
                                    clip);
    return place;
}

}  // namespace reanima::tool
