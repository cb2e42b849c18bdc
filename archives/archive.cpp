#include "archives/archive.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/near_names.h"
#include "core/source.h"
#include "core/text.h"
#include "formats/foreign_files.h"
#include "formats/format.h"
#include "formats/registry.h"

namespace reanima::archives {

using core::Code;
using core::DecodeError;

std::string_view Entry::folder() const { return core::folderOf(name); }
std::string_view Entry::fileName() const { return core::fileNameOf(name); }

std::string safePart(std::string_view stored) {
    constexpr std::size_t kLongest = 200;  // file systems take 255 bytes, and temporary names are longer
    std::string part(stored.substr(0, kLongest));
    for (char& c : part)
        if (static_cast<std::uint8_t>(c) >= 0x80)
            c = '_';
    return core::portableName(part);
}

std::string typeText(const ArchiveFormat& format, std::uint32_t type) {
    if (format.types == ArchiveFormat::Types::numbers)
        return fmt::format("{}", type);
    std::string letters;
    for (int shift = 24; shift >= 0; shift -= 8)
        letters += static_cast<char>(type >> static_cast<unsigned>(shift) & 0xFFU);
    return safePart(letters);
}

const ArchiveFormat* archiveFormatOf(const Source& source) {
    const auto found =
        std::ranges::find_if(archiveFormats(), [&](const ArchiveFormat& row) { return row.claims(source); });
    return found == archiveFormats().end() ? nullptr : &*found;
}

std::unique_ptr<Archive> Archive::open(std::shared_ptr<const Source> source, const core::Limits& limits) {
    const ArchiveFormat* format = archiveFormatOf(*source);
    if (format == nullptr) {
        const std::uint64_t head = std::min<std::uint64_t>(kForeignHead, source->size());
        if (const auto foreign = foreignFile(source->read(0, head, {})))
            throw foreign->asError();
        throw DecodeError("is no archive of a known format");
    }
    return format->open(std::move(source), limits);
}

std::uint64_t Archive::size() const { return source_->size(); }

std::uint64_t Archive::mostEntriesToRead() const {
    constexpr std::uint64_t kFew = 4096;
    constexpr std::uint64_t kBytesPerEntry = 256;
    return kFew + size() / kBytesPerEntry;
}

std::span<const Entry> Archive::entriesToRead() const {
    constexpr std::uint64_t kLittle = 64U << 20U;
    constexpr std::uint64_t kTimesItsSize = 20;
    const auto requireAtMost = [](std::uint64_t most, std::uint64_t count, const char* what) {
        if (count > most)
            throw DecodeError({},
                              fmt::format("has {} {}entries to read, the limit for its size is {}", count, what, most),
                              DecodeError::Kind::limit);
    };
    requireAtMost(mostEntriesToRead(), entries_.size(), "");
    std::uint64_t bytes = 0;
    for (const Entry& entry : entries_)
        bytes += entry.damaged ? 0 : std::max(entry.size, entry.storedSize);
    requireAtMost(std::max(kLittle, size() * kTimesItsSize), bytes, "bytes in its ");
    return entries_;
}

void Archive::requireRoomFor(std::uint64_t entries, const core::Place& place) const {
    constexpr std::uint64_t kBytesPerEntry = sizeof(Entry) + 256;  // with its names, in list and index
    core::requireMemory((entries_.size() + entries) * kBytesPerEntry, limits_, place);
}

std::string Archive::folderNamed(const std::string& wanted) {
    // What was taken stays taken, and what was found is kept for folders.
    std::uint32_t& next = folderNumber_.try_emplace(core::lowerCase(wanted), 1).first->second;
    const auto numbered = [&] { return next == 1 ? wanted : fmt::format("{}_{}", wanted, next); };
    std::string name = numbered();
    while (byName_.contains(core::lowerCase(name))) {
        ++next;
        name = numbered();
    }
    folders_.insert(core::lowerCase(name));
    return name;
}

Entry& Archive::add(Entry entry, std::span<const std::string_view> parts, std::string_view extension) {
    std::string wanted;
    std::string stored;
    for (const std::string_view part : parts) {
        if (part.empty())
            continue;
        if (!wanted.empty())
            wanted = folderNamed(wanted) + '/';
        wanted += safePart(part);
        stored.append(stored.empty() ? "" : "/").append(part);
    }
    if (wanted.empty())
        wanted = "_";
    const auto index = static_cast<std::uint32_t>(entries_.size());
    const auto isTaken = [&](const std::string& name) {
        const std::string lower = core::lowerCase(name);
        return folders_.contains(lower) || !byName_.emplace(lower, index).second;
    };
    entry.name = wanted + std::string(extension);
    if (isTaken(entry.name)) {
        const std::string lower = core::lowerCase(entry.name);
        if (const auto first = byName_.find(lower); first != byName_.end()) {
            std::vector<std::uint32_t>& all = namesakes_[lower];
            if (all.empty())
                all.push_back(first->second);
            all.push_back(index);
        }
        std::uint32_t& next = nextNumber_.try_emplace(lower, 2).first->second;
        do
            entry.name = fmt::format("{}_{}{}", wanted, next++, extension);
        while (isTaken(entry.name));
    }
    if (entry.name != stored + std::string(extension))
        diagnostics_.warn(Code::renamed, {entry.name, entry.offset},
                          fmt::format("is stored as '{}{}'", core::printable(stored), extension));
    Entry& added = entries_.emplace_back(std::move(entry));
    const std::uint64_t end = added.offset + added.storedSize;
    if (!added.damaged && (end < added.offset || end > source_->size()))
        damage(added, fmt::format("would lie at {:#x} to {:#x}, the archive has {:#x} bytes", added.offset, end,
                                  source_->size()));
    return added;
}

void Archive::damage(Entry& entry, const std::string& reason) {
    entry.damaged = true;
    diagnostics_.warn(Code::damaged, {entry.name, entry.offset}, reason);
}

const Entry* Archive::findExactly(const std::string& lowerCaseName) const {
    const auto found = byName_.find(lowerCaseName);
    return found == byName_.end() ? nullptr : &entries_[found->second];
}

const Entry* Archive::find(std::string_view name) const {
    const std::string lower = core::lowerCase(name);
    if (const Entry* entry = findExactly(lower))
        return entry;
    if (lower.starts_with('#')) {
        std::size_t place = 0;
        const char* end = lower.data() + lower.size();
        const auto [last, error] = std::from_chars(lower.data() + 1, end, place);
        return error == std::errc() && last == end && place < entries_.size() ? &entries_[place] : nullptr;
    }
    return findOtherwise(lower);
}

std::span<const std::uint32_t> Archive::namesakesOf(const Entry& entry) const {
    const auto found = namesakes_.find(core::lowerCase(entry.name));
    return found == namesakes_.end() ? std::span<const std::uint32_t>() : found->second;
}

std::string Archive::nearestTo(std::string_view name) const {
    core::NearestName nearest(name);
    for (const Entry& entry : entries_)
        nearest.offer(entry.name);
    std::string found = nearest.found();
    if (found.empty())
        found = nearestFile(name);
    if (found.empty())
        found = otherNameNear(name);
    return found.empty() ? std::string() : fmt::format("; did you mean '{}'?", found);
}

/// An entry by the last part of its name: one that is close, or the only one that is called so but for its ending.
std::string Archive::nearestFile(std::string_view name) const {
    core::NearestName nearest(name);
    const Entry* sameStem = nullptr;
    std::size_t alike = 0;
    for (const Entry& entry : entries_) {
        nearest.offer(entry.fileName());
        if (core::lowerCase(core::stemOf(entry.fileName())) == core::lowerCase(name)) {
            sameStem = &entry;
            ++alike;
        }
    }
    if (alike == 1)
        return sameStem->name;
    const auto found = std::ranges::find(entries_, std::string_view(nearest.found()), &Entry::fileName);
    if (nearest.found().empty() || find(nearest.found()) != nullptr)  // LGPs find names without their folder, too
        return nearest.found();
    return found->name;
}

std::string Archive::firstEntries() const {
    constexpr std::size_t kMost = 3;
    const std::size_t named = std::min(entries_.size(), kMost);
    std::string text;
    for (std::size_t i = 0; i < named; ++i)
        text += fmt::format("{}{}", i == 0 ? "" : ", ", entries_[i].name);
    if (entries_.size() > named)
        text += fmt::format(" and {} more", entries_.size() - named);
    return text.empty() ? text : fmt::format("; it holds {}", text);
}

const Entry* Archive::findOtherwise(const std::string&) const { return nullptr; }
std::string Archive::otherNameNear(std::string_view) const { return {}; }
OptionValues Archive::optionsOf(const Entry&) const { return {}; }

bool Archive::mayBeCharacter(const Entry& entry) const {
    const std::string_view game = format_->id.substr(0, format_->id.find('-'));
    bool isTold = false;
    for (const Format* format : formats()) {
        if (format->isCharacter == nullptr || format->game() != game)
            continue;
        if (format->isCharacter(entry.fileName(), entry.type))
            return true;
        isTold = true;
    }
    return !isTold;
}

void Archive::requireWritable() const {
    if (!format_->insteadOfWriting.empty())
        throw DecodeError(
            fmt::format("is an archive that can't be written ({}); {}", format_->label, format_->insteadOfWriting));
}

RewrittenArchive Archive::withOther(std::span<const Replacement>) const {
    requireWritable();
    return {};  // what can be written overrides this
}

core::ByteVector Archive::decode(const Entry&, core::ByteVector stored) const { return stored; }

core::ByteVector Archive::read(const Entry& entry, const core::Limits& limits) const {
    const core::Place place{entry.name, entry.offset};
    if (entry.damaged) {
        const auto& warnings = diagnostics_.warnings();
        const auto why = std::ranges::find_if(warnings, [&](const core::Warning& warning) {
            return warning.code == Code::damaged && warning.place.field == entry.name;
        });
        throw DecodeError(place, why == warnings.end() ? "is damaged" : why->text);
    }
    const std::uint64_t largest = std::max(entry.size, entry.storedSize);
    if (largest > kLargestEntry)
        throw DecodeError(place, fmt::format("has {} bytes, the limit for one entry is {}", largest, kLargestEntry),
                          DecodeError::Kind::limit);
    core::requireMemory(entry.packed ? entry.size + entry.storedSize : entry.size, limits, place);
    return decode(entry, source_->read(entry.offset, entry.storedSize, place));
}

}  // namespace reanima::archives
