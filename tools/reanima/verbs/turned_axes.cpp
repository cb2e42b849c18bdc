#include "tools/reanima/verbs/turned_axes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>

#include "core/pose.h"

namespace reanima::tool {

namespace {

const glm::quat kUnturned(1, 0, 0, 0);

/// All rotations that take axes to axes, the smallest first: programs turn axes no further than needed.
std::vector<glm::quat> quarterTurns() {
    const float half = std::sqrt(0.5F);
    const std::vector<glm::quat> steps = {{half, half, 0, 0}, {half, 0, half, 0}, {half, 0, 0, half}};
    std::vector<glm::quat> turns = {kUnturned};
    for (std::size_t i = 0; i < turns.size(); ++i)
        for (const glm::quat& step : steps) {
            const glm::quat turn = glm::normalize(turns[i] * step);
            if (std::ranges::none_of(turns,
                                     [&](const glm::quat& known) { return std::abs(glm::dot(known, turn)) > 0.99F; }))
                turns.push_back(turn);
        }
    std::ranges::stable_sort(turns, {}, [](const glm::quat& turn) { return -std::round(1000 * std::abs(turn.w)); });
    return turns;
}

class TurnedAxes {
  public:
    TurnedAxes(const core::Asset& was, const core::Asset& now, std::vector<SharedJoints::Pair> pairs)
        : was_(was), now_(now), pairs_(std::move(pairs)), turns_(now.skeleton->joints.size(), kUnturned) {
        for (const core::Clip& clip : now.clips) {
            const auto same = std::ranges::find(was.clips, clip.name, &core::Clip::name);
            for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0})
                if (same != was.clips.end())
                    samples_.push_back({&*same, &clip, share * same->duration});
        }
        std::ranges::sort(pairs_, {}, &SharedJoints::Pair::now);  // parents first
        for (const SharedJoints::Pair& pair : pairs_)
            possible_.push_back(possibleTurns(pair));
        for (std::size_t i = 0; i < pairs_.size(); ++i)
            turns_[pairs_[i].now] = possible_[i].front();
        for (std::size_t i = 0; i < pairs_.size(); ++i)
            turns_[pairs_[i].now] = turnOf(pairs_[i], possible_[i]);
    }

    /// By how much the axes of each joint of the scene were turned.
    [[nodiscard]] const std::vector<glm::quat>& turns() const { return turns_; }
    [[nodiscard]] glm::quat aboveOf(std::uint32_t joint) const {
        const auto parent = now_.skeleton->parentOf(joint);
        return parent ? turns_[*parent] : kUnturned;
    }

  private:
    struct Sample {
        const core::Clip* was;
        const core::Clip* now;
        double time;
    };

    static core::Transform poseOf(const core::Asset& asset, const core::Clip& clip, std::uint32_t joint, double time) {
        core::Transform pose = asset.skeleton->joints[joint].rest;
        if (const core::JointTrack* track = clip.trackOf(joint)) {
            pose.translation = core::sampleChannel(clip, track->translation, time, pose.translation);
            pose.rotation = core::sampleChannel(clip, track->rotation, time, pose.rotation);
        }
        return pose;
    }

    template <typename Fits>
    [[nodiscard]] std::size_t countOf(const SharedJoints::Pair& pair, const Fits& fits) const {
        return static_cast<std::size_t>(std::ranges::count_if(samples_, [&](const Sample& sample) {
            return fits(poseOf(was_, *sample.was, pair.was, sample.time),
                        poseOf(now_, *sample.now, pair.now, sample.time));
        }));
    }

    /// True if a turn takes a child to its place in most samples.
    [[nodiscard]] bool placesChild(const SharedJoints::Pair& child, const glm::quat& turn) const {
        constexpr float kNear = 1e-3F;
        const std::size_t placed = countOf(child, [&](const core::Transform& before, const core::Transform& after) {
            return glm::distance(turn * after.translation, before.translation) < kNear;
        });
        return 2 * placed > samples_.size();
    }

    /// The number of samples in which a joint is oriented as before.
    /// @param above turn of the joint above it
    [[nodiscard]] std::size_t fitsOf(const SharedJoints::Pair& pair, const glm::quat& above,
                                     const glm::quat& turn) const {
        constexpr double kNear = 5;  // degrees; other turns are much further
        return countOf(pair, [&](const core::Transform& before, const core::Transform& after) {
            return core::degreesBetween(glm::dquat(above * after.rotation * glm::inverse(turn)),
                                        glm::dquat(before.rotation)) < kNear;
        });
    }

    [[nodiscard]] std::vector<SharedJoints::Pair> childrenOf(const SharedJoints::Pair& pair) const {
        std::vector<SharedJoints::Pair> children;
        std::ranges::copy_if(pairs_, std::back_inserter(children), [&](const SharedJoints::Pair& other) {
            return now_.skeleton->parentOf(other.now) == pair.now;
        });
        return children;
    }

    /// The turns that take a joint's children to their places. Only the identity if it takes them there, or if no turn
    /// does. All turns if no child is far enough from the joint to show its turn.
    [[nodiscard]] std::vector<glm::quat> possibleTurns(const SharedJoints::Pair& pair) const {
        static const std::vector<glm::quat> kTurns = quarterTurns();
        constexpr float kLeast = 1e-2F;  // metres; nearer children show nothing
        std::vector<SharedJoints::Pair> children = childrenOf(pair);
        std::erase_if(children, [&](const SharedJoints::Pair& child) {
            return glm::length(now_.skeleton->joints[child.now].rest.translation) < kLeast;
        });
        std::vector<glm::quat> possible = kTurns;
        std::erase_if(possible, [&](const glm::quat& turn) {
            return !std::ranges::all_of(children, [&](const auto& child) { return placesChild(child, turn); });
        });
        const bool isUnturned = possible.empty() || (!children.empty() && possible.front() == kUnturned);
        return isUnturned ? std::vector<glm::quat>{kUnturned} : possible;
    }

    /// The turn that fits in most samples of a joint and of its children.
    [[nodiscard]] glm::quat turnOf(const SharedJoints::Pair& pair, const std::vector<glm::quat>& possible) const {
        const std::vector<SharedJoints::Pair> children = childrenOf(pair);
        if (children.empty()) {  // the end of a chain is turned like the joint above it
            const glm::quat above = aboveOf(pair.now);
            return fitsOf(pair, above, kUnturned) > fitsOf(pair, above, above) ? kUnturned : above;
        }
        return *std::ranges::max_element(possible, {}, [&](const glm::quat& turn) {
            std::size_t fits = fitsOf(pair, aboveOf(pair.now), turn);
            for (const SharedJoints::Pair& child : children)
                fits += fitsOf(child, turn, turns_[child.now]);
            return fits;
        });
    }

    const core::Asset& was_;
    const core::Asset& now_;
    std::vector<SharedJoints::Pair> pairs_;
    std::vector<std::vector<glm::quat>> possible_;  // per pair
    std::vector<glm::quat> turns_;
    std::vector<Sample> samples_;
};

}  // namespace

void turnAxesBack(const core::Asset& was, core::Asset& now, const std::vector<SharedJoints::Pair>& pairs) {
    const TurnedAxes axes(was, now, pairs);
    core::Skeleton& skeleton = *now.skeleton;
    for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint) {
        const glm::quat above = axes.aboveOf(joint);
        const glm::quat back = glm::inverse(axes.turns()[joint]);
        if (above == kUnturned && axes.turns()[joint] == kUnturned)
            continue;
        glm::mat3 size = glm::mat3_cast(axes.turns()[joint]);
        for (int axis = 0; axis < 3; ++axis)
            size[axis] = glm::abs(size[axis]);
        core::Transform& rest = skeleton.joints[joint].rest;
        rest = {above * rest.translation, above * rest.rotation * back, size * rest.scale};
        for (core::Clip& clip : now.clips)
            if (core::JointTrack* track = clip.trackOf(joint)) {
                for (glm::vec3& value : track->translation.values)
                    value = above * value;
                for (glm::quat& value : track->rotation.values)
                    value = above * value * back;
                for (glm::vec3& value : track->scale.values)
                    value = size * value;
            }
    }
}

}  // namespace reanima::tool
