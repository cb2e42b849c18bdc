#include "json/csv.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/decode_error.h"

namespace reanima {

namespace {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r";
    const std::size_t first = text.find_first_not_of(kBlank);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// Removes the start of a text up to a separator, and the separator. @return the text before the separator
std::string_view takeUntil(std::string_view& text, char separator) {
    const std::string_view part = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    return part;
}

/// Removes a quoted part from the start of a text. @return false if its closing quote is missing
bool takeQuotation(std::string_view& text, std::string& content) {
    do {
        text.remove_prefix(1);
        const std::size_t end = text.find('"');
        if (end == std::string_view::npos)
            return false;
        content += text.substr(0, end);
        text.remove_prefix(end + 1);
        if (text.starts_with('"'))
            content += '"';
    } while (text.starts_with('"'));
    return true;
}

std::vector<std::string> fieldsOf(std::string_view line, std::size_t number) {
    std::vector<std::string> fields;
    for (bool more = true; more;) {
        line = trimmed(line);
        std::string field;
        const bool quoted = line.starts_with('"');
        const bool ended = !quoted || takeQuotation(line, field);
        more = line.find(',') != std::string_view::npos;
        const std::string_view rest = trimmed(takeUntil(line, ','));
        if (!ended || (quoted && !rest.empty()))
            throw core::DecodeError(
                {fmt::format("line {}", number), std::nullopt},
                fmt::format("field {} has text after its closing quotation mark", fields.size() + 1));
        fields.push_back(field.append(rest));
    }
    return fields;
}

}  // namespace

std::vector<CsvLine> csvLines(std::string_view text) {
    std::vector<CsvLine> lines;
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // spreadsheets write it
    if (text.starts_with(kByteOrderMark))
        text.remove_prefix(kByteOrderMark.size());
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::string_view line = trimmed(takeUntil(text, '\n'));
        if (!line.empty() && line.front() != '#')
            lines.push_back({number, line, fieldsOf(line, number)});
    }
    return lines;
}

std::string csvField(std::string_view text) {
    const bool isPlain = text.find_first_of(",\"#") == std::string_view::npos &&
                         (text.empty() || (text.front() != ' ' && text.back() != ' '));
    if (isPlain)
        return std::string(text);
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

}  // namespace reanima
