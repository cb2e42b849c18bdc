#include "formats/ff9/container_models.h"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "formats/ff9/materials.h"
#include "formats/ff9/model.h"
#include "formats/ff9/names.h"
#include "formats/ff9/script.h"

namespace reanima::ff9 {

namespace {

using core::Code;
using core::DecodeError;

/// `zidane (98)`
std::string shownModel(std::uint32_t model) {
    const core::Called called = calledByTable(model);
    const std::string& name = called.title.empty() ? called.fullName : called.title;
    return name.empty() ? fmt::format("model {}", model) : fmt::format("{} ({})", name, model);
}

}  // namespace

ContainerModels::ContainerModels(core::Bytes file, std::span<const Object> objects, std::optional<std::uint32_t> joints,
                                 EnemyNames enemies, core::Diagnostics& diagnostics)
    : file_(file), objects_(objects), diagnostics_(diagnostics), enemies_(std::move(enemies)) {
    readModels();
    if (models_.empty())
        return;
    readAnimations(joints);
    readScripts();
    assignDefaults();
    linkByScriptAndName();
    linkByBones();
    assignAnimations();
    report();
}

void ContainerModels::readModels() {
    core::UniqueNames names;
    EnemyNames own = enemyNames(file_, objects_);
    own.merge(enemies_);
    enemies_ = std::move(own);
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
    ModelHead decoded = decodeModelHead(reader);
    ModelEntry& entry = models_.emplace_back();
    entry.object = &object;
    entry.head = std::move(decoded);
    const ModelHead& head = entry.head;
    entry.summary.id = names.unique(fmt::format("{}", object.id));
    entry.summary.joints = head.bones.size();
    entry.summary.groups = head.groupCount;
    entry.summary.triangles = countTriangles(head, reader);
    entry.summary.called = calledByTable(object.id);
    if (const auto enemy = enemies_.find(object.id); enemy != enemies_.end()) {
        entry.summary.called.title = core::titleOf(enemy->second);
        entry.summary.called.namedBy = core::NamedBy::game;
        if (entry.summary.called.fullName.empty())
            entry.summary.called.fullName = enemy->second;
    }
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
        ofBones_[animation.facts.bones].push_back(&animation);
    isLinked_.resize(animations_.size());
    isByBones_.resize(animations_.size());
}

void ContainerModels::readScripts() {
    std::set<std::uint64_t> read;  // objects may share bytes
    for (const Object& object : objects_) {
        if (object.type != ObjectType::script || object.damaged || !read.insert(object.offset).second)
            continue;
        try {
            const Script script = decodeScript(readerOf(object, file_));
            hasScript_ = true;
            for (const Actor& actor : script.actors)
                for (const std::uint16_t animation : actor.animations) {
                    std::vector<std::uint16_t>& models = played_[animation];
                    for (const std::uint16_t model : actor.models)
                        if (std::ranges::find(models, model) == models.end())
                            models.push_back(model);
                }
        } catch (const DecodeError& error) {
            diagnostics_.warn(Code::damaged, error);
        }
    }
}

/// Default animations by DB and model. Of several records, the first is used.
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

/// Assigns default animations. A record of the model's own DB takes precedence.
void ContainerModels::assignDefaults() {
    const DefaultAnimations near = readDefaultAnimations();
    std::map<std::uint16_t, std::optional<std::uint16_t>> all;
    for (const auto& [key, animation] : near)  // sorted by offset of the DB
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

/// How a model and an animation are known to belong together. Empty if they do not, or if that is unknown.
std::optional<core::LinkedBy> ContainerModels::linkOf(std::uint32_t model, const AnimationEntry& animation) const {
    const auto played = played_.find(animation.object->id);
    if (played != played_.end() && std::ranges::find(played->second, model) != played->second.end())
        return core::LinkedBy::script;
    return belongByName(model, animation.object->id) == true ? std::optional(core::LinkedBy::name) : std::nullopt;
}

/// The model that an animation belongs to, in this file or another one. Empty if unknown.
std::optional<std::uint32_t> ContainerModels::ownerOf(const AnimationEntry& animation) const {
    const auto played = played_.find(animation.object->id);
    if (played != played_.end() && !played->second.empty())
        return played->second.front();
    return ownerByName(animation.object->id);
}

void ContainerModels::linkByScriptAndName() {
    for (const ModelEntry& model : models_) {
        const auto bones = static_cast<std::uint32_t>(model.summary.joints);
        const auto [group, isNew] = linked_.try_emplace({model.object->id, bones});
        const auto same = ofBones_.find(bones);
        if (!isNew || same == ofBones_.end())
            continue;
        for (const AnimationEntry* animation : same->second)
            if (const std::optional<core::LinkedBy> by = linkOf(model.object->id, *animation)) {
                group->second.add({animation, *by});
                isLinked_[placeOf(*animation)] = true;
            }
    }
}

void ContainerModels::ByBones::add(const AnimationEntry& animation) {
    near[{animation.object->database, animation.facts.bones}].add({&animation});
    all[animation.facts.bones].add({&animation});
}

const AnimationGroup* ContainerModels::ByBones::find(std::uint64_t database, std::uint32_t bones) const {
    const auto own = near.find({database, bones});
    if (own != near.end())
        return &own->second;
    const auto any = all.find(bones);
    return any == all.end() ? nullptr : &any->second;
}

/// Links animations by their number of bones, unless a script or a name shows their owner. The number is weak evidence,
/// since many characters have the same one. Modded files may use ids differently, so a name excludes an animation only
/// if the file has a script, or if it has several models and a name confirms one of them. A model without a name may
/// get animations that a name assigns to a model elsewhere.
void ContainerModels::linkByBones() {
    const bool areNamesTrue = hasScript_ || (models_.size() > 1 && doNamesAgree());
    for (const AnimationEntry& animation : animations_) {
        if (isLinked_[placeOf(animation)] || played_.contains(animation.object->id))
            continue;
        ofUnknown_.add(animation);
        if (!areNamesTrue || !ownerOf(animation))
            ofKnown_.add(animation);
    }
}

void ContainerModels::assignAnimations() {
    std::set<const AnimationGroup*> taken;
    for (ModelEntry& model : models_) {
        const auto bones = static_cast<std::uint32_t>(model.summary.joints);
        const ByBones& byBones = modelName(model.object->id).empty() ? ofUnknown_ : ofKnown_;
        model.linked = &linked_.at({model.object->id, bones});
        model.byBones = byBones.find(model.object->database, bones);
        for (const AnimationGroup* group : {model.linked, model.byBones})
            if (group != nullptr) {
                model.summary.clips += group->animations.size();
                model.summary.samples += group->samples;
            }
        if (model.byBones != nullptr)
            taken.insert(model.byBones);
    }
    for (const AnimationGroup* group : taken)
        for (const LinkedAnimation& linked : group->animations)
            isByBones_[placeOf(*linked.animation)] = true;
}

/// True if names assign at least one animation to a model here. Then the file uses the game's ids.
bool ContainerModels::doNamesAgree() const { return std::ranges::find(isLinked_, true) != isLinked_.end(); }

bool ContainerModels::isAssigned(const AnimationEntry& animation) const {
    return isLinked_[placeOf(animation)] || isByBones_[placeOf(animation)];
}

/// Reports `count` animations that no model of the file uses. Real files contain some for models of other files, so
/// this is only a note. It is a warning if these are all animations of the file.
void ContainerModels::say(std::size_t count, const std::string& text) const {
    if (count == animations_.size())
        diagnostics_.warn(Code::skeletonMismatch, {}, text);
    else
        diagnostics_.note(Code::skeletonMismatch, {}, text);
}

void ContainerModels::report() const {
    std::vector<const AnimationEntry*> elsewhere;
    std::vector<const AnimationEntry*> leftOut;
    for (const AnimationEntry& animation : animations_)
        if (!isAssigned(animation)) {
            const std::optional<std::uint32_t> owner = ownerOf(animation);
            const bool isBeside =
                !owner || !(hasScript_ || doNamesAgree()) ||
                std::ranges::any_of(models_, [&](const ModelEntry& model) { return model.object->id == owner; });
            (isBeside ? leftOut : elsewhere).push_back(&animation);
        }
    if (!leftOut.empty())
        reportLeftOut(leftOut);
    if (!elsewhere.empty())
        reportElsewhere(elsewhere);
    const auto byBones = static_cast<std::size_t>(std::ranges::count(isByBones_, true));
    if (byBones > 0)
        diagnostics_.note(Code::assumed, {},
                          fmt::format("{} of {} animations were assigned to models only by their number of bones, "
                                      "because no file states their model",
                                      byBones, animations_.size()));
}

void ContainerModels::reportLeftOut(std::span<const AnimationEntry* const> animations) const {
    std::set<std::uint32_t> bones;
    for (const AnimationEntry* animation : animations)
        bones.insert(animation->facts.bones);
    say(animations.size(), fmt::format("{} of {} animations are left out, because they move {} bones, and no model "
                                       "beside them has this number of bones",
                                       animations.size(), animations_.size(), fmt::join(bones, ", ")));
}

void ContainerModels::reportElsewhere(std::span<const AnimationEntry* const> animations) const {
    constexpr std::size_t kMostShown = 12;
    std::map<std::uint32_t, std::size_t> counts;
    for (const AnimationEntry* animation : animations)
        ++counts[*ownerOf(*animation)];
    std::vector<std::pair<std::uint32_t, std::size_t>> owners(counts.begin(), counts.end());
    std::ranges::stable_sort(owners, std::ranges::greater(), &std::pair<std::uint32_t, std::size_t>::second);
    std::string text;
    for (std::size_t i = 0; i < std::min(owners.size(), kMostShown); ++i)
        text += fmt::format("{}{} of {}", i == 0 ? "" : ", ", owners[i].second, shownModel(owners[i].first));
    if (owners.size() > kMostShown)
        text += fmt::format(" and others of {} more models", owners.size() - kMostShown);
    say(animations.size(), fmt::format("{} of {} animations belong to models that are not in this file: {}",
                                       animations.size(), animations_.size(), text));
}

const ModelEntry& ContainerModels::modelNamed(std::string_view id) const {
    const auto model =
        std::find_if(models_.begin(), models_.end(), [id](const ModelEntry& m) { return m.summary.id == id; });
    if (model == models_.end())
        throw DecodeError(fmt::format("contains no model {}", id));
    return *model;
}

std::vector<LinkedAnimation> ContainerModels::animationsOf(const ModelEntry& model) {
    std::vector<LinkedAnimation> animations;
    for (const AnimationGroup* group : {model.linked, model.byBones})
        if (group != nullptr)
            animations.insert(animations.end(), group->animations.begin(), group->animations.end());
    std::ranges::sort(animations, {}, [](const LinkedAnimation& linked) { return linked.animation->index; });
    const auto first = std::ranges::find_if(animations, [&](const LinkedAnimation& linked) {
        return linked.animation->object->id == model.summary.defaultAnimation;
    });
    if (first != animations.end())
        std::rotate(animations.begin(), first, first + 1);
    return animations;
}

std::vector<LinkedAnimation> ContainerModels::animationsOfAll() const {
    std::vector<LinkedAnimation> animations;
    for (const AnimationEntry& animation : animations_)
        if (isAssigned(animation))
            animations.push_back({&animation});
    return animations;
}

std::vector<std::pair<const AnimationEntry*, std::uint32_t>> ContainerModels::animationsElsewhere() const {
    std::vector<std::pair<const AnimationEntry*, std::uint32_t>> elsewhere;
    if (!hasScript_ && !doNamesAgree())  // the ids may be specific to this file
        return elsewhere;
    for (const AnimationEntry& animation : animations_) {
        const std::optional<std::uint32_t> owner = isLinked_[placeOf(animation)] ? std::nullopt : ownerOf(animation);
        if (owner && std::ranges::none_of(models_, [&](const ModelEntry& model) { return model.object->id == *owner; }))
            elsewhere.emplace_back(&animation, *owner);
    }
    return elsewhere;
}

void ContainerModels::refuseDamaged() const {
    const bool isBare =
        std::all_of(models_.begin(), models_.end(), [](const ModelEntry& model) { return model.summary.isBare(); });
    if (isBare && firstProblem_)
        throw DecodeError(*firstProblem_);
}

}  // namespace reanima::ff9
