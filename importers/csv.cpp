#include "importers/csv.h"

namespace reanima {

namespace {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r";
    const std::size_t first = text.find_first_not_of(kBlank);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.push_back(trimmed(text.substr(0, end)));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

}  // namespace

std::vector<CsvLine> csvLines(std::string_view text) {
    std::vector<CsvLine> lines;
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // as spreadsheets write it
    if (text.starts_with(kByteOrderMark))
        text.remove_prefix(kByteOrderMark.size());
    std::size_t number = 0;
    for (const std::string_view line : split(text, '\n')) {
        ++number;
        if (!line.empty() && line.front() != '#')
            lines.push_back({number, line, split(line, ',')});
    }
    return lines;
}

}  // namespace reanima
