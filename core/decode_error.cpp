#include "core/decode_error.h"

#include <fmt/format.h>

namespace reanima::core {

namespace {

std::string messageOf(const std::string& file, const Place& place, const std::string& problem) {
    std::string message = file;
    if (!file.empty())
        message += ": ";
    message += place.field;
    if (place.offset)
        message += fmt::format("{}at 0x{:x}", place.field.empty() ? "" : " ", *place.offset);
    if (!place.field.empty() || place.offset)
        message += ": ";
    return message + problem;
}

}  // namespace

DecodeError::DecodeError(Place place, std::string problem, Kind kind)
    : std::runtime_error(problem),
      kind_(kind),
      place_(std::move(place)),
      problem_(std::move(problem)),
      message_(messageOf(file_, place_, problem_)) {}

DecodeError DecodeError::inFile(const std::string& name) const {
    DecodeError named = *this;
    if (named.file_.empty()) {
        named.file_ = name;
        named.message_ = messageOf(named.file_, named.place_, named.problem_);
    }
    return named;
}

}  // namespace reanima::core
