#include "core/scene_asset.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "core/rotation.h"
#include "core/scene_joints.h"
#include "core/text.h"

namespace reanima::core {

namespace {

/// Key times that make linear interpolation show the same motion. A step gets two keys.
template <typename T>
std::vector<double> keyTimesOf(const NodeChannel<T>& channel, SampleBudget& budget) {
    constexpr double kMostApart = 1.0 / 60;
    constexpr double kMostSteps = 1e15;
    const Place place{"animations", std::nullopt};
    std::vector<double> keys;
    for (std::size_t i = 0; i + 1 < channel.times.size(); ++i) {
        const auto begin = static_cast<double>(channel.times[i]);
        const double length = static_cast<double>(channel.times[i + 1]) - begin;
        const double steps = channel.style == KeyStyle::cubic ? std::max(1.0, std::ceil(length / kMostApart)) : 1;
        const auto count = static_cast<std::uint64_t>(std::min(steps, kMostSteps));
        budget.take(2 * count, place);
        for (std::uint64_t step = 0; step < count; ++step)
            keys.push_back(begin + length * static_cast<double>(step) / steps);
    }
    keys.push_back(static_cast<double>(channel.times.back()));
    return keys;
}

glm::vec3 following(const glm::vec3& value, const std::vector<glm::vec3>&) { return value; }
glm::quat following(const glm::quat& value, const std::vector<glm::quat>& before) {
    return before.empty() ? value : nearestSign(value, before.back());
}

/// Reduces the scene to the ancestors and descendants of a node with that name, and the skins that list a descendant.
/// @throws DecodeError if there is no such node
void keepSkeletonOf(const std::string& name, Scene& scene) {
    const auto root = std::ranges::find(scene.nodes, name, &SceneNode::name);
    if (root == scene.nodes.end())
        throw optionError({"joint-root", name}, "there is no node with that name");
    const auto first = static_cast<std::uint32_t>(root - scene.nodes.begin());
    std::vector<bool> isBelow(scene.nodes.size(), false);
    isBelow[first] = true;
    for (const std::uint32_t node : nodesParentsFirst(scene))
        if (const int parent = scene.nodes[node].parent;
            parent != kNoParent && isBelow[static_cast<std::size_t>(parent)])
            isBelow[node] = true;
    std::erase_if(scene.skins, [&](const SceneSkin& skin) {
        return std::ranges::none_of(skin.joints, [&](std::uint32_t joint) { return isBelow[joint]; });
    });
    scene.surfaces.clear();  // surfaces refer to skins by index
    for (int above = scene.nodes[first].parent; above != kNoParent;) {
        isBelow[static_cast<std::size_t>(above)] = true;
        above = scene.nodes[static_cast<std::size_t>(above)].parent;
    }
    for (std::size_t node = 0; node < scene.nodes.size(); ++node)
        scene.nodes[node].isInScene = isBelow[node];
}

/// Converts animations of a scene to clips of its skeleton.
class SceneClips {
  public:
    SceneClips(const MovingScene& moving, const Rig& rig, const SceneAssetSettings& settings, const Limits& limits)
        : moving_(moving), rig_(rig), settings_(settings), limits_(limits), budget_(limits) {}

    /// @return nothing for an animation that moves no joint
    std::optional<Clip> clipOf(const SceneMotion& motion, std::uint32_t index) {
        motion_ = &motion;
        // The times of all channels together need no more memory than their keys.
        const Place place{fmt::format("animations[{}]", index), std::nullopt};
        requireMemory(memoryOf(motion), limits_, place);
        begin_ = std::min(0.0, motion.begin());
        const double rate = keyRate(motion);
        speed_ = settings_.rate ? rate / *settings_.rate : 1;
        if (!(std::abs(timeOf(motion.end())) <= static_cast<double>(std::numeric_limits<float>::max())))
            throw DecodeError(
                place, fmt::format("lasts {} s at {} frames per second, expected a duration that fits a 32-bit float",
                                   timeOf(motion.end()), rate / speed_));
        Clip clip;
        clip.name = motion.name.empty() ? std::string(stemOf(settings_.source)) : validUtf8(motion.name);
        clip.source = settings_.source;
        clip.index = clip.id = index;
        clip.rate = rate / speed_;
        clip.duration = timeOf(motion.end());
        clip.frames = static_cast<std::uint32_t>(std::min(std::round(clip.duration * clip.rate), 4e9)) + 1;
        if (motion.stated)
            addStated(*motion.stated, clip);
        if (!addTracks(clip))
            return std::nullopt;
        return clip;
    }

  private:
    [[nodiscard]] double timeOf(double seconds) const { return (seconds - begin_) * speed_; }

    void addStated(const StatedClip& stated, Clip& clip) const {
        clip.id = stated.id;
        clip.fullName = stated.fullName;
        clip.namedBy = stated.namedBy;
        clip.loop = stated.loop;
        clip.events = stated.events;
        for (EventMarker& event : clip.events)
            event.time *= speed_;
    }

    /// @return true if any channel has keys
    bool addTracks(Clip& clip) {
        std::vector<const NodeTrack*> trackOf(moving_.scene.nodes.size(), nullptr);
        for (const NodeTrack& track : motion_->tracks)
            trackOf[track.node] = &track;
        bool moves = false;
        for (std::uint32_t joint = 0; joint < rig_.nodes.size(); ++joint) {
            const NodeTrack* keys = trackOf[rig_.nodes[joint]];
            JointTrack track{joint, {}, {}, {}};
            if (keys != nullptr) {
                moves = true;
                track.translation = channelOf(keys->translation, clip);
                for (glm::vec3& place : track.translation.values)
                    place *= static_cast<float>(settings_.scale);
                track.rotation = channelOf(keys->rotation, clip);
                track.scale = channelOf(keys->scale, clip);
            }
            standAsNode(track);
            if (!track.translation.isPresent() && !track.rotation.isPresent() && !track.scale.isPresent())
                continue;
            budget_.keep(sizeof(JointTrack) + sizeof(Transform), {"animations", std::nullopt});
            clip.tracks.push_back(std::move(track));
        }
        return moves;
    }

    template <typename T>
    Channel<T> channelOf(const NodeChannel<T>& keys, Clip& clip) {
        Channel<T> channel;
        if (!keys.isPresent())
            return channel;
        const std::vector<double> times = keyTimesOf(keys, budget_);
        std::vector<float> timeline;
        timeline.reserve(times.size());
        channel.values.reserve(times.size());
        const auto add = [&](float time, const T& value) {
            if (timeline.empty() || time > timeline.back())
                timeline.push_back(time);
            else
                channel.values.pop_back();  // if times of keys become equal floats, only the last key stays
            channel.values.push_back(following(value, channel.values));
        };
        for (const double time : times) {
            const auto shown = static_cast<float>(timeOf(time));
            const T value = following(valueAt(keys, time), channel.values);
            if (keys.style == KeyStyle::step && !timeline.empty() && value != channel.values.back()) {
                const float before = std::nextafter(shown, timeline.back());
                if (before > timeline.back())
                    add(before, channel.values.back());  // repeats the old value just before the step
            }
            add(shown, value);
        }
        if (std::ranges::all_of(channel.values, [&](const T& value) { return value == channel.values.front(); }))
            channel.values = std::vector<T>{channel.values.front()};
        else
            channel.timeline = timelineOf(clip, std::move(timeline));
        return channel;
    }

    /// For properties that no animation moves: adds the node's own values if they differ from the joint's rest.
    void standAsNode(JointTrack& track) const {
        constexpr float kSamePlace = 1e-5F;
        const SceneNode& node = moving_.scene.nodes[rig_.nodes[track.joint]];
        const Transform& rest = rig_.skeleton.joints[track.joint].rest;
        if (!node.parts && !(glm::determinant(glm::dmat3(node.local)) > 0))
            return;
        const Transform stands = node.parts ? *node.parts : decomposed(node.local);
        const auto metres = static_cast<float>(settings_.scale);
        if (!track.translation.isPresent() && glm::distance(stands.translation, rest.translation) >
                                                  kSamePlace * (glm::length(rest.translation) + kSamePlace))
            track.translation.values = {stands.translation * metres};
        if (!track.rotation.isPresent() &&
            degreesApart(stands.rotation, rest.rotation) > static_cast<double>(kSamePlace))
            track.rotation.values = {stands.rotation};
        if (!track.scale.isPresent() && glm::distance(stands.scale, rest.scale) > kSamePlace * glm::length(rest.scale))
            track.scale.values = {stands.scale};
    }

    /// The distance between two quaternions after their signs were made equal: 0 for the same rotation.
    static double degreesApart(const glm::quat& a, const glm::quat& b) {
        const glm::quat near = nearestSign(a, b);
        return static_cast<double>(glm::length(glm::quat(near.w - b.w, near.x - b.x, near.y - b.y, near.z - b.z)));
    }

    const MovingScene& moving_;
    const Rig& rig_;
    const SceneAssetSettings& settings_;
    Limits limits_;
    SampleBudget budget_;
    const SceneMotion* motion_ = nullptr;
    double begin_ = 0;  ///< the time that becomes 0
    double speed_ = 1;  ///< seconds of the clip per second of the file
};

}  // namespace

Asset assetOf(MovingScene moving, const SceneAssetSettings& settings, const Limits& limits, Diagnostics& diagnostics) {
    if (!settings.jointRoot.empty())
        keepSkeletonOf(settings.jointRoot, moving.scene);
    const Rig rig = makeRig(moving.scene, diagnostics);
    SceneClips clips(moving, rig, settings, limits.holding(memoryOf(moving)));
    Asset asset;
    std::size_t still = 0;
    for (std::size_t i = 0; i < moving.motions.size(); ++i) {
        if (std::optional<Clip> clip = clips.clipOf(moving.motions[i], static_cast<std::uint32_t>(i)))
            asset.clips.push_back(*std::move(clip));
        else
            ++still;
        moving.motions[i] = {};  // freed early: its keys need as much memory as the clip's keys
    }
    if (still > 0)
        diagnostics.note(Code::ignored, {"animations", std::nullopt},
                         fmt::format("{} of {} are left out, because they move no joint of the skeleton", still,
                                     moving.motions.size()));
    Skeleton& skeleton = asset.skeleton.emplace(rig.skeleton);
    skeleton.origin = Skeleton::Origin::found;
    for (std::size_t joint = 0; joint < skeleton.joints.size(); ++joint) {
        skeleton.joints[joint].rest.translation *= static_cast<float>(settings.scale);
        if (!moving.roles.empty())
            skeleton.joints[joint].role = moving.roles[rig.nodes[joint]];
    }
    return asset;
}

}  // namespace reanima::core
