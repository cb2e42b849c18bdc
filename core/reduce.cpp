#include "core/reduce.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>
#include <variant>

#include <glm/matrix.hpp>

#include "core/pose.h"

namespace reanima::core {

namespace {

/// By how much a point at a distance of 1 from the joint is off.
double apart(const glm::vec3& a, const glm::vec3& b) { return static_cast<double>(glm::distance(a, b)); }
double apart(const glm::quat& a, const glm::quat& b) {
    const glm::dquat difference = glm::conjugate(glm::dquat(a)) * glm::dquat(b);
    return 2 * glm::length(glm::dvec3(difference.x, difference.y, difference.z));
}

/// Where a joint and the end of its bone are.
struct Places {
    glm::dvec3 origin;
    glm::dvec3 end;
};

double distance(const Places& a, const Places& b) {
    return std::max(glm::distance(a.origin, b.origin), glm::distance(a.end, b.end));
}

Places placesOf(const Joint& joint, const glm::dmat4& global) {
    const glm::dvec3 origin(global[3]);
    return {origin, joint.end ? glm::dvec3(global * glm::dvec4(glm::dvec3(*joint.end), 1)) : origin};
}

/// The original clip at all its keys and half-way between them, and what became of it.
class Film {
  public:
    Film(const Skeleton& skeleton, const Clip& clip) : skeleton_(skeleton), times_(keyTimesAndMiddles({&clip})) {
        std::sort(times_.begin(), times_.end());
        locals_.reserve(times_.size() * joints());
        globals_.reserve(times_.size() * joints());
        originals_.reserve(times_.size() * joints());
        for (const double time : times_) {
            const Pose pose = samplePose(skeleton, clip, time);
            const std::vector<glm::dmat4> globals = globalMatrices(skeleton, pose);
            locals_.insert(locals_.end(), pose.begin(), pose.end());
            globals_.insert(globals_.end(), globals.begin(), globals.end());
            for (std::size_t joint = 0; joint < joints(); ++joint)
                originals_.push_back(placesOf(skeleton.joints[joint], globals[joint]));
        }
        below_.resize(joints());
        for (std::uint32_t joint = 0; joint < joints(); ++joint)
            for (int above = static_cast<int>(joint); above != kNoParent;
                 above = skeleton.joints[static_cast<std::size_t>(above)].parent)
                below_[static_cast<std::size_t>(above)].push_back(joint);
    }

    [[nodiscard]] std::size_t joints() const { return skeleton_.joints.size(); }
    /// The number of joints that a joint moves, itself included.
    [[nodiscard]] std::size_t below(std::uint32_t joint) const { return below_[joint].size(); }
    [[nodiscard]] const std::vector<double>& times() const { return times_; }
    [[nodiscard]] const Transform& local(std::size_t time, std::uint32_t joint) const {
        return locals_[time * joints() + joint];
    }

    /// Puts these transforms in the place of those from `first` on.
    /// @return false, and nothing is changed, if a joint or a bone's end would be off by more than `tolerance`
    bool replace(std::uint32_t joint, std::size_t first, const std::vector<Transform>& locals, double tolerance) {
        const std::vector<std::uint32_t>& moved = below_[joint];
        changed_.clear();
        for (std::size_t i = 0; i < locals.size(); ++i) {
            const std::size_t frame = (first + i) * joints();
            const std::size_t begin = changed_.size();
            for (const std::uint32_t each : moved) {
                const int parent = skeleton_.joints[each].parent;
                const glm::dmat4 local = matrixOf(each == joint ? locals[i] : locals_[frame + each]);
                // A parent that is moved, too, stands in front of its children.
                const auto own = std::lower_bound(moved.begin(), moved.end(), static_cast<std::uint32_t>(parent));
                const glm::dmat4& above = each == joint
                                              ? globals_[frame + static_cast<std::size_t>(std::max(parent, 0))]
                                              : changed_[begin + static_cast<std::size_t>(own - moved.begin())];
                changed_.push_back(parent == kNoParent ? local : above * local);
                if (distance(placesOf(skeleton_.joints[each], changed_.back()), originals_[frame + each]) > tolerance)
                    return false;
            }
        }
        for (std::size_t i = 0; i < locals.size(); ++i) {
            const std::size_t frame = (first + i) * joints();
            locals_[frame + joint] = locals[i];
            for (std::size_t each = 0; each < moved.size(); ++each)
                globals_[frame + moved[each]] = changed_[i * moved.size() + each];
        }
        return true;
    }

    void measure(Reduction& result) const {
        double sum = 0;
        for (std::size_t i = 0; i < originals_.size(); ++i) {
            const auto joint = static_cast<std::uint32_t>(i % joints());
            const Places places = placesOf(skeleton_.joints[joint], globals_[i]);
            sum += glm::distance(places.origin, originals_[i].origin) + glm::distance(places.end, originals_[i].end);
            const double off = distance(places, originals_[i]);
            if (off > result.worst) {
                result.worst = off;
                result.where = {off, joint, times_[i / joints()]};
            }
        }
        result.mean = originals_.empty() ? 0 : sum / static_cast<double>(2 * originals_.size());
    }

  private:
    const Skeleton& skeleton_;
    std::vector<double> times_;
    // Per time, one per joint.
    std::vector<Transform> locals_;
    std::vector<glm::dmat4> globals_;
    std::vector<Places> originals_;
    std::vector<std::vector<std::uint32_t>> below_;  // per joint: itself and all that hang on it, ascending
    std::vector<glm::dmat4> changed_;
};

constexpr double kNever = std::numeric_limits<double>::infinity();

/// A channel whose keys become fewer.
template <typename T>
class Line {
  public:
    /// @param weight how much is moved, and how far: what an error of this channel costs
    /// @param least a lever in metres that every turn has, see leastLever()
    Line(std::uint32_t joint, T Transform::*property, const Channel<T>& channel, const std::vector<float>& keyTimes,
         const std::vector<double>& times, double weight, double least)
        : joint_(joint), property_(property), values_(channel.values), times_(times), weight_(weight), least_(least) {
        for (std::uint32_t key = 0; key < keyTimes.size(); ++key) {
            const auto at = std::lower_bound(times.begin(), times.end(), static_cast<double>(keyTimes[key]));
            at_.push_back(static_cast<std::uint32_t>(at - times.begin()));
            before_.push_back(key - 1);
            after_.push_back(key + 1);
        }
    }

    [[nodiscard]] std::size_t keys() const { return at_.size(); }
    [[nodiscard]] std::uint32_t before(std::uint32_t key) const { return before_[key]; }
    [[nodiscard]] std::uint32_t after(std::uint32_t key) const { return after_[key]; }
    [[nodiscard]] bool isInside(std::uint32_t key) const { return key > 0 && key + 1 < keys(); }

    /// What it would cost to leave a key out; infinity if this can't be.
    [[nodiscard]] double costOf(std::uint32_t key, double tolerance) const {
        const std::uint32_t a = before_[key];
        const std::uint32_t b = after_[key];
        if constexpr (std::is_same_v<T, glm::quat>)
            if (glm::dot(values_[a], values_[b]) < kNearest)
                return kNever;
        double sum = 0;
        std::uint32_t from = a;  // the original key in front of the time
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

    /// Leaves a key out if nothing that is seen is then off by more than `tolerance`.
    bool leaveOut(std::uint32_t key, Film& film, double tolerance) {
        const std::uint32_t a = before_[key];
        const std::uint32_t b = after_[key];
        std::vector<Transform> locals;
        for (std::uint32_t time = at_[a] + 1; time < at_[b]; ++time) {
            locals.push_back(film.local(time, joint_));
            locals.back().*property_ = valueAt(time, a, b);
        }
        if (!film.replace(joint_, at_[a] + 1, locals, tolerance))
            return false;
        after_[a] = b;
        before_[b] = a;
        return true;
    }

    /// The keys that are left.
    void store(Clip& clip, Channel<T>& channel) const {
        std::vector<float> times;
        std::vector<T> values;
        for (std::uint32_t key = 0; key < keys(); key = after_[key]) {
            times.push_back(static_cast<float>(times_[at_[key]]));
            values.push_back(values_[key]);
        }
        channel.values = std::move(values);
        channel.timeline = timelineOf(clip, std::move(times));
    }

  private:
    static constexpr float kNearest = 0.5F;  // keys 120 degrees apart: from there on the way between them is unsafe

    [[nodiscard]] T valueAt(std::uint32_t time, std::uint32_t a, std::uint32_t b) const {
        const double begin = times_[at_[a]];
        return interpolated(values_[a], values_[b],
                            static_cast<float>((times_[time] - begin) / (times_[at_[b]] - begin)));
    }

    std::uint32_t joint_;
    T Transform::*property_;
    std::vector<T> values_;
    const std::vector<double>& times_;
    double weight_;
    double least_;
    std::vector<std::uint32_t> at_;      // per key: its index in times_
    std::vector<std::uint32_t> before_;  // per key: the one before it that is left
    std::vector<std::uint32_t> after_;
};
using AnyLine = std::variant<Line<glm::vec3>, Line<glm::quat>>;

template <typename T>
bool canBeThinned(const Channel<T>& channel) {
    return channel.isAnimated() && channel.interpolation == Interpolation::linear;
}

/// A turning hand is seen even where nothing hangs on it and its bone's end is not known: every turn counts as if it
/// moved something at this distance, a twentieth of the whole.
double leastLever(const Skeleton& skeleton) {
    return std::max(verticalExtent(skeleton, restPose(skeleton)).height() / 20, 1e-6);
}

/// For every joint, the sum of the squared distances of all that a turn of it moves, in the rest pose.
std::vector<double> inertias(const Skeleton& skeleton, double leastLever) {
    const std::vector<glm::dmat4> globals = globalMatrices(skeleton, restPose(skeleton));
    std::vector<double> sums(globals.size(), leastLever * leastLever);
    for (std::size_t joint = 0; joint < globals.size(); ++joint) {
        const Places places = placesOf(skeleton.joints[joint], globals[joint]);
        for (int above = static_cast<int>(joint); above != kNoParent;
             above = skeleton.joints[static_cast<std::size_t>(above)].parent) {
            const glm::dvec3 pivot(globals[static_cast<std::size_t>(above)][3]);
            const glm::dvec3 levers[] = {places.origin - pivot, places.end - pivot};
            for (const glm::dvec3& lever : levers)
                sums[static_cast<std::size_t>(above)] += glm::dot(lever, lever);
        }
    }
    return sums;
}

/// A key that may be left out, as things stood when it was found.
struct Proposal {
    double cost;
    std::size_t line;
    std::uint32_t key;
    std::uint32_t before;
    std::uint32_t after;

    /// The cheapest comes first; of equal ones that between near keys, so that gaps grow evenly.
    friend bool operator<(const Proposal& a, const Proposal& b) {
        const auto order = [](const Proposal& p) { return std::tuple(p.cost, p.after - p.before, p.line, p.key); };
        return order(a) > order(b);
    }
};

/// Leaves out keys, the cheapest first. Errors of joints above one another add up or cancel: each step is tried on the
/// posed skeleton. So the allowance goes where it saves most keys: to hands and feet, of which little hangs.
void thin(std::vector<AnyLine>& lines, Film& film, double tolerance) {
    std::priority_queue<Proposal> proposals;
    const auto propose = [&](std::size_t line, std::uint32_t key) {
        std::visit(
            [&](const auto& keys) {
                const double cost = keys.isInside(key) ? keys.costOf(key, tolerance) : kNever;
                if (cost < kNever)
                    proposals.push({cost, line, key, keys.before(key), keys.after(key)});
            },
            lines[line]);
    };
    for (std::size_t line = 0; line < lines.size(); ++line)
        for (std::uint32_t key = 0; key < std::visit([](const auto& keys) { return keys.keys(); }, lines[line]); ++key)
            propose(line, key);
    while (!proposals.empty()) {
        const Proposal next = proposals.top();
        proposals.pop();
        const bool done = std::visit(
            [&](auto& keys) {
                const bool isCurrent = keys.before(next.key) == next.before && keys.after(next.key) == next.after;
                return isCurrent && keys.leaveOut(next.key, film, tolerance);
            },
            lines[next.line]);
        if (done) {
            propose(next.line, next.before);
            propose(next.line, next.after);
        }
    }
}

std::size_t keysOf(const Clip& clip) {
    std::size_t keys = 0;
    for (const JointTrack& track : clip.tracks)
        keys += track.translation.values.size() + track.rotation.values.size() + track.scale.values.size();
    return keys;
}

}  // namespace

Reduction reduceKeys(const Skeleton& skeleton, Clip& clip, double tolerance) {
    Film film(skeleton, clip);
    const double least = leastLever(skeleton);
    const std::vector<double> inertia = inertias(skeleton, least);
    std::vector<AnyLine> lines;
    for (JointTrack& track : clip.tracks) {
        const auto add = [&]<typename T>(T Transform::*property, const Channel<T>& channel, double weight,
                                         double lever) {
            if (canBeThinned(channel))
                lines.emplace_back(Line<T>(track.joint, property, channel, clip.timelines[channel.timeline],
                                           film.times(), weight, lever));
        };
        const double moved = static_cast<double>(2 * film.below(track.joint));
        add(&Transform::translation, track.translation, moved, 1);
        add(&Transform::rotation, track.rotation, inertia[track.joint], least);
        add(&Transform::scale, track.scale, inertia[track.joint], least);
    }
    thin(lines, film, tolerance);

    Reduction result{keysOf(clip), 0, 0, 0, {}};
    const std::vector<std::vector<float>> timelines = std::move(clip.timelines);
    clip.timelines.clear();
    auto line = lines.cbegin();
    const auto store = [&]<typename T>(Channel<T>& channel) {
        if (canBeThinned(channel))
            std::get<Line<T>>(*line++).store(clip, channel);
        else if (channel.isAnimated())
            channel.timeline = timelineOf(clip, timelines[channel.timeline]);
    };
    for (JointTrack& track : clip.tracks) {
        store(track.translation);
        store(track.rotation);
        store(track.scale);
    }
    if (clip.travel.isAnimated())
        clip.travel.timeline = timelineOf(clip, timelines[clip.travel.timeline]);
    result.keysAfter = keysOf(clip);
    film.measure(result);
    return result;
}

}  // namespace reanima::core
