#include "core/decode_error.h"

#include <fmt/format.h>

#include "core/shortened.h"

namespace reanima::core {

namespace {

std::string placeOf(const std::string& file, const Place& place) {
    std::string message = file;
    if (!file.empty())
        message += ": ";
    message += place.field;
    if (place.offset)
        message += fmt::format("{}at 0x{:x}", place.field.empty() ? "" : " ", *place.offset);
    if (!place.field.empty() || place.offset)
        message += ": ";
    return message;
}

}  // namespace

DecodeError::DecodeError(Place place, std::string problem, Kind kind)
    : std::runtime_error(std::string()),
      kind_(kind),
      place_{shortened(std::move(place.field), kLongestField), place.offset},
      problem_(shortened(std::move(problem), kLongestProblem)),
      message_(message(plainWording)) {}

std::string plainWording(const OptionHint& hint) {
    return fmt::format("option {}{}{}", hint.key, hint.value.empty() ? "" : "=", hint.value);
}

std::string DecodeError::message(HintWording wording) const {
    std::string text = placeOf(file_, place_) + problem_;
    if (hint_.key.empty())
        return shortened(std::move(text), kLongestMessage);
    return shortened(kind_ == Kind::option ? fmt::format("{}: {}", wording(hint_), text)
                                           : fmt::format("{} (see {})", text, wording(hint_)),
                     kLongestMessage);
}

DecodeError DecodeError::inFile(const std::string& name) const {
    DecodeError named = *this;
    if (named.file_.empty()) {
        named.file_ = name;
        named.message_ = named.message(plainWording);
    }
    return named;
}

DecodeError DecodeError::withHint(OptionHint hint) const {
    DecodeError hinted = *this;
    if (hinted.hint_.key.empty()) {
        hinted.hint_ = std::move(hint);
        hinted.message_ = hinted.message(plainWording);
    }
    return hinted;
}

DecodeError DecodeError::ofKind(Kind kind) const {
    DecodeError other = *this;
    other.kind_ = kind;
    return other;
}

DecodeError optionError(OptionHint hint, std::string problem) {
    return DecodeError({}, std::move(problem), DecodeError::Kind::option).withHint(std::move(hint));
}

}  // namespace reanima::core
