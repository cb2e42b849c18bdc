#include "binding/motion/source_rest.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <glm/mat3x3.hpp>
#include <glm/trigonometric.hpp>

#include "core/pose.h"
#include "core/rotation_fit.h"

namespace reanima::motion {

namespace {

/// The direction of a bone in the source's current pose and in the target. Unit length.
struct Direction {
    glm::dvec3 from;
    glm::dvec3 to;
};

core::Eigen fitOf(const std::vector<Direction>& directions) {
    glm::dmat3 products(0);
    for (const Direction& d : directions)
        products += glm::outerProduct(d.from, d.to);
    return core::eigenOf(core::rotationFit(products));
}

struct Best {
    glm::dquat rotation;
    bool isOpen;  ///< other rotations fit as well
};

/// The smallest rotation among those that map the directions best. If all directions lie along one line or close to it,
/// they do not determine the rotation about that line.
Best bestRotation(const std::vector<Direction>& directions) {
    if (directions.empty())
        return {{1, 0, 0, 0}, true};
    const core::Eigen eigen = fitOf(directions);
    const double best = *std::max_element(eigen.values.begin(), eigen.values.end());
    constexpr double kAsGood = 0.02;
    const double worstAccepted = best - kAsGood * static_cast<double>(directions.size());
    // Rotations that fit form a plane or a line of quaternions; the one nearest to the identity is the smallest.
    glm::dquat smallest(0, 0, 0, 0);
    glm::dquat any(1, 0, 0, 0);
    int count = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        if (eigen.values[i] < worstAccepted)
            continue;
        ++count;
        const auto& e = eigen.vectors[i];
        any = {e[0], e[1], e[2], e[3]};
        smallest = smallest + any * e[0];
    }
    constexpr double kHalfTurn = 1e-9;
    return {glm::normalize(glm::dot(smallest, smallest) > kHalfTurn ? smallest : any), count > 1};
}

class RestMatcher {
  public:
    RestMatcher(const Skeleton& source, const Skeleton& target, const std::vector<JointLink>& links,
                const RestRules& rules)
        : source_(source),
          target_(target),
          links_(links),
          rules_(rules),
          linkOf_(source.joints.size()),
          rest_(globalMatrices(target, restPose(target))),
          turned_(source.joints.size()) {
        for (const JointLink& link : links)
            if (linkOf_[link.source] == nullptr)
                linkOf_[link.source] = &link;
    }

    MatchedPose match() {
        MatchedPose result{restPose(source_), {}, {}};
        for (std::uint32_t joint = 0; joint < linkOf_.size(); ++joint) {
            const int parent = source_.joints[joint].parent;
            const glm::dquat above =
                parent == kNoParent ? glm::dquat(1, 0, 0, 0) : turned_[static_cast<std::size_t>(parent)];
            const glm::dquat before = glm::normalize(above * glm::dquat(source_.joints[joint].rest.rotation));
            const std::vector<Direction> directions =
                linkOf_[joint] != nullptr ? directionsOf(joint, before) : std::vector<Direction>();
            const Best best = bestRotation(directions);
            turned_[joint] = glm::normalize(best.rotation * before);
            if (linkOf_[joint] != nullptr && best.isOpen)
                roll(joint, directions, result.rolled);
            if (linkOf_[joint] != nullptr)
                stand({joint, turned_[joint], best.isOpen}, result.rolled);
            result.pose[joint].rotation = glm::quat(glm::normalize(glm::conjugate(above) * turned_[joint]));
            if (!directions.empty())
                result.turned.push_back({joint, degreesBetween(glm::dquat(1, 0, 0, 0), best.rotation)});
        }
        putRoot(result.pose);
        return result;
    }

  private:
    [[nodiscard]] glm::dvec3 positionOf(std::uint32_t target) const { return glm::dvec3(rest_[target][3]); }

    /// Rolls a joint about its bone, as its link or the rule states. Its follower gets the opposite roll.
    void roll(std::uint32_t joint, const std::vector<Direction>& directions, std::vector<RolledJoint>& rolled) {
        glm::dvec3 sum(0);
        for (const Direction& direction : directions)
            sum += direction.to;
        constexpr double kNothing = 1e-6;  // bones that point away from each other have no direction in common
        OpenBone bone{joint, {}, turned_};
        if (glm::length(sum) > kNothing)
            bone.axis = glm::normalize(sum);
        std::optional<FoundRoll> found;
        if (const std::optional<double>& stated = linkOf_[joint]->roll; stated && bone.axis)
            found = FoundRoll{glm::angleAxis(-glm::radians(*stated), *bone.axis), RollFrom::map};
        else if (rules_.roll)
            found = rules_.roll(bone);
        if (!found)
            return;
        turned_[joint] = glm::normalize(found->turn * turned_[joint]);
        const glm::dquat& turn = found->turn;
        const double along = bone.axis ? glm::dot(glm::dvec3(turn.x, turn.y, turn.z), *bone.axis)
                                       : glm::length(glm::dvec3(turn.x, turn.y, turn.z));
        rolled.push_back({joint, std::remainder(-glm::degrees(2 * std::atan2(along, turn.w)), 360.0), found->from,
                          found->from != RollFrom::map});
    }

    /// Sets a joint's orientation by the stance rule.
    void stand(const TurnedBone& bone, std::vector<RolledJoint>& rolled) {
        if (!rules_.stance || linkOf_[bone.joint]->roll)
            return;
        const std::optional<FoundStance> found = rules_.stance(bone);
        if (!found)
            return;
        std::erase_if(rolled, [&](const RolledJoint& other) { return other.joint == bone.joint; });
        rolled.push_back({bone.joint, degreesBetween(bone.rotation, found->rotation), found->from, found->isGuess});
        turned_[bone.joint] = found->rotation;
    }

    /// The directions of a joint's bones, with all joints below it at rest.
    [[nodiscard]] std::vector<Direction> directionsOf(std::uint32_t joint, const glm::dquat& turned) const {
        const std::uint32_t target = linkOf_[joint]->target;
        std::vector<Direction> directions;
        std::vector<std::pair<glm::dvec3, glm::dquat>> placed(source_.joints.size());  // joints below, relative to it
        std::vector<bool> below(source_.joints.size());
        below[joint] = true;
        placed[joint] = {glm::dvec3(0), turned};
        for (std::uint32_t other = joint + 1; other < source_.joints.size(); ++other) {
            const Joint& j = source_.joints[other];
            if (j.parent == kNoParent || !below[static_cast<std::size_t>(j.parent)])
                continue;
            const auto& [position, rotation] = placed[static_cast<std::size_t>(j.parent)];
            placed[other] = {position + rotation * glm::dvec3(j.rest.translation),
                             rotation * glm::dquat(j.rest.rotation)};
            if (linkOf_[other] != nullptr &&
                add(directions, placed[other].first, positionOf(linkOf_[other]->target) - positionOf(target)))
                continue;  // joints below it belong to its own bones
            below[other] = true;
        }
        if (directions.empty())
            (void)add(directions, turned * endOf(source_, joint), endInModel(target));
        return directions;
    }

    /// @return false for a bone without length
    static bool add(std::vector<Direction>& directions, const glm::dvec3& from, const glm::dvec3& to) {
        constexpr double kNothing = 1e-9;
        if (glm::length(from) < kNothing || glm::length(to) < kNothing)
            return false;
        directions.push_back({glm::normalize(from), glm::normalize(to)});
        return true;
    }

    /// The end of the bone that starts at a joint, in the joint's space: as stated, or the mean of its children.
    static glm::dvec3 endOf(const Skeleton& skeleton, std::uint32_t joint) {
        if (skeleton.joints[joint].end)
            return *skeleton.joints[joint].end;
        glm::dvec3 sum(0);
        for (const Joint& child : skeleton.joints)
            if (child.parent == static_cast<int>(joint))
                sum += glm::dvec3(child.rest.translation);
        return sum;
    }

    [[nodiscard]] glm::dvec3 endInModel(std::uint32_t target) const {
        return glm::dmat3(rest_[target]) * endOf(target_, target);
    }

    /// Moves the source so that its linked root is where the target's is.
    void putRoot(Pose& pose) const {
        if (links_.empty())
            return;
        const auto root = std::min_element(links_.begin(), links_.end(),
                                           [](const JointLink& a, const JointLink& b) { return a.target < b.target; });
        const double scale = scaleBetween(source_, pose, target_, links_);
        const glm::dvec3 is(globalMatrices(source_, pose)[root->source][3]);
        pose[source_.rootOf(root->source)].translation += glm::vec3(positionOf(root->target) / scale - is);
    }

    const Skeleton& source_;
    const Skeleton& target_;
    const std::vector<JointLink>& links_;
    const RestRules& rules_;
    std::vector<const JointLink*> linkOf_;  // per source joint
    std::vector<glm::dmat4> rest_;          // of the target
    std::vector<glm::dquat> turned_;        // source joints in model space
};

}  // namespace

std::string_view nameOf(RollFrom from) {
    constexpr std::array<std::string_view, 8> kNames = {"map", "hinge", "face", "back", "palm", "sole", "mean", "rest"};
    return kNames[static_cast<std::size_t>(from)];
}

MatchedPose matchRest(const Skeleton& source, const Skeleton& target, const std::vector<JointLink>& links,
                      const RestRules& rules) {
    return RestMatcher(source, target, links, rules).match();
}

}  // namespace reanima::motion
