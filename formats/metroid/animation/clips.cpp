#include "formats/metroid/animation/clips.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/axes.h"
#include "core/large_steps.h"
#include "core/text.h"
#include "formats/metroid/animation/values.h"
#include "formats/metroid/reading.h"
#include "formats/naming.h"

namespace reanima::metroid {

namespace {

using core::Channel;
using core::Clip;
using core::Code;
using core::DecodeError;
using core::Joint;
using core::JointTrack;
using core::LargeSteps;
using core::Skeleton;

/// A scale along the game's axes, converted to the axes of the output.
glm::dvec3 scaleFromZUp(const glm::dvec3& scale) { return {scale.x, scale.z, scale.y}; }

// ---------------------------------------------------------------------------------------------------------------------
// Time

struct Timing {
    double rate;     // frames per second
    double seconds;  // per frame

    [[nodiscard]] double at(double frame) const { return frame * seconds; }
};

Timing timingOf(const Animation& animation, const ClipSettings& settings) {
    if (settings.rate)
        return {*settings.rate, 1 / *settings.rate};
    if (frameCount(animation) <= 1 && !isInterval(animation.interval))  // not needed for a single frame
        return {30, 1.0 / 30};
    const auto interval = static_cast<double>(animation.interval);
    // 0.033333335 is the nearest float to 1/30, so it means 30 frames per second.
    const double whole = std::round(1 / interval);
    return {static_cast<float>(1 / whole) == animation.interval ? whole : 1 / interval, interval};
}

/// @throws DecodeError if two neighbouring frames would have the same time
std::vector<float> keyTimes(const std::vector<std::uint32_t>& frames, const Timing& timing) {
    std::vector<float> times;
    times.reserve(frames.size());
    for (const std::uint32_t frame : frames) {
        const auto time = static_cast<float>(timing.at(frame));
        if (!std::isfinite(time) || (!times.empty() && time <= times.back()))
            throw DecodeError({"interval", std::nullopt},
                              fmt::format("is {}, which leaves no distinct time for frame {}", timing.seconds, frame));
        times.push_back(time);
    }
    return times;
}

// ---------------------------------------------------------------------------------------------------------------------
// Rotations

/// Counts special cases among rotations, for messages.
struct RotationCounts {
    std::size_t inserted = 0;
    std::size_t longWay = 0;    // steps of more than half a turn
    std::size_t undefined = 0;  // quaternions of length 0
};

/// Makes the keys of a rotation. The game interpolates from each stored quaternion to the next, even if its negative is
/// nearer. Players use the nearer of the two. Added keys reproduce the game's path.
class ArcMaker {
  public:
    /// @param keys number of keys in the file; together with the added keys they must be within the limits
    ArcMaker(const std::vector<std::uint32_t>& frames, const std::vector<float>& times, const Timing& timing,
             double subdivide, std::uint64_t keys, const core::Limits& limits)
        : frames_(frames), times_(times), timing_(timing), keys_(keys), limits_(limits) {
        // The cosine of half the angle, computed with our own sine, so that the result is equal on all machines.
        const double degrees = subdivide > 0 ? subdivide : kHalfTurn;
        largestStep_ = std::max(kHalfTurnCosine, core::sineOfQuarterTurns(1 - degrees / kHalfTurn));
    }

    /// @return the channel's keys; `times` becomes a separate list if keys were inserted, otherwise it is empty
    Channel<glm::quat> channel(const std::vector<glm::dquat>& stored, std::vector<float>& times, const Clip& clip,
                               const std::string& joint) {
        Channel<glm::quat> result;
        result.values.reserve(stored.size());
        times.clear();
        glm::dquat from = unit(stored.front());
        result.values.emplace_back(from);
        for (std::size_t key = 1; key < stored.size(); ++key) {
            const glm::dquat to = unit(stored[key]);
            const int halvings = halvingsFor(from, to);
            if (halvings > 0 && times.empty())
                times.assign(times_.begin(), times_.begin() + static_cast<std::ptrdiff_t>(key));
            if (halvings > 0) {
                takeRoom((1U << static_cast<unsigned>(halvings)) - 1);
                insertBetween(from, to, frames_[key - 1], frames_[key], halvings, result.values, times);
            } else {
                look(from, to, clip, joint, frames_[key]);
            }
            append(result.values, to);
            if (!times.empty())
                times.push_back(times_[key]);
            from = to;
        }
        return result;
    }

    [[nodiscard]] const RotationCounts& counts() const { return counts_; }
    [[nodiscard]] const LargeSteps& largeSteps() const { return largeSteps_; }

  private:
    static constexpr double kHalfTurn = 180;
    // Cosines of half the angle. Components are rounded to floats, so a cosine below kHalfTurnCosine may have either
    // sign.
    static constexpr double kQuarterTurnCosine = 0.70710678118654752;
    static constexpr double kHalfTurnCosine = 1e-6;

    /// The rotation as a unit quaternion in the axes of the output.
    glm::dquat unit(const glm::dquat& stored) {
        const double length = std::sqrt(glm::dot(stored, stored));
        if (!(length > 0)) {
            ++counts_.undefined;
            return {1, 0, 0, 0};
        }
        return core::axes::fromZUp(stored / length);
    }

    /// How often the step between two rotations must be halved.
    int halvingsFor(const glm::dquat& from, const glm::dquat& to) {
        double cosine = glm::dot(from, to);
        // Opposite quaternions are the same rotation, so the path between them is undefined.
        constexpr double kNoWay = -1 + 1e-9;
        if (cosine < kNoWay || cosine >= largestStep_)
            return 0;
        double wanted = largestStep_;
        if (cosine < kHalfTurnCosine) {
            ++counts_.longWay;
            wanted = std::max(wanted, kQuarterTurnCosine);
        }
        int halvings = 0;
        for (; cosine < wanted; ++halvings)
            cosine = std::sqrt((1 + cosine) / 2);
        return halvings;
    }

    /// @throws DecodeError if there is not enough memory for these additional keys
    void takeRoom(std::uint64_t keys) {
        constexpr unsigned kMebibyte = 1U << 20U;
        keys_ += keys;
        if (core::memoryOfKeys(keys_) > limits_.memory)
            throw DecodeError({"rotations", std::nullopt},
                              fmt::format("need, with the inserted keys, more memory than the limit of {} MiB",
                                          limits_.memory / kMebibyte),
                              DecodeError::Kind::limit)
                .withHint({"limit-memory", "MIB"});
    }

    void insertBetween(const glm::dquat& from, const glm::dquat& to, double start, double end, int halvings,
                       std::vector<glm::quat>& values, std::vector<float>& times) {
        if (halvings == 0)
            return;
        const glm::dquat middle = glm::normalize(from + to);
        const double frame = (start + end) / 2;
        insertBetween(from, middle, start, frame, halvings - 1, values, times);
        const auto time = static_cast<float>(timing_.at(frame));
        if (time > times.back() && time < static_cast<float>(timing_.at(end))) {
            append(values, middle);
            times.push_back(time);
            ++counts_.inserted;
        }
        insertBetween(middle, to, frame, end, halvings - 1, values, times);
    }

    void look(const glm::dquat& from, const glm::dquat& to, const Clip& clip, const std::string& joint,
              std::size_t frame) {
        constexpr double kHalfOfLargeStep = 0.5;  // cosine of half of 120 degrees
        static_assert(LargeSteps::kDegrees == 120);
        const double cosine = std::abs(glm::dot(from, to));
        if (cosine < kHalfOfLargeStep)
            largeSteps_.add(1, 1 - cosine, clip.name, joint, frame);
    }

    static void append(std::vector<glm::quat>& values, const glm::dquat& rotation) {
        values.push_back(core::nearestSign(glm::quat(rotation), values.back()));
    }

    const std::vector<std::uint32_t>& frames_;
    const std::vector<float>& times_;
    Timing timing_;
    double largestStep_;  // cosine of half of its angle
    std::uint64_t keys_;  // keys made so far, and keys of the file
    const core::Limits& limits_;
    RotationCounts counts_;
    LargeSteps largeSteps_;
};

// ---------------------------------------------------------------------------------------------------------------------
// The clip

/// Reduces a channel whose values are all equal to one value.
template <typename T>
void collapse(std::vector<T>& values) {
    if (!values.empty() &&
        std::all_of(values.begin(), values.end(), [&](const T& value) { return value == values.front(); }))
        values.erase(values.begin() + 1, values.end());
}

class ClipMaker {
  public:
    ClipMaker(const Animation& animation, Skeleton& skeleton, const ClipSettings& settings, const core::Limits& limits,
              Clip& clip)
        : values_(animation),
          frames_(keyFrames(animation)),
          timing_(timingOf(animation, settings)),
          times_(keyTimes(frames_, timing_)),
          arcs_(frames_, times_, timing_, settings.subdivide, keyCount(animation), limits),
          settings_(settings),
          skeleton_(skeleton),
          clip_(clip) {
        for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint)
            jointOf_.try_emplace(*skeleton.joints[joint].id, joint);
        clip_.rate = timing_.rate;
        clip_.frames = frameCount(animation);
        clip_.duration = timing_.at(clip_.frames - 1.0);
        timeline_ = core::timelineOf(clip_, times_);
    }

    void makeTracks(core::Diagnostics& diagnostics) {
        const std::vector<std::optional<std::size_t>> channels = channelsOfJoints(diagnostics);
        std::vector<std::vector<glm::dvec3>> scales(channels.size());
        for (std::uint32_t joint = 0; joint < channels.size(); ++joint) {
            ChannelValues values;
            if (channels[joint])
                values = values_[*channels[joint]];
            scales[joint] = std::move(values.scales);
            JointTrack track;
            track.joint = joint;
            track.translation = translation(values.translations, joint, scales);
            if (!values.rotations.empty())
                track.rotation = rotation(values.rotations, skeleton_.joints[joint].name);
            if (channels[joint] || track.translation.isPresent())
                clip_.tracks.push_back(std::move(track));
        }
        addScaleHelpers(scales);
        report(diagnostics);
    }

    [[nodiscard]] double speed(float interval) const {
        return settings_.rate && isInterval(interval) ? static_cast<double>(interval) * timing_.rate : 1;
    }

  private:
    /// For each joint the index of its channel, if it has one.
    std::vector<std::optional<std::size_t>> channelsOfJoints(core::Diagnostics& diagnostics) const {
        std::vector<std::optional<std::size_t>> channels(skeleton_.joints.size());
        std::vector<std::uint32_t> unknown;
        const std::vector<std::uint32_t>& bones = values_.bones();
        for (std::size_t channel = 0; channel < bones.size(); ++channel) {
            const auto joint = jointOf_.find(bones[channel]);
            if (joint == jointOf_.end())
                unknown.push_back(bones[channel]);
            else if (!channels[joint->second])  // the first channel is used; the decoder has reported it
                channels[joint->second] = channel;
        }
        if (unknown.size() == bones.size() && !bones.empty())
            throw DecodeError({"channels", std::nullopt},
                              fmt::format("move {} bones, but none of them is one of the {} bones of the skeleton",
                                          bones.size(), channels.size()));
        if (!unknown.empty())
            diagnostics.warn(Code::skeletonMismatch, {"channels", std::nullopt},
                             fmt::format("bone{} {} (of {} moved bones) {} not in the skeleton and left out",
                                         unknown.size() == 1 ? "" : "s", fmt::join(unknown, ", "), bones.size(),
                                         unknown.size() == 1 ? "is" : "are"));
        return channels;
    }

    /// The translation of a joint: its keys or, without keys, its offset, multiplied by the scale of its parent.
    Channel<glm::vec3> translation(const std::vector<glm::dvec3>& stored, std::uint32_t joint,
                                   const std::vector<std::vector<glm::dvec3>>& scales) const {
        Channel<glm::vec3> channel{timeline_, {}, {}};
        for (const glm::dvec3& value : stored)
            channel.values.push_back(core::axes::fromZUp(value, settings_.scale));
        const int parent = skeleton_.joints[joint].parent;
        if (parent != core::kNoParent && !scales[static_cast<std::size_t>(parent)].empty()) {
            if (stored.empty())
                channel.values.push_back(skeleton_.joints[joint].rest.translation);
            stretch(channel.values, scales[static_cast<std::size_t>(parent)]);
        }
        collapse(channel.values);
        return channel;
    }

    static void stretch(std::vector<glm::vec3>& offsets, const std::vector<glm::dvec3>& scales) {
        const auto at = [](const auto& values, std::size_t key) { return values[values.size() == 1 ? 0 : key]; };
        std::vector<glm::vec3> stretched;
        const std::size_t keys = std::max(offsets.size(), scales.size());
        stretched.reserve(keys);
        for (std::size_t key = 0; key < keys; ++key)
            stretched.emplace_back(glm::dvec3(at(offsets, key)) * scaleFromZUp(at(scales, key)));
        offsets = std::move(stretched);
    }

    Channel<glm::quat> rotation(std::vector<glm::dquat>& stored, const std::string& joint) {
        collapse(stored);
        std::vector<float> ownTimes;
        Channel<glm::quat> channel = arcs_.channel(stored, ownTimes, clip_, joint);
        channel.timeline = ownTimes.empty() ? timeline_ : core::timelineOf(clip_, std::move(ownTimes));
        return channel;
    }

    /// Scales joints with helper joints. Children must not inherit the scale, since their offsets already include it.
    void addScaleHelpers(const std::vector<std::vector<glm::dvec3>>& scales) {
        core::UniqueNames names;
        for (const Joint& joint : skeleton_.joints)
            (void)names.unique(joint.name);
        for (std::size_t joint = 0; joint < scales.size(); ++joint) {
            if (scales[joint].empty())
                continue;
            JointTrack track;
            track.joint = static_cast<std::uint32_t>(skeleton_.joints.size());
            track.scale.timeline = timeline_;
            for (const glm::dvec3& scale : scales[joint])
                track.scale.values.emplace_back(scaleFromZUp(scale));
            collapse(track.scale.values);
            clip_.tracks.push_back(std::move(track));
            Joint helper;
            helper.name = names.unique(skeleton_.joints[joint].name + "_scale");
            helper.parent = static_cast<int>(joint);
            helper.takesVertices = true;
            skeleton_.joints.push_back(std::move(helper));
        }
    }

    void report(core::Diagnostics& diagnostics) const {
        const RotationCounts& counts = arcs_.counts();
        if (counts.undefined > 0)
            diagnostics.warn(
                Code::assumed, {"rotations", std::nullopt},
                fmt::format("{} rotation keys are all zero and were replaced by the identity", counts.undefined));
        if (counts.inserted > 0)
            diagnostics.note(Code::keysInserted, {},
                             fmt::format("{} keys were inserted between the keys of the file, because in the game, {} "
                                         "rotations turn by more than half a turn between two keys",
                                         counts.inserted, counts.longWay));
        arcs_.largeSteps().report(diagnostics, {"subdivide", "90"});
    }

    ValueReader values_;
    std::vector<std::uint32_t> frames_;
    Timing timing_;
    std::vector<float> times_;
    ArcMaker arcs_;
    const ClipSettings& settings_;
    Skeleton& skeleton_;
    Clip& clip_;
    std::unordered_map<std::uint32_t, std::uint32_t> jointOf_;
    std::uint32_t timeline_ = 0;
};

// ---------------------------------------------------------------------------------------------------------------------
// The rest

/// Placeholder joints: the root bone, then the bones that move.
Skeleton madeUpSkeleton(const Animation& animation, double scale) {
    constexpr double kApart = 0.1;  // units of the game between joints: about 10 cm
    std::vector<std::uint32_t> bones = movedBones(animation);
    std::sort(bones.begin(), bones.end());
    bones.erase(std::unique(bones.begin(), bones.end()), bones.end());
    const auto root = std::find(bones.begin(), bones.end(), animation.rootBone);
    if (root != bones.end())
        std::rotate(bones.begin(), root, root + 1);
    return madeUpBones(bones, kApart * scale);
}

core::Properties countersOf(const Animation& animation, const ClipSettings& settings) {
    core::Properties counters = {{"game", std::string(gameName(animation.game))},
                                 {"type", animation.stream() != nullptr ? 2 : 0},
                                 {"root_bone", animation.rootBone},
                                 {"duration", static_cast<double>(animation.duration)},
                                 {"interval", static_cast<double>(animation.interval)}};
    if (animation.game == Game::prime)
        counters.emplace_back("evnt", animation.events);
    if (const StreamAnimation* stream = animation.stream()) {
        counters.emplace_back("scratch_size", stream->scratchSize);
        counters.emplace_back("looping", stream->looping);
        counters.emplace_back("rotation_divisor", stream->rotationDivisor);
    }
    counters.emplace_back("additive", settings.additive);
    return counters;
}

/// The names of the joints, in the order of the file.
std::vector<std::string> namesOf(const Cinf& cinf) {
    std::unordered_map<std::uint32_t, const CinfName*> nameOf;
    for (const CinfName& name : cinf.names)
        nameOf.try_emplace(name.id, &name);
    core::UniqueNames unique;
    std::vector<std::string> names;
    for (const CinfBone& bone : cinf.bones) {
        const auto name = nameOf.find(bone.id);
        names.push_back(unique.unique(core::safeName(name != nameOf.end() ? name->second->name : boneName(bone.id))));
    }
    return names;
}

}  // namespace

Skeleton toSkeleton(const Cinf& cinf, double scale) {
    struct Placed {
        int joint;
        glm::dvec3 position;
    };
    std::unordered_map<std::uint32_t, Placed> placed;
    const std::vector<std::string> names = namesOf(cinf);
    Skeleton skeleton;
    skeleton.hasRest = true;
    for (const std::size_t index : parentsFirst(cinf)) {
        const CinfBone& bone = cinf.bones[index];
        const glm::dvec3 position(bone.position[0], bone.position[1], bone.position[2]);
        Joint joint;
        joint.name = names[index];
        joint.id = bone.id;
        const auto parent = placed.find(bone.parentId);
        if (parent != placed.end())
            joint.parent = parent->second.joint;
        joint.rest.translation =
            core::axes::fromZUp(parent != placed.end() ? position - parent->second.position : position, scale);
        placed.try_emplace(bone.id, Placed{static_cast<int>(skeleton.joints.size()), position});
        skeleton.joints.push_back(std::move(joint));
    }
    return skeleton;
}

core::Asset toAsset(const Animation& animation, const Cinf* cinf, const Evnt* evnt, const ClipSettings& settings,
                    const core::Limits& limits, core::Diagnostics& diagnostics) {
    core::requireMemory(core::memoryOfKeys(keyCount(animation)), limits, frameCountPlace(animation));
    core::Asset asset;
    if (frameCount(animation) == 0 || movedBones(animation).empty())
        return asset;
    Skeleton& skeleton = asset.skeleton.emplace(cinf != nullptr ? toSkeleton(*cinf, settings.scale)
                                                                : madeUpSkeleton(animation, settings.scale));
    Clip& clip = asset.clips.emplace_back();
    clip.name = settings.name;
    clip.source = settings.source;
    if (animation.stream() != nullptr)
        clip.loop = animation.stream()->looping != 0;
    clip.counters = countersOf(animation, settings);
    ClipMaker maker(animation, skeleton, settings, limits, clip);
    maker.makeTracks(diagnostics);
    if (evnt != nullptr)
        clip.events = toMarkers(*evnt, maker.speed(animation.interval));
    if (settings.additive)
        diagnostics.note(
            Code::assumed, {},
            "is additive: translations and rotations are written unchanged, as differences from another clip");
    return asset;
}

}  // namespace reanima::metroid
