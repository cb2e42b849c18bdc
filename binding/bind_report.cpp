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

/// Whether all joints of a part were turned in that way; none where the report knows no such joint.
std::optional<bool> areTurnedBy(motion::RollFrom from, roles::Part part, const BindReport& report) {
    std::optional<bool> are;
    for (const BindReport::Roll& roll : report.rolls)
        if (roll.part == part)
            are = are.value_or(true) && (roll.from == from || roll.from == motion::RollFrom::map);
    return are;
}

}  // namespace

std::string BindReport::inWords() const {
    std::string text;
    const auto say = [&](motion::RollFrom from, roles::Part part, const char* known, const char* open) {
        if (const std::optional<bool> isKnown = areTurnedBy(from, part, *this))
            text += *isKnown ? known : open;
    };
    if (floor)
        text += fmt::format("floor: the figure floats {:.0f} mm and sinks {:.0f} mm at most while it stands\n",
                            floor->floats * 1000, floor->sinks * 1000);
    say(motion::RollFrom::face, roles::Part::head, "face: looks ahead when the source's does\n",
        "face: turned by the bone of the head, since nothing tells where it looks: have a look at it\n");
    say(motion::RollFrom::palm, roles::Part::hand, "hands: palms face the thighs while the arms hang\n",
        "hands: rolled by the mean of the motion, since no arm hangs: have a look at the palms\n");
    say(motion::RollFrom::sole, roles::Part::foot, "feet: soles are level while they stand\n",
        "feet: turned by their bones, since nothing tells how the soles lie: have a look at them\n");
    if (feet)
        text += fmt::format("feet: planted feet slide {:.0f} mm/s{} (the source's {:.0f})\n", feet->slide * 1000,
                            feet->before ? fmt::format(", {:.0f} as they came", feet->before->slide * 1000) : "",
                            feet->sourceSlide * 1000);
    return text;
}

std::string BindReport::toTable(Shown links) const {
    std::string text = inWords();
    const std::size_t words = text.size();
    for (const Row& row : rows) {
        if (links == Shown::apart && !isWorthALook(row))
            continue;
        if (text.size() == words)
            text += fmt::format("{:<24} {:<24} {:<13} {:>12}\n", "source", "target", "by", "bones apart");
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
    text += fmt::format("scale {:.6g}\n", scale);
    return text;
}

}  // namespace reanima
