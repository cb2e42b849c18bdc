#include "binding/closed_hands.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

namespace reanima::binding {

namespace {

using roles::Part;

/// The hand that a joint belongs to; a hand belongs to itself.
std::optional<std::uint32_t> handOf(const KnownSkeleton& body, std::uint32_t joint) {
    for (auto j = static_cast<int>(joint); j != core::kNoParent;
         j = body.skeleton.joints[static_cast<std::size_t>(j)].parent)
        if (body.roles.roles[static_cast<std::size_t>(j)].part == Part::hand)
            return static_cast<std::uint32_t>(j);
    return std::nullopt;
}

/// For each hand that holds something, the joint that it holds.
std::map<std::uint32_t, std::uint32_t> heldThings(const KnownSkeleton& source, const motion::Binding& binding) {
    std::map<std::uint32_t, std::uint32_t> held;
    for (const motion::Attachment& attachment : binding.attachments)
        if (const auto hand = handOf(source, attachment.carrier))
            held.emplace(*hand, attachment.source);
    for (std::uint32_t joint = 0; joint < source.skeleton.joints.size(); ++joint)
        if (source.roles.roles[joint].part == Part::weapon)
            if (const auto hand = handOf(source, joint))
                held.emplace(*hand, joint);
    return held;
}

bool hasFingers(const roles::Anatomy& roles, roles::Side side) {
    return std::ranges::any_of(
        roles.roles, [side](const roles::Role& role) { return roles::isFinger(role.part) && role.side == side; });
}

}  // namespace

std::vector<roles::ClosedFinger> closedHands(const KnownSkeleton& source, const KnownSkeleton& target,
                                             const motion::Binding& binding, core::Diagnostics& diagnostics) {
    std::vector<roles::ClosedFinger> closed;
    for (const auto& [hand, thing] : heldThings(source, binding)) {
        const auto link = std::ranges::find(binding.links, hand, &motion::JointLink::source);
        if (link == binding.links.end() || hasFingers(source.roles, source.roles.roles[hand].side))
            continue;
        const std::vector<roles::ClosedFinger> fingers =
            roles::closedFingers(target.skeleton, target.roles, target.roles.roles[link->target].side);
        closed.insert(closed.end(), fingers.begin(), fingers.end());
        if (!fingers.empty())
            diagnostics.note(core::Code::assumed, {},
                             fmt::format("{} closes its fingers around {}", target.skeleton.joints[link->target].name,
                                         source.skeleton.joints[thing].name),
                             {"grip", "keep"});
    }
    return closed;
}

}  // namespace reanima::binding
