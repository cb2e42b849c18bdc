#include "tools/reanima/jobs/animation_inputs.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "core/text_pattern.h"
#include "formats/animation_links.h"
#include "formats/format.h"
#include "pipeline/archive_animations.h"
#include "tools/reanima/jobs/linked_inputs.h"
#include "tools/reanima/jobs/models.h"
#include "tools/reanima/system/glob.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> filesLike(const std::string& pattern) {
    std::vector<std::string> found;
    for (const fs::path& path : matching(fromUtf8(pattern)))
        if (isFile(path))
            found.push_back(toUtf8(path));
    return found;
}

/// The game animations and archives below a folder. Unreadable files are skipped.
std::vector<std::string> animationsBelow(const std::string& folder, const InputOptions& options) {
    std::vector<std::string> found;
    for (const fs::path& file : contentOf(fromUtf8(folder)).files)
        try {
            const bool isArchive = options.folderFormatOf(toUtf8(file)) != nullptr;
            const std::optional<Input> input = isArchive ? std::nullopt : options.readFromFolder(toUtf8(file));
            if (isArchive || (input && input->format->kind == Kind::animation))
                found.push_back(toUtf8(file));
        } catch (const core::DecodeError&) {  // NOLINT: unreadable files are skipped
        }
    if (found.empty())
        throw UsageError(fmt::format("--animations {}: contains no animation of a game", folder));
    return found;
}

std::vector<std::string> matchesOf(const std::string& pattern, const InputOptions& options) {
    if (isFolder(fromUtf8(pattern)))
        return animationsBelow(pattern, options);
    std::vector<std::string> found =
        options.files->namesEntry(pattern) ? options.files->matching(pattern, options.limits) : filesLike(pattern);
    if (found.empty())
        throw UsageError(fmt::format("--animations {}: there is no such file", pattern));
    std::ranges::sort(found);
    return found;
}

/// @param names files, folders, patterns of files, or patterns of entries such as `char.lgp:aaf?.a`
/// @return in the order of the names, sorted within a pattern or folder. Files from patterns and folders may be left
/// out later if their number of bones differs
/// @throws core::DecodeError for a missing file or an unreadable archive; UsageError for a pattern without matches, and
/// for a folder without animations
std::vector<JobInput> animationInputs(const std::vector<std::string>& names, const InputOptions& options) {
    std::vector<JobInput> inputs;
    for (const std::string& name : names) {
        const bool isOne = options.files->exists(name) || !(core::isPattern(name) || isFolder(fromUtf8(name)));
        if (isOne) {
            options.requireKnownInput(name);
            inputs.push_back({fromUtf8(name)});
            continue;
        }
        for (const std::string& found : matchesOf(name, options)) {
            inputs.push_back({fromUtf8(found)});
            inputs.back().mustFit = true;
        }
    }
    return inputs;
}

/// True if the animation was found by a pattern, but its file name belongs to another character.
bool isAnothers(const JobInput& animation, const JobInput& character) {
    const FurtherAnimations* further = character.format == nullptr ? nullptr : linkRulesOf(*character.format).further;
    return further != nullptr && animation.mustFit &&
           further->isOf(nameOf(animation.path), nameOf(fromUtf8(character.readFrom))) == false;
}

/// The name that animation names are compared with: the id of a model, or the name of a file.
std::string characterOf(const JobInput& input) { return input.model.empty() ? nameOf(input.path) : input.model; }

/// The animations of a character in an archive. If file names do not show the characters, a whole DB or chunk is one
/// input.
/// @throws UsageError if the archive contains characters, and file names do not show which animations are theirs
std::vector<JobInput> animationsIn(const std::string& archive, const JobInput& character, const InputOptions& options,
                                   ArchiveAnimations& archives) {
    std::vector<JobInput> inputs;
    const OwnedAnimations owned = archives.of(archive, characterOf(character), toUtf8(character.path));
    for (const std::string& path : owned.paths) {
        JobInput& input = inputs.emplace_back();
        input.path = fromUtf8(path);
        input.mustFit = true;
    }
    if (owned.isTold)
        return inputs;
    if (options.files->openArchive(archive, options.limits)->format().holdsCharacters)
        throw UsageError(
            fmt::format("--animations {}: the names of the animations do not show which of them belong to {}. Choose "
                        "animations with a pattern",
                        archive, characterOf(character)));
    inputs.push_back({fromUtf8(archive)});  // read as one file of animations
    return inputs;
}

/// True for an archive, or an entry that is an archive.
bool isArchive(const std::string& path, const InputOptions& options) {
    return options.files->exists(path) && options.files->openIfArchive(path, options.limits) != nullptr;
}

/// Adds animations that match a pattern, unless their names belong to another character. From whole archives, adds only
/// the character's own animations.
void addTo(Job& job, const std::vector<JobInput>& animations, const std::vector<JobInput>& whole,
           const InputOptions& options, ArchiveAnimations& archives) {
    const JobInput character = job.inputs.front();
    const fs::path itself = character.path.lexically_normal();
    for (const JobInput& animation : animations) {
        if (animation.mustFit && animation.path.lexically_normal() == itself)
            continue;
        if (animation.mustFit && (belongsByName(characterOf(character), toUtf8(animation.path)) == false ||
                                  isAnothers(animation, character)))
            ++job.ofOthers;
        else
            job.inputs.push_back(animation);
    }
    for (const JobInput& archive : whole) {
        const std::string path = toUtf8(archive.path);
        if (path == toUtf8(character.path) || path == character.readFrom)
            continue;
        try {
            for (JobInput& animation : animationsIn(path, character, options, archives)) {
                animation.mustFit = animation.mustFit || archive.mustFit;
                job.inputs.push_back(std::move(animation));
            }
        } catch (const UsageError&) {
            if (!archive.mustFit)  // an archive from a pattern may have no usable names
                throw;
        }
    }
}

/// Moves archives out of the matches of patterns and folders. They are treated like named archives.
std::vector<JobInput> takeArchives(std::vector<JobInput>& animations, const InputOptions& options) {
    std::vector<JobInput> whole;
    std::erase_if(animations, [&](const JobInput& animation) {
        const bool isWhole = animation.mustFit && isArchive(toUtf8(animation.path), options);
        if (isWhole)
            whole.push_back(animation);
        return isWhole;
    });
    return whole;
}

}  // namespace

void addAnimations(std::vector<Job>& jobs, const Request& request) {
    const ConversionOptions& options = request.recipe->options;
    ArchiveAnimations archives(options.input.files, options.input.limits);
    std::vector<std::string> named;
    std::vector<JobInput> whole;
    for (const std::string& name : options.animations)
        if (isArchive(name, options.input))
            whole.push_back({fromUtf8(name)});
        else
            named.push_back(name);
    std::vector<JobInput> animations = animationInputs(named, options.input);
    std::ranges::move(takeArchives(animations, options.input), std::back_inserter(whole));
    for (Job& job : jobs)
        if (job.recipe == request.recipe && !job.inputs.empty())  // jobs from job files already include them
            addTo(job, animations, whole, options.input, archives);
}

}  // namespace reanima::tool
