#include "binding/roles/mirrored_joints.h"

#include <algorithm>
#include <limits>

#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>

#include "core/pose.h"

namespace reanima::roles {

namespace {

/// Two siblings that may be counterparts.
struct Siblings {
    std::uint32_t a;
    std::uint32_t b;
    std::size_t joints;  ///< below both
};

}  // namespace

MirroredJoints::MirroredJoints(const core::Skeleton& skeleton)
    : skeleton_(skeleton),
      globals_(core::globalMatrices(skeleton, core::restPose(skeleton))),
      children_(skeleton.joints.size()),
      sizes_(skeleton.joints.size(), 1),
      mates_(skeleton.joints.size()) {
    glm::dvec3 low(std::numeric_limits<double>::infinity());
    glm::dvec3 high = -low;
    for (Joint joint = 0; joint < count(); ++joint) {
        low = glm::min(low, at(joint));
        high = glm::max(high, at(joint));
        if (const auto parent = skeleton.parentOf(joint))
            children_[*parent].push_back(joint);
        else
            roots_.push_back(joint);
    }
    for (std::size_t joint = count(); joint-- > 0;)
        if (const int parent = skeleton.joints[joint].parent; parent != core::kNoParent)
            sizes_[static_cast<std::size_t>(parent)] += sizes_[joint];
    constexpr double kNothing = 0.01;
    nothing_ = kNothing * glm::distance(low, high);
    if (nothing_ > 0)
        findPlane();
}

void MirroredJoints::findPlane() {
    std::vector<Siblings> candidates;
    const auto addPairs = [&](std::vector<Joint> siblings) {
        constexpr std::size_t kMost = 32;  // the largest: limbs, not hairs
        std::ranges::stable_sort(siblings, std::greater(), [&](Joint joint) { return sizes_[joint]; });
        siblings.resize(std::min(siblings.size(), kMost));
        for (std::size_t i = 0; i < siblings.size(); ++i)
            for (std::size_t j = i + 1; j < siblings.size(); ++j)
                if (between(siblings[i], siblings[j]) > 2 * nothing_)
                    candidates.push_back({siblings[i], siblings[j], sizes_[siblings[i]] + sizes_[siblings[j]]});
    };
    addPairs(roots_);
    for (const std::vector<Joint>& siblings : children_)
        addPairs(siblings);
    std::ranges::stable_sort(candidates, std::greater(), &Siblings::joints);
    constexpr std::size_t kTried = 24;
    for (std::size_t i = 0; i < std::min(candidates.size(), kTried); ++i) {
        const glm::dvec3 bestAcross = across_;
        const double bestOffset = offset_;
        across_ = glm::normalize(at(candidates[i].b) - at(candidates[i].a));
        offset_ = glm::dot(across_, at(candidates[i].a) + at(candidates[i].b)) / 2;
        Mates mates(count());
        matchBelow(roots_, roots_, mates);
        std::size_t pairs = 0;
        for (Joint joint = 0; joint < count(); ++joint)
            pairs += mates[joint] && mates[joint] != joint ? 1U : 0U;
        if (pairs > pairs_) {
            pairs_ = pairs;
            mates_ = std::move(mates);
        } else {
            across_ = bestAcross;
            offset_ = bestOffset;
        }
    }
}

std::optional<MirroredJoints::Joint> MirroredJoints::nearestMate(Joint joint, const std::vector<Joint>& among,
                                                                 const Mates& mates) const {
    constexpr double kOnPlane = 0.3;  // times nothing()
    if (std::abs(aside(joint)) < kOnPlane * nothing_ && std::ranges::find(among, joint) != among.end())
        return joint;
    const glm::dvec3 mirrored = at(joint) - 2 * aside(joint) * across_;
    std::optional<Joint> nearest;
    double least = 2 * nothing_;
    for (const Joint other : among) {
        // Among joints at the same position, one with equally many joints below it is preferred.
        const double apart = glm::distance(at(other), mirrored) + (sizes_[other] == sizes_[joint] ? 0 : 0.5 * nothing_);
        if (!mates[other] && apart < least) {
            least = apart;
            nearest = other;
        }
    }
    return nearest;
}

void MirroredJoints::matchBelow(const std::vector<Joint>& ones, const std::vector<Joint>& others, Mates& mates) const {
    for (const Joint one : ones) {
        const std::optional<Joint> other = mates[one] ? std::nullopt : nearestMate(one, others, mates);
        if (!other)
            continue;
        mates[one] = other;
        mates[*other] = one;
        matchBelow(children_[one], children_[*other], mates);
    }
}

std::vector<MirroredJoints::Joint> MirroredJoints::within(Joint joint) const {
    std::vector<Joint> all{joint};
    for (std::size_t i = 0; i < all.size(); ++i)
        all.insert(all.end(), children_[all[i]].begin(), children_[all[i]].end());
    return all;
}

std::vector<MirroredJoints::Joint> MirroredJoints::path(Joint top, Joint end) const {
    std::vector<Joint> joints;
    for (const Joint joint : skeleton_.upFrom(end)) {
        joints.push_back(joint);
        if (joint == top)
            break;
    }
    std::ranges::reverse(joints);
    return joints;
}

}  // namespace reanima::roles
