#include "tools/reanima/front/text_table.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace {

constexpr std::size_t kBetween = 2;  // blanks between columns

/// The number of characters in UTF-8, not of bytes.
std::size_t lengthOf(const std::string& text) {
    constexpr unsigned kMarks = 0xC0;
    constexpr unsigned kContinues = 0x80;
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & kMarks) != kContinues; }));
}

std::size_t widthOf(const std::vector<std::size_t>& widths) {
    std::size_t total = 0;
    for (const std::size_t width : widths)
        total += width == 0 ? 0 : width + (total == 0 ? 0 : kBetween);
    return total;
}

}  // namespace

std::size_t tableWidth(const Console& console) {
    constexpr std::size_t kStandard = 80;
    if (console.verbose)
        return std::numeric_limits<std::size_t>::max();
    const std::size_t columns = terminalColumns(StandardStream::output);
    return columns == 0 ? kStandard : columns;
}

std::vector<std::size_t> TextTable::widths() const {
    std::vector<std::size_t> widths(columns_.size(), 0);
    for (const std::vector<std::string>& row : rows_)
        for (std::size_t c = 0; c < columns_.size(); ++c)
            widths[c] = std::max(widths[c], lengthOf(row.at(c)));
    for (std::size_t c = 0; c < columns_.size(); ++c)
        if (widths[c] > 0)
            widths[c] = std::max(widths[c], lengthOf(columns_[c].head));
    return widths;
}

std::vector<std::size_t> TextTable::widthsWithin(std::size_t width) const {
    const std::vector<std::size_t> whole = widths();
    std::vector<std::size_t> order(columns_.size());  // the most important columns first
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [this](std::size_t c) { return columns_[c].leftOut; });
    std::vector<std::size_t> chosen(columns_.size(), 0);
    for (const std::size_t c : order) {
        chosen[c] = whole[c];
        if (columns_[c].leftOut > 0 && widthOf(chosen) > width)
            chosen[c] = 0;
    }
    return chosen;
}

std::string TextTable::text(std::size_t width) const {
    const std::vector<std::size_t> widths = widthsWithin(width);
    std::string text;
    const auto add = [&](const auto& cellOf) {
        std::string line;
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            if (widths[c] == 0)
                continue;
            const std::string& cell = cellOf(c);
            const std::string padding(widths[c] - lengthOf(cell), ' ');
            line += (line.empty() ? "" : std::string(kBetween, ' ')) +
                    (columns_[c].side == TableColumn::Side::left ? cell + padding : padding + cell);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    };
    if (rows_.empty())
        return text;
    add([&](std::size_t c) -> const std::string& { return columns_[c].head; });
    for (const std::vector<std::string>& row : rows_)
        add([&](std::size_t c) -> const std::string& { return row[c]; });
    return text;
}

}  // namespace reanima::tool
