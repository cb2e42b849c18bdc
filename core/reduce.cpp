#include "core/reduce.h"

#include <algorithm>
#include <limits>
#include <map>
#include <queue>
#include <set>
#include <span>
#include <tuple>
#include <variant>

#include <glm/matrix.hpp>

#include "core/pose.h"

namespace reanima::core {

namespace {

/// How far the difference of two values moves a point at a distance of 1 from the joint.
double apart(const glm::vec3& a, const glm::vec3& b) { return static_cast<double>(glm::distance(a, b)); }
double apart(const glm::quat& a, const glm::quat& b) {
    const glm::dquat difference = glm::conjugate(glm::dquat(a)) * glm::dquat(b);
    return 2 * glm::length(glm::dvec3(difference.x, difference.y, difference.z));
}

/// An affine transform: a dmat4 without its last row.
struct Affine {
    glm::dmat3 axes;
    glm::dvec3 origin;
};

Affine affineOf(const glm::dmat4& matrix) { return {glm::dmat3(matrix), glm::dvec3(matrix[3])}; }

glm::dvec3 turned(const glm::dmat3& axes, const glm::dvec3& v) { return axes[0] * v.x + axes[1] * v.y + axes[2] * v.z; }

Affine operator*(const Affine& a, const Affine& b) {
    return {{turned(a.axes, b.axes[0]), turned(a.axes, b.axes[1]), turned(a.axes, b.axes[2])},
            turned(a.axes, b.origin) + a.origin};
}

/// Where a joint and the end of its bone are.
struct Places {
    glm::dvec3 origin;
    glm::dvec3 end;
};

double distance(const Places& a, const Places& b) {
    return std::max(glm::distance(a.origin, b.origin), glm::distance(a.end, b.end));
}

bool areApart(const Places& a, const Places& b, double tolerance) {
    const glm::dvec3 origin = a.origin - b.origin;
    const glm::dvec3 end = a.end - b.end;
    return std::max(glm::dot(origin, origin), glm::dot(end, end)) > tolerance * tolerance;
}

Places placesOf(const Joint& joint, const Affine& global) {
    return {global.origin, joint.end ? turned(global.axes, glm::dvec3(*joint.end)) + global.origin : global.origin};
}

/// An order of the joints in which all descendants come directly after their joint.
struct Subtrees {
    std::vector<std::uint32_t> sizes;      ///< per joint: the number of joints that it moves, including itself
    std::vector<std::uint32_t> positions;  ///< per joint: its place in `order`
    std::vector<std::uint32_t> order;

    explicit Subtrees(const Skeleton& skeleton) : sizes(skeleton.joints.size(), 1), positions(sizes.size()) {
        const auto parentOf = [&](std::size_t joint) { return skeleton.joints[joint].parent; };
        for (std::size_t joint = sizes.size(); joint-- > 0;)  // parents come first in a skeleton
            if (parentOf(joint) != kNoParent)
                sizes[static_cast<std::size_t>(parentOf(joint))] += sizes[joint];
        order.resize(sizes.size());
        std::uint32_t end = 0;
        std::vector<std::uint32_t> next(sizes.size());  // the place of the next child
        for (std::uint32_t joint = 0; joint < sizes.size(); ++joint) {
            std::uint32_t& free = parentOf(joint) == kNoParent ? end : next[static_cast<std::size_t>(parentOf(joint))];
            positions[joint] = free;
            order[free] = joint;
            next[joint] = free + 1;
            free += sizes[joint];
        }
    }
};

/// The original clip at some ascending times, and its current state.
class SampledClip {
  public:
    /// @param mostSteps limit of steps per joint and time, see isSpent()
    SampledClip(const Skeleton& skeleton, const Subtrees& subtrees, const Clip& clip, std::span<const double> times,
                double mostSteps)
        : skeleton_(skeleton), subtrees_(subtrees), times_(times) {
        const std::size_t places = times_.size() * joints();
        mostSpent_ = mostSteps * static_cast<double>(places);
        poses_.reserve(places);
        locals_.reserve(places);
        globals_.reserve(places);
        originals_.reserve(places);
        for (const double time : times_) {
            const Pose pose = samplePose(skeleton, clip, time);
            const std::vector<glm::dmat4> globals = globalMatrices(skeleton, pose);
            for (const std::uint32_t joint : subtrees_.order) {
                poses_.push_back(pose[joint]);
                locals_.push_back(affineOf(matrixOf(pose[joint])));
                globals_.push_back(affineOf(globals[joint]));
                originals_.push_back(placesOf(skeleton.joints[joint], globals_.back()));
            }
        }
    }

    [[nodiscard]] std::size_t joints() const { return skeleton_.joints.size(); }
    [[nodiscard]] std::span<const double> times() const { return times_; }
    [[nodiscard]] const Transform& local(std::size_t time, std::uint32_t joint) const {
        return poses_[time * joints() + subtrees_.positions[joint]];
    }

    /// Replaces the transforms starting at time `first`, or none of them.
    /// @return false if nothing was changed, because a joint or a bone's end would be off by more than `tolerance`
    bool replace(std::uint32_t joint, std::size_t first, const std::vector<Transform>& locals, double tolerance) {
        const std::size_t moved = subtrees_.sizes[joint];
        changed_.resize(locals.size() * moved);
        for (std::size_t n = 0; n < locals.size(); ++n) {
            const std::size_t i =
                (n + locals.size() / 2) % locals.size();  // starts in the middle, where errors are most likely
            if (!place(joint, (first + i) * joints(), locals[i], std::span(changed_).subspan(i * moved, moved),
                       tolerance))
                return false;
        }
        for (std::size_t i = 0; i < locals.size(); ++i) {
            const std::size_t at = (first + i) * joints() + subtrees_.positions[joint];
            poses_[at] = locals[i];
            locals_[at] = affineOf(matrixOf(locals[i]));
            std::copy_n(changed_.begin() + static_cast<std::ptrdiff_t>(i * moved), moved,
                        globals_.begin() + static_cast<std::ptrdiff_t>(at));
        }
        return true;
    }

    /// Counts steps of work. On long chains of joints, work grows faster than the number of joints.
    void spend(std::size_t steps) { spent_ += static_cast<double>(steps); }
    /// True if the limit of work is exceeded. Then no more keys are removed.
    [[nodiscard]] bool isSpent() const { return spent_ > mostSpent_; }

    /// Adds the error to the result, with a weight for the mean.
    void measure(Reduction& result, double weight) const {
        for (std::size_t i = 0; i < originals_.size(); ++i) {
            const std::uint32_t joint = subtrees_.order[i % joints()];
            const Places places = placesOf(skeleton_.joints[joint], globals_[i]);
            result.mean += weight * (glm::distance(places.origin, originals_[i].origin) +
                                     glm::distance(places.end, originals_[i].end));
            const double off = distance(places, originals_[i]);
            if (off > result.worst) {
                result.worst = off;
                result.where = {off, joint, times_[i / joints()]};
            }
        }
    }

  private:
    /// Poses a joint and its descendants.
    /// @param frame the index at which the joints of this time begin
    /// @return false if one of them is off by more than the tolerance
    bool place(std::uint32_t joint, std::size_t frame, const Transform& local, std::span<Affine> globals,
               double tolerance) {
        spend(globals.size());
        const std::size_t first = subtrees_.positions[joint];
        for (std::size_t each = 0; each < globals.size(); ++each) {
            const std::size_t at = first + each;
            const Joint& moved = skeleton_.joints[subtrees_.order[at]];
            const Affine own = each == 0 ? affineOf(matrixOf(local)) : locals_[frame + at];
            if (moved.parent == kNoParent) {
                globals[each] = own;
            } else {
                const std::size_t above = subtrees_.positions[static_cast<std::size_t>(moved.parent)];
                globals[each] = (each == 0 ? globals_[frame + above] : globals[above - first]) * own;
            }
            if (areApart(placesOf(moved, globals[each]), originals_[frame + at], tolerance))
                return false;
        }
        return true;
    }

    const Skeleton& skeleton_;
    const Subtrees& subtrees_;
    std::span<const double> times_;
    // Each list has, for each time, one element per joint in the order of subtrees_.
    std::vector<Transform> poses_;
    std::vector<Affine> locals_;
    std::vector<Affine> globals_;
    std::vector<Places> originals_;
    std::vector<Affine> changed_;
    double spent_ = 0;
    double mostSpent_ = 0;
};

/// How many transforms (each joint at each time) are processed at once: about 75 MB, however long the clip is.
constexpr std::size_t kMostPlaces = 1U << 18U;

constexpr double kNever = std::numeric_limits<double>::infinity();

/// The part of a channel within the times of a SampledClip. Its first and its last key stay.
template <typename T>
class ReducibleChannel {
  public:
    /// @param weight cost of an error of this channel: how many joints it moves, and how far
    /// @param least smallest effect, in metres, of an error of 1; see leastLever()
    ReducibleChannel(std::uint32_t joint, T Transform::*property, const Channel<T>& channel,
                     const std::vector<float>& keyTimes, std::span<const double> times, double weight, double least)
        : joint_(joint), property_(property), times_(times), weight_(weight), least_(least) {
        const auto begin = std::lower_bound(keyTimes.begin(), keyTimes.end(), times.front());
        const auto end = std::upper_bound(begin, keyTimes.end(), times.back());
        first_ = static_cast<std::size_t>(begin - keyTimes.begin());
        values_ = std::span(channel.values).subspan(first_, static_cast<std::size_t>(end - begin));
        for (std::uint32_t key = 0; key < values_.size(); ++key) {
            const auto at = std::lower_bound(times.begin(), times.end(), static_cast<double>(begin[key]));
            at_.push_back(static_cast<std::uint32_t>(at - times.begin()));
            before_.push_back(key - 1);
            after_.push_back(key + 1);
        }
    }

    [[nodiscard]] std::size_t keys() const { return at_.size(); }
    [[nodiscard]] std::uint32_t before(std::uint32_t key) const { return before_[key]; }
    [[nodiscard]] std::uint32_t after(std::uint32_t key) const { return after_[key]; }
    /// The number of times between the neighbours of a key.
    [[nodiscard]] std::size_t span(std::uint32_t key) const { return at_[after_[key]] - at_[before_[key]]; }
    [[nodiscard]] bool isInside(std::uint32_t key) const { return key > 0 && key + 1 < keys(); }

    /// The cost of removing a key; infinity if impossible.
    [[nodiscard]] double costOf(std::uint32_t key, double tolerance) const {
        const std::uint32_t a = before_[key];
        const std::uint32_t b = after_[key];
        if constexpr (std::is_same_v<T, glm::quat>)
            if (glm::dot(values_[a], values_[b]) < kNearest)
                return kNever;
        double sum = 0;
        std::uint32_t from = a;  // the original key before the time
        for (std::uint32_t time = at_[a] + 1; time < at_[b]; ++time) {
            while (at_[from + 1] <= time)
                ++from;
            const double off = apart(valueAt(time, a, b), valueAt(time, from, from + 1));
            if (off * least_ > tolerance)
                return kNever;
            sum += off * off;
        }
        return sum * weight_;
    }

    /// Removes a key if no visible error then exceeds `tolerance`.
    bool leaveOut(std::uint32_t key, SampledClip& sampled, double tolerance) {
        const std::uint32_t a = before_[key];
        const std::uint32_t b = after_[key];
        std::vector<Transform> locals;
        for (std::uint32_t time = at_[a] + 1; time < at_[b]; ++time) {
            locals.push_back(sampled.local(time, joint_));
            locals.back().*property_ = valueAt(time, a, b);
        }
        if (!sampled.replace(joint_, at_[a] + 1, locals, tolerance))
            return false;
        after_[a] = b;
        before_[b] = a;
        return true;
    }

    /// Deletes the removed keys from the whole channel.
    void takeFrom(std::vector<bool>& keys) const {
        for (std::uint32_t key = 0; key < at_.size(); key = after_[key])
            for (std::uint32_t gone = key + 1; gone < after_[key]; ++gone)
                keys[first_ + gone] = false;
    }

  private:
    static constexpr float kNearest = 0.5F;  // keys 120 degrees apart: above that, players may interpolate either way

    [[nodiscard]] T valueAt(std::uint32_t time, std::uint32_t a, std::uint32_t b) const {
        const double begin = times_[at_[a]];
        return interpolated(values_[a], values_[b],
                            static_cast<float>((times_[time] - begin) / (times_[at_[b]] - begin)));
    }

    std::uint32_t joint_;
    T Transform::*property_;
    std::span<const double> times_;
    double weight_;
    double least_;
    std::size_t first_ = 0;  // index in the keys of the whole channel
    std::span<const T> values_;
    std::vector<std::uint32_t> at_;      // per key: its index in times_
    std::vector<std::uint32_t> before_;  // per key: the previous key that was not removed
    std::vector<std::uint32_t> after_;
};
using AnyReducibleChannel = std::variant<ReducibleChannel<glm::vec3>, ReducibleChannel<glm::quat>>;

/// Calls act(channel, property, track), in a fixed order, for every channel of a joint that may lose keys.
template <typename Act>
void forEachThinnable(Clip& clip, const Act& act) {
    const auto actOn = [&](JointTrack& track, auto& channel, auto property) {
        if (channel.isAnimated() && channel.interpolation == Interpolation::linear)
            act(channel, property, track);
    };
    for (JointTrack& track : clip.tracks) {
        actOn(track, track.translation, &Transform::translation);
        actOn(track, track.rotation, &Transform::rotation);
        actOn(track, track.scale, &Transform::scale);
    }
}

/// @param kept per channel of forEachThinnable(): which of its keys stay
void keepKeys(Clip& clip, const std::vector<std::vector<bool>>& kept) {
    Clip thinned = clip;
    thinned.timelines.clear();
    std::size_t next = 0;
    forEachThinnable(thinned, [&]<typename T>(Channel<T>& channel, auto, const JointTrack&) {
        const std::vector<bool>& keys = kept[next++];
        std::vector<float> times;
        std::vector<T> values;
        for (std::size_t key = 0; key < keys.size(); ++key)
            if (keys[key]) {
                times.push_back(clip.timelines[channel.timeline][key]);
                values.push_back(channel.values[key]);
            }
        channel.values = std::move(values);
        channel.timeline = timelineOf(thinned, std::move(times));
    });
    const auto keepAll = [&](auto& channel) {
        if (channel.isAnimated() && channel.interpolation == Interpolation::step)
            channel.timeline = timelineOf(thinned, clip.timelines[channel.timeline]);
    };
    for (JointTrack& track : thinned.tracks)
        forEachChannel(track, keepAll);
    if (clip.travel.isAnimated())
        thinned.travel.timeline = timelineOf(thinned, clip.timelines[clip.travel.timeline]);
    clip = std::move(thinned);
}

/// The rotation of a hand is visible even without children or a known bone end. Every rotation is therefore treated as
/// if it moved a point at this distance: a twentieth of the skeleton's height.
double leastLever(const Skeleton& skeleton) {
    return std::max(verticalExtent(skeleton, restPose(skeleton)).height() / 20, 1e-6);
}

/// How much an error of a joint's channels moves points in the rest pose.
struct Levers {
    double turned;  ///< sum of the squared distances of all points that a rotation moves
    double scale;   ///< metres per unit of translation
};

std::vector<Levers> leversOf(const Skeleton& skeleton, double leastLever) {
    const std::vector<glm::dmat4> globals = globalMatrices(skeleton, restPose(skeleton));
    struct Sums {
        double count = 0;
        glm::dvec3 places{0};
        double squares = 0;
    };
    std::vector<Sums> below(globals.size());
    std::vector<Levers> levers(globals.size(), {leastLever * leastLever, 1});
    for (std::size_t joint = globals.size(); joint-- > 0;) {  // children come after their parents
        Sums& own = below[joint];
        const Places places = placesOf(skeleton.joints[joint], affineOf(globals[joint]));
        for (const glm::dvec3& place : {places.origin, places.end}) {
            own.count += 1;
            own.places += place;
            own.squares += glm::dot(place, place);
        }
        const glm::dvec3& pivot = places.origin;
        levers[joint].turned +=
            std::max(0.0, own.squares - 2 * glm::dot(pivot, own.places) + own.count * glm::dot(pivot, pivot));
        if (skeleton.joints[joint].parent == kNoParent)
            continue;
        const auto parent = static_cast<std::size_t>(skeleton.joints[joint].parent);
        below[parent].count += own.count;
        below[parent].places += own.places;
        below[parent].squares += own.squares;
        const auto length = [&](int axis) { return glm::length(glm::dvec3(globals[parent][axis])); };
        levers[joint].scale = std::max({length(0), length(1), length(2)});
    }
    return levers;
}

/// A key that may be removed, with its cost when it was added to the queue.
struct Proposal {
    double cost;
    std::size_t channel;
    std::uint32_t key;
    std::uint32_t before;
    std::uint32_t after;

    /// The cheapest key comes first; of equal ones, the key with the nearest neighbours, so that gaps grow evenly.
    friend bool operator<(const Proposal& a, const Proposal& b) {
        const auto order = [](const Proposal& p) { return std::tuple(p.cost, p.after - p.before, p.channel, p.key); };
        return order(a) > order(b);
    }
};

/// Removes keys, the cheapest first. Errors of ancestors add up or cancel, so each step is checked on the posed
/// skeleton. The tolerance is used where it saves most keys: on hands and feet, which have few descendants.
void thin(std::vector<AnyReducibleChannel>& channels, SampledClip& sampled, double tolerance) {
    std::priority_queue<Proposal> proposals;
    const auto propose = [&](std::size_t channel, std::uint32_t key) {
        std::visit(
            [&](const auto& keys) {
                if (!keys.isInside(key))
                    return;
                sampled.spend(keys.span(key));
                const double cost = keys.costOf(key, tolerance);
                if (cost < kNever)
                    proposals.push({cost, channel, key, keys.before(key), keys.after(key)});
            },
            channels[channel]);
    };
    for (std::size_t channel = 0; channel < channels.size(); ++channel)
        for (std::uint32_t key = 0; key < std::visit([](const auto& keys) { return keys.keys(); }, channels[channel]);
             ++key)
            propose(channel, key);
    while (!proposals.empty() && !sampled.isSpent()) {
        const Proposal next = proposals.top();
        proposals.pop();
        const bool done = std::visit(
            [&](auto& keys) {
                const bool isCurrent = keys.before(next.key) == next.before && keys.after(next.key) == next.after;
                return isCurrent && keys.leaveOut(next.key, sampled, tolerance);
            },
            channels[next.channel]);
        if (done) {
            propose(next.channel, next.before);
            propose(next.channel, next.after);
        }
    }
}

std::size_t keysOf(const Clip& clip) {
    std::size_t keys = 0;
    for (const JointTrack& track : clip.tracks)
        forEachChannel(track, [&keys](const auto& channel) { keys += channel.values.size(); });
    return keys;
}

/// The limit of steps per joint and time of these clips, see SampledClip::isSpent().
double mostStepsFor(const Skeleton& skeleton, std::span<const Clip> clips) {
    constexpr double kMostOfOne = 1000;  // skeletons of bodies need about a hundred
    constexpr double kMostOfAll = 1e8;   // about five seconds
    double places = 1;
    for (const Clip& clip : clips)
        places += static_cast<double>(keyTimesAndMiddles({&clip}).size() * skeleton.joints.size());
    return std::min(kMostOfOne, kMostOfAll / places);
}

Reduction reduceKeys(const Skeleton& skeleton, Clip& clip, double tolerance, double mostSteps) {
    Reduction result{keysOf(clip), 0, 0, 0, {}};
    const double least = leastLever(skeleton);
    const std::vector<Levers> levers = leversOf(skeleton, least);
    const Subtrees subtrees(skeleton);
    std::vector<std::vector<bool>> kept;  // per channel that can be thinned
    forEachThinnable(clip,
                     [&](auto& channel, auto, const JointTrack&) { kept.emplace_back(channel.values.size(), true); });

    std::vector<double> times = keyTimesAndMiddles({&clip});
    std::sort(times.begin(), times.end());
    const std::size_t step = std::max<std::size_t>(kMostPlaces / std::max<std::size_t>(skeleton.joints.size(), 1), 16);
    const double weight = 1 / std::max(1.0, 2.0 * static_cast<double>(times.size() * skeleton.joints.size()));
    for (std::size_t begin = 0; begin < times.size(); begin += step) {
        // Neighbouring parts share a time. Its keys stay.
        SampledClip sampled(skeleton, subtrees, clip,
                            std::span(times).subspan(begin, std::min(step + 1, times.size() - begin)), mostSteps);
        std::vector<AnyReducibleChannel> channels;
        forEachThinnable(clip, [&]<typename T>(Channel<T>& channel, T Transform::*property, const JointTrack& track) {
            const Levers& lever = levers[track.joint];
            const double moved = 2.0 * subtrees.sizes[track.joint];  // joints and ends of bones
            bool isWay = false;
            if constexpr (std::is_same_v<T, glm::vec3>)
                isWay = property == &Transform::translation;
            channels.emplace_back(ReducibleChannel<T>(
                track.joint, property, channel, clip.timelines[channel.timeline], sampled.times(),
                isWay ? moved * lever.scale * lever.scale : lever.turned, isWay ? lever.scale : least));
        });
        thin(channels, sampled, tolerance);
        for (std::size_t i = 0; i < channels.size(); ++i)
            std::visit([&](const auto& reduced) { reduced.takeFrom(kept[i]); }, channels[i]);
        sampled.measure(result, weight);
    }
    keepKeys(clip, kept);
    result.keysAfter = keysOf(clip);
    return result;
}

using Times = std::vector<float>;

/// The lists of times that channels of a clip use.
std::set<Times> timesOf(const Clip& clip) {
    std::set<Times> used;
    forEachChannel(clip, [&](const auto& channel) {
        if (channel.isAnimated())
            used.insert(clip.timelines[channel.timeline]);
    });
    return used;
}

std::size_t bytesOfValues(const Clip& clip, std::size_t bytesOfRotation) {
    std::size_t bytes = 0;
    forEachChannel(clip, [&]<typename T>(const Channel<T>& channel) {
        bytes += channel.values.size() * (std::is_same_v<T, glm::quat> ? bytesOfRotation : sizeof(T));
    });
    return bytes;
}

/// Bytes of a list of times: its data and its glTF JSON. The JSON has 104 to 128 characters, up to 20 more if the first
/// time is not 0.
std::size_t leastBytesOf(const Times& times) { return times.size() * sizeof(float) + 100; }
std::size_t mostBytesOf(const Times& times) { return times.size() * sizeof(float) + (times.front() == 0 ? 128 : 148); }

/// True if a clip certainly needs less space than the original. The original's lists of times may be shared.
/// @param users for each list of times in the file: the number of original clips that use it
bool isSmaller(const Clip& clip, const Clip& original, const std::map<Times, std::size_t>& users,
               std::size_t bytesOfRotation) {
    std::size_t before = bytesOfValues(original, bytesOfRotation);
    std::size_t after = bytesOfValues(clip, bytesOfRotation);
    const std::set<Times> old = timesOf(original);
    const std::set<Times> now = timesOf(clip);
    for (const Times& times : old)
        if (!now.contains(times) && users.at(times) == 1)
            before += leastBytesOf(times);
    for (const Times& times : now)
        if (!old.contains(times))
            after += mostBytesOf(times);
    return after < before;
}

}  // namespace

Reduction reduceKeys(const Skeleton& skeleton, Clip& clip, double tolerance) {
    return reduceKeys(skeleton, clip, tolerance, mostStepsFor(skeleton, {&clip, 1}));
}

std::vector<Reduction> reduceWhereSmaller(const Skeleton& skeleton, std::span<Clip> clips, double tolerance,
                                          std::size_t bytesOfRotation) {
    std::map<Times, std::size_t> users;
    for (const Clip& clip : clips)
        for (const Times& times : timesOf(clip))
            ++users[times];
    const double mostSteps = mostStepsFor(skeleton, clips);
    std::vector<Reduction> reductions;
    for (Clip& clip : clips) {
        Clip reduced = clip;
        const Reduction reduction = reduceKeys(skeleton, reduced, tolerance, mostSteps);
        if (isSmaller(reduced, clip, users, bytesOfRotation)) {
            clip = std::move(reduced);
            reductions.push_back(reduction);
        } else {
            reductions.push_back({reduction.keysBefore, reduction.keysBefore, 0, 0, {}});
        }
    }
    return reductions;
}

}  // namespace reanima::core
