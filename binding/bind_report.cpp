#include <algorithm>

#include <fmt/format.h>

#include "binding/bind_plan.h"
#include "core/text.h"

namespace reanima {

namespace {

constexpr double kApart = 10;  // degrees: people differ by less

std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 12;
    std::string text = fmt::format(
        "{}",
        fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMost)), ", "));
    return names.size() > kMost ? text + fmt::format(" and {} more", names.size() - kMost) : text;
}

bool isWorthALook(const BindReport::Row& row) { return row.parentsDiffer || row.directionDegrees.value_or(0) > kApart; }

}  // namespace

std::string BindReport::toTable(Shown links) const {
    std::string text;
    for (const Row& row : rows) {
        if (links == Shown::apart && !isWorthALook(row))
            continue;
        if (text.empty())
            text = fmt::format("{:<24} {:<24} {:<13} {:>12}\n", "source", "target", "by", "bones apart");
        const std::string degrees = row.directionDegrees ? fmt::format("{:.1f} deg", *row.directionDegrees) : "";
        std::string line =
            fmt::format("{:<24} {:<24} {:<13} {:>12}{}", core::printable(row.source), core::printable(row.target),
                        motion::matchedByName(row.by), degrees, row.parentsDiffer ? "  other parents" : "");
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    const auto list = [&text](const char* what, const std::vector<std::string>& names) {
        if (!names.empty())
            text += fmt::format("{} ({}): {}\n", what, names.size(), core::printable(listed(names)));
    };
    list("joints that are added to the rig", added);
    list("unmapped source joints", unused);
    list("joints of the rig that follow nothing", missing);
    if (links == Shown::all)
        for (const Roll& roll : rolls)
            text += fmt::format("roll of {}: {:.1f} deg, by {}\n", core::printable(roll.joint), roll.degrees,
                                motion::nameOf(roll.from));
    if (feet)
        text += fmt::format("planted feet slide {:.0f} mm/s (the source's {:.0f})\n", feet->slide * 1000,
                            feet->sourceSlide * 1000);
    if (floor)
        text += fmt::format("the figure floats {:.0f} mm and sinks {:.0f} mm at most while it stands\n",
                            floor->floats * 1000, floor->sinks * 1000);
    text += fmt::format("scale {:.6g}\n", scale);
    return text;
}

}  // namespace reanima
