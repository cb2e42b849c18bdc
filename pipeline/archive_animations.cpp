#include "pipeline/archive_animations.h"

#include <algorithm>
#include <set>

#include "archives/archive.h"
#include "core/text.h"
#include "formats/format.h"

namespace reanima {

namespace {

/// The links of the game whose animations have names of this form. Null if no game uses the form.
const CharacterLinks* linksByName(std::string_view name) {
    const std::string extension = extensionOf(name);
    for (const CharacterLinks* links : characterLinks())
        if (std::ranges::find(links->animations.extensions, extension) != links->animations.extensions.end())
            return links;
    return nullptr;
}

/// The file name at the end of a path or an entry name.
std::string_view lastPart(std::string_view path) { return path.substr(path.find_last_of("/\\:") + 1); }

}  // namespace

std::optional<bool> belongsByName(std::string_view character, std::string_view animation) {
    const std::string_view name = lastPart(animation);
    const CharacterLinks* links = linksByName(name);
    return links == nullptr ? std::nullopt : links->belongs(character, name);
}

void ArchiveAnimations::addTo(std::vector<Found>& found, const std::string& path) const {
    if (files_->openIfArchive(path, limits_) == nullptr)
        return;
    for (const archives::FoundEntry& inside : files_->entriesIn(path, limits_)) {
        const std::string name(inside.entry->fileName());
        if (inside.entry->damaged)
            continue;
        if (const CharacterLinks* links = linksByName(name)) {
            found.push_back({inside.path, name, links});
        } else if (!inside.archive->format().holdsArchives && inside.archive->format().holdsCharacters) {
            try {
                addTo(found, inside.path);        // entriesIn() itself lists nested entries of other archives
            } catch (const core::DecodeError&) {  // NOLINT: conversion of this entry reports the error
            }
        }
    }
}

const std::vector<ArchiveAnimations::Found>& ArchiveAnimations::listOf(const std::string& archive) {
    const auto [list, isNew] = lists_.try_emplace(archive);
    if (isNew)
        addTo(list->second, archive);
    return list->second;
}

OwnedAnimations ArchiveAnimations::of(const std::string& archive, std::string_view character, const std::string& file) {
    const std::string own = file + ':';
    OwnedAnimations owned;
    std::set<std::string_view> names;
    for (const Found& animation : listOf(archive)) {
        const std::optional<bool> belongs = animation.links->belongs(character, animation.name);
        owned.isTold = owned.isTold || belongs;
        if (belongs == true && !animation.path.starts_with(own) && names.insert(animation.name).second)
            owned.paths.push_back(animation.path);
    }
    return owned;
}

}  // namespace reanima
