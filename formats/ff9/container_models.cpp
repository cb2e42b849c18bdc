#include "formats/ff9/container_models.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "formats/ff9/materials.h"
#include "formats/ff9/model.h"

namespace reanima::ff9 {

namespace {

using core::Code;
using core::DecodeError;

}  // namespace

ContainerModels::ContainerModels(core::Bytes file, std::span<const Object> objects, std::optional<std::uint32_t> joints,
                                 core::Diagnostics& diagnostics)
    : file_(file), objects_(objects), diagnostics_(diagnostics) {
    readModels();
    if (models_.empty())
        return;
    readAnimations(joints);
    assignDefaults();
    assignAnimations();
    reportUnassigned();
}

void ContainerModels::readModels() {
    core::UniqueNames names;
    for (const Object& object : objects_) {
        if (object.type != ObjectType::model || object.damaged)
            continue;
        try {
            readModel(object, names);
        } catch (const DecodeError& error) {
            diagnostics_.warn(Code::damaged, error);
        }
    }
}

void ContainerModels::readModel(const Object& object, core::UniqueNames& names) {
    const core::LittleEndianReader reader = readerOf(object, file_);
    const ModelHead head = decodeModelHead(reader);
    ModelEntry& entry = models_.emplace_back();
    entry.object = &object;
    entry.summary.id = names.unique(fmt::format("{}", object.id));
    entry.summary.joints = head.bones.size();
    entry.summary.groups = head.groupCount;
    entry.summary.triangles = countTriangles(head, reader);
}

void ContainerModels::readAnimations(std::optional<std::uint32_t> joints) {
    std::uint32_t index = 0;
    for (const Object& object : objects_) {
        if (object.type != ObjectType::animation)
            continue;
        const std::uint32_t own = index++;
        if (object.damaged)
            continue;
        try {
            animations_.push_back({&object, own, examineBlock(readerOf(object, file_), joints)});
        } catch (const DecodeError& error) {
            diagnostics_.warn(Code::damaged, error);
            if (!firstProblem_)
                firstProblem_ = error;
        }
    }
    for (const AnimationEntry& animation : animations_)
        for (AnimationGroup* group :
             {&near_[{animation.object->database, animation.facts.bones}], &all_[animation.facts.bones]}) {
            group->animations.push_back(&animation);
            group->samples += animation.facts.samples;
        }
}

/// By DB and model; the first record counts.
ContainerModels::DefaultAnimations ContainerModels::readDefaultAnimations() const {
    DefaultAnimations defaults;
    for (const Object& object : objects_) {
        if (object.type != ObjectType::materials || object.damaged)
            continue;
        try {
            for (const MaterialRecord& record : decodeMaterials(readerOf(object, file_)).records)
                defaults.try_emplace({object.database, record.model}, record.defaultAnimation());
        } catch (const DecodeError& error) {
            diagnostics_.warn(Code::damaged, error);
        }
    }
    return defaults;
}

/// A record of the model's own DB counts before those of others.
void ContainerModels::assignDefaults() {
    const DefaultAnimations near = readDefaultAnimations();
    std::map<std::uint16_t, std::optional<std::uint16_t>> all;
    for (const auto& [key, animation] : near)  // DBs by their offset
        all.try_emplace(key.second, animation);
    for (ModelEntry& model : models_) {
        const auto own = near.find({model.object->database, model.object->id});
        const auto any = all.find(model.object->id);
        if (own != near.end())
            model.summary.defaultAnimation = own->second;
        else if (any != all.end())
            model.summary.defaultAnimation = any->second;
    }
}

void ContainerModels::assignAnimations() {
    for (ModelEntry& model : models_) {
        const auto bones = static_cast<std::uint32_t>(model.summary.joints);
        const auto own = near_.find({model.object->database, bones});
        const auto any = all_.find(bones);
        AnimationGroup* group = own != near_.end() ? &own->second : any != all_.end() ? &any->second : nullptr;
        if (group == nullptr)
            continue;
        group->isTaken = true;
        model.group = group;
        model.summary.clips = group->animations.size();
        model.summary.samples = group->samples;
    }
}

bool ContainerModels::isAssigned(const AnimationEntry& animation) const {
    return near_.at({animation.object->database, animation.facts.bones}).isTaken ||
           all_.at(animation.facts.bones).isTaken;
}

/// Animations for models of other files are legal: real files have some. Only where no animation is left, somebody
/// should look.
void ContainerModels::reportUnassigned() const {
    std::set<std::uint32_t> bones;
    std::size_t count = 0;
    for (const AnimationEntry& animation : animations_)
        if (!isAssigned(animation)) {
            bones.insert(animation.facts.bones);
            ++count;
        }
    if (count == 0)
        return;
    const std::string text =
        fmt::format("{} of {} animations are left out: they move {} bones, and no model beside them has as many", count,
                    animations_.size(), fmt::join(bones, ", "));
    if (count == animations_.size())
        diagnostics_.warn(Code::skeletonMismatch, {}, text);
    else
        diagnostics_.note(Code::skeletonMismatch, {}, text);
}

const ModelEntry& ContainerModels::modelNamed(std::string_view id) const {
    const auto model =
        std::find_if(models_.begin(), models_.end(), [id](const ModelEntry& m) { return m.summary.id == id; });
    if (model == models_.end())
        throw DecodeError(fmt::format("holds no model {}", id));
    return *model;
}

std::vector<const AnimationEntry*> ContainerModels::animationsOf(const ModelEntry& model) {
    if (model.group == nullptr)
        return {};
    std::vector<const AnimationEntry*> animations = model.group->animations;
    const auto first = std::find_if(animations.begin(), animations.end(), [&](const AnimationEntry* animation) {
        return animation->object->id == model.summary.defaultAnimation;
    });
    if (first != animations.end())
        std::rotate(animations.begin(), first, first + 1);
    return animations;
}

std::vector<const AnimationEntry*> ContainerModels::animationsOfAll() const {
    std::vector<const AnimationEntry*> animations;
    for (const AnimationEntry& animation : animations_)
        if (isAssigned(animation))
            animations.push_back(&animation);
    return animations;
}

void ContainerModels::refuseDamaged() const {
    const bool isBare =
        std::all_of(models_.begin(), models_.end(), [](const ModelEntry& model) { return model.summary.isBare(); });
    if (isBare && firstProblem_)
        throw DecodeError(*firstProblem_);
}

}  // namespace reanima::ff9
