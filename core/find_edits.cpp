#include "core/find_edits.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/pose.h"
#include "core/scene_joints.h"
#include "core/way_back_to_joints.h"

namespace reanima::core {

namespace {

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
        if (!isPlacedByName()) {
            pairByIndex();
            pairByMotion();
        }
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

    /// What has another name now, and says which clip it was.
    void pairByIndex() {
        for (ClipPair& pair : pairs_) {
            const auto known = search_.known.find(pair.motion->name);
            if (pair.clip || known == search_.known.end() || !back_.moves(*pair.motion))
                continue;
            const auto clip = std::ranges::find(original_.clips, known->second, &Clip::index);
            const auto place = static_cast<std::size_t>(std::distance(original_.clips.begin(), clip));
            if (clip == original_.clips.end() || !taken_.insert(place).second)
                continue;
            pair.clip = place;
            diagnostics_.note(Code::renamed, {pair.motion->name, std::nullopt},
                              fmt::format("is taken for {}, as its extras say", clip->name));
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

    /// `0, 1, 4 and 12 more`: those of the original's clips.
    [[nodiscard]] std::string indices() const {
        constexpr std::size_t kMost = 12;
        std::string text;
        for (std::size_t i = 0; i < std::min(original_.clips.size(), kMost); ++i)
            text += fmt::format("{}{}", i == 0 ? "" : ", ", original_.clips[i].index);
        if (original_.clips.size() > kMost)
            text += fmt::format(" and {} more", original_.clips.size() - kMost);
        return text;
    }

    static OptionHint hintOf(std::uint32_t index) { return {"at", std::to_string(index)}; }

    /// @param index of the clip that makes room
    [[nodiscard]] std::size_t clipAt(std::uint32_t index) const {
        const auto place = std::ranges::find(original_.clips, index, &Clip::index);
        if (place == original_.clips.end())
            throw optionError(hintOf(index), fmt::format("the original has no clip of that index, but {}", indices()));
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
