#include "binding/roles/mapping.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "binding/roles/role_links.h"
#include "binding/roles/shape_links.h"

namespace reanima::roles {

namespace {

/// Roles with less confidence are ignored.
constexpr double kGuess = 0.5;

const char* reasonFor(Anatomy::From from) {
    switch (from) {
        case Anatomy::From::stated:
            return "stated";
        case Anatomy::From::family:
        case Anatomy::From::names:
            return "by name";
        case Anatomy::From::shape:
            return "by the rest pose";
        case Anatomy::From::motion:
        case Anatomy::From::none:
            break;
    }
    return "by shape and motion";
}

/// Torso, arms, legs, the rest.
int regionOf(Part part) {
    if (part >= Part::hips && part <= Part::eye)
        return 0;
    if (part >= Part::shoulder && part <= Part::little)
        return 1;
    return part >= Part::upperLeg && part <= Part::toes ? 2 : 3;
}

auto orderOf(const Role& role) { return std::tuple(regionOf(role.part), role.side, role.part, role.segment); }

/// The role of a link by shape: from the rig, else from the source, if its roles are confident enough.
Role roleOf(const motion::JointLink& link, const BothRoles& roles) {
    for (const auto& [anatomy, joint] : {std::pair(&roles.rig, link.target), std::pair(&roles.source, link.source)})
        if (anatomy->confidence >= kGuess && isBody(anatomy->roles[joint].part))
            return anatomy->roles[joint];
    return {};
}

std::vector<ProposedLink> proposedByShape(const core::Skeleton& source, const core::Skeleton& rig,
                                          const BothRoles& roles) {
    constexpr double kMost = 0.7;  // below the confidence that bindings without a mapping need
    std::vector<ProposedLink> links;
    for (ShapeLink& shaped : linksByShape(source, rig))
        links.push_back(
            {shaped.link, roleOf(shaped.link, roles), kMost * shaped.confidence, std::move(shaped.reason), {}, {}});
    return links;
}

/// The roles that every body has, and further roles of the source.
std::vector<Role> wantedRoles(const Anatomy& source) {
    std::vector<Role> wanted;
    for (const Part part : {Part::hips, Part::spine, Part::neck, Part::head})
        wanted.push_back({part, Side::middle, 0});
    for (const Side side : {Side::left, Side::right})
        for (const Part part : {Part::shoulder, Part::upperArm, Part::lowerArm, Part::hand, Part::upperLeg,
                                Part::lowerLeg, Part::foot, Part::toes})
            wanted.push_back({part, side, 0});
    for (const Role& role : source.confidence >= kGuess ? source.roles : std::vector<Role>{})
        if (isBody(role.part) && std::ranges::find(wanted, role) == wanted.end())
            wanted.push_back(role);
    return wanted;
}

/// The name of a joint that has the role but no link; empty if there is none.
template <typename IsLinked>
std::string freeJoint(const core::Skeleton& skeleton, const Anatomy& anatomy, const Role& role,
                      const IsLinked& isLinked) {
    if (anatomy.confidence < kGuess)
        return {};
    for (std::uint32_t joint = 0; joint < anatomy.roles.size(); ++joint)
        if (anatomy.roles[joint] == role && !isLinked(joint))
            return skeleton.joints[joint].name;
    return {};
}

Json lineOf(const core::Skeleton& source, const core::Skeleton& rig, const ProposedLink& proposed) {
    const motion::JointLink& link = proposed.link;
    Json line = {{"role", nameOf(proposed.role)},
                 {"source", proposed.source},
                 {"target", proposed.target},
                 {"confidence", std::round(proposed.confidence * 100) / 100},
                 {"reason", proposed.reason}};
    if (link.mixedFrom) {
        line["mixed_from"] = source.joints[*link.mixedFrom].name;
        line["share"] = std::round(link.share * 1000) / 1000;
    }
    if (link.carrier)
        line["carrier"] = rig.joints[*link.carrier].name;
    return line;
}

}  // namespace

std::vector<ProposedLink> proposedLinks(const core::Skeleton& source, const core::Skeleton& rig, const BothRoles& roles,
                                        core::Diagnostics& diagnostics) {
    const double confidence = std::min(roles.source.confidence, roles.rig.confidence);
    std::vector<ProposedLink> links;
    if (confidence >= kGuess)
        for (const RoleLink& link : linksByRoles(roles.source, rig, roles.rig))
            links.push_back({link.link,
                             link.role,
                             confidence,
                             fmt::format("{} in the source, {} in the rig", reasonFor(roles.source.from),
                                         reasonFor(roles.rig.from)),
                             {},
                             {}});
    else
        links = proposedByShape(source, rig, roles);
    for (ProposedLink& proposed : links) {
        proposed.source = source.joints[proposed.link.source].name;
        proposed.target = rig.joints[proposed.link.target].name;
    }
    if (confidence < kCertain) {
        const bool isRig = roles.rig.confidence <= roles.source.confidence;
        diagnostics.warn(core::Code::jointUnmatched, {},
                         fmt::format("{} may not be a humanoid ({}). Check every line of the mapping",
                                     isRig ? rig.name : source.name, isRig ? roles.rig.seen : roles.source.seen));
    }
    std::ranges::stable_sort(links, {}, [](const ProposedLink& link) { return orderOf(link.role); });
    return links;
}

Json mappingOf(const core::Skeleton& source, const core::Skeleton& rig, const BothRoles& roles,
               const std::vector<ProposedLink>& links) {
    struct Line {
        Role role;
        Json json;
    };
    std::vector<Line> lines;
    lines.reserve(links.size());
    for (const ProposedLink& link : links)
        lines.push_back({link.role, lineOf(source, rig, link)});
    const auto isLinked = [&](auto side) {
        return [&links, side](std::uint32_t joint) {
            return std::ranges::any_of(links, [&](const ProposedLink& l) { return l.link.*side == joint; });
        };
    };
    for (const Role& role : wantedRoles(roles.source)) {
        if (std::ranges::find(links, role, &ProposedLink::role) != links.end())
            continue;
        const std::string from = freeJoint(source, roles.source, role, isLinked(&motion::JointLink::source));
        const std::string to =
            from.empty() ? freeJoint(rig, roles.rig, role, isLinked(&motion::JointLink::target)) : "";
        lines.push_back({role, {{"role", nameOf(role)}, {"source", from}, {"target", to}, {"confidence", 0}}});
    }
    std::ranges::stable_sort(lines, {}, [](const Line& line) { return orderOf(line.role); });
    Json joints = Json::array();
    for (Line& line : lines)
        joints.push_back(std::move(line.json));
    return {{"schema", 1}, {"by_name", false}, {"joints", std::move(joints)}};
}

}  // namespace reanima::roles
