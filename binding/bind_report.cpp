#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "binding/bind_plan.h"
#include "core/text.h"

namespace reanima {

namespace {

constexpr double kApart = 10;  // degrees: human bodies differ by less

std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 12;
    std::string text = fmt::format(
        "{}",
        fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMost)), ", "));
    return names.size() > kMost ? text + fmt::format(" and {} more", names.size() - kMost) : text;
}

bool isWorthALook(const BindReport::Row& row) { return row.parentsDiffer || row.directionDegrees.value_or(0) > kApart; }

/// True if every joint of this part has its roll from `from` or from a mapping; none if the report has no such joint.
std::optional<bool> areTurnedBy(motion::RollFrom from, roles::Part part, const BindReport& report) {
    std::optional<bool> are;
    for (const BindReport::Roll& roll : report.rolls)
        if (roll.part == part)
            are = are.value_or(true) && (roll.from == from || roll.from == motion::RollFrom::map);
    return are;
}

/// True if a rule of thumb decided a joint of a part.
bool isGuessed(roles::Part part, const BindReport& report) {
    return std::ranges::any_of(report.rolls,
                               [&](const BindReport::Roll& roll) { return roll.part == part && roll.isGuess; });
}

}  // namespace

std::vector<std::string> BindReport::worthALook() const {
    constexpr double kOffGround = 0.015;  // of the height: 27 mm for a person
    constexpr double kSlides = 1.0 / 60;  // of the height per second, above the source's speed
    constexpr double kUsualHeight = 1.8;  // metres
    std::vector<std::string> found;
    if (floor && floor->floats > kOffGround * floor->height)
        found.push_back(fmt::format("the character floats {:.0f} mm above the ground", floor->floats * 1000));
    if (floor && floor->sinks > kOffGround * floor->height)
        found.push_back(fmt::format("the character sinks {:.0f} mm into the ground", floor->sinks * 1000));
    if (feet && feet->slide > feet->sourceSlide + kSlides * (floor ? floor->height : kUsualHeight))
        found.push_back(fmt::format("feet slide at {:.0f} mm/s", feet->slide * 1000));
    const auto unless = [&](motion::RollFrom from, roles::Part part, const char* what) {
        if (!areTurnedBy(from, part, *this).value_or(true))
            found.emplace_back(what);
    };
    unless(motion::RollFrom::face, roles::Part::head, "the face");
    unless(motion::RollFrom::palm, roles::Part::hand, "the palms");
    unless(motion::RollFrom::sole, roles::Part::foot, "the soles");
    return found;
}

bool BindReport::fits() const { return (floor || feet || !rolls.empty()) && worthALook().empty(); }

std::string BindReport::inWords() const {
    std::string text = fits() ? "fits\n" : "";
    if (const std::vector<std::string> found = worthALook(); !found.empty())
        text = fmt::format("look at: {}\n", fmt::join(found, ", "));
    const auto say = [&](motion::RollFrom from, roles::Part part, const char* known, const char* open) {
        if (const std::optional<bool> isKnown = areTurnedBy(from, part, *this))
            text += *isKnown ? known : open;
    };
    if (floor)
        text +=
            fmt::format("floor: while standing, the feet are up to {:.0f} mm above and {:.0f} mm below the ground\n",
                        floor->floats * 1000, floor->sinks * 1000);
    say(motion::RollFrom::face, roles::Part::head,
        isGuessed(roles::Part::head, *this) ? "face: assumed to look forward in most upright poses\n"
                                            : "face: looks forward when the source does\n",
        "face: follows the head bone, because its front is not known\n");
    say(motion::RollFrom::palm, roles::Part::hand,
        isGuessed(roles::Part::hand, *this) ? "hands: palms are assumed from the elbows or hanging arms\n"
                                            : "hands: palms face where the source's do\n",
        "hands: rolled to fit the average of the motion, because no arm hangs\n");
    say(motion::RollFrom::sole, roles::Part::foot, "feet: soles are level while they stand\n",
        "feet: follow their bones, because the soles are not known\n");
    if (feet)
        text += fmt::format("feet: planted feet slide at {:.0f} mm/s ({}{:.0f} in the source)\n", feet->slide * 1000,
                            feet->before ? fmt::format("{:.0f} before planting, ", feet->before->slide * 1000) : "",
                            feet->sourceSlide * 1000);
    return text;
}

std::string BindReport::toTable(Shown links) const {
    std::string text = inWords();
    if (links == Shown::apart && fits())
        return text;
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
            text += fmt::format("roll of {}: {:.1f} deg, by {}\n", core::printable(roll.joint),
                                std::round(roll.degrees * 10) / 10 + 0.0,  // never -0.0
                                motion::nameOf(roll.from));
    text += fmt::format("scale {:.6g}\n", scale);
    return text;
}

}  // namespace reanima
