#include "core/find_edits.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <glm/gtc/matrix_inverse.hpp>
#include <glm/matrix.hpp>

#include "core/pose.h"
#include "core/scene_joints.h"
#include "core/similarity.h"

namespace reanima::core {

namespace {

/// What a matrix turns by. Its columns need not be of unit length.
glm::dquat turnOf(const glm::dmat4& matrix) {
    glm::dmat3 axes;
    axes[0] = glm::normalize(glm::dvec3(matrix[0]));
    axes[1] = glm::normalize(glm::dvec3(matrix[1]) - axes[0] * glm::dot(axes[0], glm::dvec3(matrix[1])));
    axes[2] = glm::cross(axes[0], axes[1]);
    return glm::normalize(glm::quat_cast(axes));
}

double sizeOf(const glm::dmat4& matrix) { return std::cbrt(std::abs(glm::determinant(glm::dmat3(matrix)))); }

/// A channel as a program shows it that goes from key to key component by component, as Blender does.
template <typename T>
T shownAt(const Clip& clip, const Channel<T>& channel, double seconds, const T& rest) {
    if (channel.values.size() < 2)
        return channel.values.empty() ? rest : channel.values.front();
    const std::vector<float>& times = clip.timelines[channel.timeline];
    const auto after = std::upper_bound(times.begin(), times.end(), static_cast<float>(seconds));
    if (after == times.begin())
        return channel.values.front();
    const auto key = static_cast<std::size_t>(std::distance(times.begin(), after)) - 1;
    if (after == times.end() || channel.interpolation == Interpolation::step)
        return channel.values[key];
    const auto share = static_cast<float>((seconds - static_cast<double>(times[key])) /
                                          static_cast<double>(times[key + 1] - times[key]));
    return channel.values[key] * (1 - share) + channel.values[key + 1] * share;
}

/// Joints of the original, and the nodes of the scene that are they.
std::vector<std::uint32_t> nodesOf(const Skeleton& skeleton, const Scene& scene) {
    std::map<std::string, std::vector<std::uint32_t>> byName;
    for (std::size_t node = 0; node < scene.nodes.size(); ++node)
        byName[scene.nodes[node].name].push_back(static_cast<std::uint32_t>(node));
    std::vector<std::uint32_t> nodes;
    std::vector<std::string> missing;
    for (const Joint& joint : skeleton.joints) {
        const auto found = byName.find(joint.name);
        if (found == byName.end()) {
            missing.push_back(joint.name);
            continue;
        }
        if (found->second.size() > 1)
            throw DecodeError({"nodes", std::nullopt},
                              fmt::format("holds {} nodes that are called \"{}\": which one is the joint can't be told",
                                          found->second.size(), joint.name));
        nodes.push_back(found->second.front());
    }
    if (!missing.empty())
        throw DecodeError({"nodes", std::nullopt},
                          fmt::format("lacks {} of {} joints: {}; it is another skeleton's, or they were renamed",
                                      missing.size(), skeleton.joints.size(), quotedNames(missing)));
    return nodes;
}

/// Rest pose of the scene's joints, in the space in which its animations move them: bind matrices, where there are
/// any, else the nodes as they stand.
std::vector<glm::dmat4> restOf(const Scene& scene, const std::vector<std::uint32_t>& nodes,
                               const std::vector<std::uint32_t>& order) {
    const std::vector<glm::dmat4> standing = globalMatrices(scene, {}, 0, order);
    std::vector<std::optional<glm::dmat4>> binds(scene.nodes.size());
    for (const SceneSkin& skin : scene.skins)
        for (std::size_t i = 0; i < skin.binds.size(); ++i)
            if (skin.binds[i] && !binds[skin.joints[i]])
                binds[skin.joints[i]] = skin.binds[i];
    // Where all joints stand as they were bound, but for one transform of all, that one is the space of the skin.
    std::optional<glm::dmat4> space;
    bool isCommon = true;
    for (const std::uint32_t node : nodes) {
        if (!binds[node])
            continue;
        const glm::dmat4 own = standing[node] * glm::affineInverse(*binds[node]);
        if (!space)
            space = own;
        else
            isCommon = isCommon && largestDifference(*space, own) < 1e-3 * (1 + glm::length(glm::dvec3(own[3])));
    }
    const glm::dmat4 toWorld = space && isCommon ? *space : glm::dmat4(1);
    std::vector<glm::dmat4> rest(scene.nodes.size());
    for (const std::uint32_t node : order) {
        const int parent = scene.nodes[node].parent;
        if (binds[node])
            rest[node] = toWorld * *binds[node];
        else
            rest[node] = parent == kNoParent ? scene.nodes[node].local
                                             : rest[static_cast<std::size_t>(parent)] * scene.nodes[node].local;
    }
    return rest;
}

/// How joints stand against each other in the game's hierarchy.
struct LocalPose {
    std::vector<glm::dquat> rotations;
    std::vector<glm::dvec3> translations;
    std::vector<double> sizes;
};

/// Leads from poses of the scene to poses of the game's skeleton.
class WayBackToJoints {
  public:
    WayBackToJoints(const Skeleton& skeleton, const Scene& scene)
        : skeleton_(skeleton), scene_(scene), order_(nodesParentsFirst(scene)), nodes_(nodesOf(skeleton, scene)) {
        const std::vector<glm::dmat4> game = core::globalMatrices(skeleton, restPose(skeleton));
        const std::vector<glm::dmat4> rest = restOf(scene, nodes_, order_);
        std::vector<glm::dvec3> from;
        std::vector<glm::dvec3> to;
        for (std::size_t joint = 0; joint < nodes_.size(); ++joint) {
            from.emplace_back(game[joint][3]);
            to.emplace_back(rest[nodes_[joint]][3]);
        }
        placed_ = similarityBetween(from, to);
        requireSameShape(from, to);
        for (std::size_t joint = 0; joint < nodes_.size(); ++joint) {
            turned_.push_back(glm::conjugate(placed_.rotation * turnOf(game[joint])) * turnOf(rest[nodes_[joint]]));
            grown_.push_back(sizeOf(rest[nodes_[joint]]) / sizeOf(game[joint]));
        }
    }

    [[nodiscard]] LocalPose at(const SceneMotion& motion, double seconds) const {
        const std::vector<glm::dmat4> globals = core::globalMatrices(scene_, motion, seconds, order_);
        const std::size_t joints = nodes_.size();
        std::vector<glm::dquat> world(joints);
        std::vector<glm::dvec3> place(joints);
        std::vector<double> size(joints);
        LocalPose pose;
        for (std::size_t joint = 0; joint < joints; ++joint) {
            const glm::dmat4& global = globals[nodes_[joint]];
            world[joint] = glm::conjugate(placed_.rotation) * turnOf(global) * glm::conjugate(turned_[joint]);
            place[joint] = placed_.inverseOf(glm::dvec3(global[3]));
            size[joint] = sizeOf(global) / grown_[joint];
            const std::optional<std::uint32_t> parent = skeleton_.parentOf(static_cast<std::uint32_t>(joint));
            if (!parent) {
                pose.rotations.push_back(world[joint]);
                pose.translations.push_back(place[joint]);
                pose.sizes.push_back(size[joint]);
                continue;
            }
            const glm::dquat back = glm::conjugate(world[*parent]);
            pose.rotations.push_back(back * world[joint]);
            pose.translations.push_back(back * (place[joint] - place[*parent]) / size[*parent]);
            pose.sizes.push_back(size[joint] / size[*parent]);
        }
        return pose;
    }

  private:
    void requireSameShape(const std::vector<glm::dvec3>& from, const std::vector<glm::dvec3>& to) const {
        double extent = 0;
        double worst = 0;
        std::size_t where = 0;
        for (std::size_t joint = 0; joint < from.size(); ++joint) {
            extent = std::max(extent, glm::distance(from[joint], from.front()));
            const double off = glm::distance(placed_.inverseOf(to[joint]), from[joint]);
            if (off > worst) {
                worst = off;
                where = joint;
            }
        }
        constexpr double kSame = 0.005;  // of the extent; what programs leave is below a thousandth of it
        if (worst > kSame * extent)
            throw DecodeError(
                {scene_.fieldOf ? scene_.fieldOf(nodes_[where]) : std::string("nodes"), std::nullopt},
                fmt::format("rests {:.1f} % of the skeleton's size away from where \"{}\" rests in the original: bones "
                            "were moved in edit mode, or the file was made with another rest pose or skeleton",
                            100 * worst / extent, skeleton_.joints[where].name));
    }

    const Skeleton& skeleton_;
    const Scene& scene_;
    std::vector<std::uint32_t> order_;
    std::vector<std::uint32_t> nodes_;  // of joints
    Similarity placed_;                 // where the game's skeleton stands in the scene
    std::vector<glm::dquat> turned_;    // per joint: what its axes are turned by in the scene
    std::vector<double> grown_;
};

/// What a clip shows of a joint.
struct Shown {
    glm::dquat rotation;
    glm::dvec3 translation;
    double size;
};

Shown shownOf(const Skeleton& skeleton, const Clip& clip, std::uint32_t joint, double seconds) {
    const Transform& rest = skeleton.joints[joint].rest;
    const JointTrack* track = clip.trackOf(joint);
    if (track == nullptr)
        return {glm::dquat(rest.rotation), glm::dvec3(rest.translation),
                std::cbrt(std::abs(static_cast<double>(rest.scale.x * rest.scale.y * rest.scale.z)))};
    const glm::vec3 scale = shownAt(clip, track->scale, seconds, rest.scale);
    return {glm::normalize(glm::dquat(shownAt(clip, track->rotation, seconds, rest.rotation))),
            glm::dvec3(shownAt(clip, track->translation, seconds, rest.translation)),
            std::cbrt(std::abs(static_cast<double>(scale.x * scale.y * scale.z)))};
}

constexpr double kGrown = 0.002;  // a change of size that is none: what programs leave

/// How a pose of the scene differs from what the original shows.
struct Difference {
    double degrees;
    double metres;
    bool isScaled;
};

Difference differenceOf(const LocalPose& pose, std::uint32_t joint, const Shown& shown) {
    return {degreesBetween(pose.rotations[joint], shown.rotation),
            glm::distance(pose.translations[joint], shown.translation),
            std::abs(pose.sizes[joint] - shown.size) > kGrown * (1 + shown.size)};
}

/// One clip of the scene beside one of the original.
class ClipComparison {
  public:
    ClipComparison(const Skeleton& skeleton, const WayBackToJoints& back, const Clip& clip, const SceneMotion& motion,
                   const StoredSteps& steps)
        : skeleton_(skeleton), back_(back), clip_(clip), motion_(motion), steps_(steps), times_(motion.times()) {
        begin_ = motion.begin();
        if (times_.empty())
            times_.push_back(0);
        lookAtKeys();
    }

    /// How many joints are as they were at all keys.
    [[nodiscard]] std::size_t sameJoints() const {
        return static_cast<std::size_t>(std::ranges::count_if(changed_, [](const std::vector<bool>& keys) {
            return std::ranges::none_of(keys, [](bool changed) { return changed; });
        }));
    }

    [[nodiscard]] ClipEdit edit(std::size_t clip) const {
        ClipEdit edit;
        edit.clip = clip;
        edit.name = motion_.name;
        edit.frames = framesNow();
        std::vector<JointEdit> joints(skeleton_.joints.size());
        for (std::uint32_t frame = 0; frame < edit.frames; ++frame)
            addFrame(frame, joints, edit);
        for (std::uint32_t joint = 0; joint < joints.size(); ++joint) {
            joints[joint].joint = joint;
            if (!joints[joint].rotations.empty() || !joints[joint].translations.empty() || joints[joint].isScaled)
                edit.joints.push_back(std::move(joints[joint]));
        }
        return edit;
    }

  private:
    void lookAtKeys() {
        changed_.assign(skeleton_.joints.size(), std::vector<bool>(times_.size(), false));
        for (std::size_t key = 0; key < times_.size(); ++key) {
            const LocalPose pose = back_.at(motion_, times_[key]);
            for (std::uint32_t joint = 0; joint < skeleton_.joints.size(); ++joint) {
                const Shown shown = shownOf(skeleton_, clip_, joint, times_[key] - begin_);
                const Difference difference = differenceOf(pose, joint, shown);
                changed_[joint][key] =
                    difference.degrees > steps_.degrees || difference.metres > steps_.metres || difference.isScaled;
            }
        }
    }

    [[nodiscard]] bool hasKeysAtFrames() const {
        return std::ranges::all_of(times_, [this](double time) {
            const double frame = (time - begin_) * clip_.rate;
            return std::abs(frame - std::round(frame)) < 0.02;
        });
    }

    /// Programs cut clips at whole frames of their own: at another rate, up to one and a half frames tell nothing.
    [[nodiscard]] std::uint32_t framesNow() const {
        const double frames = (motion_.end() - begin_) * clip_.rate + 1;
        const double change = frames - clip_.frames;
        const double least = hasKeysAtFrames() ? 0.5 : 1.5;
        if (motion_.tracks.empty() || std::abs(change) < least)
            return clip_.frames;
        return static_cast<std::uint32_t>(std::max(1.0, std::round(frames)));
    }

    /// True if the scene's keys about a time show something else than the original.
    [[nodiscard]] bool isChangedAt(std::uint32_t joint, double time) const {
        constexpr double kAtKey = 1e-4;  // seconds
        const auto after = std::lower_bound(times_.begin(), times_.end(), time - kAtKey);
        const auto last = static_cast<std::size_t>(std::distance(times_.begin(), after));
        if (last == times_.size())
            return changed_[joint].back();
        if (*after <= time + kAtKey || last == 0)
            return changed_[joint][last];
        return changed_[joint][last] || changed_[joint][last - 1];
    }

    void addFrame(std::uint32_t frame, std::vector<JointEdit>& joints, ClipEdit& edit) const {
        const double seconds = frame / clip_.rate;
        std::optional<LocalPose> pose;
        for (std::uint32_t joint = 0; joint < joints.size(); ++joint) {
            if (frame < clip_.frames && !isChangedAt(joint, begin_ + seconds))
                continue;
            if (!pose)
                pose = back_.at(motion_, begin_ + seconds);
            const Difference difference = differenceOf(*pose, joint, shownOf(skeleton_, clip_, joint, seconds));
            if (difference.degrees > steps_.degrees)
                joints[joint].rotations.push_back({frame, pose->rotations[joint]});
            if (difference.metres > steps_.metres)
                joints[joint].translations.push_back({frame, pose->translations[joint]});
            joints[joint].isScaled = joints[joint].isScaled || difference.isScaled;
            if (difference.degrees > std::max(steps_.degrees, edit.turned.value))
                edit.turned = {difference.degrees, joint, frame};
            if (difference.metres > std::max(steps_.metres, edit.moved.value))
                edit.moved = {difference.metres, joint, frame};
        }
    }

    const Skeleton& skeleton_;
    const WayBackToJoints& back_;
    const Clip& clip_;
    const SceneMotion& motion_;
    StoredSteps steps_;
    std::vector<double> times_;
    double begin_ = 0;
    std::vector<std::vector<bool>> changed_;  // [joint][key]
};

/// Which clip of the original a motion is, that is called like none: the one with most joints in common, half of them
/// at least.
std::optional<std::size_t> clipLike(const Asset& original, const WayBackToJoints& back, const SceneMotion& motion,
                                    const StoredSteps& steps, const std::set<std::size_t>& taken) {
    std::optional<std::size_t> best;
    std::size_t most = original.skeleton->joints.size() / 2;
    for (std::size_t clip = 0; clip < original.clips.size(); ++clip) {
        const Clip& candidate = original.clips[clip];
        if (taken.contains(clip) || std::abs(motion.end() - motion.begin() - candidate.duration) > 1.5 / candidate.rate)
            continue;
        const std::size_t same = ClipComparison(*original.skeleton, back, candidate, motion, steps).sameJoints();
        if (same <= most)
            continue;
        most = same;
        best = clip;
    }
    return best;
}

}  // namespace

FoundEdits findEdits(const Asset& original, const MovingScene& edited, const StoredSteps& steps,
                     const std::vector<std::string>& chosen, Diagnostics& diagnostics) {
    const WayBackToJoints back(*original.skeleton, edited.scene);
    std::map<std::string, std::size_t> byName;
    for (std::size_t clip = 0; clip < original.clips.size(); ++clip)
        byName.emplace(original.clips[clip].name, clip);
    std::set<std::size_t> taken;
    std::vector<std::pair<const SceneMotion*, std::optional<std::size_t>>> pairs;
    for (const SceneMotion& motion : edited.motions) {
        if (!chosen.empty() && std::ranges::find(chosen, motion.name) == chosen.end())
            continue;
        const auto found = byName.find(motion.name);
        const bool isNew = found != byName.end() && taken.insert(found->second).second;
        pairs.emplace_back(&motion, isNew ? std::optional(found->second) : std::nullopt);
    }
    FoundEdits result;
    std::size_t joints = 0;
    std::size_t differing = 0;
    for (auto& [motion, clip] : pairs) {
        if (!clip) {
            clip = clipLike(original, back, *motion, steps, taken);
            if (!clip) {
                result.unknown.push_back(motion->name);
                continue;
            }
            taken.insert(*clip);
            diagnostics.note(Code::renamed, {motion->name, std::nullopt},
                             fmt::format("is taken for {}, by its motion", original.clips[*clip].name));
        }
        result.clips.push_back(
            ClipComparison(*original.skeleton, back, original.clips[*clip], *motion, steps).edit(*clip));
        joints += original.skeleton->joints.size();
        differing += result.clips.back().joints.size();
    }
    for (std::size_t clip = 0; clip < original.clips.size(); ++clip)
        if (!taken.contains(clip))
            result.missing.push_back(clip);
    result.mostDiffers = 2 * differing > joints;
    return result;
}

}  // namespace reanima::core
