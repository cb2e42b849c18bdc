#include "pipeline/character_files.h"

#include <algorithm>

#include <fmt/format.h>

#include "archives/archive.h"
#include "core/file_system.h"
#include "core/text.h"
#include "formats/character_links.h"
#include "formats/format.h"
#include "formats/load.h"
#include "formats/registry.h"

namespace reanima {

namespace fs = std::filesystem;

namespace {

/// `char.lgp:aaaa.hrc` -> `char.lgp:`, `char/aaaa.hrc` -> `char/`
std::string placeOfPath(const std::string& path, const archives::OpenArchives& files) {
    const std::size_t end = files.namesEntry(path) ? path.rfind(':') : path.find_last_of("/\\");
    return end == std::string::npos ? std::string() : path.substr(0, end + 1);
}

/// The folders that may contain another archive of the game: the archive's folder, or the file's folder and its parent.
/// @return the paths, with a trailing `/`
std::vector<std::string> foldersAround(const std::string& path, const archives::OpenArchives& files) {
    const archives::EntryPath parsed = files.parse(path);
    const fs::path folder = core::fromUtf8(parsed.file).parent_path();
    std::vector<std::string> folders = {core::toUtf8(folder / "")};
    if (parsed.entries.empty())
        folders.push_back(core::toUtf8((folder / "..").lexically_normal() / ""));
    return folders;
}

bool isAnimationFor(const Format& format, const Format& skeleton, std::string_view name) {
    return format.needsSkeleton(skeleton) && linkRulesOf(format).boneCount != nullptr &&
           std::ranges::find(format.extensions, extensionOf(name)) != format.extensions.end();
}

/// The number of bones in an animation file. Empty if it can't belong to a skeleton of this format.
std::optional<std::uint32_t> bonesOf(const std::string& name, core::Bytes bytes, const Format& skeleton) {
    for (const Format* format : formats())
        if (isAnimationFor(*format, skeleton, name))
            return linkRulesOf(*format).boneCount(bytes);
    return std::nullopt;
}

/// Calls `use` for each readable file of a folder, or entry of an archive.
EachEntry entriesOf(const std::string& path, const std::shared_ptr<const archives::OpenArchives>& files,
                    const core::Limits& limits) {
    return [=](const auto& use) {
        if (const auto below = files->below(path)) {
            for (const std::string& file : *below)
                use(file, files->read(file, limits).bytes);
            return;
        }
        const auto archive = files->openArchive(path, limits);
        for (const archives::Entry& entry : archive->entriesToRead()) {
            core::ByteVector bytes;
            try {
                if (!entry.damaged)
                    bytes = archive->read(entry, limits);
            } catch (const core::DecodeError&) {  // NOLINT: unreadable files are skipped
                continue;
            }
            use(entry.name, bytes);
        }
    };
}

}  // namespace

std::vector<std::string> namesOnDisk(const std::string& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (const fs::path& name : core::namesIn(core::fromUtf8(folder), error))
        names.push_back(core::toUtf8(name));
    return names;
}

/// The first file of a folder whose name ends with `end`, ignoring case. In a folder that can't be listed, the file of
/// exactly that name. Empty: not found.
std::string& CharacterFiles::fileLike(const std::string& folder, std::string_view end) {
    const auto [known, isNew] = filesLike_.try_emplace({folder, std::string(end)});
    std::string& found = known->second;
    if (!isNew)
        return found;
    for (const std::string& name : names_ ? names_(folder) : std::vector<std::string>())
        if (found.empty() && core::lowerCase(name).ends_with(end) && core::isFile(core::fromUtf8(folder + name)))
            found = folder + name;
    for (const std::string& name : {std::string(end), inCaseOf('A', end)})
        if (!names_ && found.empty() && files_->exists(folder + name))
            found = folder + name;
    return found;
}

FoundAnimations CharacterFiles::animationsOf(const Input& skeleton) {
    FoundAnimations found;
    const LinkRules& rules = linkRulesOf(formatOf(skeleton));
    if (rules.links == nullptr || !skeleton.siblings || rules.boneCount == nullptr ||
        !hasRoomFor(formatOf(skeleton), skeleton))
        return found;
    const Said own = linksFor(skeleton.file.path, *rules.links);
    found.mayBeLinked = own.links == nullptr;
    found.saidBy = own.file;
    if (own.links != nullptr)
        found.clips = linked(*own.links, skeleton, core::NamedBy::game);
    if (found.clips.empty())
        found.clips = linked(rules.links->table(), skeleton, core::NamedBy::table);
    const std::optional<std::uint32_t> bones = rules.boneCount(skeleton.file.bytes);
    if (!found.clips.empty() || !bones)
        return found;
    if (std::optional<FoundAnimation> animation = namesake(skeleton, *bones))
        found.clips.push_back(*std::move(animation));
    else
        found.pose = firstThatFits(skeleton, *bones);
    return found;
}

CharacterFiles::Said CharacterFiles::linksFor(const std::string& path, const LinkSource& source) {
    if (!given_.empty()) {
        const AnimationLinks& links = linksIn(given_, source);
        if (links.empty())
            throw core::DecodeError(fmt::format("lists no animations of models; expected {}", source.archive))
                .inFile(given_);
        return {&links, given_};
    }
    for (const std::string& folder : foldersAround(path, *files_)) {
        std::string& file = fileLike(folder, source.archive);
        if (file.empty())
            continue;
        try {
            const AnimationLinks& links = linksIn(file, source);
            if (!links.empty())
                return {&links, file};
        } catch (const core::DecodeError&) {  // the user did not ask for links
            file.clear();
        }
    }
    return {};
}

const AnimationLinks& CharacterFiles::linksIn(const std::string& path, const LinkSource& source) {
    const auto known = links_.find(path);
    if (known != links_.end())
        return known->second;
    return links_.emplace(path, source.read(entriesOf(path, files_, limits_), limits_)).first->second;
}

std::optional<std::string> CharacterFiles::beside(const std::string& path, const std::string& name) const {
    const std::string place = placeOfPath(path, *files_);
    if (files_->namesEntry(path)) {
        const auto archive = files_->openArchive(place.substr(0, place.size() - 1), limits_);
        const std::string folder(core::folderOf(path.substr(place.size())));
        const archives::Entry* entry = archive->find(folder.empty() ? name : fmt::format("{}/{}", folder, name));
        if (entry == nullptr)
            entry = archive->find(name);
        return entry == nullptr || entry->damaged ? std::nullopt : std::optional(place + entry->name);
    }
    for (const std::string& spelled : {name, inCaseOf('A', name)})
        if (names_ ? core::isFileOfThatName(core::fromUtf8(place + spelled)) : files_->exists(place + spelled))
            return place + spelled;
    return std::nullopt;
}

std::vector<FoundAnimation> CharacterFiles::linked(const AnimationLinks& links, const Input& skeleton,
                                                   core::NamedBy namedBy) {
    std::vector<FoundAnimation> found;
    const auto own = links.find(core::lowerCase(skeleton.file.name));
    if (own == links.end())
        return found;
    for (const LinkedAnimation& animation : own->second.animations)
        if (std::optional<std::string> path = beside(skeleton.file.path, animation.file))
            found.push_back({*std::move(path), animation, core::LinkedBy::field, namedBy});
    return found;
}

std::optional<FoundAnimation> CharacterFiles::namesake(const Input& skeleton, std::uint32_t bones) const {
    const Companions found = withFoundCompanions(skeleton, {});
    const auto companion = found.find(Role::animation);
    if (companion == found.end())
        return std::nullopt;
    const File& file = companion->second.input.file;
    if (bonesOf(file.name, file.bytes, formatOf(skeleton)) != bones)
        return std::nullopt;
    return FoundAnimation{file.path, {file.name}, core::LinkedBy::name, core::NamedBy::file};
}

CharacterFiles::Place& CharacterFiles::placeOf(const std::string& path) {
    const std::string name = placeOfPath(path, *files_);
    const auto [place, isNew] = places_.try_emplace(name);
    if (!isNew)
        return place->second;
    std::vector<std::string>& paths = place->second.paths;
    place->second.nameSize = name.size();
    place->second.isArchive = files_->namesEntry(path);
    if (place->second.isArchive) {
        for (const archives::Entry& entry :
             files_->openArchive(name.substr(0, name.size() - 1), limits_)->entriesToRead())
            if (!entry.damaged)
                paths.push_back(name + entry.name);
    } else {
        for (const std::string& file : names_ ? names_(name) : std::vector<std::string>())
            paths.push_back(name + file);
    }
    std::ranges::sort(paths);
    return place->second;
}

std::string CharacterFiles::firstThatFits(const Input& skeleton, std::uint32_t bones) {
    Place& place = placeOf(skeleton.file.path);
    const Format& format = formatOf(skeleton);
    while (!place.byBones.contains(bones) && place.measured < place.paths.size()) {
        const std::string& path = place.paths[place.measured++];
        const auto mayBe = [&](const Format* other) { return isAnimationFor(*other, format, path); };
        if (std::ranges::none_of(formats(), mayBe))
            continue;
        try {
            const File file = files_->read(path, limits_);
            if (const std::optional<std::uint32_t> count = bonesOf(file.name, file.bytes, format))
                place.byBones.emplace(*count, path);
        } catch (const core::DecodeError&) {  // NOLINT: the next file may fit
        }
    }
    const auto found = place.byBones.find(bones);
    return found == place.byBones.end() ? std::string() : found->second;
}

std::vector<FoundAnimation> CharacterFiles::elsewhereInArchive(const std::string& path, const Format& format,
                                                               const std::string& model) {
    std::vector<FoundAnimation> found;
    const archives::EntryPath place = files_->parse(path);
    const bool isSpread = std::ranges::any_of(characterLinks(), [&](const CharacterLinks* links) {
        return &links->characters == &format || links->animations.needsSkeleton(format);
    });
    if (place.entries.empty() || !isSpread)
        return found;
    const std::string character(model.empty() ? core::fileNameOf(path.substr(path.rfind(':') + 1)) : model);
    for (std::string& animation : inArchives_.of(place.file, character, path).paths)
        found.push_back({std::move(animation), {}, core::LinkedBy::name, core::NamedBy::file});
    return found;
}

std::vector<FoundAnimation> CharacterFiles::furtherAnimationsOf(const std::string& path, const Format& format,
                                                                const std::string& model) {
    const FurtherAnimations* further = linkRulesOf(format).further;
    if (further == nullptr)
        return elsewhereInArchive(path, format, model);
    std::vector<FoundAnimation> found;
    const std::string character(core::fileNameOf(path.substr(placeOfPath(path, *files_).size())));
    const auto add = [&](const Place& place) {
        for (const std::string& animation : place.paths)
            if (further->isOf(core::fileNameOf(std::string_view(animation).substr(place.nameSize)), character) ==
                    true &&
                (place.isArchive || files_->exists(animation)))
                found.push_back({animation, {}, core::LinkedBy::name, core::NamedBy::file});
    };
    add(placeOf(path));
    for (const std::string& folder : foldersAround(path, *files_)) {
        const std::string archive = found.empty() ? fileLike(folder, further->archive) : std::string();
        if (!archive.empty() && files_->formatOf(archive) != nullptr)
            add(placeOf(archive + ":#0"));
    }
    return found;
}

}  // namespace reanima
