#include "pipeline/pipeline.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "binding/ground.h"
#include "binding/motion/bound_meshes.h"
#include "binding/pelvis.h"
#include "binding/plant_feet.h"
#include "binding/planted_feet.h"
#include "binding/roles/body.h"
#include "binding/roles/body_points.h"
#include "binding/roles/further_bodies.h"
#include "binding/roles/role_matches.h"
#include "binding/standing_rig.h"
#include "binding/t_pose.h"
#include "core/bake.h"
#include "core/body_surface.h"
#include "core/edit.h"
#include "core/memory.h"
#include "core/near_names.h"
#include "core/resample.h"
#include "core/rest_height.h"
#include "core/root_motion.h"
#include "formats/format.h"
#include "formats/load.h"
#include "pipeline/humanoid.h"
#include "pipeline/joint_roles.h"
#include "pipeline/memoria_body.h"
#include "pipeline/memoria_file.h"
#include "pipeline/mirrored_body.h"
#include "pipeline/rest_pose.h"

namespace reanima {

std::string ClipsReduction::toLine() const {
    const std::string place =
        worstJoint.empty() ? "" : fmt::format(" ({} of {} at {:.3g} s)", worstJoint, worstClip, where.time);
    return fmt::format("{} of {} keys kept; joints are off by at most {:.3g} mm{}, on average by {:.3g} mm", keysAfter,
                       keysBefore, worst * 1000, place, mean * 1000);
}

namespace {

/// The requested pose of the source. Empty: the source is turned to the rig's rest pose.
std::optional<RestPose> restOf(const core::Asset& asset, const Settings& settings) {
    if (!settings.rig)
        return settings.rest;
    using Source = RestPose::Source;
    const RestPose& wanted = settings.sourceRest.source != Source::standard ? settings.sourceRest : settings.mapRest;
    const bool isStored = asset.skeleton && asset.skeleton->hasRest;
    const motion::BindMode mode = settings.mode.value_or(settings.map.mode.value_or(motion::BindMode::world));
    const bool isMatched = wanted.source == Source::match ||
                           (wanted.source == Source::standard && (mode == motion::BindMode::world || !isStored));
    return isMatched ? std::nullopt : std::optional(wanted);
}

/// `; there are idle, walk and 3 more`
std::string allOf(const std::vector<std::string>& names) {
    constexpr std::size_t kMostShown = 8;
    const std::size_t shown = std::min(names.size(), kMostShown);
    if (shown == 0)
        return "; it has no clips";
    const std::string more = names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "";
    return fmt::format("; there {} {}{}", names.size() == 1 ? "is" : "are",
                       fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "), more);
}

void selectClips(core::Asset& asset, const Settings& settings, core::Diagnostics& diagnostics) {
    if (settings.clips.empty())
        return;
    std::vector<std::string> names;
    for (const core::Clip& clip : asset.clips)
        names.push_back(clip.name);
    const auto questionFor = [&names](const std::string& selection) {
        core::NearestName nearest(selection);
        for (const std::string& name : names)
            nearest.offer(name);
        const std::string question = nearest.question();
        return question.empty() ? allOf(names) : question;
    };
    const std::vector<std::string> unmatched = keepClips(asset, settings.clips);
    if (asset.clips.empty())
        throw core::DecodeError(fmt::format("no clip matches{}", questionFor(settings.clips.front())))
            .withHint({"clip", fmt::format("{}", fmt::join(settings.clips, ","))});
    for (const std::string& selection : unmatched)
        diagnostics.warn(core::Code::ignored, {},
                         fmt::format("no clip matches {}{}", selection, questionFor(selection)), {"clip", selection});
}

std::vector<std::string> jointNames(const core::Asset& asset) {
    std::vector<std::string> names;
    if (asset.skeleton)
        for (const core::Joint& joint : asset.skeleton->joints)
            names.push_back(joint.name);
    return names;
}

void scaleLengths(core::Skeleton& skeleton, float factor) {
    for (core::Joint& joint : skeleton.joints) {
        joint.rest.translation *= factor;
        if (joint.end)
            *joint.end *= factor;
    }
}

/// Facts about a body from all its clips, not only the selected ones.
struct BodyFacts {
    std::optional<roles::Anatomy> roles{};
    std::vector<core::Pose> poses{};
    core::BodySurface surface{};
    bool hasOwnRest = false;  ///< the stored rest pose is a standing pose

    [[nodiscard]] bool isCertain() const { return roles && roles->confidence >= roles::kCertain; }
};

/// An asset in its rest pose, with its final names, before the selection of clips.
struct NamedAsset {
    core::Asset asset;
    std::shared_ptr<const core::Rig> rig{};  ///< null: clips stay on their own joints
    std::vector<std::uint32_t> mirrored{};   ///< joints of the rig that had a scale of -1
    bool takesRigsRest = true;               ///< the source is turned to the rig's rest pose
    bool isRestStored = false;               ///< the file contains a rest pose
    JointMap map{};                          ///< with the current joint names
    PipelineReport report{};
    BodyFacts facts{};
};

/// The file and the number of each clip. The key is the name or number that selects the clip.
using NumberedClips = std::map<std::string, std::pair<std::string, std::uint32_t>>;

/// The selected clips on the joints of the output.
struct BoundAsset {
    FinishedAsset made;
    NumberedClips numbered{};  ///< clips for loop keys
    core::RootJoints roots{};  ///< joints for root motion
};

/// The facts that the settings need. If a rig or a humanoid follows the asset's hips, the hips are rotated with the
/// pelvis, unless meshes would show this rotation.
BodyFacts factsOf(NamedAsset& named, const Settings& settings, const core::Limits& limits) {
    core::Asset& asset = named.asset;
    BodyFacts facts;
    if (!asset.skeleton || (!named.rig && settings.body == Settings::Body::asset))
        return facts;
    core::Skeleton& skeleton = *asset.skeleton;
    facts.surface = core::surfaceOf(asset);
    facts.roles = rolesOfSource(asset, settings.names, named.map);
    if (!facts.roles)
        return facts;
    facts.poses = roles::sampledPoses(skeleton, asset.clips);
    facts.hasOwnRest = named.isRestStored && roles::standingTurn(skeleton, *facts.roles) &&
                       !roles::restsInMotion(skeleton, facts.poses, *facts.roles);
    const std::optional<double> ankleHeight = ankleHeightOf(skeleton);
    if (ankleHeight && !facts.surface.isKnown())
        facts.surface = binding::surfaceOfJoints({skeleton, *facts.roles, facts.surface}, ankleHeight);
    const bool follows = named.rig ? !roles::hasOwnJoints(skeleton, asset.clips, named.rig->skeleton)
                                   : settings.body == Settings::Body::humanoid;
    if (facts.isCertain() && named.takesRigsRest && asset.meshes.empty() && follows &&
        binding::turnHipsAsPelvis(skeleton, asset.clips, *facts.roles, facts.poses, limits))
        facts.poses = roles::sampledPoses(skeleton, asset.clips);
    return facts;
}

/// A rig, and the binding of the source's clips to it.
struct RigPlan {
    core::Skeleton rig;  ///< the rig that clips are bound to
    BindSettings settings;
    BindPlan plan;
    std::optional<core::Skeleton> ownRest{};  ///< the rig in its file's rest pose, if that differs

    /// True if the roles are known, and the rig's rest pose is a standing pose.
    [[nodiscard]] bool stands() const {
        return plan.report.roles && plan.report.roles->source.jointOf(roles::Part::hips) &&
               plan.report.roles->target.jointOf(roles::Part::hips) && settings.mode == motion::BindMode::world &&
               settings.matchRest;
    }
};

/// Puts a game's skeleton into its T-pose if its rest pose is a frame of its motion. Does nothing if joints are bound
/// by names or by the rest poses.
/// @return joints that keep their offset from other joints
std::vector<motion::IkTarget> standRig(const core::Asset& asset, const core::Rig& rig, RigPlan& onRig) {
    const BindSettings& binding = onRig.settings;
    const auto hips = binding.targetRoles ? binding.targetRoles->jointOf(roles::Part::hips) : std::nullopt;
    if (!rig.restsInMotion && !rig.motion.empty() && hips && binding.mode == motion::BindMode::world)
        return binding::carriedJoints(rig.skeleton, rig.motion, *hips);
    if (!rig.restsInMotion || !binding.targetRoles || !binding.map.joints.empty() || !binding.matchRest ||
        binding.mode != motion::BindMode::world || roles::hasOwnJoints(*asset.skeleton, asset.clips, rig.skeleton))
        return {};
    const std::vector<core::Pose> poses = roles::sampledPoses(rig.skeleton, rig.motion);
    std::optional<binding::StandingRig> standing =
        binding::standingRig({onRig.rig, rig.motion, *binding.targetRoles, poses, binding.targetSurface, false});
    if (!standing)
        return {};
    onRig.ownRest = std::move(onRig.rig);
    onRig.rig = std::move(standing->skeleton);
    return std::move(standing->carried);
}

RigPlan planOnRig(const NamedAsset& named, const Settings& settings, Context& context) {
    const core::Asset& asset = named.asset;
    const core::Rig& rig = *named.rig;
    if (!asset.skeleton)
        throw core::DecodeError("has no joints, so it can't be bound to a skeleton");
    RigPlan result{rig.skeleton, {}, {}, {}};
    BindSettings& binding = result.settings;
    binding.map = named.map;
    for (const auto& [joint, role] : settings.names.roles)
        binding.map.roles.emplace(joint, role);
    binding.matchRest = named.takesRigsRest;
    binding.mode = settings.mode.value_or(settings.map.mode.value_or(motion::BindMode::world));
    binding.grip = settings.grip;
    binding.scale = settings.rootScale ? settings.rootScale : settings.map.scale;
    binding.targetFile = rig.source;
    if (settings.rigScale)
        scaleLengths(result.rig, static_cast<float>(*settings.rigScale));
    binding.poses = named.facts.poses;
    binding.hasOwnRest = named.facts.hasOwnRest;
    binding.sourceSurface = named.facts.surface;
    binding.targetSurface = core::surfaceOf(rig, settings.rigScale.value_or(1));
    binding.sourceRoles = named.facts.roles;
    if (binding.sourceRoles) {
        for (const roles::FurtherBody& body : roles::furtherBodies(*asset.skeleton, *binding.sourceRoles))
            context.diagnostics.warn(core::Code::ignored, {},
                                     fmt::format("{} with {} joints looks like another character, so its motion is "
                                                 "left out",
                                                 body.top, body.joints),
                                     {"joint-root", body.top});
        binding.targetRoles = rolesOfRig(rig, settings.names, binding.map, context.diagnostics);
    }
    const std::vector<motion::IkTarget> carried = standRig(asset, rig, result);
    result.plan = planBinding(*asset.skeleton, asset.clips, result.rig, binding, context.diagnostics);
    std::vector<motion::IkTarget>& beside = result.plan.binding.ikTargets;
    for (const motion::IkTarget& each : carried)
        if (std::ranges::find(result.plan.binding.links, each.joint, &motion::JointLink::target) ==
            result.plan.binding.links.end())
            beside.push_back(each);
    return result;
}

/// @param shown the joints of the result: the body's, followed by added ones
/// @param clips the body's clips
StandingPose standingOf(const core::Skeleton& shown, const core::Skeleton& body, const std::vector<core::Clip>& clips,
                        const BodyFacts& facts) {
    StandingPose standing{core::restPose(shown), {}};
    if (!facts.isCertain())
        return standing;
    standing.hips = facts.roles->jointOf(roles::Part::hips);
    if (const std::optional<core::Pose> pose =
            binding::tPoseOf({body, clips, *facts.roles, facts.poses, facts.surface, facts.hasOwnRest}))
        std::ranges::copy(*pose, standing.pose.begin());
    return standing;
}

/// @param facts describe the asset's body
core::RootJoints makeHumanoid(core::Asset& asset, const BodyFacts& facts, Context& context) {
    if (!asset.skeleton)
        throw core::DecodeError("has no joints, but humanoid motion needs joints");
    const core::Skeleton skeleton = *asset.skeleton;
    roles::Anatomy roles = facts.roles.value_or(roles::Anatomy{});
    roles.roles.resize(skeleton.joints.size());  // joints added to a rig are not part of the body
    return putOnHumanoid(asset, {skeleton, asset.clips, roles, facts.poses, facts.surface, facts.hasOwnRest},
                         context.limits, context.diagnostics);
}

/// @param most the largest allowed distance, relative to the height
void warnOfFloor(const binding::OffGround& floor, double most, core::Diagnostics& diagnostics) {
    if (std::max(floor.floats, floor.sinks) > most * floor.height)
        diagnostics.warn(
            core::Code::offGround, {},
            fmt::format("while standing, the feet are up to {:.0f} mm above and {:.0f} mm below the ground",
                        floor.floats * 1000, floor.sinks * 1000));
}

/// The standing feet of clips on a rig, if they can be detected.
class StandingFeet {
  public:
    /// @param ground null: no meshes are known
    StandingFeet(const core::Asset& asset, const RigPlan& onRig, const binding::Ground* ground, const Context& context)
        : asset_(asset), onRig_(onRig), ground_(ground), context_(context) {}

    [[nodiscard]] std::optional<binding::PlantedFeet> look(const motion::BoundMotion& bound) const {
        return roles() ? binding::plantedFeet(*asset_.skeleton, roles()->source, asset_.clips, bound, roles()->target,
                                              onRig_.plan.binding.scale)
                       : std::nullopt;
    }

    /// @param window see binding::plantFeet()
    /// @param held memory in use by other data
    /// @return the number of bent legs
    std::size_t plant(motion::BoundMotion& bound, std::optional<double> window = {}, std::uint64_t held = 0) const {
        if (!roles() || onRig_.settings.mode != motion::BindMode::world)
            return 0;
        return binding::plantFeet({*asset_.skeleton, roles()->source, roles()->target, onRig_.plan.binding, ground_},
                                  asset_.clips, bound, context_.limits.holding(core::memoryOf(asset_) + held), window);
    }

    /// Reduces foot sliding to a limit. Uses the smallest offsets that reach the limit; if none do, the best found.
    /// Does nothing if the tables would exceed the memory limit.
    /// @param cameSlide speed before the reduction
    /// @param most limit, relative to the source's speed
    void slow(motion::BoundMotion& bound, double cameSlide, double most) const {
        const std::vector<core::Clip> asTheyCome = bound.clips;
        std::uint64_t held = 0;
        for (const core::Clip& clip : asTheyCome)
            held += 2 * core::memoryOf(clip);
        std::vector<core::Clip> best = asTheyCome;
        double slowest = cameSlide;
        for (const double window : {0.5, 1.0, 2.0, 4.0}) {
            refuseIfCancelled(context_.cancelled);
            bound.clips = asTheyCome;
            try {
                if (plant(bound, window, held) == 0)
                    break;
            } catch (const core::DecodeError& error) {
                if (error.kind() != core::DecodeError::Kind::limit)
                    throw;
                break;
            }
            const std::optional<binding::PlantedFeet> feet = look(bound);
            if (!feet || feet->slide >= slowest)
                continue;
            slowest = feet->slide;
            best = bound.clips;
            if (feet->slide <= most * feet->sourceSlide)
                break;
        }
        bound.clips = std::move(best);
    }

  private:
    [[nodiscard]] const std::optional<roles::LinkedRoles>& roles() const { return onRig_.plan.report.roles; }

    const core::Asset& asset_;
    const RigPlan& onRig_;
    const binding::Ground* ground_;
    const Context& context_;
};

/// Measures standing feet. If requested, first plants them or reduces their sliding.
/// @param ground null: no meshes are known
std::optional<binding::PlantedFeet> feetOf(const core::Asset& asset, const Settings& settings, const RigPlan& onRig,
                                           const binding::Ground* ground, motion::BoundMotion& bound,
                                           const Context& context) {
    const StandingFeet standing(asset, onRig, ground, context);
    std::optional<binding::PlantedFeet> feet = standing.look(bound);
    constexpr double kSeen = 0.001;  // metres per second
    const bool isTooFast = feet && settings.feetSlide && feet->slide > *settings.feetSlide * feet->sourceSlide &&
                           feet->slide > feet->sourceSlide + kSeen;
    if (!settings.plantFeet && !isTooFast)
        return feet;
    if (!settings.plantFeet)
        standing.slow(bound, feet->slide, *settings.feetSlide);
    else if (standing.plant(bound) == 0) {
        context.diagnostics.warn(core::Code::ignored, {"plant-feet", {}},
                                 "feet are not planted, because no leg is known from hip to ankle on both skeletons");
        return feet;
    }
    if (!feet)
        return feet;
    const binding::PlantedFeet::Before before{feet->slide, feet->sink};
    feet = standing.look(bound);
    if (settings.plantFeet || feet->slide < before.slide)
        feet->before = before;
    constexpr double kHelps = 0.75;   // a success: at most this share of the previous sliding is left
    constexpr double kSlides = 0.03;  // metres per second above the source's sliding
    if (settings.plantFeet && feet->slide > kHelps * before.slide && feet->slide > feet->sourceSlide + kSlides)
        context.diagnostics.warn(core::Code::ignored, {"plant-feet", {}},
                                 fmt::format("has little effect: standing feet still slide at {:.0f} mm/s ({:.0f} "
                                             "before). A larger correction would move the character off the ground",
                                             feet->slide * 1000, before.slide * 1000));
    return feet;
}

/// The surface of meshes on a bound skeleton, to put the skeleton on the ground.
/// @param joints number of the rig's joints, without added ones
core::BodySurface surfaceOfMeshes(std::vector<core::Mesh>& meshes, const core::Skeleton& bound, std::size_t joints) {
    core::Asset dressed;
    dressed.skeleton.emplace(bound);
    dressed.meshes = std::move(meshes);
    core::BodySurface surface = core::surfaceOf(dressed);
    surface.points.resize(joints);
    meshes = std::move(dressed.meshes);
    return surface;
}

/// Binds the clips of an asset to the rig's skeleton.
std::pair<core::Asset, BindReport> bindToRig(core::Asset asset, const Settings& settings, const RigPlan& onRig,
                                             const Context& context) {
    const core::Skeleton& source = *asset.skeleton;
    const core::Skeleton& rig = onRig.rig;
    const BindPlan& plan = onRig.plan;
    motion::BoundMotion bound =
        motion::bindClips(source, asset.clips, rig, plan.binding, context.limits.holding(core::memoryOf(asset)));
    refuseIfCancelled(context.cancelled);
    for (core::Clip& clip : bound.clips)
        roles::closeFingers(plan.grip, clip);
    BindReport report = plan.report;
    std::vector<core::Mesh> meshes;
    std::optional<core::BodySurface> ofMeshes;
    if (settings.withMesh) {
        meshes = motion::bindMeshes(asset, rig, plan.binding);
        ofMeshes = surfaceOfMeshes(meshes, bound.skeleton, rig.joints.size());
        if (meshes.empty())
            context.diagnostics.warn(core::Code::ignored, {"with-mesh", {}}, "the source has no mesh");
    }
    std::optional<binding::Ground> ground;
    if (onRig.stands()) {
        const BindSettings& bodies = onRig.settings;
        ground.emplace(binding::GroundBody{source, report.roles->source, bodies.sourceSurface, bodies.hasOwnRest},
                       bodies.poses,
                       binding::GroundBody{rig, report.roles->target, ofMeshes ? *ofMeshes : bodies.targetSurface},
                       plan.binding.scale);
        if (ground->knowsMeshes())
            for (std::size_t i = 0; i < bound.clips.size(); ++i) {
                refuseIfCancelled(context.cancelled);
                ground->stand(asset.clips[i], bound.skeleton, bound.clips[i]);
            }
    }
    refuseIfCancelled(context.cancelled);
    report.feet = feetOf(asset, settings, onRig, ground ? &*ground : nullptr, bound, context);
    if (ground) {
        report.floor = ground->offGround(asset.clips, bound.skeleton, bound.clips);
        // Without meshes the soles are unknown, so a larger distance (kUnsure) is accepted.
        constexpr double kSeen = 0.02;  // relative to the height
        constexpr double kUnsure = 0.06;
        warnOfFloor(*report.floor, ground->knowsMeshes() ? kSeen : kUnsure, context.diagnostics);
    }
    if (onRig.ownRest && settings.body != Settings::Body::humanoid)
        binding::putRestBack(*onRig.ownRest, bound);
    for (core::Mesh& mesh : meshes)
        if (mesh.name == rig.name)
            mesh.name += "_mesh";
    core::Asset result{std::move(bound.skeleton), std::move(bound.clips), std::move(meshes)};
    if (!result.meshes.empty()) {
        result.materials = std::move(asset.materials);
        result.images = std::move(asset.images);
        result.character = std::move(asset.character);
    }
    return {std::move(result), std::move(report)};
}

ClipsReduction reduceAll(core::Asset& asset, double millimetres, std::size_t bytesOfRotation) {
    const core::Skeleton& skeleton = *asset.skeleton;
    const std::vector<core::Reduction> reductions =
        core::reduceWhereSmaller(skeleton, asset.clips, millimetres / 1000, bytesOfRotation);
    ClipsReduction total;
    double frames = 0;
    for (std::size_t i = 0; i < reductions.size(); ++i) {
        const core::Clip& clip = asset.clips[i];
        const core::Reduction& reduction = reductions[i];
        total.keysBefore += reduction.keysBefore;
        total.keysAfter += reduction.keysAfter;
        if (reduction.worst > total.worst) {
            total.worst = reduction.worst;
            total.where = reduction.where;
            total.worstClip = clip.name;
            total.worstJoint = skeleton.joints[reduction.where.joint].name;
        }
        total.mean += reduction.mean * clip.frames;
        frames += clip.frames;
    }
    total.mean /= std::max(frames, 1.0);
    return total;
}

/// @return the reduction of keys, if requested
std::optional<ClipsReduction> changeMotion(core::Asset& asset, const core::RootJoints& roots, const Settings& settings,
                                           const core::Limits& limits) {
    if (!asset.skeleton || asset.clips.empty())
        return {};
    if (settings.resample)
        core::resample(asset.clips, *settings.resample, limits);
    const core::RootMotion root =
        settings.rootMotion.value_or(settings.map.rootMotion.value_or(core::RootMotion::keep));
    for (core::Clip& clip : asset.clips)
        core::applyRootMotion(*asset.skeleton, clip, root, roots);
    if (!settings.reduce)
        return {};
    constexpr std::size_t kCompactRotation = 4 * sizeof(std::int16_t);
    return reduceAll(asset, *settings.reduce, settings.compact ? kCompactRotation : sizeof(glm::quat));
}

void finishKeys(core::Asset& asset, const Settings& settings, const NumberedClips& numbered) {
    std::set<const core::Clip*> looped;
    for (const std::string& selection : settings.loopKeyOn) {
        const core::Clip* clip = clipNamed(asset, selection);
        if (const auto known = numbered.find(selection); known != numbered.end()) {
            const auto found = std::ranges::find_if(asset.clips, [&known](const core::Clip& each) {
                return std::pair(each.source, each.index) == known->second;
            });
            clip = found == asset.clips.end() ? nullptr : &*found;
        }
        if (clip == nullptr)
            throw core::optionError({"loop-key", selection}, "there is no such clip");
        looped.insert(clip);
    }
    for (core::Clip& clip : asset.clips) {
        if (settings.loopKeyOnAll || looped.contains(&clip))
            core::addLoopKey(clip);
        core::setInterpolation(clip, settings.interpolation);
    }
}

/// Notes that a character in another program's file may have the wrong size: captures may be in inches, for example.
void noteSizeOfPerson(double height, core::Diagnostics& diagnostics) {
    constexpr double kTallest = 4;
    constexpr double kSmallest = 0.3;
    constexpr double kUsual = 1.7;
    if (height > kTallest || (height > 0 && height < kSmallest))
        diagnostics.note(core::Code::implausibleSize, {},
                         fmt::format("the rest pose is {:.4g} m high, so lengths may be in another unit", height),
                         {"scale", fmt::format("{:.2g}", kUsual / height)});
}

/// Warns about a skeleton whose size suggests another unit of length.
/// @param input the source of the asset
/// @return metres: the height of its mesh at rest; without a mesh, the height of its joints
double heightOf(const core::Asset& asset, const Settings& settings, const Input& input,
                core::Diagnostics& diagnostics) {
    constexpr double kTallest = 50;
    constexpr double kSmallest = 0.05;
    if (!asset.skeleton)
        return asset.meshes.empty() ? 1 : core::RestBaker(asset).height();
    const core::Skeleton& skeleton = *asset.skeleton;
    double height = core::verticalExtent(skeleton, core::restPose(skeleton)).height();
    if (height < kSmallest && !asset.meshes.empty())  // a location, or an object with one joint
        height = std::max(height, core::RestBaker(asset).height());
    if (skeleton.origin != core::Skeleton::Origin::madeUp && (height > kTallest || height < kSmallest))
        diagnostics.warn(core::Code::implausibleSize, {}, fmt::format("the rest pose is {:.4g} m high", height),
                         height > 0 ? core::OptionHint{settings.rig ? "rig-scale" : "scale"} : core::OptionHint{});
    else if (input.readMotion && !settings.rig)  // from another program
        noteSizeOfPerson(height, diagnostics);
    return asset.meshes.empty() ? height : core::restHeight(core::surfaceOf(asset), skeleton).value_or(height);
}

/// Sets the asset's names and rest pose. Clips without a rest pose use their own model's. A scale of -1 above a body is
/// moved into the positions of its joints, on both sides of a binding.
NamedAsset nameAsset(core::Asset asset, const Settings& settings, const Input& input, const Companions& companions,
                     Context& context) {
    const std::optional<RestPose> rest = restOf(asset, settings);
    const bool isRestStored = asset.skeleton && asset.skeleton->hasRest;
    const core::Limits besideAsset = context.limits.holding(core::memoryOf(asset));
    Context resting{context.options, besideAsset, context.diagnostics, context.cancelled};
    setRestPose(asset, rest.value_or(RestPose{}), input, companions, resting);
    if (settings.rig && formatOf(input).id == kMemoriaFormat)
        restAsModel(settings.rig->skeleton, asset);
    if ((settings.rig || settings.body == Settings::Body::humanoid) && asset.skeleton && asset.meshes.empty())
        turnInsideOut(mirroredJoints(*asset.skeleton), *asset.skeleton, asset.clips);
    NamedAsset named{std::move(asset), settings.rig, {}, !rest, isRestStored, settings.map};
    const std::vector<std::string> ownNames = jointNames(named.asset);
    named.report.unusedNames = applyNames(named.asset, settings.names, context.diagnostics);
    if (settings.rig && named.asset.skeleton)
        named.map = withCurrentNames(settings.map, *named.asset.skeleton, ownNames, settings.rig->skeleton);
    if (settings.rig)
        named.mirrored = mirroredJoints(settings.rig->skeleton);
    if (!named.mirrored.empty()) {
        core::Rig rig = *settings.rig;
        turnInsideOut(named.mirrored, rig.skeleton, rig.motion);
        named.rig = std::make_shared<const core::Rig>(std::move(rig));
    }
    named.facts = factsOf(named, settings, besideAsset);
    return named;
}

/// Leaves out clips that are not selected, and names the others by the template.
/// @return the clips for loop keys, by their numbers before the selection
NumberedClips selectAndName(core::Asset& asset, const Settings& settings, core::Diagnostics& diagnostics) {
    NumberedClips numbered;
    for (const std::string& selection : settings.loopKeyOn)
        if (const core::Clip* clip = clipNamed(asset, selection); clip != nullptr && clip->name != selection)
            numbered.emplace(selection, std::pair(clip->source, clip->index));
    selectClips(asset, settings, diagnostics);
    if (!settings.nameTemplate.empty())
        applyTemplate(asset, settings.nameTemplate, diagnostics);
    return numbered;
}

BoundAsset keepOnItself(NamedAsset named, const Settings& settings, Context& context) {
    core::Asset& asset = named.asset;
    std::optional<StandingPose> standing;
    if (settings.body == Settings::Body::tPose && asset.skeleton)
        standing = standingOf(*asset.skeleton, *asset.skeleton, asset.clips, named.facts);
    if (standing && settings.rest.source != RestPose::Source::standard)
        standing->pose = core::restPose(*asset.skeleton);
    NumberedClips numbered = selectAndName(asset, settings, context.diagnostics);
    core::RootJoints roots;
    if (settings.body == Settings::Body::humanoid)
        roots = makeHumanoid(asset, named.facts, context);
    return {{std::move(asset), std::move(named.report), std::move(standing)}, std::move(numbered), roots};
}

BoundAsset putOnRig(NamedAsset named, const Settings& settings, Context& context) {
    refuseIfCancelled(context.cancelled);
    const RigPlan plan = planOnRig(named, settings, context);
    refuseIfCancelled(context.cancelled);
    NumberedClips numbered = selectAndName(named.asset, settings, context.diagnostics);
    auto [asset, report] = bindToRig(std::move(named.asset), settings, plan, context);
    named.report.binding = std::move(report);
    turnInsideOut(named.mirrored, *asset.skeleton, asset.clips);
    core::RootJoints roots = plan.plan.binding.roots;
    std::optional<StandingPose> standing;
    core::Diagnostics unsaid;  // already reported by planning
    if (settings.body != Settings::Body::asset) {
        BodyFacts facts{.roles = rolesOfRig(*named.rig, settings.names, plan.settings.map, unsaid), .hasOwnRest = true};
        if (settings.body == Settings::Body::humanoid)
            roots = makeHumanoid(asset, facts, context);
        else
            standing = standingOf(*asset.skeleton, plan.rig, {}, {facts.roles, {}, plan.settings.targetSurface, true});
    }
    return {{std::move(asset), std::move(named.report), std::move(standing)}, std::move(numbered), roots};
}

FinishedAsset finish(BoundAsset bound, const Settings& settings, const Input& input, Context& context) {
    FinishedAsset made = std::move(bound.made);
    refuseIfCancelled(context.cancelled);
    made.report.reduction = changeMotion(made.asset, bound.roots, settings, context.limits);
    finishKeys(made.asset, settings, bound.numbered);
    if (settings.endJoints && made.asset.skeleton)
        core::addEndJoints(*made.asset.skeleton);
    if (made.standing)  // added joints are at rest
        made.standing->pose.resize(made.asset.skeleton->joints.size());
    made.report.height = heightOf(made.asset, settings, input, context.diagnostics);
    return made;
}

}  // namespace

FinishedAsset applySettings(core::Asset asset, const Settings& all, const Input& input, const Companions& companions,
                            Context& context) {
    Settings settings = all;
    settings.names = namesFor(all.names, input.shownName(), asset.model);
    if (all.rig && all.rig->readMotion)
        settings.rig = std::make_shared<const core::Rig>(withOwnMotion(*all.rig, context.limits));
    const auto about = context.diagnostics.about(input.shownName());
    try {
        refuseWrongSettings(settings);
        NamedAsset named = nameAsset(std::move(asset), settings, input, companions, context);
        return finish(settings.rig ? putOnRig(std::move(named), settings, context)
                                   : keepOnItself(std::move(named), settings, context),
                      settings, input, context);
    } catch (const core::DecodeError& error) {
        if (error.kind() == core::DecodeError::Kind::option)
            throw;
        throw error.inFile(input.shownName());
    }
}

}  // namespace reanima
