#include "pipeline/suggest_links.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "binding/roles/mapping.h"
#include "pipeline/cast.h"
#include "pipeline/joint_roles.h"

namespace reanima {

namespace {

roles::Anatomy sourceRoles(const core::Asset& source, const Settings& settings) {
    if (std::optional<roles::Anatomy> known = rolesOfSource(source, settings.names, settings.map))
        return *std::move(known);
    roles::Anatomy unknown;
    unknown.roles.resize(source.skeleton->joints.size());
    unknown.seen = "its joints are placeholders";
    return unknown;
}

/// Arms and legs, two bones each.
constexpr std::size_t kLimbs = 8;

std::size_t limbsIn(const std::vector<roles::ProposedLink>& links) {
    using enum roles::Part;
    constexpr std::array kParts = {upperArm, lowerArm, upperLeg, lowerLeg};
    return static_cast<std::size_t>(std::ranges::count_if(links, [&](const roles::ProposedLink& link) {
        return std::ranges::find(kParts, link.role.part) != kParts.end();
    }));
}

/// Lowers the confidence of all links to a guess, since a skeleton that never moves may be in any pose.
/// @throws core::DecodeError if half of the limbs are missing
void doubtStillSource(const core::Asset& source, SuggestedLinks& suggested, core::Diagnostics& diagnostics) {
    using From = roles::Anatomy::From;
    const From from = suggested.roles.source.from;
    if (!source.clips.empty() || (from != From::motion && from != From::none))
        return;
    constexpr double kGuess = 0.5;
    for (roles::ProposedLink& link : suggested.links)
        link.confidence = std::min(link.confidence, kGuess);
    const std::size_t limbs = limbsIn(suggested.links);
    if (2 * limbs <= kLimbs)
        throw core::DecodeError(
            {}, fmt::format("has no clips, and its rest pose shows only {} of the {} bones of arms and legs", limbs,
                            kLimbs))
            .withHint({"animations", "FILE"});
    diagnostics.warn(core::Code::assumed, {}, "has no clips, so the mapping is guessed from its rest pose",
                     {"animations", "FILE"});
}

}  // namespace

SuggestedLinks suggestLinks(const core::Asset& source, const core::Rig& target, core::Diagnostics& diagnostics,
                            const Settings& settings) {
    if (!source.skeleton)
        throw core::DecodeError("is a video or an image, without joints");
    const core::Rig rig = withOwnMotion(target, settings.limits);
    SuggestedLinks suggested;
    suggested.roles = {sourceRoles(source, settings), rolesOfRig(rig, settings.names, settings.map, diagnostics)};
    suggested.links = roles::proposedLinks(*source.skeleton, rig.skeleton, suggested.roles, diagnostics);
    doubtStillSource(source, suggested, diagnostics);
    suggested.json = toText(roles::mappingOf(*source.skeleton, rig.skeleton, suggested.roles, suggested.links));
    suggested.map =
        parseJointMap({reinterpret_cast<const std::uint8_t*>(suggested.json.data()), suggested.json.size()});  // NOLINT
    return suggested;
}

}  // namespace reanima
