#include "pipeline/cast.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/body_surface.h"
#include "core/scene_asset.h"
#include "formats/foreign_files.h"
#include "formats/format.h"
#include "formats/load.h"
#include "pipeline/bvh_file.h"
#include "pipeline/character_files.h"
#include "pipeline/joint_roles.h"
#include "pipeline/linked_clips.h"
#include "pipeline/memoria_file.h"
#include "pipeline/named_files.h"

namespace reanima {

namespace {

void requireKind(const Input& input, Kind kind, std::string_view kindName) {
    const Format& found = formatOf(input);
    if (found.kind == kind)
        return;
    std::string next;
    if (kind == Kind::skeleton) {
        const Companions companions = withFoundCompanions(input, {});
        if (const auto own = companions.find(Role::skeleton); own != companions.end())
            next = fmt::format("; its skeleton is {}", own->second.input.shownName());
        else if (found.traits.holdsModels)
            next = "; a .glb made from it can be a rig";
    }
    throw core::DecodeError(fmt::format("is {}, not a {}{}", found.label, kindName, next)).inFile(input.shownName());
}

}  // namespace

Cast::Cast(const NamedPaths& paths, const OpenNamed& open, const TextureFiles& textures, const Format* skeletonFormat)
    : hasSourceSkeleton_(!paths.sourceSkeleton.empty()) {
    const auto add = [&](Role role, Input input, Kind kind, const char* kindName) {
        requireKind(input, kind, kindName);
        companions_.emplace(role, Companion{std::move(input), true});
    };
    if (hasSourceSkeleton_)
        add(Role::skeleton, open(paths.sourceSkeleton, nullptr), Kind::skeleton, "skeleton");
    if (!paths.skeleton.empty()) {
        Input input = open(paths.skeleton, skeletonFormat);
        if (hasSourceSkeleton_ || findFormat(input) == nullptr)
            rig_ = std::move(input);
        else
            add(Role::skeleton, std::move(input), Kind::skeleton, "skeleton");
    }
    if (!paths.events.empty())
        add(Role::events, open(paths.events, nullptr), Kind::events, "file of events");
    if (!paths.materials.empty())
        add(Role::materials, open(paths.materials, nullptr), Kind::materials, "file of materials");
    if (!paths.skin.empty())
        add(Role::skin, open(paths.skin, nullptr), Kind::skin, "skin");
    for (const std::string& path : paths.textures) {
        FoundTextures found = texturesAt(path, textures.files, textures.limits);
        for (Input& texture : found.textures)
            add(Role::textures, std::move(texture), Kind::picture, "texture");
        for (Input& place : found.places)
            companions_.emplace(Role::texturePlace, Companion{std::move(place), true});
    }
}

bool Cast::isOwnGame(const Format& format) const {
    if (hasSourceSkeleton_)
        return true;  // the user's choice; load() rejects a wrong one
    const auto skeleton = companions_.find(Role::skeleton);
    const bool hasSkeleton = format.kind == Kind::animation || format.kind == Kind::skeleton;
    if (skeleton == companions_.end() || !hasSkeleton)
        return true;
    const Format& own = formatOf(skeleton->second.input);
    if (own.game() != format.game())
        return false;
    if (format.kind == Kind::skeleton)
        return own.id == format.id;
    return format.traits.holdsModels || format.needsSkeleton(own);  // a game may use several kinds of skeletons
}

Companions Cast::companionsFor(const Format& format) const {
    Companions companions = companions_;
    if (!isOwnGame(format))
        companions.erase(Role::skeleton);
    return companions;
}

const Input* Cast::rigFor(const Format& format) const {
    if (rig_)
        return &*rig_;
    return isOwnGame(format) ? nullptr : &companions_.find(Role::skeleton)->second.input;
}

namespace {

/// Adds further facts about a game's skeleton to its rig: the motion of its own pack, and its mesh.
/// @param stored the skeleton without a rest pose
void addMotion(const core::Asset& asset, const core::Skeleton& stored, const Input& input, const Companions& companions,
               Context& context, core::Rig& rig) {
    const std::optional<Input> pack = packOfSkeleton(input, companions);
    if (!pack)
        return;
    core::Diagnostics unsaid;  // already reported while reading the rest pose
    Context quiet = context.reporting(unsaid);
    try {
        rig.motion = clipsOn(stored, *pack, {{Role::skeleton, Companion{input, true}}}, quiet);
    } catch (const core::DecodeError&) {
        return;  // the pack belongs to another skeleton
    }
    rig.restsInMotion = true;
    rig.surface = core::surfacePointsOf(asset);
}

}  // namespace

core::Rig withOwnMotion(core::Rig rig, const core::Limits& limits) {
    const auto readMotion = std::exchange(rig.readMotion, {});
    core::Diagnostics unsaid;  // reported when the rig is used
    if (!readMotion || rolesOfRig(rig, {}, {}, unsaid).confidence >= roles::kCertain)
        return rig;
    const auto hasSameName = [](const core::Joint& a, const core::Joint& b) { return a.name == b.name; };
    try {
        core::Asset asset = core::assetOf(readMotion(limits), {}, limits, unsaid);
        if (asset.skeleton && std::ranges::equal(asset.skeleton->joints, rig.skeleton.joints, hasSameName))
            rig.motion = std::move(asset.clips);
    } catch (const core::DecodeError&) {  // NOLINT: a rig needs no motion
    }
    return rig;
}

RigOfFile readRigOf(Input input, const Settings& settings, const RigReader& reader, CharacterFiles& files,
                    core::Diagnostics& diagnostics) {
    const std::string name = input.shownName();
    RigOfFile result;
    if (findFormat(input) != nullptr) {
        requireKind(input, Kind::skeleton, "skeleton");
        const core::Limits limits = settings.limits.holding(input.file.bytes.size());
        const OptionValues options = optionsOf(settings);
        Context context{options, limits, diagnostics, {}};
        Companions companions = withFoundCompanions(input, {});
        addPose(input, files.animationsOf(input), files, companions, context);
        core::Asset asset = load(input, companions, context);
        const core::Skeleton stored = asset.skeleton.value();
        refuseEmpty(asset, input);
        setDefaultRest(asset, input, companions, context);
        result.rig.skeleton = asset.skeleton.value();
        result.leavesOwnMesh = !asset.meshes.empty();
        if (!stored.hasRest)
            addMotion(asset, stored, input, companions, context, result.rig);
        for (const auto& [role, companion] : companions)
            result.beside.push_back(companion.input.file);
    } else if (isBvh(input.file.bytes)) {
        const auto about = diagnostics.about(name);
        core::inFile(name, [&] {
            core::MovingScene moving = readBvh(input.file.bytes, input.file.name, settings.limits, diagnostics);
            core::Rig rig = core::makeRig(moving.scene, diagnostics);
            rig.readMotion = [&moving](const core::Limits&) { return std::move(moving); };
            result.rig = withOwnMotion(std::move(rig), settings.limits);
        });
    } else if (isMemoriaAnimation(input.file.bytes, input.file.name)) {
        const auto about = diagnostics.about(name);
        core::inFile(name, [&] {
            result.rig = core::makeRig(
                readMemoriaAnimation(input.file.bytes, input.file.name, settings.limits, diagnostics).scene,
                diagnostics);
        });
    } else if (reader) {
        input.file.path = name;
        result.rig =
            withOwnMotion(reader(std::move(input.file), input.siblings, settings.limits, diagnostics), settings.limits);
    } else {
        throw core::DecodeError("is not a game's skeleton, and this program can't read other skeletons").inFile(name);
    }
    result.rig.source = name;
    return result;
}

}  // namespace reanima
