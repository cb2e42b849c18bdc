#include "archives/open_archives.h"

#include <optional>

#include <fmt/format.h>

#include "core/file_system.h"
#include "core/source.h"
#include "core/text.h"

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

    [[nodiscard]] std::string path() const { return fmt::format("{}:{}", archivePath, entry->name); }

    [[nodiscard]] core::ByteVector read(const core::Limits& limits) const {
        return core::inFile(archivePath, [&] { return archive->read(*entry, limits); });
    }
};

const ArchiveFormat* OpenArchives::formatOf(const std::string& file) const {
    try {
        const std::shared_ptr<const Source> source = files().open(file);
        return source ? archiveFormatOf(*source) : nullptr;
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
    for (const std::string& name : path.entries) {
        if (place.entry != nullptr && !enter(place, limits))
            return place;
        place.wanted = name;
        place.entry = place.archive->find(name);
        if (place.entry == nullptr)
            return place;
        OptionValues::Map told = place.archive->optionsOf(*place.entry).all();
        if (!told.empty())
            place.told = std::move(told);
    }
    return place;
}

void OpenArchives::requireEntry(const Place& place) {
    if (place.entry == nullptr)
        throw DecodeError(place.isNoArchive ? std::string("is no archive of a known format")
                                            : fmt::format("holds no entry '{}'", core::printable(place.wanted)))
            .inFile(place.archivePath);
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
    requireEntry(place);
    return enter(place, limits) ? place.archive : nullptr;
}

bool OpenArchives::holds(const std::string& path, const core::Limits& limits) const {
    const EntryPath parsed = parse(path);
    return !parsed.entries.empty() && formatOf(parsed.file) != nullptr && locate(parsed, limits).entry != nullptr;
}

bool OpenArchives::exists(const std::string& path) const {
    return FilesThrough::exists(path) || holds(path, core::Limits{});
}

File OpenArchives::read(const std::string& path, const core::Limits& limits) const {
    const EntryPath parsed = parse(path);
    if (parsed.entries.empty())
        return FilesThrough::read(path, limits);
    const Place place = locate(parsed, limits);
    requireEntry(place);
    return {std::string(place.entry->fileName()), place.read(limits), place.entry->padded, place.path(), place.told};
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
    requireEntry(place);
    const Entry* beside = place.archive->find(std::string(place.entry->folder()).append(name));
    if (beside == nullptr)
        beside = place.archive->find(name);
    if (beside == nullptr)
        return std::nullopt;
    place.entry = beside;
    if (beside->damaged)  // as a file whose bytes are lost: whether that matters, its reader knows
        return File{std::string(name), {}, beside->padded, place.path()};
    return File{std::string(name), place.read(limits), beside->padded, place.path()};
}

}  // namespace reanima::archives
