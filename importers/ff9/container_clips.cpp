#include "importers/ff9/container_clips.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/text.h"
#include "importers/format.h"

namespace reanima::ff9 {

namespace {

using core::Code;
using core::DecodeError;

struct ModelObject {
    const Object* object = nullptr;  // null: not from the container
    Model model;
};

/// Decodes the models of a container at once and its animations one by one.
class Decoder {
  public:
    Decoder(const Contents& contents, core::Diagnostics& diagnostics)
        : contents_(contents), diagnostics_(diagnostics), budget_(contents.limits) {
        if (contents.model) {
            models_.push_back({nullptr, *contents.model});
            return;
        }
        for (const Object& object : contents.objects)
            if (object.type == ObjectType::model && !object.damaged)
                orWarn([&] { models_.push_back({&object, decodeModel(readerOf(object, contents.file))}); });
    }

    [[nodiscard]] const std::vector<ModelObject>& models() const { return models_; }
    /// Why the first animation that can't be decoded can't be.
    [[nodiscard]] const std::optional<DecodeError>& firstError() const { return firstError_; }

    /// Calls use(object, index, animation, model) for every animation that can be decoded; the model may be null. The
    /// index counts all animations.
    template <typename Use>
    void eachAnimation(const Use& use) {
        std::uint32_t index = 0;
        for (const Object& object : contents_.objects) {
            if (object.type != ObjectType::animation)
                continue;
            if (!object.damaged)
                orWarn([&] {
                    const core::LittleEndianReader block = readerOf(object, contents_.file);
                    const ModelObject* model = modelFor(object);
                    use(object, index, decodeAnimation(block, bonesOf(model), budget_, diagnostics_), model);
                });
            ++index;
        }
    }

  private:
    [[nodiscard]] const ModelObject* modelFor(const Object& animation) const {
        const auto isNear = [&](const ModelObject& m) { return m.object && m.object->database == animation.database; };
        const bool anyNear = std::any_of(models_.begin(), models_.end(), isNear);
        const std::optional<std::uint32_t> bones = boneCountOf(readerOf(animation, contents_.file).rest());
        const ModelObject* first = nullptr;
        for (const ModelObject& model : models_) {
            if (anyNear && !isNear(model))
                continue;
            if (bones == model.model.bones.size())
                return &model;
            if (first == nullptr)
                first = &model;
        }
        return first;
    }

    [[nodiscard]] std::optional<std::uint32_t> bonesOf(const ModelObject* model) const {
        if (contents_.joints || model == nullptr)
            return contents_.joints;
        return static_cast<std::uint32_t>(model->model.bones.size());
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
    std::vector<ModelObject> models_;
    std::optional<DecodeError> firstError_;
};

}  // namespace

void checkContents(const Contents& contents, core::Diagnostics& diagnostics) {
    Decoder(contents, diagnostics).eachAnimation([](const auto&...) {});
}

core::Asset toAsset(const Contents& contents, core::Diagnostics& diagnostics) {
    Decoder decoder(contents, diagnostics);
    const ModelObject* model = nullptr;
    std::size_t bones = 0;
    core::Asset asset;
    core::LargeSteps largeSteps;
    core::UniqueNames names;
    decoder.eachAnimation(
        [&](const Object& object, std::uint32_t index, const Animation& animation, const ModelObject* own) {
            if (asset.clips.empty())
                model = own;
            if (own != model) {
                diagnostics.warn(Code::ignored, {object.name, object.offset},
                                 fmt::format("moves {}, other animations {}: it is left out",
                                             own != nullptr ? own->object->name : "no model",
                                             model != nullptr ? model->object->name : "none"));
                return;
            }
            const std::size_t joints = model != nullptr ? model->model.bones.size() : animation.boneCount();
            bones = std::max(bones, joints);
            core::Clip& clip = asset.clips.emplace_back(toClip(
                animation, names.unique(fmt::format("anim_{:05}", object.id)), joints, contents.settings, largeSteps));
            clip.source = contents.name;
            clip.index = index;
            clip.id = object.id;
        });
    if (asset.clips.empty() && decoder.firstError())
        throw DecodeError(*decoder.firstError());
    if (model == nullptr && asset.clips.empty() && !decoder.models().empty())
        model = &decoder.models().front();
    if (model == nullptr && asset.clips.empty())
        throw DecodeError("holds neither an animation nor a model");
    core::Skeleton& skeleton =
        asset.skeletons.emplace_back(model != nullptr ? toSkeleton(model->model, contents.settings.scale)
                                                      : madeUpSkeleton(bones, contents.settings.scale));
    if (model != nullptr && model->object != nullptr) {
        skeleton.name = std::string(stemOf(contents.name));
        skeleton.origin = core::Skeleton::Origin::found;
        asset.holdsSkeleton = true;
    }
    largeSteps.report(diagnostics, kStepRemedy);
    return asset;
}

}  // namespace reanima::ff9
