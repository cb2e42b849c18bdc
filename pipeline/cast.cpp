#include "pipeline/cast.h"

#include <fmt/format.h>

#include "core/body_surface.h"
#include "formats/foreign_files.h"
#include "formats/format.h"
#include "formats/load.h"
#include "pipeline/bvh_file.h"
#include "pipeline/memoria_file.h"
#include "pipeline/named_files.h"

namespace reanima {

namespace {

void requireKind(const Input& input, Kind kind, std::string_view kindName) {
    const Format& found = formatOf(input);
    if (found.kind != kind)
        throw core::DecodeError(fmt::format("is not a {} but {}", kindName, found.label)).inFile(input.shownName());
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
        return true;  // says the user; load() refuses it if it is not
    const auto skeleton = companions_.find(Role::skeleton);
    const bool hasSkeleton = format.kind == Kind::animation || format.kind == Kind::skeleton;
    return skeleton == companions_.end() || !hasSkeleton || formatOf(skeleton->second.input).game() == format.game();
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

/// What a game's skeleton tells besides its joints: how it moves in its own pack, and where its mesh is.
/// @param stored the skeleton without a rest pose
void addMotion(const core::Asset& asset, const core::Skeleton& stored, const Input& input, const Companions& companions,
               Context& context, core::Rig& rig) {
    const std::optional<Input> pack = packOfSkeleton(input, companions);
    if (!pack)
        return;
    core::Diagnostics unsaid;  // the rest pose was taken from there
    Context quiet = context.reporting(unsaid);
    try {
        rig.motion = clipsOn(stored, *pack, {{Role::skeleton, Companion{input, true}}}, quiet);
    } catch (const core::DecodeError&) {
        return;  // another skeleton's
    }
    rig.restsInMotion = true;
    rig.surface = core::surfacePointsOf(asset);
}

}  // namespace

RigOfFile readRigOf(Input input, const Settings& settings, const RigReader& reader, core::Diagnostics& diagnostics) {
    const std::string name = input.shownName();
    RigOfFile result;
    if (findFormat(input) != nullptr) {
        requireKind(input, Kind::skeleton, "skeleton");
        const core::Limits limits = settings.limits.holding(input.file.bytes.size());
        const OptionValues options = optionsOf(settings);
        Context context{options, limits, diagnostics, {}};
        const Companions companions = withFoundCompanions(input, {});
        core::Asset asset = load(input, companions, context);
        const core::Skeleton stored = asset.skeleton.value();
        refuseEmpty(asset, input);
        setDefaultRest(asset, input, companions, context);
        result.rig.skeleton = asset.skeleton.value();
        if (!stored.hasRest)
            addMotion(asset, stored, input, companions, context, result.rig);
        for (const auto& [role, companion] : companions)
            result.beside.push_back(companion.input.file);
    } else if (isBvh(input.file.bytes)) {
        const auto about = diagnostics.about(name);
        core::inFile(name, [&] {
            result.rig = core::makeRig(readBvh(input.file.bytes, input.file.name, settings.limits, diagnostics).scene,
                                       diagnostics);
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
        result.rig = reader(std::move(input.file), input.siblings, settings.limits, diagnostics);
    } else {
        throw core::DecodeError("is not a skeleton of a game, and this host reads no others").inFile(name);
    }
    result.rig.source = name;
    return result;
}

}  // namespace reanima
