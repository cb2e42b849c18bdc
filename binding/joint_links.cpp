#include "binding/joint_links.h"

#include <algorithm>

#include <fmt/format.h>

#include "binding/roles/joint_matches.h"
#include "binding/roles/role_links.h"
#include "binding/roles/role_matches.h"
#include "core/decode_error.h"

namespace reanima::binding {

namespace {

using core::Code;
using core::DecodeError;

class Linker {
  public:
    Linker(const core::Skeleton& source, const std::vector<core::Clip>& clips, const core::Skeleton& target,
           const BindSettings& settings, core::Diagnostics& diagnostics)
        : source_(source),
          clips_(clips),
          target_(target),
          settings_(settings),
          diagnostics_(diagnostics),
          knowsRoles_(settings.sourceRoles && settings.targetRoles),
          isMapped_(!settings.map.joints.empty()) {}

    JointLinks find() {
        const std::string doubt =
            knowsRoles_ && !isMapped_ ? roles::doubtOf(*settings_.sourceRoles, *settings_.targetRoles) : "";
        if (!doubt.empty() && settings_.mode == motion::BindMode::world) {
            refuseAnimals(doubt);
            refuseExchanged(doubt);
        }
        const bool usesRoles =
            knowsRoles_ && settings_.mode == motion::BindMode::world && !roles::hasOwnJoints(source_, clips_, target_);
        const bool isNamedAlike = roles::hasJointsNamedAlike(source_, clips_, target_);
        if (usesRoles && !isMapped_ && !isNamedAlike && byRoles())
            return std::move(found_);
        std::vector<roles::RoleLink> others;  // by role, for joints that the mapping leaves open
        if (usesRoles && isMapped_ && settings_.map.byName && !isNamedAlike)
            others = certainLinks();
        try {
            auto map = settings_.map;
            map.byName = map.byName && others.empty();
            byNames(doubt, map);
            complete(others);
        } catch (const DecodeError& error) {
            const bool isOther = !doubt.empty() && settings_.targetRoles->confidence >= roles::kCertain;
            throw isOther && error.hint().key == "map" ? error.ofKind(DecodeError::Kind::noHumanoid) : error;
        }
        if (knowsRoles_)
            sayWhatIsLinked();
        if (usesRoles && (isMapped_ || doubt.empty()))
            found_.roles = along();
        return std::move(found_);
    }

  private:
    /// @return false if the roles are not certain on both sides
    bool byRoles() {
        const std::vector<roles::RoleLink> links = certainLinks();
        if (links.empty())
            return false;
        for (const roles::RoleLink& link : links)
            found_.matches.push_back({link.link, motion::MatchedBy::role});
        found_.roles = along();
        found_.summary = roles::summaryOf(*settings_.targetRoles, links);
        diagnostics_.note(Code::assumed, {}, found_.summary);
        return true;
    }

    [[nodiscard]] std::vector<roles::RoleLink> certainLinks() const {
        return roles::certainLinks(source_, target_, *settings_.sourceRoles, *settings_.targetRoles,
                                   settings_.map.ignore);
    }

    /// Adds the links of joints that are still open.
    void complete(const std::vector<roles::RoleLink>& others) {
        const std::vector<roles::JointMatch> known = found_.matches;
        for (const roles::RoleLink& other : others)
            if (std::ranges::none_of(known, [&](const roles::JointMatch& match) {
                    return match.link.target == other.link.target || match.link.source == other.link.source;
                }))
                found_.matches.push_back({other.link, motion::MatchedBy::role});
        std::ranges::stable_sort(found_.matches, {}, [](const roles::JointMatch& match) { return match.link.target; });
    }

    /// Names do not prove a human: a dog's legs may have the names of human limbs.
    void refuseAnimals(const std::string& doubt) const {
        const bool isRig = roles::isAnimal(*settings_.targetRoles);
        const roles::Anatomy& other = isRig ? *settings_.sourceRoles : *settings_.targetRoles;
        if (isRig == roles::isAnimal(*settings_.sourceRoles) || other.confidence < roles::kCertain)
            return;
        refuse(doubt, isRig ? DecodeError::Kind::malformed : DecodeError::Kind::noHumanoid);
    }

    /// If the names of only one body exchange left and right, equal names mean different limbs.
    void refuseExchanged(const std::string& doubt) const {
        const bool isRig = roles::isExchanged(*settings_.targetRoles);
        const roles::Anatomy& other = isRig ? *settings_.sourceRoles : *settings_.targetRoles;
        if (isRig != roles::isExchanged(*settings_.sourceRoles) && other.confidence >= roles::kCertain &&
            !roles::hasOwnJoints(source_, clips_, target_))
            refuse(doubt, DecodeError::Kind::malformed);
    }

    [[noreturn]] static void refuse(const std::string& doubt, DecodeError::Kind kind) {
        throw DecodeError({}, doubt + ". State in a mapping file which joint follows which", kind)
            .withHint({"map", "FILE"});
    }

    /// @param doubt why joints are not matched by roles; empty if they could be
    void byNames(const std::string& doubt, const JointMap& map) {
        const std::string shown = settings_.targetFile.empty() ? target_.name : settings_.targetFile;
        found_.matches = matchJoints(source_, target_, map, shown, doubt, diagnostics_);
        if (doubt.empty())
            return;
        roles::requireMost(source_, clips_, found_.matches, doubt);
        if (settings_.sourceRoles->confidence >= roles::kCertain)
            roles::requireLimbs(*settings_.sourceRoles, found_.matches, doubt);
    }

    void sayWhatIsLinked() {
        std::string body = "the limbs are not known";
        if (const std::optional<roles::LinkedRoles> known = along()) {
            std::vector<roles::Role> linked;
            for (const roles::JointMatch& match : found_.matches)
                linked.push_back(known->target.roles[match.link.target]);
            body = roles::bodyOf(settings_.targetRoles->family, linked);
        }
        found_.summary = fmt::format("{} joints are matched by {}; {}", found_.matches.size(),
                                     isMapped_ ? "the mapping" : "names", body);
        diagnostics_.note(Code::assumed, {}, found_.summary);
    }

    [[nodiscard]] std::optional<roles::LinkedRoles> along() const {
        return roles::rolesAlong(roles::linksOf(found_.matches), *settings_.sourceRoles, *settings_.targetRoles);
    }

    const core::Skeleton& source_;
    const std::vector<core::Clip>& clips_;
    const core::Skeleton& target_;
    const BindSettings& settings_;
    core::Diagnostics& diagnostics_;
    bool knowsRoles_;
    bool isMapped_;
    JointLinks found_;
};

}  // namespace

JointLinks jointLinks(const core::Skeleton& source, const std::vector<core::Clip>& clips, const core::Skeleton& target,
                      const BindSettings& settings, core::Diagnostics& diagnostics) {
    return Linker(source, clips, target, settings, diagnostics).find();
}

}  // namespace reanima::binding
