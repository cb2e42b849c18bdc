#include "archives/open_archives.h"

#include <optional>

#include <fmt/format.h>

#include "archives/source.h"
#include "core/file_system.h"
#include "core/text.h"

namespace reanima::archives {

using core::DecodeError;

FileAccess fileSystem() {
    return {[](const std::string& path) { return core::isFile(core::fromUtf8(path)); },
            [](const std::string& path) { return archives::openFile(core::fromUtf8(path)); }};
}

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

/// An entry, and the archives that lead to it.
struct OpenArchives::Place {
    std::shared_ptr<const Archive> archive;
    const Entry* entry = nullptr;  ///< null: there is none of that name
    std::string archivePath;       ///< with the names of entries as their lists have them
    std::string wanted{};          ///< the name that was looked for last
    bool isNoArchive = false;      ///< what it was looked for in
    OptionValues told{};

    [[nodiscard]] std::string path() const { return fmt::format("{}:{}", archivePath, entry->name); }

    [[nodiscard]] core::ByteVector read(const core::Limits& limits) const {
        try {
            return archive->read(*entry, limits);
        } catch (const DecodeError& error) {
            throw error.inFile(archivePath);
        }
    }
};

const ArchiveFormat* OpenArchives::formatOf(const std::string& file) const {
    try {
        const std::shared_ptr<const Source> source = access_.isFile(file) ? access_.open(file) : nullptr;
        return source ? archiveFormatOf(*source) : nullptr;
    } catch (const DecodeError&) {  // whoever reads it says why
        return nullptr;
    }
}

std::shared_ptr<const Archive> OpenArchives::openFile(const std::string& file, const core::Limits& limits) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const Archive>& known = open_[file];
    if (known)
        return known;
    try {
        std::shared_ptr<const Source> source = access_.open(file);
        if (!source)
            throw DecodeError("can't be read: there is no such file");
        return known = Archive::open(std::move(source), limits);
    } catch (const DecodeError& error) {
        throw error.inFile(file);
    }
}

/// @return false if the entry is no archive
bool OpenArchives::enter(Place& place, const core::Limits& limits) {
    const std::string inner = place.path();
    std::shared_ptr<const Source> source = inMemory(place.read(limits));
    place.entry = nullptr;
    place.archivePath = inner;
    place.isNoArchive = archiveFormatOf(*source) == nullptr;
    if (place.isNoArchive)
        return false;
    try {
        place.archive = Archive::open(std::move(source), limits);
    } catch (const DecodeError& error) {
        throw error.inFile(inner);
    }
    return true;
}

OpenArchives::Place OpenArchives::locate(const EntryPath& path, const core::Limits& limits) {
    Place place{openFile(path.file, limits), nullptr, path.file};
    for (const std::string& name : path.entries) {
        if (place.entry != nullptr && !enter(place, limits))
            return place;
        place.wanted = name;
        place.entry = place.archive->find(name);
        if (place.entry == nullptr)
            return place;
        const OptionValues told = place.archive->optionsOf(*place.entry);
        if (!told.all().empty())
            place.told = told;
    }
    return place;
}

void OpenArchives::requireEntry(const Place& place) {
    if (place.entry == nullptr)
        throw DecodeError(place.isNoArchive ? std::string("is no archive of a known format")
                                            : fmt::format("holds no entry '{}'", core::printable(place.wanted)))
            .inFile(place.archivePath);
}

std::shared_ptr<const Archive> OpenArchives::open(const std::string& path, const core::Limits& limits) {
    if (!namesEntry(path))
        return openFile(path, limits);
    if (auto archive = openIfArchive(path, limits))
        return archive;
    throw DecodeError("is no archive of a known format").inFile(path);
}

std::shared_ptr<const Archive> OpenArchives::openIfArchive(const std::string& path, const core::Limits& limits) {
    const EntryPath parsed = parse(path);
    if (parsed.entries.empty())
        return formatOf(path) != nullptr ? openFile(path, limits) : nullptr;
    Place place = locate(parsed, limits);
    requireEntry(place);
    return enter(place, limits) ? place.archive : nullptr;
}

bool OpenArchives::holds(const EntryPath& path, const core::Limits& limits) {
    return !path.entries.empty() && formatOf(path.file) != nullptr && locate(path, limits).entry != nullptr;
}

Input OpenArchives::input(const EntryPath& path, const core::Limits& limits) {
    const Place place = locate(path, limits);
    requireEntry(place);
    Input input{
        {std::string(place.entry->fileName()), place.read(limits), place.entry->padded}, {}, nullptr, place.path()};
    input.told = place.told;
    const core::Limits left = limits.holding(input.file.bytes.size());
    input.siblings = [place = Place(place), left](std::string_view name) -> std::optional<File> {
        const Entry* beside = place.archive->find(std::string(place.entry->folder()).append(name));
        if (beside == nullptr)
            beside = place.archive->find(name);
        if (beside == nullptr)
            return std::nullopt;
        if (beside->damaged)  // as a file whose bytes are lost: whether that matters, its reader knows
            return File{std::string(name), {}, beside->padded};
        Place found = place;
        found.entry = beside;
        return File{std::string(name), found.read(left), beside->padded};
    };
    return input;
}

}  // namespace reanima::archives
