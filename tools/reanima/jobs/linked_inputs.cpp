#include "tools/reanima/jobs/linked_inputs.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/file_system.h"
#include "core/scene_joints.h"
#include "core/text.h"
#include "formats/format.h"
#include "formats/load.h"
#include "formats/registry.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

bool isOf(const PlanItem& item, Kind kind) {
    return item.format != nullptr && item.format->kind == kind && !item.failure;
}

std::string placeOf(const PlanItem& item) { return item.path.lexically_normal().generic_string(); }

/// The folder or archive that contains an item.
std::string scopeOf(const PlanItem& item) {
    const std::string path = placeOf(item);
    return path.substr(0, path.find_last_of("/:") + 1);
}

JobInput inputFrom(const FoundAnimation& found) {
    JobInput input{fromUtf8(found.path)};
    input.mustFit = true;
    input.link = found;
    return input;
}

/// Adds each animation that the user named to a skeleton that the user named, if exactly one of these suits it.
void joinNamed(std::vector<PlanItem>& items) {
    const auto isNamed = [](const PlanItem& item) { return !item.inFolder && !item.isMatch && item.isPlain(); };
    for (PlanItem& animation : items) {
        if (!isNamed(animation) || !isOf(animation, Kind::animation))
            continue;
        std::optional<std::size_t> skeleton;
        std::size_t count = 0;
        for (std::size_t i = 0; i < items.size(); ++i)
            if (isNamed(items[i]) && isOf(items[i], Kind::skeleton) &&
                animation.format->needsSkeleton(*items[i].format)) {
                skeleton = i;
                ++count;
            }
        if (count == 1) {
            animation.use = PlanItem::Use::part;
            JobInput input{animation.path, animation.format};
            input.held = animation.held;
            if (input.held)
                input.held->addUser();
            items[*skeleton].linked.push_back(std::move(input));
        }
    }
}

/// True for a single file on disk that the user named. Files beside it may belong to another game.
bool isLoose(const PlanItem& item) { return !item.inFolder && !item.isMatch && core::isFile(item.path); }

/// Finds the animations of one of an item's models elsewhere in its archive, or in archives with its copies. Of several
/// files with the same name, one is used.
void lookFor(PlanItem& item, const std::string& model, CharacterFiles& files) {
    std::vector<JobInput>& further = item.further[model];
    std::vector<std::string> places = {item.readFrom};
    for (const JobInput& copy : further)
        places.push_back(toUtf8(copy.path));
    std::set<std::string> names;
    for (const std::string& place : places)
        for (const FoundAnimation& animation : files.furtherAnimationsOf(place, *item.format, model))
            if (names.insert(nameOf(fromUtf8(animation.path))).second)
                further.push_back(inputFrom(animation));
}

/// Finds the animations that the game, a table or names link to an item.
void lookFor(PlanItem& item, const Recipe& recipe, CharacterFiles& files) {
    if (item.format == nullptr || item.failure || item.held)
        return;
    for (const ModelSummary& model : item.models)
        lookFor(item, model.id, files);
    if (!item.isPlain())
        return;
    if (linkRulesOf(*item.format).links != nullptr) {
        const FoundAnimations found = files.animationsOf(recipe.options.input.read(toUtf8(item.path)));
        for (const FoundAnimation& animation : found.clips)
            item.linked.push_back(inputFrom(animation));
        if (!found.clips.empty())
            item.pose = found.clips.front().path;
        else if (!isLoose(item))
            item.pose = found.pose;
        item.mayBeLinked = found.mayBeLinked;
        item.linkedBy = found.saidBy;
    }
    for (const FoundAnimation& animation : files.furtherAnimationsOf(item.readFrom, *item.format))
        item.linked.push_back(inputFrom(animation));
}

/// True for an animation that fits the skeleton of the same name beside it.
bool fitsNamesake(const PlanItem& item, const std::vector<PlanItem>& items) {
    if (item.uses.empty())
        return false;
    const fs::path skeleton = fromUtf8(item.uses).lexically_normal();
    const std::vector<std::string> stems = companionStems(nameOf(item.path));
    const std::string stem = lowerCase(stemOf(nameOf(skeleton)));
    if (std::ranges::none_of(stems, [&](const std::string& own) { return lowerCase(own) == stem; }))
        return false;
    const auto found = std::ranges::find(items, skeleton.generic_string(), placeOf);
    return found == items.end() || !found->bones || !item.bones || found->bones == item.bones;
}

/// True for an animation that may have as many bones as the game's skeleton that the user named.
bool fitsNamed(const PlanItem& item, const Recipe& recipe) {
    const Companions named = recipe.companionsFor(*item.format);
    const auto skeleton = named.find(Role::skeleton);
    if (skeleton == named.end())
        return false;
    const Input& input = skeleton->second.input;
    const auto& boneCount = linkRulesOf(formatOf(input)).boneCount;
    const std::optional<std::uint32_t> bones = boneCount ? boneCount(input.file.bytes) : std::nullopt;
    return !bones || !item.bones || bones == item.bones;
}

void settleFolders(std::vector<PlanItem>& items, const Recipe& recipe) {
    std::set<std::string> linked;
    std::set<std::string> withSkeletons;
    for (const PlanItem& item : items) {
        for (const JobInput& input : item.linked)
            linked.insert(input.path.lexically_normal().generic_string());
        if (isOf(item, Kind::skeleton) && linkRulesOf(*item.format).links != nullptr)
            withSkeletons.insert(scopeOf(item));
    }
    std::set<std::string> used;
    for (PlanItem& item : items) {
        if (!isOf(item, Kind::animation) || item.use != PlanItem::Use::output)
            continue;
        const bool isFound = item.inFolder || item.isMatch;
        if (isFound && linked.contains(placeOf(item)))
            item.use = PlanItem::Use::part;
        else if (item.inFolder && isLinkable(*item.format) && !fitsNamesake(item, items) &&
                 withSkeletons.contains(scopeOf(item)) && !fitsNamed(item, recipe))
            item.use = PlanItem::Use::none;
        else if (!item.uses.empty())
            used.insert(fromUtf8(item.uses).lexically_normal().generic_string());
    }
    for (PlanItem& item : items)
        if (isOf(item, Kind::skeleton) && (item.inFolder || item.isMatch) && used.contains(placeOf(item)))
            item.use = PlanItem::Use::part;
}

/// True for a skeleton whose animations may be among the items, and for these animations.
bool isAccompanied(const PlanItem& item, const std::vector<PlanItem>& items) {
    return std::ranges::any_of(items, [&](const PlanItem& other) {
        return item.format != nullptr && other.format != nullptr && &other != &item &&
               (other.format->needsSkeleton(*item.format) || other.format->kind == Kind::animation);
    });
}

}  // namespace

void linkItems(std::vector<PlanItem>& items, const Recipe& recipe, CharacterFiles& files, OutputsOf outputs) {
    if (outputs == OutputsOf::each)
        joinNamed(items);
    if (recipe.options.animations.empty() && !recipe.options.input.noCompanion)
        for (PlanItem& item : items)
            if (item.linked.empty() && item.use == PlanItem::Use::output &&
                (outputs == OutputsOf::each || !isAccompanied(item, items)))
                lookFor(item, recipe, files);
    if (outputs == OutputsOf::each)
        settleFolders(items, recipe);
}

std::vector<std::string> strayNotes(const std::vector<PlanItem>& items) {
    std::map<std::string, std::vector<std::string>> strays;
    for (const PlanItem& item : items)
        if (item.use == PlanItem::Use::none) {
            const std::string path = toUtf8(item.path);
            const std::size_t name = path.find_last_of("/\\:");
            strays[path.substr(0, name)].push_back(path.substr(name + 1));
        }
    std::vector<std::string> notes;
    notes.reserve(strays.size());
    for (const auto& [place, names] : strays)
        notes.push_back(
            fmt::format("{}: {} of the animations belong{} to no skeleton in this place: {}. To add animations to a "
                        "character, use --animations",
                        place, names.size(), names.size() == 1 ? "s" : "", core::quotedNames(names)));
    return notes;
}

}  // namespace reanima::tool
