#include "binding/roles/joint_matches.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/decode_error.h"
#include "core/near_names.h"

namespace reanima {

namespace {

using core::DecodeError;
using motion::MatchedBy;
using roles::JointMatch;

/// Matches the joints of two skeletons.
class NameMatcher {
  public:
    NameMatcher(const core::Skeleton& source, const core::Skeleton& target, const JointMap& map,
                const std::string& shownTarget, const std::string& doubt, core::Diagnostics& diagnostics)
        : source_(source),
          target_(target),
          map_(map),
          shownTarget_(shownTarget),
          doubt_(doubt),
          diagnostics_(diagnostics) {}

    std::vector<JointMatch> match() {
        std::vector<JointMatch> known = linesOfTheMap();
        addByRole(known);
        if (!map_.byName && !known.empty()) {
            std::ranges::sort(known, {}, [](const JointMatch& match) { return match.link.target; });
            return known;
        }
        std::vector<JointMatch> matches = roles::matchByNames(source_, target_, std::move(known), map_.ignore);
        if (matches.empty())
            throw DecodeError(
                fmt::format(
                    "{} and {} have no joint names in common{}. State in a mapping file which joint follows which",
                    source_.name, shownTarget_, doubt_.empty() ? "" : ", and " + doubt_))
                .withHint({"map", "FILE"});
        return matches;
    }

  private:
    struct UnknownJoint {
        const JointMap::Line* line;
        const std::string* name;  ///< in this line
    };

    std::vector<JointMatch> linesOfTheMap() {
        std::vector<JointMatch> known;
        std::vector<UnknownJoint> sourceless;
        std::vector<UnknownJoint> targetless;
        for (const JointMap::Line& line : map_.joints) {
            const auto source = source_.find(line.source);
            const auto target = target_.find(line.target);
            if (!source || !target) {
                source ? targetless.push_back({&line, &line.target}) : sourceless.push_back({&line, &line.source});
                continue;
            }
            if (const JointMatch* other = roles::matchOf(known, *target); other != nullptr)
                throw DecodeError(fmt::format("the mapping names several sources for {}: {} and {}", line.target,
                                              source_.joints[other->link.source].name, line.source));
            if (!line.mixedFrom.empty() && !source_.find(line.mixedFrom))
                sourceless.push_back({&line, &line.mixedFrom});
            if (!line.carrier.empty() && !target_.find(line.carrier))
                targetless.push_back({&line, &line.carrier});
            known.push_back({{*source, *target, line.rotateOffset.value_or(glm::quat(1, 0, 0, 0)), line.translate,
                              source_.find(line.mixedFrom), line.share, target_.find(line.carrier), line.roll},
                             MatchedBy::file});
        }
        requireMost(known.size());
        refuseCircles(known);
        warnOfLines(sourceless, source_, source_.name);
        warnOfLines(targetless, target_, shownTarget_);
        return known;
    }

    /// In a mapping for another rig, a few lines fit by chance.
    void requireMost(std::size_t known) const {
        const std::size_t unknown = map_.joints.size() - known;
        if (2 * unknown > map_.joints.size())
            throw DecodeError(
                fmt::format("{} of {} lines of the mapping contain an unknown joint (first: {} -> {}). The "
                            "joints of {} are {}; the joints of {} are {}",
                            unknown, map_.joints.size(), firstUnknown().source, firstUnknown().target, source_.name,
                            someNames(source_), shownTarget_, someNames(target_)));
    }

    [[nodiscard]] const JointMap::Line& firstUnknown() const {
        return *std::ranges::find_if(map_.joints, [this](const JointMap::Line& line) {
            return !source_.find(line.source) || !target_.find(line.target);
        });
    }

    static std::string someNames(const core::Skeleton& skeleton) {
        constexpr std::size_t kSome = 6;
        std::string text;
        for (std::size_t joint = 0; joint < std::min(kSome, skeleton.joints.size()); ++joint)
            text += (joint > 0 ? ", " : "") + skeleton.joints[joint].name;
        return skeleton.joints.size() > kSome ? text + ", ..." : text;
    }

    /// Chains of carriers (or parents) must not be cyclic.
    void refuseCircles(const std::vector<JointMatch>& known) const {
        for (const JointMatch& match : known) {
            if (!match.link.carrier)
                continue;
            std::optional<std::uint32_t> joint = match.link.carrier;
            for (std::size_t step = 0; joint && *joint != match.link.target && step <= target_.joints.size(); ++step) {
                const JointMatch* own = roles::matchOf(known, *joint);
                const int parent = target_.joints[*joint].parent;
                if (own != nullptr && own->link.carrier)
                    joint = own->link.carrier;
                else
                    joint =
                        parent == core::kNoParent ? std::nullopt : std::optional(static_cast<std::uint32_t>(parent));
            }
            if (joint)
                throw DecodeError(fmt::format("in the mapping, {} is carried by {}, which is its descendant",
                                              target_.joints[match.link.target].name,
                                              target_.joints[*match.link.carrier].name));
        }
    }

    /// One warning for all, since a mapping for another game has many such lines.
    void warnOfLines(const std::vector<UnknownJoint>& unknown, const core::Skeleton& skeleton,
                     const std::string& shownSkeleton) {
        if (unknown.empty())
            return;
        const auto [line, name] = unknown.front();
        core::NearestName nearest(*name);
        for (const core::Joint& joint : skeleton.joints)
            nearest.offer(joint.name);
        diagnostics_.warn(
            core::Code::jointUnmatched, {},
            fmt::format("{} of {} lines of the mapping match no joint of {} (first: {} -> {}){}", unknown.size(),
                        map_.joints.size(), shownSkeleton, line->source, line->target, nearest.question()));
    }

    /// Matches joints with the same role.
    void addByRole(std::vector<JointMatch>& known) const {
        const auto roleOf = [this](const core::Joint& joint) -> const std::string* {
            const auto role = map_.roles.find(joint.name);
            return role == map_.roles.end() ? nullptr : &role->second;
        };
        for (std::uint32_t t = 0; t < target_.joints.size(); ++t) {
            const std::string* role = roleOf(target_.joints[t]);
            if (role == nullptr || roles::matchOf(known, t) != nullptr)
                continue;
            std::vector<std::uint32_t> sources;
            for (std::uint32_t s = 0; s < source_.joints.size(); ++s)
                if (const std::string* other = roleOf(source_.joints[s]); other != nullptr && *other == *role)
                    sources.push_back(s);
            if (sources.size() > 1)
                throw DecodeError(fmt::format("{} and {} both have the role {}", source_.joints[sources[0]].name,
                                              source_.joints[sources[1]].name, *role));
            if (sources.size() == 1)
                known.push_back({{sources.front(), t, {1, 0, 0, 0}, {}}, MatchedBy::file});
        }
    }

    const core::Skeleton& source_;
    const core::Skeleton& target_;
    const JointMap& map_;
    const std::string& shownTarget_;
    const std::string& doubt_;
    core::Diagnostics& diagnostics_;
};

}  // namespace

std::vector<JointMatch> matchJoints(const core::Skeleton& source, const core::Skeleton& target, const JointMap& map,
                                    const std::string& shownTarget, const std::string& doubt,
                                    core::Diagnostics& diagnostics) {
    return NameMatcher(source, target, map, shownTarget, doubt, diagnostics).match();
}

}  // namespace reanima
