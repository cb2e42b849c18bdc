#include "core/find_edits.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/clip_comparison.h"
#include "core/near_names.h"
#include "core/retimed_clip.h"
#include "core/scene_joints.h"
#include "core/way_back_to_joints.h"

namespace reanima::core {

namespace {

/// A clip of the scene, and the original clip that it corresponds to or replaces.
struct ClipPair {
    const SceneMotion* motion = nullptr;
    std::optional<std::size_t> clip{};
    EditUse use = EditUse::changes;
};

struct JointCount {
    std::size_t joints = 0;
    std::size_t differing = 0;  ///< how many of these joints changed

    [[nodiscard]] bool isMost() const { return 2 * differing > joints; }
};

/// True if one of the original's frames was changed. Added frames do not count: they only make the clip longer.
bool changesFramesBelow(std::uint32_t frames, const JointEdit& edit) {
    const auto isBelow = [frames](const auto& changes) {  // changes are in ascending order of frames
        return !changes.empty() && changes.front().frame < frames;
    };
    return edit.isScaled || isBelow(edit.rotations) || isBelow(edit.translations);
}

/// Finds which clips of scene and original correspond, then what differs between them.
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
        result_.mostDiffers = all_.isMost() || (moving_.isMost() && moving_.differing > kFew);
        return std::move(result_);
    }

  private:
    static constexpr std::size_t kFew = 2;  // up to this many differing joints are an edit, even if no others move

    /// True if the user chose clips by name and stated where they go. Clips are then not paired by name.
    [[nodiscard]] bool isPlacedByName() const {
        return !search_.clips.empty() && (!search_.at.empty() || search_.append);
    }

    void pairByName() {
        for (const std::string& name : search_.clips)
            if (std::ranges::find(edited_.motions, name, &SceneMotion::name) == edited_.motions.end()) {
                NearestName nearest(name);
                for (const SceneMotion& motion : edited_.motions)
                    nearest.offer(motion.name);
                throw optionError({"clip", name}, "there is no clip with that name" + nearest.question());
            }
        std::map<std::string, std::size_t> byName;
        for (std::size_t clip = 0; clip < original_.clips.size(); ++clip)
            byName.emplace(original_.clips[clip].name, clip);
        for (const SceneMotion& motion : edited_.motions) {
            const auto found = byName.find(motion.name);
            const bool isIt = found != byName.end() && !isPlacedByName() && back_.moves(motion) &&
                              taken_.insert(found->second).second;
            if (search_.clips.empty() || std::ranges::find(search_.clips, motion.name) != search_.clips.end())
                pairs_.push_back({&motion, isIt ? std::optional(found->second) : std::nullopt});
            else if (isIt)  // so that no other clip takes its place
                result_.unselected.push_back(found->second);
        }
    }

    /// Pairs renamed clips whose extras state the original clip.
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
                              fmt::format("was matched to {} by its extras", clip->name));
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
                              fmt::format("was matched to {} by its motion", original_.clips[*pair.clip].name));
        }
    }

    /// The original clip for a motion whose name matches none: the clip with the most equal joints. More than half of
    /// all joints, and of the moving ones, must be equal.
    std::optional<std::size_t> clipLike(const SceneMotion& motion) {
        std::optional<std::size_t> best;
        std::size_t most = original_.skeleton->joints.size() / 2;
        for (std::size_t clip = 0; clip < original_.clips.size(); ++clip) {
            const Clip& candidate = original_.clips[clip];
            if (taken_.contains(clip) ||
                std::abs(motion.end() - motion.begin() - candidate.duration) > 1.5 / candidate.rate)
                continue;
            SampleBudget own(limits_);  // separate, since this comparison's poses are not kept
            const ClipComparison comparison = comparisonWith(clip, motion, own);
            const std::size_t same = comparison.sameJoints();
            if (same <= most || !comparison.isMostlySameMotion())
                continue;
            most = same;
            best = clip;
        }
        return best;
    }

    /// Leaves out motions that only move nodes outside the skeleton.
    void leaveOutOthers() {
        std::erase_if(pairs_, [this](const ClipPair& pair) {
            const bool isOther = !pair.clip && !back_.moves(*pair.motion);
            if (isOther)
                diagnostics_.note(Code::ignored, {pair.motion->name, std::nullopt},
                                  "is left out, because it moves no joint of the skeleton");
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
                                  ? std::string("there is no new clip, because the original already contains all clips")
                                  : fmt::format("only {} can be written in this place. Choose from {}",
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

    /// Indices of the original's clips: `0, 1, 4 and 12 more`.
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

    /// @param index Clip::index of the clip to be replaced
    [[nodiscard]] std::size_t clipAt(std::uint32_t index) const {
        const auto place = std::ranges::find(original_.clips, index, &Clip::index);
        if (place == original_.clips.end())
            throw optionError(hintOf(index),
                              fmt::format("the original has no clip with that index; its clips are {}", indices()));
        return static_cast<std::size_t>(std::distance(original_.clips.begin(), place));
    }

    void compare(const ClipPair& pair) {
        const Clip& clip = original_.clips[*pair.clip];
        const ClipComparison comparison = comparisonWith(*pair.clip, *pair.motion, budget_);
        const ClipEdit& edit = result_.clips.emplace_back(comparison.edit(*pair.clip, pair.use));
        if (comparison.isBetweenKeys(edit))
            sayKeysBetween(*pair.motion, clip.rate, pair.use);
        if (pair.use != EditUse::changes)
            return;
        if (const std::size_t still = comparison.withoutKeys(edit); still > kFew)
            diagnostics_.warn(
                Code::assumed, {pair.motion->name, std::nullopt},
                fmt::format("has no keys for {} joints that move in the original, so they stay at rest. If you did not "
                            "delete their keys, export the keys of all bones",
                            still));
        count(comparison, edit);
    }

    /// Even keys with the original's rate may lie between its frames. The message then does not mention the rates.
    void sayKeysBetween(const SceneMotion& motion, double rate, EditUse use) {
        constexpr double kSameRate = 0.005;
        const double keys = keyRate(motion);
        const bool isChange = use == EditUse::changes;
        const std::string where = std::abs(keys - rate) <= kSameRate * rate
                                      ? std::string("between frames")
                                      : fmt::format("at {:.4g} frames per second, but {} {:.4g}", keys,
                                                    isChange ? "the original has" : "is written at", rate);
        const Place place{motion.name, std::nullopt};
        if (isChange)
            diagnostics_.warn(Code::assumed, place, fmt::format("has keys {}, so changes are interpolated", where));
        else
            diagnostics_.note(Code::assumed, place, fmt::format("has keys {}, so frames are interpolated", where));
    }

    /// Counts the joints that differ, and checks whether the clip is the original at another speed or time.
    void count(const ClipComparison& comparison, const ClipEdit& edit) {
        const auto differs = [frames = comparison.clip().frames](const JointEdit& joint) {
            return changesFramesBelow(frames, joint);
        };
        all_.joints += original_.skeleton->joints.size();
        all_.differing += static_cast<std::size_t>(std::ranges::count_if(edit.joints, differs));
        const std::vector<std::uint32_t> moving = comparison.movingJoints(edit);
        const auto differing = std::ranges::count_if(edit.joints, [&](const JointEdit& joint) {
            return differs(joint) && std::ranges::binary_search(moving, joint.joint);
        });
        const JointCount own{moving.size(), static_cast<std::size_t>(differing)};
        moving_.joints += own.joints;
        moving_.differing += own.differing;
        if (!own.isMost())
            return;
        if (const std::optional<Retiming> retiming = retimingOf(comparison, moving))
            result_.retimed.push_back(
                {edit.name, *retiming, keyRate(comparison.motion()), comparison.clip().rate, comparison.motion().rate});
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
    JointCount all_;
    JointCount moving_;
};

}  // namespace

FoundEdits findEdits(const Asset& original, const MovingScene& edited, const StoredSteps& steps,
                     const EditSearch& search, const Limits& limits, Diagnostics& diagnostics) {
    return EditFinder(original, edited, steps, search, limits, diagnostics).find();
}

}  // namespace reanima::core
