#include "formats/ff9/container_clips.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/memory.h"
#include "core/text.h"
#include "formats/ff9/body.h"
#include "formats/ff9/names.h"

namespace reanima::ff9 {

namespace {

using core::Code;
using core::DecodeError;

/// Decodes the animations of a container one by one.
class Decoder {
  public:
    Decoder(const Contents& contents, core::Diagnostics& diagnostics)
        : contents_(contents), diagnostics_(diagnostics), budget_(contents.limits) {}

    /// Calls use(object, index, animation) for every animation of a model, in the order of the clips.
    template <typename Use>
    void each(const std::vector<LinkedAnimation>& animations, const Use& use) {
        for (const LinkedAnimation& linked : animations)
            orWarn([&] {
                const std::uint32_t bones = contents_.joints.value_or(linked.animation->facts.bones);
                use(linked, decode(*linked.animation->object, bones));
            });
    }

    /// Calls use(object, index, animation) for all animations of the container, on a given skeleton.
    template <typename Use>
    void eachOnSkeleton(const Use& use) {
        std::uint32_t index = 0;
        for (const Object& object : contents_.objects) {
            if (object.type != ObjectType::animation)
                continue;
            const std::uint32_t own = index++;
            if (!object.damaged)
                orWarn([&] { use(object, own, decode(object, bonesOnSkeleton(object))); });
        }
    }

    /// Counts decoded bytes that are kept.
    void keep(std::uint64_t bytes) { budget_.keep(bytes, {"animations", std::nullopt}); }

    /// The error of the first animation that can't be decoded.
    [[nodiscard]] const std::optional<DecodeError>& firstError() const { return firstError_; }

  private:
    [[nodiscard]] Animation decode(const Object& object, std::uint32_t bones) {
        return decodeAnimation(readerOf(object, contents_.file), bones, budget_, diagnostics_);
    }

    [[nodiscard]] std::uint32_t bonesOnSkeleton(const Object& object) const {
        if (contents_.joints)
            return *contents_.joints;
        if (contents_.skeleton)
            return static_cast<std::uint32_t>(contents_.skeleton->bones.size());
        return examineBlock(readerOf(object, contents_.file), std::nullopt).bones;
    }

    template <typename Work>
    void orWarn(const Work& work) {
        try {
            work();
        } catch (const DecodeError& error) {
            if (error.kind() == DecodeError::Kind::limit)
                throw;
            const bool isMismatch = error.kind() == DecodeError::Kind::skeletonMismatch;
            diagnostics_.warn(isMismatch ? Code::skeletonMismatch : Code::damaged, error);
            if (!firstError_)
                firstError_ = error;
        }
    }

    const Contents& contents_;
    core::Diagnostics& diagnostics_;
    core::SampleBudget budget_;
    std::optional<DecodeError> firstError_;
};

/// Makes clips of decoded animations.
class Clips {
  public:
    Clips(const Contents& contents, Decoder& decoder) : contents_(contents), decoder_(decoder) {}

    /// @param linked how the clip and the model are known to belong together
    void add(const Object& object, std::uint32_t index, const Animation& animation, std::size_t joints,
             core::LinkedBy linked) {
        core::Clip& clip = clips_.emplace_back(toClip(animation, names_.unique(fmt::format("anim_{:05}", object.id)),
                                                      joints, contents_.settings, largeSteps_));
        clip.source = contents_.name;
        clip.index = index;
        clip.id = object.id;
        clip.linkedBy = linked;
        decoder_.keep(core::memoryOf(clip));
    }

    /// @throws DecodeError (the first error) if no clip is left
    std::vector<core::Clip> take(core::Diagnostics& diagnostics) {
        if (clips_.empty() && decoder_.firstError())
            throw DecodeError(*decoder_.firstError());
        largeSteps_.report(diagnostics, kStepRemedy);
        return std::move(clips_);
    }

  private:
    const Contents& contents_;
    Decoder& decoder_;
    std::vector<core::Clip> clips_;
    core::UniqueNames names_;
    core::LargeSteps largeSteps_;
};

/// A model with its groups. If the table of groups can't be read, the model has no groups; there was a warning when
/// models were listed.
Model meshOf(const ModelEntry& entry, const Contents& contents, core::Diagnostics& diagnostics) {
    try {
        return decodeModel(readerOf(*entry.object, contents.file), contents.limits, diagnostics);
    } catch (const DecodeError& error) {
        if (error.kind() == DecodeError::Kind::limit)
            throw;
        return {};
    }
}

void addBodyOf(const ModelEntry& entry, const Contents& contents, core::Asset& asset, core::Diagnostics& diagnostics) {
    const Model model = meshOf(entry, contents, diagnostics);
    if (model.groups.empty())
        return;
    const Look look =
        lookInContainer(contents.look, contents.file, contents.objects, *entry.object, contents.limits, diagnostics);
    BodySettings settings{fmt::format("model{}", entry.summary.id), contents.settings.scale, contents.hiddenGroups,
                          contents.lit};
    const std::optional<std::uint32_t> animation = entry.summary.defaultAnimation;
    settings.identity = {{"model", std::uint32_t{entry.object->id}},
                         {"default_animation", animation ? core::Value(*animation) : core::Value(nullptr)}};
    addBody(asset, model, look, settings, contents.limits, diagnostics);
}

core::Asset assetOf(const ModelEntry& model, const Contents& contents, core::Diagnostics& diagnostics) {
    Decoder decoder(contents, diagnostics);
    Clips clips(contents, decoder);
    decoder.each(ContainerModels::animationsOf(model), [&](const LinkedAnimation& linked, const Animation& animation) {
        clips.add(*linked.animation->object, linked.animation->index, animation, model.head.bones.size(), linked.by);
    });
    core::Asset asset;
    asset.clips = clips.take(diagnostics);
    if (contents.namesBy == NamesBy::game) {
        asset.called = model.summary.called;
        nameClips(asset.clips, model.object->id);
    }
    asset.called.number = model.object->id;
    asset.skeleton.emplace(toSkeleton(model.head, contents.settings.scale));
    asset.skeleton->origin = core::Skeleton::Origin::found;
    asset.holdsSkeleton = true;
    if (contents.withMesh)
        addBodyOf(model, contents, asset, diagnostics);
    return asset;
}

/// All animations on the given skeleton or, without one, on placeholder joints.
core::Asset assetOnSkeleton(const Contents& contents, core::Diagnostics& diagnostics) {
    Decoder decoder(contents, diagnostics);
    Clips clips(contents, decoder);
    std::size_t bones = 0;
    decoder.eachOnSkeleton([&](const Object& object, std::uint32_t index, const Animation& animation) {
        const std::size_t joints = contents.skeleton ? contents.skeleton->bones.size() : animation.boneCount();
        bones = std::max(bones, joints);
        clips.add(object, index, animation, joints,
                  contents.skeleton ? core::LinkedBy::given : core::LinkedBy::nothing);
    });
    core::Asset asset;
    asset.clips = clips.take(diagnostics);
    if (asset.clips.empty() && !contents.skeleton) {
        const bool isNothing = std::ranges::none_of(contents.objects, [](const Object& object) {
            return object.type == ObjectType::animation || object.type == ObjectType::model;
        });
        throw DecodeError({}, "contains neither an animation nor a model",
                          isNothing ? DecodeError::Kind::nothing : DecodeError::Kind::malformed);
    }
    const double scale = contents.settings.scale;
    asset.skeleton.emplace(contents.skeleton ? toSkeleton(*contents.skeleton, scale) : madeUpSkeleton(bones, scale));
    if (contents.skeleton && contents.withMesh)
        addBody(asset, *contents.skeleton, contents.skeletonLook,
                {contents.skeletonStem, scale, contents.hiddenGroups, contents.lit}, contents.limits, diagnostics);
    return asset;
}

}  // namespace

std::unique_ptr<const ContainerModels> ownModels(const Contents& contents, core::Diagnostics& diagnostics) {
    if (contents.skeleton)
        return nullptr;
    return std::make_unique<const ContainerModels>(contents.file, contents.objects, contents.joints, contents.enemies,
                                                   diagnostics);
}

std::vector<ModelSummary> modelsOf(const Contents& contents, const ContainerModels* own) {
    if (own == nullptr)
        return {};
    own->refuseDamaged();
    std::vector<ModelSummary> summaries;
    for (const ModelEntry& model : own->models()) {
        summaries.push_back(model.summary);
        if (contents.namesBy == NamesBy::file)
            summaries.back().called = {};
    }
    return summaries;
}

std::vector<ClipElsewhere> clipsElsewhere(const Contents& contents, const ContainerModels* own,
                                          core::Diagnostics& diagnostics) {
    std::vector<ClipElsewhere> clips;
    if (own == nullptr || contents.namesBy == NamesBy::file)
        return clips;
    core::SampleBudget budget(contents.limits);
    for (const auto& [animation, owner] : own->animationsElsewhere()) {
        const std::uint32_t id = animation->object->id;
        try {
            const Block block =
                decodeBlock(readerOf(*animation->object, contents.file), animation->facts.bones, budget, diagnostics);
            ClipElsewhere clip;
            clip.name = shortClipName(animationName(id));
            if (clip.name.empty())
                clip.name = fmt::format("anim_{:05}", id);
            clip.fullName = animationName(id);
            clip.index = animation->index;
            clip.id = id;
            clip.joints = animation->facts.bones;
            clip.frames = block.animation.frameCount;
            clip.seconds = (std::max(clip.frames, 1U) - 1) / contents.settings.rate;
            clip.owner = calledByTable(owner);
            clips.push_back(std::move(clip));
        } catch (const DecodeError& error) {
            if (error.kind() == DecodeError::Kind::limit)
                throw;
        }
    }
    return clips;
}

namespace {

/// Decodes the meshes of models whose heads can be read, and every texture.
void checkLooks(const Contents& contents, const ContainerModels& models, core::Diagnostics& diagnostics) {
    for (const ModelEntry& model : models.models())
        (void)meshOf(model, contents, diagnostics);
    std::set<std::uint64_t> read;  // objects may share bytes
    for (const Object& object : contents.objects)
        if (object.type == ObjectType::texture && !object.damaged && read.insert(object.offset).second)
            try {
                (void)psx::decodeTim(readerOf(object, contents.file), diagnostics);
            } catch (const DecodeError& error) {
                diagnostics.warn(Code::damaged, error);
            }
}

}  // namespace

void checkContents(const Contents& contents, const ContainerModels* own, core::Diagnostics& diagnostics) {
    const auto nothing = [](const auto&...) {};
    Decoder decoder(contents, diagnostics);
    if (own != nullptr)
        checkLooks(contents, *own, diagnostics);
    if (own != nullptr && !own->models().empty())
        decoder.each(own->animationsOfAll(), nothing);
    else
        decoder.eachOnSkeleton(nothing);
}

core::Asset toAsset(const Contents& contents, const ContainerModels* own, std::string_view model,
                    core::Diagnostics& diagnostics) {
    if (own == nullptr)
        return assetOnSkeleton(contents, diagnostics);
    own->refuseDamaged();
    return own->models().empty() ? assetOnSkeleton(contents, diagnostics)
                                 : assetOf(own->modelNamed(model), contents, diagnostics);
}

}  // namespace reanima::ff9
