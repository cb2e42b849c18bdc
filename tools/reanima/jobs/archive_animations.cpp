#include "tools/reanima/jobs/archive_animations.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/text.h"
#include "formats/format.h"
#include "tools/reanima/system/failure.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace {

/// The row of the game that has animations of such names; null if none tells whose they are.
const CharacterLinks* linksByName(std::string_view name) {
    const std::string extension = extensionOf(name);
    for (const CharacterLinks* links : characterLinks())
        if (std::ranges::find(links->animations.extensions, extension) != links->animations.extensions.end())
            return links;
    return nullptr;
}

std::string characterOf(const JobInput& input) { return input.model.empty() ? nameOf(input.path) : input.model; }

/// The last part of the name of a file or an entry.
std::string_view lastPart(std::string_view path) { return path.substr(path.find_last_of("/\\:") + 1); }

}  // namespace

std::optional<bool> belongsByName(const JobInput& character, std::string_view animation) {
    const std::string_view name = lastPart(animation);
    const CharacterLinks* links = linksByName(name);
    return links == nullptr ? std::nullopt : links->belongs(characterOf(character), name);
}

bool ArchiveAnimations::isArchive(const std::string& path) const {
    return options_.files->exists(path) && options_.files->openIfArchive(path, options_.limits) != nullptr;
}

void ArchiveAnimations::addTo(std::vector<Found>& found, const std::string& path) const {
    const auto archive = options_.files->openIfArchive(path, options_.limits);
    if (!archive)
        return;
    for (const archives::Entry& entry : archive->entriesToRead()) {
        const std::string inside = fmt::format("{}:{}", path, entry.name);
        const std::string name(entry.fileName());
        if (entry.damaged)
            continue;
        if (const CharacterLinks* links = linksByName(name))
            found.push_back({inside, name, links});
        else if (archive->format().holdsCharacters)  // others list all that is in them
            addTo(found, inside);
    }
}

const std::vector<ArchiveAnimations::Found>& ArchiveAnimations::listOf(const std::string& archive) {
    const auto [list, isNew] = lists_.try_emplace(archive);
    if (isNew)
        addTo(list->second, archive);
    return list->second;
}

std::vector<JobInput> ArchiveAnimations::of(const std::string& archive, const JobInput& character) {
    const std::string own = toUtf8(character.path) + ':';
    const std::string who = characterOf(character);
    std::vector<JobInput> inputs;
    std::set<std::string> names;
    bool isTold = false;
    for (const Found& animation : listOf(archive)) {
        const std::optional<bool> belongs = animation.links->belongs(who, animation.name);
        isTold = isTold || belongs;
        if (belongs != true || animation.path.starts_with(own) || !names.insert(animation.name).second)
            continue;
        JobInput& input = inputs.emplace_back();
        input.path = fromUtf8(animation.path);
        input.mustFit = true;
    }
    const auto opened = options_.files->openIfArchive(archive, options_.limits);
    if (!isTold && opened && !opened->format().holdsCharacters)  // a file of animations like any other
        inputs.push_back({fromUtf8(archive)});
    else if (!isTold)
        throw UsageError(fmt::format(
            "--animations {}: names do not tell which of the animations in it belong to {}; a pattern names some",
            archive, who));
    return inputs;
}

}  // namespace reanima::tool
