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

namespace {

constexpr std::uint64_t kBytesOfFolder = 64;  // memory per folder in each of two indexes, without the name
constexpr std::size_t kLongestPart = 200;     // file systems allow 255 bytes; temporary files get longer names

}  // namespace

std::string_view Entry::folder() const { return core::folderOf(name); }
std::string_view Entry::fileName() const { return core::fileNameOf(name); }

std::string safePart(std::string_view stored) {
    std::string part(stored.substr(0, kLongestPart));
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

std::vector<std::string_view> partsOf(std::string_view path) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find_first_of("\\/", begin), path.size());
        if (end > begin)
            parts.push_back(path.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

const ArchiveFormat* archiveFormatOf(const ArchiveFile& file) {
    const auto found =
        std::ranges::find_if(archiveFormats(), [&](const ArchiveFormat& row) { return row.claims(file); });
    return found == archiveFormats().end() ? nullptr : &*found;
}

std::vector<const ArchiveFormat*> archivesCalledLike(std::string_view fileName) {
    const std::string ending = core::extensionOf(fileName);
    std::vector<const ArchiveFormat*> found;
    for (const ArchiveFormat& format : archiveFormats())
        if (!ending.empty() && std::ranges::find(format.endings, ending) != format.endings.end())
            found.push_back(&format);
    return found;
}

void refuseBlank(const ArchiveFile& file) {
    constexpr std::uint64_t kHead = 64U << 10U;  // beyond the label of a CD: the first 32 KiB of CDs are often zeros
    std::string expected;
    for (const ArchiveFormat* format : archivesCalledLike(core::fileNameOf(file.name)))
        expected += (expected.empty() ? "" : " or ") + std::string(format->label);
    if (expected.empty())
        return;
    const core::ByteVector head = file.source->read(0, std::min(kHead, file.source->size()), {});
    if (head.empty())
        throw DecodeError(fmt::format("is empty, expected {}", expected));
    if (std::ranges::all_of(head, [](std::uint8_t byte) { return byte == 0; }))
        throw DecodeError(fmt::format("begins with {} zeros, expected {}", head.size(), expected));
}

namespace {

/// @throws core::DecodeError for the first part of a split disc, if the next part is beside it
void refuseFirstPart(const ArchiveFile& file) {
    const std::optional<ImagePart> part = imagePart(core::fileNameOf(file.name));
    if (part && file.beside.open(part->next) != nullptr)
        throw part->whole.asError();
}

/// @throws core::DecodeError because the file is not an archive, with advice for known kinds of files
void refuseForeign(const ArchiveFile& file) {
    const std::uint64_t head = std::min<std::uint64_t>(kForeignHead, file.source->size());
    if (const auto foreign = foreignFile(file.source->read(0, head, {})))
        throw foreign->asError();
    if (const std::optional<ImagePart> part = imagePart(core::fileNameOf(file.name)))
        throw part->whole.asError();
}

}  // namespace

std::unique_ptr<Archive> Archive::open(const ArchiveFile& file, const core::Limits& limits) {
    constexpr int kMostForms = 4;  // a description of a CD, its sectors, one level more, and the archive
    ArchiveFile inner = file;
    for (int form = 0; form < kMostForms; ++form) {
        const ArchiveFormat* format = archiveFormatOf(inner);
        if (format != nullptr && format->holdsArchives)
            refuseFirstPart(inner);
        if (format != nullptr && format->unpacked == nullptr)
            return format->open(inner, limits);
        if (format == nullptr) {
            refuseForeign(inner);
            break;
        }
        inner = format->unpacked(inner, limits);
    }
    throw DecodeError("is not an archive of a known format");
}

std::uint64_t Archive::size() const { return source_->size(); }

std::uint64_t Archive::mostEntriesToRead() const {
    constexpr std::uint64_t kFew = 4096;
    constexpr std::uint64_t kBytesPerEntry = 256;
    return kFew + source_->storedSize() / kBytesPerEntry;
}

std::span<const Entry> Archive::entriesToRead() const {
    constexpr std::uint64_t kLittle = 64U << 20U;
    constexpr std::uint64_t kTimesItsSize = 20;
    const auto requireAtMost = [](std::uint64_t most, std::uint64_t count, const char* what) {
        if (count > most)
            throw DecodeError({},
                              fmt::format("has {} {}entries to read, but the limit for an archive of its size is {}",
                                          count, what, most),
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
    requireRoomFor(entries, place, *source_);
}

void Archive::requireRoomFor(std::uint64_t entries, const core::Place& place, const Source& table) const {
    constexpr std::uint64_t kBytesPerEntry = sizeof(Entry) + 256;  // including its name in the list and in the index
    constexpr std::uint64_t kFew = 1U << 16U;
    constexpr std::uint64_t kPackedBytesPerEntry = 8;
    const std::uint64_t all = entries_.size() + entries;
    core::requireMemory(all * kBytesPerEntry, limits_, place);
    const std::uint64_t stored = table.storedSize();
    const std::uint64_t most = kFew + stored / kPackedBytesPerEntry;
    if (stored < table.size() && all > most)  // a packed table of a few bytes may have any number of rows
        throw DecodeError(place,
                          fmt::format("has {} entries, but the limit for {} packed bytes is {}", all, stored, most),
                          DecodeError::Kind::limit);
}

namespace {

/// The last parts of a path that is longer than any system allows. Otherwise every folder would need a name in memory.
std::span<const std::string_view> lastParts(std::span<const std::string_view> parts) {
    constexpr std::size_t kLongest = 512;
    std::size_t first = parts.size();
    for (std::size_t length = 0; first > 0; --first)
        if (length += 1 + std::min(parts[first - 1].size(), kLongestPart); length > kLongest)
            break;
    return parts.subspan(first);
}

}  // namespace

std::string Archive::folderNamed(const std::string& wanted) {
    // Names that are taken stay taken, so the next number to try is cached per folder name.
    const auto [known, isNew] = folderNumber_.try_emplace(core::lowerCase(wanted), 1);
    if (isNew)
        nameBytes_ += 2 * (wanted.size() + kBytesOfFolder);
    std::uint32_t& next = known->second;
    const auto numbered = [&] { return next == 1 ? wanted : fmt::format("{}_{}", wanted, next); };
    std::string name = numbered();
    while (byName_.contains(core::lowerCase(name))) {
        ++next;
        name = numbered();
    }
    folders_.insert(core::lowerCase(name));
    return name;
}

void Archive::requireRoomForName(const Entry& entry, std::size_t stored) {
    constexpr std::uint64_t kCopies = 3;  // copies of a name: in the list, in the index and in a warning
    constexpr std::uint64_t kUsual = 64;  // bytes of a name that requireRoomFor() includes
    if (const std::uint64_t bytes = kCopies * entry.name.size() + stored; bytes > kUsual)
        nameBytes_ += bytes - kUsual;
    core::requireMemory(nameBytes_ + entries_.size() * sizeof(Entry), limits_, {entry.name, entry.offset});
}

Entry& Archive::add(Entry entry, std::span<const std::string_view> parts, std::string_view extension) {
    const std::span<const std::string_view> last = lastParts(parts);
    std::string wanted;
    std::string stored = last.size() < parts.size() ? "..." : "";
    for (const std::string_view part : last) {
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
    requireRoomForName(entry, stored.size());
    Entry& added = entries_.emplace_back(std::move(entry));
    const std::uint64_t end = added.offset + added.storedSize;
    if (!added.damaged && (end < added.offset || end > source_->size()))
        damage(added, fmt::format("would be at {:#x} to {:#x}, but the archive has only {:#x} bytes", added.offset, end,
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

/// The only entry whose last part without extension is `name`, otherwise an entry with a similar last part.
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
    if (nearest.found().empty() || find(nearest.found()) != nullptr)  // an LGP finds names without their folder, too
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
    return text.empty() ? text : fmt::format("; it contains {}", text);
}

const Entry* Archive::findOtherwise(const std::string&) const { return nullptr; }
std::string Archive::otherNameNear(std::string_view) const { return {}; }
std::vector<std::string> Archive::charactersIn(const Entry&) const { return {}; }

OptionValues Archive::optionsOf(const Entry&) const { return {}; }

bool Archive::mayBeCharacter(const Entry& entry) const {
    if (format_->holdsArchives)
        return std::ranges::any_of(formats(), [&entry](const Format* format) {
            return format->isUsualName != nullptr && format->isUsualName(entry.fileName());
        });
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
            fmt::format("is an archive that reanima can't write ({}); {}", format_->label, format_->insteadOfWriting));
}

RewrittenArchive Archive::withOther(std::span<const Replacement>) const {
    requireWritable();
    return {};  // formats that can be written override this
}

core::ByteVector Archive::decode(const Entry&, core::ByteVector stored) const { return stored; }

void Archive::requireSound(const Entry& entry) const {
    if (!entry.damaged)
        return;
    const auto& warnings = diagnostics_.warnings();
    const auto why = std::ranges::find_if(warnings, [&](const core::Warning& warning) {
        return warning.code == Code::damaged && warning.place.field == entry.name;
    });
    throw DecodeError({entry.name, entry.offset}, why == warnings.end() ? "is damaged" : why->text);
}

core::ByteVector Archive::read(const Entry& entry, const core::Limits& limits) const {
    const core::Place place{entry.name, entry.offset};
    requireSound(entry);
    const std::uint64_t largest = std::max(entry.size, entry.storedSize);
    if (largest > kLargestEntry)
        throw DecodeError(place, fmt::format("has {} bytes, but the limit for one entry is {}", largest, kLargestEntry),
                          DecodeError::Kind::limit);
    core::requireMemory(entry.packed ? entry.size + entry.storedSize : entry.size, limits, place);
    return decode(entry, source_->read(entry.offset, entry.storedSize, place));
}

std::shared_ptr<const Source> Archive::sourceOf(const Entry& entry, const core::Limits& limits) const {
    if (entry.packed)
        return core::inMemory(read(entry, limits), entry.storedSize);
    requireSound(entry);
    return core::rangeOf(source_, entry.offset, entry.size);
}

}  // namespace reanima::archives
