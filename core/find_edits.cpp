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
glm::dquat turnOf(const glm::dmat3& matrix) {
    glm::dmat3 axes;
    axes[0] = glm::normalize(matrix[0]);
    axes[1] = glm::normalize(matrix[1] - axes[0] * glm::dot(axes[0], matrix[1]));
    axes[2] = glm::cross(axes[0], axes[1]);
    return glm::normalize(glm::quat_cast(axes));
}

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

/// True for the nodes among which joints are looked for.
/// @param root a node's name; empty: all nodes
std::vector<bool> nodesBelow(const std::string& root, const Scene& scene, const std::vector<std::uint32_t>& order) {
    if (root.empty())
        return std::vector<bool>(scene.nodes.size(), true);
    std::vector<bool> isBelow(scene.nodes.size(), false);
    std::size_t tops = 0;
    for (const std::uint32_t node : order) {
        const int parent = scene.nodes[node].parent;
        isBelow[node] = parent != kNoParent && isBelow[static_cast<std::size_t>(parent)];
        if (scene.nodes[node].name != root)
            continue;
        isBelow[node] = true;
        ++tops;
    }
    if (tops != 1)
        throw optionError({"joint-root", root}, tops == 0 ? std::string("there is no node of that name")
                                                          : fmt::format("there are {} nodes of that name", tops));
    return isBelow;
}

/// Joints of the original, and the nodes of the scene that are they.
std::vector<std::uint32_t> nodesOf(const Skeleton& skeleton, const Scene& scene, const std::string& root,
                                   const std::vector<std::uint32_t>& order) {
    const std::vector<bool> isLookedAt = nodesBelow(root, scene, order);
    std::map<std::string, std::vector<std::uint32_t>> byName;
    for (std::size_t node = 0; node < scene.nodes.size(); ++node)
        if (isLookedAt[node])
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
                                          found->second.size(), joint.name))
                .withHint({"joint-root", "NAME"});
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

/// How a joint stands against its parent in the game's hierarchy.
struct JointPose {
    glm::dquat rotation{1, 0, 0, 0};
    glm::dvec3 translation{0};
    double volume = 1;      ///< what a unit cube becomes; negative if it is mirrored
    double unevenness = 0;  ///< 0 if it is as large along all axes, and they are square
    bool isTurned = true;   ///< false: it is flat or mirrored, and no rotation does that
    bool isPlaced = true;   ///< false: its parent is flat, and nothing can be told
};
using LocalPose = std::vector<JointPose>;

double unevennessOf(const glm::dvec3& lengths) {
    const double least = std::min({lengths.x, lengths.y, lengths.z});
    return least > 0 ? std::max({lengths.x, lengths.y, lengths.z}) / least - 1 : 0;
}

constexpr double kFlat = 1e-12;  // a volume that is none

bool isFlat(const glm::dmat3& axes) { return !(std::abs(glm::determinant(axes)) > kFlat); }

JointPose poseOf(const glm::dmat3& axes, const glm::dvec3& translation) {
    JointPose pose;
    pose.translation = translation;
    pose.volume = glm::determinant(axes);
    pose.isTurned = pose.volume > kFlat;
    if (!pose.isTurned)
        return pose;
    const glm::dvec3 lengths(glm::length(axes[0]), glm::length(axes[1]), glm::length(axes[2]));
    pose.rotation = turnOf(axes);
    pose.unevenness = unevennessOf(lengths);
    for (int axis = 0; axis < 3; ++axis) {
        const int next = (axis + 1) % 3;
        pose.unevenness += std::abs(glm::dot(axes[axis], axes[next])) / (lengths[axis] * lengths[next]);
    }
    return pose;
}

/// Leads from poses of the scene to poses of the game's skeleton.
class WayBackToJoints {
  public:
    WayBackToJoints(const Skeleton& skeleton, const Scene& scene, const std::string& jointRoot)
        : skeleton_(skeleton),
          scene_(scene),
          order_(nodesParentsFirst(scene)),
          nodes_(nodesOf(skeleton, scene, jointRoot, order_)) {
        const std::vector<glm::dmat4> game = core::globalMatrices(skeleton, restPose(skeleton));
        const std::vector<glm::dmat4> rest = restOf(scene, nodes_, order_);
        std::vector<glm::dvec3> from;
        std::vector<glm::dvec3> to;
        for (std::size_t joint = 0; joint < nodes_.size(); ++joint) {
            from.emplace_back(game[joint][3]);
            to.emplace_back(rest[nodes_[joint]][3]);
        }
        placed_ = similarityBetween(from, to);
        requireProper(rest);
        requireSameShape(from, to);
        toGame_ = glm::mat3_cast(glm::conjugate(placed_.rotation));
        for (std::size_t joint = 0; joint < nodes_.size(); ++joint)
            toAxes_.push_back(glm::inverse(glm::dmat3(rest[nodes_[joint]])) * glm::mat3_cast(placed_.rotation) *
                              glm::dmat3(game[joint]));
        findMoving();
    }

    [[nodiscard]] std::size_t joints() const { return nodes_.size(); }

    /// False for a motion of other nodes than the joints and those above them.
    [[nodiscard]] bool moves(const SceneMotion& motion) const {
        return std::ranges::any_of(motion.tracks, [this](const NodeTrack& track) { return isMoving_[track.node]; });
    }

    [[nodiscard]] LocalPose at(const SceneMotion& motion, double seconds) const {
        const std::vector<glm::dmat4> globals = core::globalMatrices(scene_, motion, seconds, order_);
        const std::size_t joints = nodes_.size();
        std::vector<glm::dmat3> axes(joints);  // in the scene's space
        LocalPose pose;
        pose.reserve(joints);
        for (std::size_t joint = 0; joint < joints; ++joint) {
            const glm::dmat4& global = globals[nodes_[joint]];
            axes[joint] = glm::dmat3(global) * toAxes_[joint];
            const std::optional<std::uint32_t> parent = skeleton_.parentOf(static_cast<std::uint32_t>(joint));
            if (!parent) {
                pose.push_back(poseOf(toGame_ * axes[joint], placed_.inverseOf(glm::dvec3(global[3]))));
            } else if (isFlat(axes[*parent])) {
                pose.emplace_back().isPlaced = false;
            } else {
                // Not by rotations: below what is scaled unevenly, the scene's axes are skewed.
                const glm::dmat3 back = glm::inverse(axes[*parent]);
                const glm::dvec3 offset = glm::dvec3(global[3]) - glm::dvec3(globals[nodes_[*parent]][3]);
                pose.push_back(poseOf(back * axes[joint], back * (offset / placed_.scale)));
            }
        }
        return pose;
    }

  private:
    void findMoving() {
        isMoving_.assign(scene_.nodes.size(), false);
        for (const std::uint32_t joint : nodes_)
            for (int node = static_cast<int>(joint); node != kNoParent && !isMoving_[static_cast<std::size_t>(node)];
                 node = scene_.nodes[static_cast<std::size_t>(node)].parent)
                isMoving_[static_cast<std::size_t>(node)] = true;
    }

    [[nodiscard]] Place placeOf(std::size_t joint) const {
        return {scene_.fieldOf ? scene_.fieldOf(nodes_[joint]) : std::string("nodes"), std::nullopt};
    }

    void requireProper(const std::vector<glm::dmat4>& rest) const {
        for (std::size_t joint = 0; joint < nodes_.size(); ++joint)
            if (const double volume = glm::determinant(glm::dmat3(rest[nodes_[joint]])); !(volume > 0))
                throw DecodeError(
                    placeOf(joint),
                    fmt::format("\"{}\" is {} at rest (a scale of it or above it), expected scales above 0",
                                skeleton_.joints[joint].name, volume < 0 ? "mirrored" : "flat"));
    }

    void requireSameShape(const std::vector<glm::dvec3>& from, const std::vector<glm::dvec3>& to) const {
        double extent = 0;
        double worst = 0;
        std::size_t where = 0;
        for (std::size_t joint = 0; joint < from.size(); ++joint) {
            extent = std::max(extent, glm::distance(from[joint], from.front()));
            const double off = glm::distance(placed_.inverseOf(to[joint]), from[joint]);
            if (!(off <= worst)) {  // or it is not finite
                worst = off;
                where = joint;
            }
        }
        constexpr double kSame = 0.005;  // of the extent; what programs leave is below a thousandth of it
        if (!(worst <= kSame * extent))
            throw DecodeError(
                placeOf(where),
                fmt::format("rests {:.1f} % of the skeleton's size away from where \"{}\" rests in the original: bones "
                            "were moved in edit mode, or the file was made with another rest pose or skeleton",
                            100 * worst / extent, skeleton_.joints[where].name))
                .withHint({"rest", "FILE:CLIP:FRAME"});
    }

    const Skeleton& skeleton_;
    const Scene& scene_;
    std::vector<std::uint32_t> order_;
    std::vector<std::uint32_t> nodes_;  // of joints
    std::vector<bool> isMoving_;        // nodes that are joints or above one
    Similarity placed_;                 // where the game's skeleton stands in the scene
    glm::dmat3 toGame_{1};              // its turn, undone
    std::vector<glm::dmat3> toAxes_;    // per joint: from the scene's axes of it to the game's
};

/// What a clip shows of a joint.
/// @param track its own; null if the clip does not move it
JointPose shownOf(const Joint& joint, const Clip& clip, const JointTrack* track, double seconds) {
    Transform local = joint.rest;
    if (track != nullptr) {
        local.rotation = shownAt(clip, track->rotation, seconds, local.rotation);
        local.translation = shownAt(clip, track->translation, seconds, local.translation);
        local.scale = shownAt(clip, track->scale, seconds, local.scale);
    }
    JointPose pose;
    pose.rotation = glm::normalize(glm::dquat(local.rotation));
    pose.translation = glm::dvec3(local.translation);
    pose.volume = static_cast<double>(local.scale.x * local.scale.y * local.scale.z);
    pose.unevenness = unevennessOf(glm::abs(glm::dvec3(local.scale)));
    return pose;
}

constexpr double kGrown = 0.002;  // a change of size that is none: what programs leave

/// @param volume, shown of a joint in the scene and in the original
bool hasGrown(double volume, double shown) {
    if (std::min(volume, shown) > 0.5 && std::abs(volume - shown) < kGrown)
        return false;  // there, edges differ by less than volumes do
    const double edge = std::cbrt(shown);
    return std::abs(std::cbrt(volume) - edge) > kGrown * (1 + std::abs(edge));
}

/// How a pose of the scene differs from what the original shows.
struct Difference {
    double degrees = 0;
    double metres = 0;
    bool isScaled = false;
};

Difference differenceOf(const JointPose& pose, const JointPose& shown) {
    if (!pose.isPlaced)
        return {};
    return {pose.isTurned ? degreesBetween(pose.rotation, shown.rotation) : 0,
            glm::distance(pose.translation, shown.translation),
            hasGrown(pose.volume, shown.volume) ||
                (pose.isTurned && std::abs(pose.unevenness - shown.unevenness) > 2 * kGrown * (1 + shown.unevenness))};
}

/// One clip of the scene beside one of the original.
class ClipComparison {
  public:
    /// @throws DecodeError if the keys exceed the budget
    ClipComparison(const Skeleton& skeleton, const WayBackToJoints& back, const Clip& clip, const SceneMotion& motion,
                   const StoredSteps& steps, SampleBudget& budget)
        : skeleton_(skeleton),
          back_(back),
          clip_(clip),
          motion_(motion),
          steps_(steps),
          budget_(budget),
          times_(motion.times()) {
        for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint)
            tracks_.push_back(clip.trackOf(joint));
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

    /// @throws DecodeError if the frames exceed the budget
    [[nodiscard]] ClipEdit edit(std::size_t clip, EditUse use) const {
        ClipEdit edit;
        edit.clip = clip;
        edit.use = use;
        edit.name = motion_.name;
        edit.frames = use == EditUse::changes ? framesNow() : framesOf((motion_.end() - begin_) * clip_.rate + 1);
        take(edit.frames);
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

    /// True if the scene has another rate, at which frames that were changed lie between its keys.
    [[nodiscard]] bool isBetweenKeys(const ClipEdit& edit) const {
        const auto isBetween = [this](const auto& change) {
            const double time = begin_ + change.frame / clip_.rate;
            const auto after = std::ranges::lower_bound(times_, time - kAtKey);
            return after != times_.end() && *after > time + kAtKey;
        };
        return !hasKeysAtFrames() && std::ranges::any_of(edit.joints, [&](const JointEdit& joint) {
            return std::ranges::any_of(joint.rotations, isBetween) ||
                   std::ranges::any_of(joint.translations, isBetween);
        });
    }

  private:
    static constexpr double kAtKey = 1e-4;  // seconds

    /// True if the scene's keys lie on the frames of the original, and not on every second or third one alone, as where
    /// a program sampled them at a lower rate.
    [[nodiscard]] bool hasKeysAtFrames() const {
        return !isSampledCoarser() && std::ranges::all_of(times_, [this](double time) {
            const double frame = (time - begin_) * clip_.rate;
            return std::abs(frame - std::round(frame)) < 0.02;
        });
    }

    [[nodiscard]] bool isSampledCoarser() const {
        if (times_.size() < 3)
            return false;
        const double step = times_[1] - times_[0];
        bool isEven = step * clip_.rate > 1.5;
        for (std::size_t key = 2; key < times_.size(); ++key)
            isEven = isEven && std::abs(times_[key] - times_[key - 1] - step) < kAtKey;
        return isEven;
    }

    void take(std::size_t poses) const {
        budget_.take(std::uint64_t{poses} * skeleton_.joints.size(), {motion_.name, std::nullopt});
    }

    [[nodiscard]] JointPose shown(std::uint32_t joint, double seconds) const {
        return shownOf(skeleton_.joints[joint], clip_, tracks_[joint], seconds);
    }

    void lookAtKeys() {
        take(times_.size());
        changed_.assign(skeleton_.joints.size(), std::vector<bool>(times_.size(), false));
        for (std::size_t key = 0; key < times_.size(); ++key) {
            const LocalPose pose = back_.at(motion_, times_[key]);
            for (std::uint32_t joint = 0; joint < skeleton_.joints.size(); ++joint) {
                const Difference difference = differenceOf(pose[joint], shown(joint, times_[key] - begin_));
                changed_[joint][key] =
                    difference.degrees > steps_.degrees || difference.metres > steps_.metres || difference.isScaled;
            }
        }
    }

    /// Programs cut clips at whole frames of their own: at another rate, up to one and a half frames tell nothing.
    [[nodiscard]] std::uint32_t framesNow() const {
        const double frames = (motion_.end() - begin_) * clip_.rate + 1;
        const double change = frames - clip_.frames;
        const double least = hasKeysAtFrames() ? 0.5 : 1.5;
        if (motion_.tracks.empty() || std::abs(change) < least)
            return clip_.frames;
        return framesOf(frames);
    }

    static std::uint32_t framesOf(double frames) {
        constexpr double kMost = 4e9;  // more than any limit
        return static_cast<std::uint32_t>(std::clamp(std::round(frames), 1.0, kMost));
    }

    /// True if the scene's keys about a time show something else than the original.
    [[nodiscard]] bool isChangedAt(std::uint32_t joint, double time) const {
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
            const JointPose& own = (*pose)[joint];
            const Difference difference = differenceOf(own, shown(joint, seconds));
            if (difference.degrees > steps_.degrees)
                joints[joint].rotations.push_back({frame, own.rotation});
            if (difference.metres > steps_.metres)
                joints[joint].translations.push_back({frame, own.translation});
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
    SampleBudget& budget_;
    std::vector<const JointTrack*> tracks_;  // of every joint; null: the clip does not move it
    std::vector<double> times_;
    double begin_ = 0;
    std::vector<std::vector<bool>> changed_;  // [joint][key]
};

/// A clip of the scene, and the one of the original that it is or becomes.
struct ClipPair {
    const SceneMotion* motion = nullptr;
    std::optional<std::size_t> clip{};
    EditUse use = EditUse::changes;
};

/// Finds which clip is which, then what differs.
class EditFinder {
  public:
    EditFinder(const Asset& original, const MovingScene& edited, const StoredSteps& steps, const EditSearch& search,
               const Limits& limits, Diagnostics& diagnostics)
        : original_(original),
          edited_(edited),
          steps_(steps),
          search_(search),
          limits_(limits),
          budget_(limits),
          diagnostics_(diagnostics),
          back_(*original.skeleton, edited.scene, search.jointRoot) {}

    FoundEdits find() {
        pairByName();
        if (!isPlacedByName())
            pairByMotion();
        leaveOutOthers();
        if (!search_.at.empty())
            replace();
        for (ClipPair& pair : pairs_)
            if (!pair.clip && search_.append)
                pair = {pair.motion, 0, EditUse::adds};
        for (const ClipPair& pair : pairs_)
            if (pair.clip)
                compare(pair);
            else
                result_.unknown.push_back(pair.motion->name);
        for (std::size_t clip = 0; clip < original_.clips.size(); ++clip)
            if (!taken_.contains(clip))
                result_.missing.push_back(clip);
        result_.mostDiffers = 2 * differing_ > joints_;
        return std::move(result_);
    }

  private:
    /// True if the clips that are looked at get a new place, whatever they are called.
    [[nodiscard]] bool isPlacedByName() const {
        return !search_.clips.empty() && (!search_.at.empty() || search_.append);
    }

    void pairByName() {
        for (const std::string& name : search_.clips)
            if (std::ranges::find(edited_.motions, name, &SceneMotion::name) == edited_.motions.end())
                throw optionError({"clip", name}, "there is no clip of that name");
        std::map<std::string, std::size_t> byName;
        for (std::size_t clip = 0; clip < original_.clips.size(); ++clip)
            byName.emplace(original_.clips[clip].name, clip);
        for (const SceneMotion& motion : edited_.motions) {
            if (!search_.clips.empty() && std::ranges::find(search_.clips, motion.name) == search_.clips.end())
                continue;
            const auto found = byName.find(motion.name);
            const bool isIt = found != byName.end() && !isPlacedByName() && back_.moves(motion) &&
                              taken_.insert(found->second).second;
            pairs_.push_back({&motion, isIt ? std::optional(found->second) : std::nullopt});
        }
    }

    void pairByMotion() {
        for (ClipPair& pair : pairs_) {
            if (pair.clip || !back_.moves(*pair.motion))
                continue;
            pair.clip = clipLike(*pair.motion);
            if (!pair.clip)
                continue;
            taken_.insert(*pair.clip);
            diagnostics_.note(Code::renamed, {pair.motion->name, std::nullopt},
                              fmt::format("is taken for {}, by its motion", original_.clips[*pair.clip].name));
        }
    }

    /// Which clip of the original a motion is, that is called like none: the one with most joints in common, half of
    /// them at least.
    std::optional<std::size_t> clipLike(const SceneMotion& motion) {
        std::optional<std::size_t> best;
        std::size_t most = original_.skeleton->joints.size() / 2;
        for (std::size_t clip = 0; clip < original_.clips.size(); ++clip) {
            const Clip& candidate = original_.clips[clip];
            if (taken_.contains(clip) ||
                std::abs(motion.end() - motion.begin() - candidate.duration) > 1.5 / candidate.rate)
                continue;
            SampleBudget own(limits_);  // nothing of it is kept
            const std::size_t same = comparisonWith(clip, motion, own).sameJoints();
            if (same <= most)
                continue;
            most = same;
            best = clip;
        }
        return best;
    }

    /// Scenes hold other things that move.
    void leaveOutOthers() {
        std::erase_if(pairs_, [this](const ClipPair& pair) {
            const bool isOther = !pair.clip && !back_.moves(*pair.motion);
            if (isOther)
                diagnostics_.note(Code::ignored, {pair.motion->name, std::nullopt},
                                  "moves no joint of the skeleton and is left out");
            return isOther;
        });
    }

    void replace() {
        std::vector<std::size_t> places;
        std::ranges::transform(search_.at, std::back_inserter(places), [this](std::uint32_t at) { return clipAt(at); });
        std::vector<ClipPair*> others;
        std::vector<std::string> names;
        for (ClipPair& pair : pairs_)
            if (!pair.clip) {
                others.push_back(&pair);
                names.push_back(pair.motion->name);
            }
        if (others.size() != search_.at.size())
            throw optionError(hintOf(search_.at.front()),
                              others.empty()
                                  ? std::string("there is no clip that the original has not")
                                  : fmt::format("{} can be there, expected a choice of {}",
                                                search_.at.size() == 1 ? std::string("one clip")
                                                                       : fmt::format("{} clips", search_.at.size()),
                                                quotedNames(names)));
        for (std::size_t i = 0; i < others.size(); ++i)
            *others[i] = {others[i]->motion, places[i], EditUse::replaces};
        std::set<std::size_t> replaced(places.begin(), places.end());
        std::erase_if(pairs_, [&replaced](const ClipPair& pair) {
            return pair.use == EditUse::changes && pair.clip && replaced.contains(*pair.clip);
        });
        taken_.merge(replaced);
    }

    static OptionHint hintOf(std::uint32_t index) { return {"at", std::to_string(index)}; }

    /// @param index of the clip that makes room
    [[nodiscard]] std::size_t clipAt(std::uint32_t index) const {
        const auto place = std::ranges::find(original_.clips, index, &Clip::index);
        if (place == original_.clips.end())
            throw optionError(hintOf(index), "there is no clip of that index");
        return static_cast<std::size_t>(std::distance(original_.clips.begin(), place));
    }

    void compare(const ClipPair& pair) {
        const Clip& clip = original_.clips[*pair.clip];
        const ClipComparison comparison = comparisonWith(*pair.clip, *pair.motion, budget_);
        const ClipEdit& edit = result_.clips.emplace_back(comparison.edit(*pair.clip, pair.use));
        const bool isBetween = comparison.isBetweenKeys(edit);
        if (isBetween && pair.use != EditUse::changes)
            diagnostics_.note(Code::assumed, {pair.motion->name, std::nullopt},
                              fmt::format("has keys at {:.4g} frames per second and is written at {:.4g}: frames are "
                                          "taken from between its keys",
                                          keyRate(*pair.motion), clip.rate));
        else if (isBetween)
            diagnostics_.warn(
                Code::assumed, {pair.motion->name, std::nullopt},
                fmt::format("has keys at {:.4g} frames per second, the original at {:.4g}: what was changed "
                            "is taken from between its keys",
                            keyRate(*pair.motion), clip.rate));
        if (pair.use != EditUse::changes)
            return;
        joints_ += original_.skeleton->joints.size();
        differing_ += edit.joints.size();
    }

    [[nodiscard]] ClipComparison comparisonWith(std::size_t clip, const SceneMotion& motion,
                                                SampleBudget& budget) const {
        return {*original_.skeleton, back_, original_.clips[clip], motion, steps_, budget};
    }

    const Asset& original_;
    const MovingScene& edited_;
    StoredSteps steps_;
    const EditSearch& search_;
    Limits limits_;
    SampleBudget budget_;
    Diagnostics& diagnostics_;
    WayBackToJoints back_;
    std::vector<ClipPair> pairs_;
    std::set<std::size_t> taken_;  // clips of the original
    FoundEdits result_;
    std::size_t joints_ = 0;
    std::size_t differing_ = 0;
};

}  // namespace

FoundEdits findEdits(const Asset& original, const MovingScene& edited, const StoredSteps& steps,
                     const EditSearch& search, const Limits& limits, Diagnostics& diagnostics) {
    return EditFinder(original, edited, steps, search, limits, diagnostics).find();
}

}  // namespace reanima::core
