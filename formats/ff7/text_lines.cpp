#include "formats/ff7/text_lines.h"

#include <algorithm>

namespace reanima::ff7 {

namespace {

constexpr std::string_view kBlanks = " \t";

}  // namespace

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    return first == std::string_view::npos ? std::string_view{}
                                           : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string_view> wordsOf(std::string_view text) {
    std::vector<std::string_view> words;
    while (!(text = trimmed(text)).empty()) {
        const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
        words.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return words;
}

std::string_view asText(core::Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};  // NOLINT: the same bytes
}

core::Bytes asBytes(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};  // NOLINT: the same bytes
}

void Lines::checkEnds(core::Diagnostics& diagnostics) const {
    const std::size_t first = text_.find(end_);
    if (end_ == '\r' && first != std::string_view::npos)
        diagnostics.warn(core::Code::rareLayout, {"text", first}, "its lines end with CR only");
}

std::string_view Lines::current() const {
    std::string_view rest = text_.substr(at_);
    rest = rest.substr(0, rest.find(end_));
    return trimmed(rest.ends_with('\r') ? rest.substr(0, rest.size() - 1) : rest);
}

std::string_view Lines::next() {
    const std::string_view found = current();
    step();
    skip();
    return found;
}

void Lines::step() {
    const std::size_t end = text_.find(end_, at_);
    at_ = end == std::string_view::npos ? text_.size() : end + 1;
}

void Lines::skip() {
    while (!atEnd() && (current().empty() || current().front() == '#'))
        step();
}

}  // namespace reanima::ff7
