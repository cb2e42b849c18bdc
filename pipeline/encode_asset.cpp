#include "pipeline/encode_asset.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "binding/settle_feet.h"
#include "binding/standing_rig.h"
#include "core/body_surface.h"
#include "core/pose.h"
#include "core/rig.h"
#include "core/scene_joints.h"
#include "formats/common_options.h"
#include "formats/load.h"
#include "formats/open_file.h"
#include "pipeline/pipeline.h"
#include "pipeline/rest_pose.h"

namespace reanima {

namespace {

/// `1 frame late`, or early.
std::string delayInWords(const core::RetimedClip& clip) {
    const double frames = clip.retiming.delay * clip.retiming.speed * clip.rate;
    const std::string count = fmt::format("{:.3g}", std::abs(frames));
    return fmt::format("{} frame{} {}", count, count == "1" ? "" : "s", frames > 0 ? "late" : "early");
}

bool isAlike(const core::Retiming& a, const core::Retiming& b) {
    constexpr double kClose = 1e-3;
    return std::abs(a.speed / b.speed - 1) < kClose && std::abs(a.delay - b.delay) < kClose;
}

void refuseAppending(const OriginalFile& original, const core::EditSearch& search) {
    if (search.append && !original.format().traits.addsClips)
        throw core::optionError({"append"}, fmt::format("no clip can be added to {} files", original.format().id))
            .inFile(original.input().shownName());
}

/// Finds scaled nodes that carry vertices, are no joints, and are directly below a joint of the original. They store
/// scales that child joints do not inherit (Metroid Prime 2). The original's own clips are not reported.
std::vector<std::string> scalesBeside(const core::MovingScene& edited, const core::Skeleton& skeleton,
                                      std::span<const core::ClipEdit> edits) {
    const std::vector<core::SceneNode>& nodes = edited.scene.nodes;
    const auto isBeside = [&](const core::NodeTrack& track) {
        const int parent = nodes[track.node].parent;
        return track.scale.isPresent() && !skeleton.find(nodes[track.node].name) && parent != core::kNoParent &&
               skeleton.find(nodes[static_cast<std::size_t>(parent)].name) &&
               std::ranges::any_of(edited.scene.skins, [&track](const core::SceneSkin& skin) {
                   return std::ranges::find(skin.joints, track.node) != skin.joints.end();
               });
    };
    std::vector<std::string> losses;
    for (const core::ClipEdit& edit : edits) {
        const auto motion = std::ranges::find(edited.motions, edit.name, &core::SceneMotion::name);
        if (edit.use == core::EditUse::changes || motion == edited.motions.end())
            continue;
        for (const core::NodeTrack& track : motion->tracks)
            if (isBeside(track))
                losses.push_back(fmt::format("{}: {} is scaled, which can't be written", edit.name,
                                             nodes[static_cast<std::size_t>(nodes[track.node].parent)].name));
    }
    return losses;
}

/// @throws DecodeError if the root of changed clips lost its motion because of an option of `convert`
void refuseWithoutRootMotion(const core::MovingScene& scene, const core::Skeleton& skeleton,
                             const std::vector<core::ClipEdit>& changed) {
    std::vector<std::string> names;
    std::string how;
    for (const core::ClipEdit& edit : changed) {
        const auto motion = std::ranges::find(scene.motions, edit.name, &core::SceneMotion::name);
        const bool isMoved = std::ranges::any_of(edit.joints, [&skeleton](const core::JointEdit& joint) {
            return !joint.translations.empty() && !skeleton.parentOf(joint.joint);
        });
        if (edit.use != core::EditUse::changes || !isMoved || motion == scene.motions.end() || !motion->stated ||
            (motion->stated->rootMotion != "drop" && motion->stated->rootMotion != "in-place"))
            continue;
        how = motion->stated->rootMotion;
        names.push_back(edit.name);
    }
    if (!names.empty())
        throw core::DecodeError(
            {"animations", std::nullopt},
            fmt::format("were converted with the root motion \"{}\", so the root's own motion would be "
                        "lost: {}. Convert again, keep the root's motion, and copy your changes",
                        how, core::quotedNames(names)))
            .withHint({"all-changed"});
}

/// Writes the edits into the original. Problems are reported for new clips, not for replaced ones.
EditedFile written(OriginalFile& original, core::Asset& asset, std::vector<core::ClipEdit>& edits,
                   core::Diagnostics& diagnostics) {
    const auto swapNames = [&] {
        for (core::ClipEdit& edit : edits)
            if (edit.use == core::EditUse::replaces)
                std::swap(edit.name, asset.clips[edit.clip].name);
    };
    swapNames();
    EditedFile file = original.open().written(asset, edits, diagnostics);
    swapNames();
    return file;
}

}  // namespace

void refuseRetimed(const core::FoundEdits& found) {
    if (found.retimed.empty())
        return;
    const core::RetimedClip& first = found.retimed.front();
    std::vector<std::string> names;
    for (const core::RetimedClip& clip : found.retimed)
        if (isAlike(clip.retiming, first.retiming))
            names.push_back(clip.name);
    const double speed = first.retiming.speed;
    const bool isLate = first.retiming.delay != 0;
    if (first.statedRate != first.rate && isAlike({first.statedRate / first.rate, 0}, first.retiming))
        throw core::DecodeError(
            {"animations", std::nullopt},
            fmt::format("were made at {:.4g} frames per second, but the original is read at {:.4g}: "
                        "{}",
                        first.statedRate, first.rate, core::quotedNames(names)))
            .withHint({"rate", fmt::format("{:.4g}", first.statedRate)});
    const std::string problem =
        speed == 1
            ? fmt::format(
                  "have the same motion as the original clips, but {}: {}. If you did not intend this, move their keys "
                  "back in Blender and export again",
                  delayInWords(first), core::quotedNames(names))
            : fmt::format(
                  "have the same motion as the original clips, but at {:.4g} times the speed{}: {}. If you did not "
                  "intend this, multiply Blender's frame rate by {:.4g} ({:.4g} instead of {:.4g}) and export again",
                  speed, isLate ? " and " + delayInWords(first) : "", core::quotedNames(names), 1 / speed,
                  first.keyRate / speed, first.keyRate);
    throw core::DecodeError({"animations", std::nullopt}, problem).withHint({"all-changed"});
}

core::DecodeError otherMotionError(const std::vector<core::ClipEdit>& changed, const std::string& original) {
    std::vector<std::string> names;
    names.reserve(changed.size());
    for (const core::ClipEdit& edit : changed)
        names.push_back(edit.name);
    return core::DecodeError(
               {"animations", std::nullopt},
               fmt::format("most joints of {} move differently than in {}. Possible reasons: bones were rolled in edit "
                           "mode, the motion belongs to another character, or everything was changed on purpose",
                           core::quotedNames(names), original))
        .withHint({"all-changed"});
}

core::DecodeError unknownClipsError(const std::vector<std::string>& names, const EncodedAsset& compared) {
    std::vector<std::string> missing;
    for (const std::size_t clip : compared.found.missing)
        missing.push_back(compared.original.clips[clip].name);
    return core::DecodeError(
        {"animations", std::nullopt},
        fmt::format("contains \"{}\", which {} no clip of the original by name or motion. Give {} the name of an "
                    "original clip{}{}",
                    fmt::join(names, "\", \""), names.size() == 1 ? "matches" : "match",
                    names.size() == 1 ? "it" : "each", missing.empty() ? "" : ": ", fmt::join(missing, ", ")));
}

OriginalFile::OriginalFile(const Input& input, const Companions& given, const Context& context)
    : input_(input),
      options_(context.options),
      limits_(context.limits),
      context_(context.with(options_).within(limits_).reporting(said_).on(input_)) {
    input_.format = &formatOf(input);
    if (!format().traits.isWrittenFromPoses)
        throw core::DecodeError(
            fmt::format(
                "has the format {}. Clips can't be encoded into this format. Instead, dump the file as JSON, edit the "
                "JSON, and encode that",
                format().id))
            .inFile(input.shownName());
    companions_ = withFoundCompanions(input_, given);
    open_.emplace(input_, companions_, context_);
}

const core::Asset& OriginalFile::motion() {
    if (!motion_)
        motion_ = open_->loadMotion(said_);
    return *motion_;
}

std::vector<core::Warning> OriginalFile::damage() const {
    std::vector<core::Warning> damage;
    std::ranges::copy_if(said_.warnings(), std::back_inserter(damage), [this](const core::Warning& warning) {
        return warning.file == input_.shownName() &&
               (warning.code == core::Code::truncated || warning.code == core::Code::damaged);
    });
    return damage;
}

core::Asset OriginalFile::standing(core::Asset asset, const RestPose& rest) {
    refuseEmpty(asset, input_);
    setRestPose(asset, rest, input_, companions_, context_);
    if (!asset.models.empty() && !options_.has(kModelOption.key))
        throw core::optionError(
            {"model"}, fmt::format("the file contains several models. Choose one of {}", fmt::join(asset.models, ", ")))
            .inFile(input_.shownName());
    return asset;
}

EncodedAsset compareAsset(const core::MovingScene& edited, const std::string& editedName, OriginalFile& original,
                          const EncodeSettings& settings, Context& context) {
    refuseAppending(original, settings.search);
    EncodedAsset result;
    result.bytes = original.input().file.bytes;
    result.original = original.standing(original.motion(), settings.rest);
    core::inFile(editedName, [&] {
        const auto about = context.diagnostics.about(editedName);
        result.found = core::findEdits(result.original, edited, original.open().steps(), settings.search,
                                       context.limits, context.diagnostics);
    });
    return result;
}

EncodedAsset encodeAsset(const core::MovingScene& edited, const std::string& editedName, OriginalFile& original,
                         const EncodeSettings& settings, Context& context) {
    EncodedAsset result = compareAsset(edited, editedName, original, settings, context);
    if (!result.found.unknown.empty() && settings.unknown == UnknownClips::refused)
        throw unknownClipsError(result.found.unknown, result).withHint({"at", "N"}).inFile(editedName);
    std::vector<core::ClipEdit> changed;
    for (const core::ClipEdit& edit : result.found.clips)
        if (edit.isEdited(result.original.clips[edit.clip].frames))
            changed.push_back(edit);
    if (changed.empty())
        return result;
    if (!settings.allChanged)
        core::inFile(editedName, [&] {
            refuseRetimed(result.found);
            refuseWithoutRootMotion(edited, *result.original.skeleton, changed);
        });
    if (result.found.mostDiffers && !settings.allChanged)
        throw otherMotionError(changed, original.input().shownName()).inFile(editedName);
    EditedFile file = written(original, result.original, changed, context.diagnostics);
    std::ranges::move(scalesBeside(edited, *result.original.skeleton, changed), std::back_inserter(file.losses));
    if (!file.losses.empty() && !settings.allowLoss)
        throw core::DecodeError({"animations", std::nullopt},
                                fmt::format("contain changes that {} files can't store: {}", original.format().id,
                                            fmt::join(file.losses, "; ")))
            .inFile(editedName)
            .withHint({"allow-loss"});
    if (file.bytes == result.bytes)  // every change was left out
        for (core::ClipEdit& edit : result.found.clips)
            edit.joints.clear();
    result.losses = std::move(file.losses);
    result.bytes = std::move(file.bytes);
    return result;
}

std::vector<std::string> clipsFor(const core::MovingScene& scene, const Companions& given, Context& context) {
    const auto skeleton = given.find(Role::skeleton);
    if (skeleton == given.end())
        throw missingSkeleton();
    core::Diagnostics said;  // reported by encoding
    const core::Asset asset = OpenFile(skeleton->second.input, {}, context.reporting(said)).loadMotion(said);
    std::vector<std::string> names;
    for (const core::SceneMotion& motion : scene.motions)
        if (asset.skeleton && std::ranges::any_of(motion.tracks, [&](const core::NodeTrack& track) {
                return asset.skeleton->find(scene.scene.nodes[track.node].name).has_value();
            }))
            names.push_back(motion.name);
    return names;
}

EncodedAsset encodeNew(const core::MovingScene& edited, const std::string& editedName, const NewFile& file,
                       const Companions& given, const EncodeSettings& settings, Context& context) {
    const Format& format = *file.format;
    const auto isChosen = [&settings](const core::SceneMotion& motion) {
        return std::ranges::find(settings.search.clips, motion.name) != settings.search.clips.end();
    };
    const auto first = std::ranges::find_if(edited.motions, isChosen);
    if (first == edited.motions.end())
        throw core::DecodeError({"animations", std::nullopt}, "do not move the skeleton").inFile(editedName);
    const double rate = context.options.number(kRateOption.key).value_or(file.rate.value_or(core::keyRate(*first)));
    const auto isFrame = [&](const core::SceneMotion& motion) {
        return !isChosen(motion) || (motion.end() - motion.begin()) * rate < 0.5;
    };
    const NewClips clips{
        file.places, rate, std::ranges::all_of(edited.motions, isFrame), [&edited](std::string_view joint) {
            return std::ranges::find(edited.scene.nodes, joint, &core::SceneNode::name) != edited.scene.nodes.end();
        }};
    Input still;
    still.format = &format;
    still.shownAs = file.shownName;
    still.file.name = fmt::format("new.{}", format.extensions.front());
    still.file.bytes = core::inFile(file.shownName, [&] { return format.still(clips, given, context); });
    EncodeSettings placed = settings;
    placed.search.at = file.places;
    placed.search.append = false;
    OriginalFile original(still, given, context);
    return encodeAsset(edited, editedName, original, placed, context);
}

namespace {

/// A game's file used as a rig for other motion: its skeleton, motion and mesh.
struct GameBody {
    std::shared_ptr<core::Rig> rig;
    double rate = 0;            ///< frames per second of its clips
    core::Skeleton standing{};  ///< in the rest pose that encodeAsset() uses, even if the user chose another
};

GameBody bodyOf(OriginalFile& original, const RestPose& rest) {
    core::Asset asset = original.standing(original.whole(), rest);
    if (asset.clips.empty() || !asset.skeleton)
        throw core::DecodeError("contains no animation").inFile(original.input().shownName());
    if (asset.skeleton->origin == core::Skeleton::Origin::madeUp)
        throw core::DecodeError(
            "no skeleton was found beside this file, but motion of another character can only be bound to a skeleton")
            .withHint({"skeleton", "FILE"})
            .inFile(original.input().shownName());
    GameBody body{std::make_shared<core::Rig>(), asset.clips.front().rate};
    body.standing = *original.standing(original.motion(), {}).skeleton;
    body.rig->restsInMotion = !original.motion().skeleton->hasRest && rest.source == RestPose::Source::standard;
    body.rig->source = original.input().shownName();
    body.rig->surface = core::surfacePointsOf(asset);
    body.rig->skeleton = *std::move(asset.skeleton);
    body.rig->motion = std::move(asset.clips);
    return body;
}

template <typename T>
core::NodeChannel<T> channelOf(const core::Clip& clip, const core::Channel<T>& channel) {
    core::NodeChannel<T> keys;
    keys.style = channel.interpolation == core::Interpolation::step ? core::KeyStyle::step : core::KeyStyle::linear;
    keys.values = channel.values;
    if (channel.isAnimated())
        keys.times = clip.timelines[channel.timeline];
    else if (channel.isPresent()) {  // a second key at the clip's end
        keys.values.push_back(keys.values.front());
        keys.times = {0, static_cast<float>(std::max(clip.duration, 1e-3))};
    }
    return keys;
}

/// Clips in the form of another program's scene.
/// @param skeleton the first joints that the clips move; tracks of further joints are left out
core::MovingScene sceneOf(const core::Skeleton& skeleton, const std::vector<core::Clip>& clips) {
    core::MovingScene moving;
    moving.scene.name = skeleton.name;
    for (const core::Joint& joint : skeleton.joints) {
        core::SceneNode& node = moving.scene.nodes.emplace_back();
        node.name = joint.name;
        node.parent = joint.parent;
        node.local = core::matrixOf(joint.rest);
        node.parts = joint.rest;
    }
    for (const core::Clip& clip : clips) {
        core::SceneMotion& motion = moving.motions.emplace_back();
        motion.name = clip.name;
        motion.rate = clip.rate;
        for (const core::JointTrack& track : clip.tracks)
            if (track.joint < skeleton.joints.size())
                motion.tracks.push_back({track.joint, channelOf(clip, track.translation),
                                         channelOf(clip, track.rotation), channelOf(clip, track.scale)});
    }
    return moving;
}

/// Corrects feet for the quantized position of the hips in the new file.
/// @param moved all clips of `encoded`, bound with these roles
void settleFeet(const EncodedAsset& encoded, const OriginalFile& original, const roles::Anatomy& roles,
                motion::BoundMotion& moved, Context& context) {
    Input made = original.input();
    made.file.bytes = encoded.bytes;
    const core::Asset asset = OpenFile(made, original.companions(), context).loadMotion(context.diagnostics);
    std::size_t added = encoded.original.clips.size();
    auto edit = encoded.found.clips.begin();
    for (core::Clip& wanted : moved.clips) {
        if (edit == encoded.found.clips.end() || edit->name != wanted.name)  // a clip without motion was left out
            continue;
        const std::size_t clip = edit->use == core::EditUse::adds ? added++ : edit->clip;
        ++edit;
        if (clip < asset.clips.size())
            binding::settleFeet({*asset.skeleton, asset.clips[clip]}, roles, moved.skeleton, wanted);
    }
}

/// True if the joint's node is below the node of the nearest ancestor that has one.
bool hangsAs(const core::Skeleton& skeleton, const std::vector<bool>& isThere, std::uint32_t joint,
             const std::vector<core::SceneNode>& nodes) {
    const auto nameAbove = [&](const core::SceneNode& node) {
        std::size_t steps = 0;  // bounds the loop if parents form a cycle
        for (int at = node.parent; at != core::kNoParent && steps < nodes.size(); ++steps) {
            const core::SceneNode& above = nodes[static_cast<std::size_t>(at)];
            if (skeleton.find(above.name))
                return above.name;
            at = above.parent;
        }
        return std::string();
    };
    std::string wanted;
    for (const std::uint32_t above : skeleton.ancestors(joint))
        if (isThere[above] && wanted.empty())
            wanted = skeleton.joints[above].name;
    return std::ranges::any_of(nodes, [&](const core::SceneNode& node) {
        return node.name == skeleton.joints[joint].name && nameAbove(node) == wanted;
    });
}

/// Limit for the speed of sliding feet, relative to the source's. On legs of different proportions they slide up to 2.3
/// times as fast. Keeping the limit turns limbs by a quarter of a degree on average (tests/tools/new_motion_test.py).
constexpr double kMostSlide = 1.05;

}  // namespace

bool isOfOtherFigure(const core::MovingScene& scene, OriginalFile& original) {
    const core::Asset& asset = original.motion();
    if (!asset.skeleton)
        return false;
    const core::Skeleton& skeleton = *asset.skeleton;
    std::vector<bool> isThere;
    for (const core::Joint& joint : skeleton.joints)
        isThere.push_back(std::ranges::find(scene.scene.nodes, joint.name, &core::SceneNode::name) !=
                          scene.scene.nodes.end());
    const auto there = static_cast<std::size_t>(std::ranges::count(isThere, true));
    if (2 * there < skeleton.joints.size())
        return true;
    if (there == skeleton.joints.size())
        return false;
    for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint)
        if (isThere[joint] && !hangsAs(skeleton, isThere, joint, scene.scene.nodes))
            return true;
    return false;
}

EncodedAsset encodeMotion(const OtherMotion& motion, OriginalFile& original, const EncodeSettings& settings,
                          Context& context) {
    refuseAppending(original, settings.search);
    const std::string& name = motion.input.shownName();
    if (settings.search.at.empty() && !settings.search.append)
        throw core::DecodeError({"animations", std::nullopt},
                                "are motion of another character. Choose the clip to replace")
            .withHint({"at", "N"})
            .inFile(name);
    Settings binding = motion.settings;
    const GameBody body = bodyOf(original, std::exchange(binding.rest, {}));
    binding.rig = body.rig;
    binding.resample = body.rate;
    binding.clips = settings.search.clips;
    binding.feetSlide = kMostSlide;
    Context reading = context.with(binding.options);
    core::Asset asset = load(motion.input, motion.companions, reading);
    refuseEmpty(asset, motion.input);
    FinishedAsset bound = applySettings(std::move(asset), binding, motion.input, motion.companions, reading);
    if (std::ranges::any_of(bound.asset.clips, [](const core::Clip& clip) { return clip.travel.isPresent(); }))
        throw core::optionError({"root-motion", "extract"},
                                "the game's skeleton has no ground joint, expected keep, in-place or drop");
    motion::BoundMotion moved{*std::move(bound.asset.skeleton), std::move(bound.asset.clips)};
    bound.asset = {};
    binding::putRestBack(body.standing, moved);
    EncodeSettings placed = settings;
    placed.rest = {};
    placed.search.jointRoot.clear();
    placed.search.clips.clear();
    for (const core::Clip& clip : moved.clips)
        placed.search.clips.push_back(clip.name);
    if (const std::optional<BindReport>& report = bound.report.binding; report && report->feet) {
        core::Diagnostics said;  // reported by the second encoding
        Context trying = context.reporting(said);
        const EncodedAsset tried = encodeAsset(sceneOf(body.standing, moved.clips), name, original, placed, trying);
        settleFeet(tried, original, report->roles->target, moved, trying);
    }
    EncodedAsset result = encodeAsset(sceneOf(body.standing, moved.clips), name, original, placed, context);
    result.binding = std::move(bound.report.binding);
    return result;
}

}  // namespace reanima
