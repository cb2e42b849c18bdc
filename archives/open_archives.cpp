#include "archives/open_archives.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "archives/characters.h"
#include "core/file_system.h"
#include "core/source.h"
#include "core/text.h"
#include "core/text_pattern.h"

namespace reanima::archives {

using core::DecodeError;

EntryPath parseEntryPath(const std::string& path, const std::function<bool(const std::string&)>& isFile) {
    EntryPath parsed{path, {}};
    if (path.find(':') == std::string::npos || isFile(path))
        return parsed;
    for (std::size_t colon = path.find(':'); colon != std::string::npos; colon = path.find(':', colon + 1)) {
        if (!isFile(path.substr(0, colon)))
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

/// An entry, with the archives that contain it.
struct OpenArchives::Place {
    std::shared_ptr<const Archive> archive;
    const Entry* entry = nullptr;  ///< null: no entry has this name
    std::string archivePath;       ///< the archive's path, with entry names as listed
    std::string wanted{};          ///< the last name that was searched for
    bool isNoArchive = false;      ///< the file or entry before this part of the path is not an archive
    OptionValues::Map told{};
    std::string file{};  ///< the file on disk that contains all these archives

    [[nodiscard]] std::string path() const { return fmt::format("{}:{}", archivePath, entry->name); }

    [[nodiscard]] core::ByteVector read(const core::Limits& limits) const {
        return core::inFile(archivePath, [&] { return archive->read(*entry, limits); });
    }
    /// This entry as a file called `name`. A damaged entry has no bytes; the caller decides what to do.
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
    std::map<const Entry*, std::string> titles =
        titlesOf(archive, [&](std::string_view name) { return ownNameIn(file, name, limits); });
    for (const Entry& entry : archive.entries())
        if (const std::vector<std::string> inside = archive.charactersIn(entry); !inside.empty())
            titles.emplace(&entry, fmt::format("{}", fmt::join(inside, ", ")));
    return titles;
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
            fmt::format("contains several characters called '{}': {}", core::printable(place.wanted), names));
}

ArchiveFile OpenArchives::fileAt(const std::string& file) const {
    return {files().open(file), std::string(core::fileNameOf(file)), core::Siblings(sharedFiles(), file)};
}

std::shared_ptr<const Archive> OpenArchives::opened(const std::string& file) const {
    const std::lock_guard lock(mutex_);
    const auto known = open_.find(file);
    return known == open_.end() ? nullptr : known->second;
}

EntryPath OpenArchives::parse(const std::string& path) const {
    return parseEntryPath(path,
                          [this](const std::string& file) { return opened(file) != nullptr || files().exists(file); });
}

const ArchiveFormat* OpenArchives::formatOf(const std::string& file) const {
    if (const auto archive = opened(file))
        return &archive->format();
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = formats_.find(file); known != formats_.end())
            return known->second;
    }
    try {
        const ArchiveFile candidate = fileAt(file);
        if (!candidate.source)
            return nullptr;
        const ArchiveFormat* format = archiveFormatOf(candidate);
        const std::lock_guard lock(mutex_);
        return formats_.emplace(file, format).first->second;
    } catch (const DecodeError&) {  // reading it reports the reason
        return nullptr;
    }
}

/// Records the files that an archive opens beside it.
class OpenArchives::Parts : public core::FilesThrough {
  public:
    using FilesThrough::FilesThrough;

    [[nodiscard]] std::vector<std::string> names() const {
        const std::lock_guard lock(mutex_);
        return {names_.begin(), names_.end()};
    }

  protected:
    [[nodiscard]] std::shared_ptr<const Source> openBeside(const std::string& path,
                                                           std::string_view name) const override {
        std::shared_ptr<const Source> part = FilesThrough::openBeside(path, name);
        if (part) {
            const std::lock_guard lock(mutex_);
            names_.emplace(name);
        }
        return part;
    }

  private:
    mutable std::mutex mutex_;
    mutable std::set<std::string> names_;
};

std::vector<std::string> OpenArchives::partsOf(const std::string& file) const {
    const std::lock_guard lock(mutex_);
    const auto known = parts_.find(file);
    return known == parts_.end() ? std::vector<std::string>() : known->second->names();
}

std::shared_ptr<const Archive> OpenArchives::openFile(const std::string& file, const core::Limits& limits) const {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const Archive>& known = open_[file];
    if (known)
        return known;
    return core::inFile(file, [&] {
        ArchiveFile opened = fileAt(file);
        if (!opened.source)
            throw DecodeError("can't be read: there is no such file");
        const auto parts = std::make_shared<const Parts>(sharedFiles());
        opened.beside = core::Siblings(parts, file);
        parts_.insert_or_assign(file, parts);
        return known = Archive::open(opened, limits);
    });
}

namespace {

/// The entries of an archive as files, so that an entry can find its siblings.
class EntryFiles : public core::Files {
  public:
    EntryFiles(std::shared_ptr<const Archive> archive, const core::Limits& limits)
        : archive_(std::move(archive)), limits_(limits) {}

    [[nodiscard]] bool exists(const std::string& path) const override { return archive_->find(path) != nullptr; }
    [[nodiscard]] File read(const std::string& path, const core::Limits& limits) const override {
        const Entry* entry = archive_->find(path);
        if (entry == nullptr)
            throw DecodeError("can't be read: there is no such file").inFile(path);
        return {std::string(entry->fileName()), archive_->read(*entry, limits), entry->padded, path};
    }
    [[nodiscard]] std::shared_ptr<const Source> open(const std::string& path) const override {
        const Entry* entry = archive_->find(path);
        return entry == nullptr ? nullptr : archive_->sourceOf(*entry, limits_);
    }

  private:
    std::shared_ptr<const Archive> archive_;
    core::Limits limits_;
};

ArchiveFile fileOf(const std::shared_ptr<const Archive>& archive, const Entry& entry, const core::Limits& limits) {
    return {archive->sourceOf(entry, limits), entry.name,
            core::Siblings(std::make_shared<EntryFiles>(archive, limits), entry.name, limits)};
}

}  // namespace

/// Limits for nested archives: a malicious disc may contain itself, or one archive under many names.
struct OpenArchives::Search {
    const core::Limits& limits;
    std::vector<FoundEntry> found{};
    int depth = 0;
    int archivesLeft = 1024;
    std::uint64_t entriesLeft = 0;

    /// Call this before another archive is entered.
    [[nodiscard]] bool mayGoDown() const {
        constexpr int kDeepest = 4;
        return depth < kDeepest && archivesLeft > 0 && entriesLeft > 0;
    }
    void goDown(const Archive& into) {
        ++depth;
        --archivesLeft;
        entriesLeft -= std::min<std::uint64_t>(entriesLeft, into.entries().size());
    }
};

std::shared_ptr<const Archive> OpenArchives::keptInner(const std::string& path) const {
    const std::lock_guard lock(mutex_);
    const auto known = std::ranges::find(inner_, path, [](const auto& inner) { return inner.first; });
    if (known == inner_.end())
        return nullptr;
    std::rotate(inner_.begin(), known, known + 1);
    return inner_.front().second;
}

/// Caches the table of an inner archive, but not its data.
void OpenArchives::keepInner(const std::string& path, const std::shared_ptr<const Archive>& archive) const {
    constexpr std::size_t kMost = 16;
    const std::lock_guard lock(mutex_);
    inner_.emplace_front(path, archive);
    if (inner_.size() > kMost)
        inner_.pop_back();
}

/// @return false if the entry is not an archive
bool OpenArchives::enter(Place& place, const core::Limits& limits) const {
    const std::string inner = place.path();
    const bool isStored = !place.entry->packed;
    if (auto known = keptInner(inner)) {
        place.archive = std::move(known);
    } else {
        const ArchiveFile file =
            core::inFile(place.archivePath, [&] { return fileOf(place.archive, *place.entry, limits); });
        place.isNoArchive = core::inFile(inner, [&] { return archiveFormatOf(file) == nullptr; });
        if (!place.isNoArchive)
            core::inFile(inner, [&] { place.archive = Archive::open(file, limits); });
        if (!place.isNoArchive && isStored)
            keepInner(inner, place.archive);
    }
    place.entry = nullptr;
    place.archivePath = inner;
    return !place.isNoArchive;
}

namespace {

/// True for archives with characters. A disc image inside another image is only read if the user names it, since that
/// costs at least one chunk.
bool mayBeEntered(const ArchiveFormat& format) { return format.holdsCharacters && format.unpacked == nullptr; }

/// True for an entry that can't be read and whose name is usual for archives with characters.
bool isDamagedArchive(const Entry& entry) {
    return entry.damaged && std::ranges::any_of(archivesCalledLike(entry.fileName()),
                                                [](const ArchiveFormat* format) { return mayBeEntered(*format); });
}

}  // namespace

std::vector<std::uint32_t> OpenArchives::gameArchivesIn(const std::shared_ptr<const Archive>& archive,
                                                        const std::string& path, const core::Limits& limits) const {
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = gameArchives_.find(path); known != gameArchives_.end())
            return known->second;
    }
    std::vector<std::uint32_t> found;
    const std::span<const Entry> entries = archive->entriesToRead();
    for (std::uint32_t i = 0; i < entries.size(); ++i) {
        if (entries[i].damaged || entries[i].size == 0 || archive->mayBeCharacter(entries[i]))
            continue;
        try {
            const ArchiveFile file = fileOf(archive, entries[i], limits);
            const ArchiveFormat* format = archiveFormatOf(file);
            if (format == nullptr)
                refuseBlank(file);
            else if (mayBeEntered(*format))
                found.push_back(i);
        } catch (const DecodeError&) {  // reading it reports the reason
            found.push_back(i);
        }
    }
    const std::lock_guard lock(mutex_);
    return gameArchives_.emplace(path, std::move(found)).first->second;
}

void OpenArchives::addEntriesIn(const std::shared_ptr<const Archive>& archive, const FoundEntry& place,
                                Search& search) const {
    const auto foundHere = [&](const Entry& entry) {
        return FoundEntry{fmt::format("{}:{}", place.path, entry.name), place.folder + std::string(entry.folder()),
                          archive, &entry};
    };
    const bool holdsArchives = archive->format().holdsArchives;
    for (const Entry& entry : archive->entriesToRead())
        if (!holdsArchives || archive->mayBeCharacter(entry) || isDamagedArchive(entry))
            search.found.push_back(foundHere(entry));  // reading a damaged one reports the reason
    for (const std::uint32_t index :
         holdsArchives ? gameArchivesIn(archive, place.path, search.limits) : std::vector<std::uint32_t>()) {
        if (!search.mayGoDown())
            break;
        FoundEntry inner = foundHere(archive->entries()[index]);
        Place entered{archive, inner.entry, place.path};
        bool isEntered = false;
        try {
            isEntered = enter(entered, search.limits);
        } catch (const DecodeError&) {  // NOLINT: reading it reports the reason
        }
        if (!isEntered) {
            search.found.push_back(std::move(inner));
            continue;
        }
        search.goDown(*entered.archive);
        const std::string_view stem = core::stemOf(inner.entry->fileName());
        addEntriesIn(entered.archive, {inner.path, fmt::format("{}{}/", inner.folder, stem), nullptr}, search);
        --search.depth;
    }
}

std::vector<FoundEntry> OpenArchives::entriesIn(const std::string& path, const core::Limits& limits) const {
    const std::shared_ptr<const Archive> archive = openArchive(path, limits);
    Search search{limits};
    search.entriesLeft = archive->mostEntriesToRead();
    core::inFile(path, [&] { addEntriesIn(archive, {path, {}, nullptr}, search); });
    return std::move(search.found);
}

/// Replaces a disc by the games' archives on it.
void OpenArchives::findInArchives(Place& place, Search& search) const {
    std::vector<Place> found;
    for (const std::uint32_t index : gameArchivesIn(place.archive, place.archivePath, search.limits)) {
        if (!search.mayGoDown())
            break;
        Place inner = place;
        inner.entry = &place.archive->entries()[index];
        try {
            if (!enter(inner, search.limits))
                continue;
        } catch (const DecodeError&) {  // opening that archive reports the reason
            continue;
        }
        search.goDown(*inner.archive);
        findByName(inner, place.wanted, search);
        --search.depth;
        if (inner.entry != nullptr)
            found.push_back(std::move(inner));
    }
    const auto isId = [&place](const Place& one) {
        return one.archive->format().isId != nullptr && one.archive->format().isId(place.wanted);
    };
    std::string names;
    for (const Place& one : found)
        names += fmt::format("{}{}", names.empty() ? "" : ", ", one.path().substr(place.archivePath.size() + 1));
    if (found.size() > 1 && !std::ranges::all_of(found, isId))
        throw DecodeError(fmt::format("contains '{}' in several archives: {}", core::printable(place.wanted), names))
            .inFile(place.archivePath);
    if (!found.empty())
        place = found.front();
}

void OpenArchives::findByName(Place& place, const std::string& name, Search& search) const {
    place.wanted = name;
    place.entry = place.archive->find(name);
    if (place.entry == nullptr)
        place.entry = onlyCalled(place, search.limits);
    if (place.entry == nullptr && place.archive->format().holdsArchives)
        findInArchives(place, search);
}

OpenArchives::Place OpenArchives::locate(const EntryPath& path, const core::Limits& limits) const {
    Place place{openFile(path.file, limits), nullptr, path.file};
    place.file = path.file;
    for (const std::string& name : path.entries) {
        if (place.entry != nullptr && !enter(place, limits))
            return place;
        Search search{limits};
        search.entriesLeft = place.archive->mostEntriesToRead();
        findByName(place, name, search);
        if (place.entry == nullptr)
            return place;
        OptionValues::Map told = place.archive->optionsOf(*place.entry).all();
        if (!told.empty())
            place.told = std::move(told);
    }
    return place;
}

namespace {

/// `; its characters are cloud, tifa and 3 more`. Empty if no entry has a title.
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
        throw DecodeError("is not an archive of a known format").inFile(place.archivePath);
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
        throw DecodeError(fmt::format("contains no entry '{}'{}", core::printable(place.wanted), question));
    });
}

std::shared_ptr<const Archive> OpenArchives::openArchive(const std::string& path, const core::Limits& limits) const {
    if (!namesEntry(path))
        return openFile(path, limits);
    if (auto archive = openIfArchive(path, limits))
        return archive;
    throw DecodeError("is not an archive of a known format").inFile(path);
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
            // Matches of a pattern may be any kind of file. The part before the first pattern is an explicit path.
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
    const Place place = locate(parse(path), {});
    return place.entry == nullptr
               ? nullptr
               : core::inFile(place.archivePath, [&] { return place.archive->sourceOf(*place.entry, {}); });
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
        } catch (const DecodeError&) {  // reading it reports the reason
            continue;
        }
        place.entry = place.archive->find(name);
        if (place.entry != nullptr)
            return place.readAs(name, limits);
    }
    return std::nullopt;
}

}  // namespace reanima::archives
