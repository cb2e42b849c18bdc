#include "binding/planted_feet.h"

#include <algorithm>
#include <array>
#include <limits>

#include <glm/geometric.hpp>

#include "binding/roles/role_links.h"
#include "binding/soles.h"

namespace reanima::binding {

namespace {

using core::Skeleton;

/// Positions of joints at each sampled frame of a clip, and at the frame after it.
struct Step {
    std::vector<glm::dvec3> now;
    std::vector<glm::dvec3> next;
};

/// A skeleton whose feet are measured.
class Walker {
  public:
    Walker(const Skeleton& skeleton, const std::vector<std::uint32_t>& feet)
        : skeleton_(skeleton), wanted_(skeleton.joints.size()) {
        for (const std::uint32_t foot : feet) {
            wanted_[foot] = true;
            for (const std::uint32_t above : skeleton.ancestors(foot))
                wanted_[above] = true;
        }
    }

    [[nodiscard]] std::vector<Step> stepsOf(const core::Clip& clip, std::uint32_t apart) const {
        std::vector<Step> steps;
        for (std::uint32_t frame = 0; frame + 1 < clip.frames; frame += apart)
            steps.push_back({positionsAt(clip, frame), positionsAt(clip, frame + 1)});
        return steps;
    }

  private:
    /// The positions of the feet and their ancestors.
    [[nodiscard]] std::vector<glm::dvec3> positionsAt(const core::Clip& clip, std::uint32_t frame) const {
        const auto time = static_cast<double>(core::frameTime(frame, clip.rate));
        const core::Pose pose = core::samplePose(skeleton_, clip, time, wanted_);
        std::vector<glm::dvec3> positions(pose.size());
        std::vector<glm::dmat4> globals(pose.size());
        for (std::uint32_t joint = 0; joint < pose.size(); ++joint) {
            if (!wanted_[joint])
                continue;
            const std::optional<std::uint32_t> parent = skeleton_.parentOf(joint);
            globals[joint] = parent ? globals[*parent] * core::matrixOf(pose[joint]) : core::matrixOf(pose[joint]);
            positions[joint] = globals[joint][3];
        }
        return positions;
    }

    const Skeleton& skeleton_;
    std::vector<bool> wanted_;
};

void addClip(const std::vector<Step>& from, const std::vector<Step>& to, double rate, double leg, double scale,
             const std::vector<Sole>& soles, PlantedFeet& feet) {
    for (const Sole& sole : soles) {
        double lowest = std::numeric_limits<double>::infinity();
        for (const Step& step : from)
            lowest = std::min({lowest, step.now[sole.source].y, step.next[sole.source].y});
        for (std::size_t i = 0; i < from.size(); ++i) {
            const double speed = rate * glm::distance(from[i].now[sole.source], from[i].next[sole.source]);
            if (speed >= kSlowSole * leg || from[i].next[sole.source].y >= lowest + kLowSole * leg)
                continue;
            ++feet.frames;
            feet.sourceSlide += scale * speed;
            feet.slide += rate * glm::distance(to[i].now[sole.target], to[i].next[sole.target]);
            feet.sink = std::max(feet.sink, sole.restHeight - to[i].next[sole.target].y);
        }
    }
}

}  // namespace

std::optional<PlantedFeet> plantedFeet(const Skeleton& source, const roles::Anatomy& sourceRoles,
                                       const std::vector<core::Clip>& clips, const motion::BoundMotion& bound,
                                       const roles::Anatomy& targetRoles, double scale) {
    const double leg = roles::legLength(source, sourceRoles).value_or(0);
    const std::vector<Sole> soles = solesOf(sourceRoles, bound.skeleton, targetRoles);
    if (!(leg > 0) || soles.empty())
        return std::nullopt;
    std::uint64_t frames = 0;
    for (const core::Clip& clip : clips)
        frames += clip.frames;
    constexpr std::uint64_t kLooks = 600;
    const auto apart = static_cast<std::uint32_t>(frames / kLooks + 1);
    PlantedFeet feet;
    std::vector<std::uint32_t> sources;
    std::vector<std::uint32_t> targets;
    for (const Sole& sole : soles) {
        sources.push_back(sole.source);
        targets.push_back(sole.target);
    }
    const Walker from(source, sources);
    const Walker to(bound.skeleton, targets);
    for (std::size_t i = 0; i < clips.size(); ++i)
        addClip(from.stepsOf(clips[i], apart), to.stepsOf(bound.clips[i], apart), clips[i].rate, leg, scale, soles,
                feet);
    if (feet.frames == 0)
        return std::nullopt;
    feet.slide /= static_cast<double>(feet.frames);
    feet.sourceSlide /= static_cast<double>(feet.frames);
    return feet;
}

}  // namespace reanima::binding
