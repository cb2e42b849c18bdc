#include "measures/clip_facts.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <glm/gtc/quaternion.hpp>

namespace reanima::measures {

namespace {

using roles::Part;

/// The part of the body that a role belongs to. Empty for roles that belong to no part.
std::string_view bodyPartOf(const roles::Role& role) {
    constexpr std::array<std::string_view, 3> kArms = {"arms", "left arm", "right arm"};
    constexpr std::array<std::string_view, 3> kLegs = {"legs", "left leg", "right leg"};
    const auto side = static_cast<std::size_t>(role.side);
    if (roles::isFinger(role.part))
        return kArms[side];
    switch (role.part) {
        case Part::shoulder:
        case Part::upperArm:
        case Part::lowerArm:
        case Part::hand:
            return kArms[side];
        case Part::upperLeg:
        case Part::lowerLeg:
        case Part::foot:
        case Part::toes:
            return kLegs[side];
        case Part::hips:
        case Part::spine:
            return "torso";
        case Part::neck:
        case Part::head:
        case Part::jaw:
        case Part::eye:
            return "head";
        case Part::weapon:
            return "weapon";
        default:
            return {};
    }
}

/// The total rotation of joints, summed frame by frame.
class Turning {
  public:
    explicit Turning(std::size_t joints) : degrees_(joints) {}

    void add(const core::Pose& before, const core::Pose& after) {
        for (std::size_t joint = 0; joint < degrees_.size(); ++joint)
            degrees_[joint] +=
                core::degreesBetween(glm::dquat(before[joint].rotation), glm::dquat(after[joint].rotation));
    }

    /// The mean over the joints that `counts` accepts, in degrees per second.
    template <typename Counts>
    [[nodiscard]] double mean(double seconds, const Counts& counts) const {
        double sum = 0;
        std::size_t joints = 0;
        for (std::size_t joint = 0; joint < degrees_.size(); ++joint)
            if (counts(joint)) {
                sum += degrees_[joint];
                ++joints;
            }
        return joints == 0 || seconds <= 0 ? 0 : sum / static_cast<double>(joints) / seconds;
    }

  private:
    std::vector<double> degrees_;
};

std::vector<std::pair<std::string, double>> partsOf(const Turning& turning, double seconds,
                                                    const roles::Anatomy& anatomy) {
    std::vector<std::pair<std::string, double>> parts;
    for (const roles::Role& role : anatomy.roles) {
        const std::string_view part = bodyPartOf(role);
        if (part.empty() || std::ranges::any_of(parts, [&](const auto& known) { return known.first == part; }))
            continue;
        parts.emplace_back(part, turning.mean(seconds, [&](std::size_t joint) {
            return joint < anatomy.roles.size() && bodyPartOf(anatomy.roles[joint]) == part;
        }));
    }
    std::ranges::stable_sort(parts, [](const auto& a, const auto& b) { return a.second > b.second; });
    return parts;
}

/// Moves a pose over the ground until its first joint is above the same point as in another pose.
core::Pose broughtBack(const core::Skeleton& skeleton, core::Pose pose, const core::Pose& to) {
    const glm::vec3 way = (to.front().translation - pose.front().translation) * glm::vec3(1, 0, 1);
    for (std::size_t joint = 0; joint < pose.size(); ++joint)
        if (skeleton.joints[joint].parent == core::kNoParent)
            pose[joint].translation += way;
    return pose;
}

std::vector<glm::dvec3> placesOf(const core::Skeleton& skeleton, const core::Pose& pose) {
    std::vector<glm::dvec3> places;
    for (const glm::dmat4& global : core::globalMatrices(skeleton, pose))
        places.emplace_back(global[3]);
    return places;
}

double largestDistance(const std::vector<glm::dvec3>& a, const std::vector<glm::dvec3>& b) {
    double largest = 0;
    for (std::size_t joint = 0; joint < a.size(); ++joint)
        largest = std::max(largest, glm::distance(a[joint], b[joint]));
    return largest;
}

/// Differences below this fraction of a skeleton's height are invisible.
constexpr double kNothing = 0.01;

}  // namespace

ClipFacts factsOf(const core::Skeleton& skeleton, const core::Clip& clip, const roles::Anatomy& anatomy) {
    const core::Pose first = core::samplePose(skeleton, clip, 0);
    const core::Pose last = core::samplePose(skeleton, clip, clip.duration);
    ClipFacts facts;
    facts.gap = core::comparePoses(skeleton, last, first, clip.duration);
    facts.travel = static_cast<double>(glm::distance(first.front().translation, last.front().translation));
    Turning turning(skeleton.joints.size());
    core::Pose before = first;
    std::vector<glm::dvec3> placesBefore = placesOf(skeleton, first);
    float lowest = first.front().translation.y;
    float highest = lowest;
    double largestStep = 0;
    for (std::uint32_t frame = 1; frame < clip.frames; ++frame) {
        core::Pose after = core::samplePose(skeleton, clip, std::min(frame / clip.rate, clip.duration));
        turning.add(before, after);
        std::vector<glm::dvec3> places = placesOf(skeleton, after);
        largestStep = std::max(largestStep, largestDistance(placesBefore, places));
        lowest = std::min(lowest, after.front().translation.y);
        highest = std::max(highest, after.front().translation.y);
        before = std::move(after);
        placesBefore = std::move(places);
    }
    facts.heightChange = static_cast<double>(highest - lowest);
    facts.isClosed = core::comparePoses(skeleton, broughtBack(skeleton, last, first), first).distance.value <=
                     std::max(largestStep, kNothing * core::verticalExtent(skeleton, first).height());
    facts.motion = turning.mean(clip.duration, [](std::size_t) { return true; });
    facts.parts = partsOf(turning, clip.duration, anatomy);
    return facts;
}

std::string liveliestOf(const ClipFacts& facts) {
    std::string text;
    for (const auto& [part, motion] : facts.parts)
        if (motion > 0 && motion >= facts.parts.front().second / 2)
            text += (text.empty() ? "" : ", ") + part;
    return text;
}

}  // namespace reanima::measures
