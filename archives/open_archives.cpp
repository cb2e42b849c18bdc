#include "archives/open_archives.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "archives/characters.h"
#include "core/file_system.h"
#include "core/source.h"
#include "core/text.h"
#include "core/text_pattern.h"

namespace reanima::archives {

using core::DecodeError;

EntryPath parseEntryPath(const std::string& path, const core::Files& files) {
    EntryPath parsed{path, {}};
    if (path.find(':') == std::string::npos || files.exists(path))
        return parsed;
    for (std::size_t colon = path.find(':'); colon != std::string::npos; colon = path.find(':', colon + 1)) {
        if (!files.exists(path.substr(0, colon)))
            continue;
        parsed.file = path.substr(0, colon);
        for (std::size_t begin = colon + 1; begin <= path.size();) {
            const std::size_t end = std::min(path.find(':', begin), path.size());
            parsed.entries.push_back(path.substr(begin, end - begin));
            begin = end + 1;
        }
        break;
    }
    return parsed;
}

/// An entry, and the archives that lead to it.
struct OpenArchives::Place {
    std::shared_ptr<const Archive> archive;
    const Entry* entry = nullptr;  ///< null: there is none of that name
    std::string archivePath;       ///< with the names of entries as their lists have them
    std::string wanted{};          ///< the name that was looked for last
    bool isNoArchive = false;      ///< what it was looked for in
    OptionValues::Map told{};
    std::string file{};  ///< that holds all of them

    [[nodiscard]] std::string path() const { return fmt::format("{}:{}", archivePath, entry->name); }

    [[nodiscard]] core::ByteVector read(const core::Limits& limits) const {
        return core::inFile(archivePath, [&] { return archive->read(*entry, limits); });
    }
    /// What lies beside another entry, as it is called there. One that is damaged is a file whose bytes are lost:
    /// whether that matters, its reader knows.
    [[nodiscard]] File readAs(std::string_view name, const core::Limits& limits) const {
        return {std::string(name), entry->damaged ? core::ByteVector() : read(limits), entry->padded, path()};
    }
};

core::Called OpenArchives::ownNameIn(const std::string& file, std::string_view fileName,
                                     const core::Limits& limits) const {
    const NameFile* kind = nameFileFor(fileName);
    return kind == nullptr ? core::Called{}
                           : calledBy(names_.beside(file, *kind, files(), limits).names, *kind, fileName);
}

core::Called OpenArchives::ownNameOf(const std::string& path, const core::Limits& limits) const {
    const EntryPath parsed = parse(path);
    return ownNameIn(parsed.file, core::fileNameOf(parsed.entries.empty() ? parsed.file : parsed.entries.back()),
                     limits);
}

std::map<const Entry*, std::string> OpenArchives::titlesIn(const std::string& path, const Archive& archive,
                                                           const core::Limits& limits) const {
    const std::string file = parse(path).file;
    return titlesOf(archive, [&](std::string_view name) { return ownNameIn(file, name, limits); });
}

std::vector<const Entry*> OpenArchives::entriesCalledAt(const Place& place, const core::Limits& limits) const {
    return entriesCalled(*place.archive, place.wanted,
                         [&](std::string_view name) { return ownNameIn(place.file, name, limits); });
}

const Entry* OpenArchives::onlyCalled(const Place& place, const core::Limits& limits) const {
    const std::vector<const Entry*> called = entriesCalledAt(place, limits);
    return called.size() == 1 ? called.front() : nullptr;
}

void OpenArchives::refuseSeveral(const Place& place, const core::Limits& limits) const {
    std::string names;
    const std::vector<const Entry*> called = entriesCalledAt(place, limits);
    for (std::size_t i = 0; i < called.size(); ++i)
        names += (i == 0 ? "" : i + 1 < called.size() ? ", " : " and ") + called[i]->name;
    if (called.size() > 1)
        throw DecodeError(
            fmt::format("holds several characters called '{}': {}", core::printable(place.wanted), names));
}

const ArchiveFormat* OpenArchives::formatOf(const std::string& file) const {
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = formats_.find(file); known != formats_.end())
            return known->second;
    }
    try {
        const std::shared_ptr<const Source> source = files().open(file);
        if (!source)
            return nullptr;
        const ArchiveFormat* format = archiveFormatOf(*source);
        const std::lock_guard lock(mutex_);
        return formats_.emplace(file, format).first->second;
    } catch (const DecodeError&) {  // whoever reads it says why
        return nullptr;
    }
}

std::shared_ptr<const Archive> OpenArchives::openFile(const std::string& file, const core::Limits& limits) const {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const Archive>& known = open_[file];
    if (known)
        return known;
    return core::inFile(file, [&] {
        std::shared_ptr<const Source> source = files().open(file);
        if (!source)
            throw DecodeError("can't be read: there is no such file");
        return known = Archive::open(std::move(source), limits);
    });
}

/// @return false if the entry is no archive
bool OpenArchives::enter(Place& place, const core::Limits& limits) {
    const std::string inner = place.path();
    std::shared_ptr<const Source> source = core::inMemory(place.read(limits));
    place.entry = nullptr;
    place.archivePath = inner;
    place.isNoArchive = archiveFormatOf(*source) == nullptr;
    if (place.isNoArchive)
        return false;
    core::inFile(inner, [&] { place.archive = Archive::open(std::move(source), limits); });
    return true;
}

OpenArchives::Place OpenArchives::locate(const EntryPath& path, const core::Limits& limits) const {
    Place place{openFile(path.file, limits), nullptr, path.file};
    place.file = path.file;
    for (const std::string& name : path.entries) {
        if (place.entry != nullptr && !enter(place, limits))
            return place;
        place.wanted = name;
        place.entry = place.archive->find(name);
        if (place.entry == nullptr)
            place.entry = onlyCalled(place, limits);
        if (place.entry == nullptr)
            return place;
        OptionValues::Map told = place.archive->optionsOf(*place.entry).all();
        if (!told.empty())
            place.told = std::move(told);
    }
    return place;
}

namespace {

/// `; its characters are cloud, tifa and 3 more`; empty where none has a name.
std::string firstTitles(const std::map<const Entry*, std::string>& titles) {
    constexpr std::size_t kMost = 8;
    std::set<std::string> names;
    for (const auto& [entry, title] : titles)
        names.insert(title);
    if (names.empty())
        return {};
    const std::size_t shown = std::min(names.size(), kMost);
    const std::string more = names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "";
    return fmt::format("; its characters are {}{}",
                       fmt::join(names.begin(), std::next(names.begin(), static_cast<std::ptrdiff_t>(shown)), ", "),
                       more);
}

}  // namespace

void OpenArchives::requireEntry(const Place& place, const core::Limits& limits) const {
    if (place.entry != nullptr)
        return;
    if (place.isNoArchive)
        throw DecodeError("is no archive of a known format").inFile(place.archivePath);
    core::inFile(place.archivePath, [&] {
        refuseSeveral(place, limits);
        std::string question = place.archive->nearestTo(place.wanted);
        const auto own = [&](std::string_view name) { return ownNameIn(place.file, name, limits); };
        if (const std::string title = question.empty() ? titleNear(*place.archive, place.wanted, own) : std::string();
            !title.empty())
            question = fmt::format("; did you mean '{}'?", title);
        if (question.empty())
            question = firstTitles(titlesOf(*place.archive, own));
        if (question.empty())
            question = place.archive->firstEntries();
        throw DecodeError(fmt::format("holds no entry '{}'{}", core::printable(place.wanted), question));
    });
}

std::shared_ptr<const Archive> OpenArchives::openArchive(const std::string& path, const core::Limits& limits) const {
    if (!namesEntry(path))
        return openFile(path, limits);
    if (auto archive = openIfArchive(path, limits))
        return archive;
    throw DecodeError("is no archive of a known format").inFile(path);
}

std::shared_ptr<const Archive> OpenArchives::openIfArchive(const std::string& path, const core::Limits& limits) const {
    const EntryPath parsed = parse(path);
    if (parsed.entries.empty())
        return formatOf(path) != nullptr ? openFile(path, limits) : nullptr;
    Place place = locate(parsed, limits);
    requireEntry(place, limits);
    return enter(place, limits) ? place.archive : nullptr;
}

bool OpenArchives::holds(const std::string& path, const core::Limits& limits) const {
    const EntryPath parsed = parse(path);
    return !parsed.entries.empty() && formatOf(parsed.file) != nullptr && locate(parsed, limits).entry != nullptr;
}

bool OpenArchives::holdsNone(const std::string& path, const core::Limits& limits) const {
    const EntryPath parsed = parse(path);
    if (parsed.entries.empty() || formatOf(parsed.file) == nullptr)
        return false;
    const Place place = locate(parsed, limits);
    return place.entry == nullptr && !place.isNoArchive && entriesCalledAt(place, limits).empty();
}

bool OpenArchives::exists(const std::string& path) const {
    return FilesThrough::exists(path) || holds(path, core::Limits{});
}

std::vector<std::string> OpenArchives::matching(const std::string& path, const core::Limits& limits) const {
    const EntryPath parsed = parse(path);
    std::vector<std::string> found = {parsed.file};
    for (const std::string& name : parsed.entries) {
        std::vector<std::string> next;
        for (const std::string& place : found) {
            // What a pattern found may be anything; what stands in front of the first one is named.
            const std::shared_ptr<const Archive> archive =
                found.size() > 1 ? openIfArchive(place, limits) : openArchive(place, limits);
            if (!archive)
                continue;
            const Entry* named = archive->find(name);
            for (const Entry& entry : archive->entries())
                if (named != nullptr ? &entry == named : core::isPattern(name) && core::fitsPath(entry.name, name))
                    next.push_back(fmt::format("{}:{}", place, entry.name));
        }
        found = std::move(next);
    }
    return found;
}

void OpenArchives::tell(File& file, const std::string& where, const core::Limits& limits) const {
    const NameFile* kind = where.empty() ? nullptr : nameFileFor(file.name);
    if (kind == nullptr)
        return;
    const NamesOfFile& own = names_.beside(where, *kind, files(), limits);
    const core::Called called = calledBy(own.names, *kind, file.name);
    if (called.isKnown() && file.told.emplace(kOwnNameKey, called.fullName).second)
        file.toldBy = own.file;
}

File OpenArchives::read(const std::string& path, const core::Limits& limits) const {
    const EntryPath parsed = parse(path);
    if (parsed.entries.empty()) {
        File file = FilesThrough::read(path, limits);
        tell(file, file.path, limits);
        return file;
    }
    const Place place = locate(parsed, limits);
    requireEntry(place, limits);
    File file{std::string(place.entry->fileName()), place.read(limits), place.entry->padded, place.path(), place.told};
    tell(file, place.file, limits);
    return file;
}

std::shared_ptr<const core::Source> OpenArchives::open(const std::string& path) const {
    if (!namesEntry(path))
        return FilesThrough::open(path);
    return holds(path, {}) ? core::inMemory(read(path, {}).bytes) : nullptr;
}

std::optional<File> OpenArchives::readBeside(const std::string& path, std::string_view name,
                                             const core::Limits& limits) const {
    const EntryPath parsed = parse(path);
    if (parsed.entries.empty())
        return FilesThrough::readBeside(path, name, limits);
    Place place = locate(parsed, limits);
    requireEntry(place, limits);
    const Entry* beside = place.archive->find(std::string(place.entry->folder()).append(name));
    if (beside == nullptr)
        beside = place.archive->find(name);
    if (beside == nullptr)
        return readFromOthers(place.archive->format(), name, limits);
    place.entry = beside;
    return place.readAs(name, limits);
}

std::optional<File> OpenArchives::readFromOthers(const ArchiveFormat& format, std::string_view name,
                                                 const core::Limits& limits) const {
    if (others_.empty() || format.isId == nullptr || !format.isId(name))
        return std::nullopt;
    for (const std::string& other : others_) {
        const ArchiveFormat* kind = formatOf(other);
        if (kind == nullptr || kind->id != format.id)
            continue;
        Place place{nullptr, nullptr, other};
        try {
            place.archive = openFile(other, limits);
        } catch (const DecodeError&) {  // whoever reads it for itself says why
            continue;
        }
        place.entry = place.archive->find(name);
        if (place.entry != nullptr)
            return place.readAs(name, limits);
    }
    return std::nullopt;
}

}  // namespace reanima::archives
