#include "formats/animation_links.h"

#include <algorithm>
#include <array>

#include "formats/format.h"
#include "formats/registry.h"

namespace reanima {

namespace ff7 {
extern const LinkRules kBattleLinks;
extern const LinkRules kFieldAnimationLinks;
extern const LinkRules kFieldSkeletonLinks;
}  // namespace ff7

namespace {

/// All formats with link rules; see the table in registry.cpp.
constexpr std::array kRules = {&ff7::kBattleLinks, &ff7::kFieldAnimationLinks, &ff7::kFieldSkeletonLinks};

}  // namespace

const LinkRules& linkRulesOf(const Format& format) {
    const auto rules = std::ranges::find_if(kRules, [&](const LinkRules* each) { return &each->format == &format; });
    static const LinkRules kNone{format};
    return rules == kRules.end() ? kNone : **rules;
}

bool isLinkable(const Format& animation) {
    return std::ranges::any_of(kRules, [&](const LinkRules* rules) {
        return rules->links != nullptr && animation.needsSkeleton(rules->format);
    });
}

}  // namespace reanima
