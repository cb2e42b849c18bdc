#include "binding/roles/roles.h"

#include <algorithm>
#include <array>
#include <utility>

#include "binding/roles/name_anatomy.h"
#include "core/text.h"

namespace reanima::roles {

namespace {

constexpr std::array<std::pair<Part, std::string_view>, 26> kNames = {{
    {Part::none, ""},
    {Part::ground, "ground"},
    {Part::hips, "hips"},
    {Part::spine, "spine"},
    {Part::neck, "neck"},
    {Part::head, "head"},
    {Part::jaw, "jaw"},
    {Part::eye, "Eye"},
    {Part::shoulder, "Shoulder"},
    {Part::upperArm, "UpperArm"},
    {Part::lowerArm, "LowerArm"},
    {Part::hand, "Hand"},
    {Part::thumb, "Thumb"},
    {Part::index, "Index"},
    {Part::middle, "Middle"},
    {Part::ring, "Ring"},
    {Part::little, "Little"},
    {Part::upperLeg, "UpperLeg"},
    {Part::lowerLeg, "LowerLeg"},
    {Part::foot, "Foot"},
    {Part::toes, "Toes"},
    {Part::twist, "twist"},
    {Part::ik, "ik"},
    {Part::helper, "helper"},
    {Part::weapon, "weapon"},
    {Part::end, "end"},
}};

constexpr std::array<std::string_view, 3> kSegments = {"Proximal", "Intermediate", "Distal"};
constexpr std::array<std::string_view, 3> kThumb = {"Metacarpal", "Proximal", "Distal"};

}  // namespace

bool isFinger(Part part) { return part >= Part::thumb && part <= Part::little; }

bool isBody(Part part) { return part >= Part::hips && part <= Part::toes; }

std::string nameOf(const Role& role) {
    const auto row = std::find_if(kNames.begin(), kNames.end(), [&](const auto& r) { return r.first == role.part; });
    const bool isOfSide = !row->second.empty() && row->second.front() >= 'A' && row->second.front() <= 'Z';
    std::string name;
    if (isOfSide && role.side != Side::middle)
        name = role.side == Side::left ? "left" : "right";
    name += row->second;
    if (isFinger(role.part))
        name += (role.part == Part::thumb ? kThumb : kSegments)[std::min<std::size_t>(role.segment, 2)];
    if (name.empty() || name == "left" || name == "right")
        return {};
    return name;
}

namespace {

bool isSided(Part part) { return part == Part::eye || (part >= Part::shoulder && part <= Part::toes); }

/// Names and roles; sided roles only for the left side.
std::vector<std::pair<std::string, Role>> keysOfRoles() {
    std::vector<std::pair<std::string, Role>> keys;
    for (const auto& [part, name] : kNames)
        for (std::uint8_t segment = 0; part != Part::none && segment < (isFinger(part) ? 3 : 1); ++segment) {
            const Role role{part, isSided(part) ? Side::left : Side::middle, segment};
            keys.emplace_back(wordsOfName(nameOf(role)).key, role);
        }
    return keys;
}

}  // namespace

std::optional<Role> roleNamed(std::string_view text) {
    static const std::vector<std::pair<std::string, Role>> kKeys = keysOfRoles();
    const Words words = wordsOfName(text);
    const bool hasSide = words.side != Side::middle;
    for (const auto& [key, role] : kKeys)
        if (isSided(role.part) == hasSide && words.key == key)
            return Role{role.part, words.side, role.segment};
    const std::optional<Role> known = roleOfWords(words);
    return known && isBody(known->part) && isSided(known->part) == (known->side != Side::middle) ? known : std::nullopt;
}

std::vector<std::uint32_t> Anatomy::jointsOf(Part part, Side side) const {
    std::vector<std::uint32_t> joints;
    for (std::uint32_t joint = 0; joint < roles.size(); ++joint)
        if (roles[joint].part == part && roles[joint].side == side)
            joints.push_back(joint);
    return joints;
}

std::optional<std::uint32_t> Anatomy::jointOf(Part part, Side side) const {
    for (std::uint32_t joint = 0; joint < roles.size(); ++joint)
        if (roles[joint].part == part && roles[joint].side == side)
            return joint;
    return std::nullopt;
}

}  // namespace reanima::roles
