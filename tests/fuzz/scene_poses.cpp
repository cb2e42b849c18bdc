#include "fuzz/scene_poses.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>

#include "core/pose.h"

namespace reanima::fuzz {

namespace {

constexpr double kAtKey = 1e-5;     // largest distance of a time from its key in seconds
constexpr double kRounding = 2e-7;  // share of the time, which is a float

glm::dvec3 precise(const glm::vec3& value) { return glm::dvec3(value); }
glm::dquat precise(const glm::quat& value) { return glm::dquat(value); }

glm::dvec3 usable(const glm::dvec3& value) { return value; }
glm::dquat usable(const glm::dquat& value) { return glm::normalize(value); }

std::optional<glm::dvec3> between(const glm::dvec3& a, const glm::dvec3& b, double share) {
    return a + (b - a) * share;
}

/// Empty if both directions are equally short.
std::optional<glm::dquat> between(const glm::dquat& a, const glm::dquat& b, double share) {
    constexpr double kOpposite = 0.02;
    const glm::dquat from = usable(a);
    const glm::dquat to = usable(b);
    if (std::abs(glm::dot(from, to)) < kOpposite)
        return std::nullopt;
    return glm::slerp(from, to, share);
}

/// The value at a time; within rounding of a key's time, the key's value. Empty if players may differ.
template <typename T, typename Precise = decltype(precise(T{}))>
std::optional<Precise> shownAt(const core::NodeChannel<T>& channel, double seconds) {
    const std::vector<float>& times = channel.times;
    const auto value = [&channel](std::size_t key, std::size_t part = 1) {
        return precise(channel.values[channel.style == core::KeyStyle::cubic ? 3 * key + part : key]);
    };
    const double same = std::max(kAtKey, kRounding * std::abs(seconds));
    const auto after =
        std::ranges::find_if(times, [&](float time) { return static_cast<double>(time) > seconds + same; });
    constexpr double kNearKey = 2e-4;  // this close to a key, players may choose different keys
    if (channel.style == core::KeyStyle::step && after != times.end() &&
        static_cast<double>(*after) - seconds < kNearKey)
        return std::nullopt;
    if (after == times.begin())
        return usable(value(0));
    const auto key = static_cast<std::size_t>(after - times.begin()) - 1;
    const auto time = static_cast<double>(times[key]);
    if (key > 0 && time - static_cast<double>(times[key - 1]) < kNearKey)
        return std::nullopt;
    if (after == times.end() || channel.style == core::KeyStyle::step || std::abs(seconds - time) <= same)
        return usable(value(key));
    const double length = static_cast<double>(*after) - time;
    const double share = (seconds - time) / length;
    if (channel.style == core::KeyStyle::linear)
        return between(value(key), value(key + 1), share);
    const double square = share * share;
    const double cube = square * share;
    return usable(value(key) * (2 * cube - 3 * square + 1) + value(key, 2) * (length * (cube - 2 * square + share)) +
                  value(key + 1) * (3 * square - 2 * cube) + value(key + 1, 0) * (length * (cube - square)));
}

/// A scene while one of its animations plays, or none.
class PlayedScene {
  public:
    PlayedScene(const core::MovingScene& moving, const core::SceneMotion* motion)
        : nodes_(moving.scene.nodes), tracks_(nodes_.size(), nullptr) {
        if (motion != nullptr)
            for (const core::NodeTrack& track : motion->tracks)
                tracks_[track.node] = &track;
    }

    /// The transform of a node. Empty if players may differ.
    [[nodiscard]] std::optional<glm::dmat4> worldOf(int node, double seconds) const {
        glm::dmat4 world(1);
        for (; node != core::kNoParent; node = nodes_[static_cast<std::size_t>(node)].parent) {
            const std::optional<glm::dmat4> local = localOf(static_cast<std::size_t>(node), seconds);
            if (!local)
                return std::nullopt;
            world = *local * world;
        }
        return world;
    }

  private:
    [[nodiscard]] std::optional<glm::dmat4> localOf(std::size_t node, double seconds) const {
        const core::NodeTrack* track = tracks_[node];
        if (track == nullptr)
            return nodes_[node].local;
        const core::Transform rest = nodes_[node].parts.value_or(core::Transform{});
        std::optional<glm::dvec3> place = precise(rest.translation);
        std::optional<glm::dquat> rotation = precise(rest.rotation);
        std::optional<glm::dvec3> scale = precise(rest.scale);
        if (track->translation.isPresent())
            place = shownAt(track->translation, seconds);
        if (track->rotation.isPresent())
            rotation = shownAt(track->rotation, seconds);
        if (track->scale.isPresent())
            scale = shownAt(track->scale, seconds);
        if (!place || !rotation || !scale)
            return std::nullopt;
        glm::dmat4 local = glm::mat4_cast(usable(*rotation));
        for (int axis = 0; axis < 3; ++axis)
            local[axis] *= (*scale)[axis];
        local[3] = glm::dvec4(*place, 1);
        return local;
    }

    const std::vector<core::SceneNode>& nodes_;
    std::vector<const core::NodeTrack*> tracks_;
};

/// True if a joint has the pose of a clip.
bool isLike(const glm::dmat4& local, const core::Transform& written) {
    constexpr double kScale = 0.01;
    constexpr double kMetres = 0.01;  // half a unit of the games is up to 4 mm
    constexpr double kFloat = 1e-6;
    glm::dmat3 axes(local);
    for (int axis = 0; axis < 3; ++axis) {
        const double length = glm::length(axes[axis]);
        if (!(std::abs(length - static_cast<double>(written.scale[axis])) < kScale))
            return false;
        axes[axis] /= length;
    }
    if (glm::determinant(axes) < 0)
        return false;
    const glm::dvec3 place(local[3]);
    // The nearest angles of 1/4096 turn are within 0.09. Metroid Prime stores no W. Near half a turn, W is imprecise:
    // the difference of nearly equal numbers.
    const glm::dquat rotation = glm::quat_cast(axes);
    const double most = std::abs(rotation.w) < 0.05 ? 0.5 : 0.2;
    return core::degreesBetween(rotation, glm::dquat(written.rotation)) < most &&
           glm::distance(place, glm::dvec3(written.translation)) < kMetres + kFloat * glm::length(place);
}

enum class Base { container, scene };

class Comparison {
  public:
    Comparison(const core::Skeleton& skeleton, const core::Clip& clip, const core::MovingScene& moving,
               const core::SceneMotion& motion)
        : skeleton_(skeleton),
          clip_(clip),
          moving_(moving),
          motion_(motion),
          played_(moving, &motion),
          still_(moving, nullptr),
          times_(motion.times()) {
        for (const core::Joint& joint : skeleton.joints) {
            const auto node = std::ranges::find(moving.scene.nodes, joint.name, &core::SceneNode::name);
            nodes_.push_back(static_cast<int>(node - moving.scene.nodes.begin()));
        }
    }

    [[nodiscard]] bool holds(double begin, Base base) const {
        constexpr double kCut = 1.6;  // frames by which a clip's end may differ if its keys are between frames
        if (!motion_.tracks.empty() && std::abs((motion_.end() - begin) * clip_.rate + 1 - clip_.frames) > kCut)
            return false;
        for (std::uint32_t frame = 0; frame < clip_.frames; ++frame) {
            if (!isAtKey(begin + frame / clip_.rate))
                continue;
            const auto time = static_cast<double>(core::frameTime(frame, clip_.rate));
            const core::Pose pose = core::samplePose(skeleton_, clip_, time);
            for (std::uint32_t joint = 0; joint < nodes_.size(); ++joint)
                if (!holdsFor(joint, pose[joint], begin + frame / clip_.rate, base))
                    return false;
        }
        return true;
    }

  private:
    [[nodiscard]] bool isAtKey(double seconds) const {
        const double same = std::max(kAtKey, kRounding * std::abs(seconds));
        return std::ranges::any_of(times_, [&](double time) { return std::abs(time - seconds) <= same; });
    }

    [[nodiscard]] bool holdsFor(std::uint32_t joint, const core::Transform& written, double seconds, Base base) const {
        const std::optional<std::uint32_t> parent = skeleton_.parentOf(joint);
        std::optional<glm::dmat4> above = glm::dmat4(1);
        if (parent)
            above = played_.worldOf(nodes_[*parent], seconds);
        else if (base == Base::container)
            above = still_.worldOf(moving_.scene.nodes[static_cast<std::size_t>(nodes_[joint])].parent, 0);
        const std::optional<glm::dmat4> own = played_.worldOf(nodes_[joint], seconds);
        constexpr double kFlat = 1e-9;
        if (!above || !own || std::abs(glm::determinant(glm::dmat3(*above))) < kFlat)
            return true;
        return isLike(glm::inverse(*above) * *own, written);
    }

    const core::Skeleton& skeleton_;
    const core::Clip& clip_;
    const core::MovingScene& moving_;
    const core::SceneMotion& motion_;
    PlayedScene played_;
    PlayedScene still_;
    std::vector<int> nodes_;
    std::vector<double> times_;
};

}  // namespace

bool showsThat(const core::Skeleton& skeleton, const core::Clip& clip, const core::MovingScene& moving,
               const core::SceneMotion& motion) {
    const Comparison comparison(skeleton, clip, moving, motion);
    for (const Base base : {Base::container, Base::scene})
        for (const double begin : {motion.begin(), 0.0})
            if (comparison.holds(begin, base))
                return true;
    return false;
}

}  // namespace reanima::fuzz
