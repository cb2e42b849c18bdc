/// Archives. Every name is safe and finds its entry. Every entry has the listed size or is rejected.

#include <algorithm>
#include <array>
#include <set>

#include "archives/archive.h"
#include "archives/lzo1x.h"
#include "core/byte_reader.h"
#include "core/files.h"
#include "core/source.h"
#include "core/text.h"
#include "fuzz/targets.h"

namespace reanima::fuzz {

namespace {

using archives::Archive;
using archives::ArchiveFormat;
using archives::Entry;

void checkName(const std::string& name) {
    require(!name.empty() && name.front() != '/' && name.back() != '/', "a name begins or ends with a slash");
    for (std::size_t begin = 0; begin < name.size();) {
        const std::size_t end = std::min(name.find('/', begin), name.size());
        const std::string_view part = std::string_view(name).substr(begin, end - begin);
        require(part.find_first_not_of(". ") != std::string_view::npos && part.size() < 255, "a part leads elsewhere");
        require(part.find_first_of("\\:*?\"<>|") == std::string_view::npos, "a part holds a forbidden character");
        require(std::ranges::all_of(part, [](char c) { return c >= 0x20 && c < 0x7F; }), "a part is no plain text");
        begin = end + 1;
    }
}

/// A range of zeros in every file of a kind. Readers need little or nothing of it, so inputs omit it: small inputs are
/// fast.
struct Blank {
    std::string_view format{};
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
};

constexpr std::array kBlanks = {
    Blank{"iso-9660", 0, 16 * 2048},         // before the first sector in use
    Blank{"cd-sectors", 0, 16 * 2336 + 8},   // the same, for the smallest sectors
    Blank{"ciso", 24, 0x8000 - 24},          // the map, after 16 blocks
    Blank{"wbfs", 800, (2U << 20U) - 800U},  // from the map's 16th block to the file's second one
};

Blank blankOf(const ArchiveFormat& format) {
    const auto found = std::ranges::find(kBlanks, format.id, &Blank::format);
    return found == kBlanks.end() ? Blank{} : *found;
}

/// An input with the blank inserted.
class Blanked : public core::Source {
  public:
    Blanked(core::Bytes bytes, const Blank& blank) : bytes_(core::copyOf(bytes)), blank_(blank) {}

    [[nodiscard]] std::uint64_t size() const override {
        return bytes_.size() <= blank_.begin ? bytes_.size() : bytes_.size() + blank_.size;
    }

  protected:
    bool fill(std::uint64_t offset, std::span<std::uint8_t> into) const override {
        const core::Bytes all = bytes_;
        const auto begin = static_cast<std::size_t>(std::min<std::uint64_t>(blank_.begin, all.size()));
        std::fill(into.begin(), into.end(), std::uint8_t{0});
        copy(all.first(begin), 0, offset, into);
        copy(all.subspan(begin), blank_.begin + blank_.size, offset, into);
        return true;
    }

  private:
    /// Copies the overlap of a part at `place` and the requested range.
    static void copy(core::Bytes part, std::uint64_t place, std::uint64_t offset, std::span<std::uint8_t> into) {
        const std::uint64_t from = std::max(place, offset);
        const std::uint64_t to = std::min(place + part.size(), offset + into.size());
        if (from < to)
            std::copy_n(part.begin() + static_cast<std::ptrdiff_t>(from - place), to - from,
                        into.begin() + static_cast<std::ptrdiff_t>(from - offset));
    }

    core::ByteVector bytes_;
    Blank blank_;
};

/// Converts places of numbers in the file, which has the blank, to places in the input.
void moveReadFields([[maybe_unused]] const Blank& blank) {
#ifdef REANIMA_TRACE_FIELDS
    if (core::readFields == nullptr)
        return;
    std::erase_if(*core::readFields, [&blank](const core::ReadField& field) {
        return field.offset >= blank.begin && field.offset - blank.begin < blank.size;
    });
    for (core::ReadField& field : *core::readFields)
        if (field.offset >= blank.begin)
            field.offset -= blank.size;
#endif
}

std::size_t restAfterLine(core::Bytes bytes) {
    return static_cast<std::size_t>(std::ranges::find(bytes, std::uint8_t{'\n'}) - bytes.begin()) + 1;
}

/// A file of this kind. For archives in several files, the input begins with the sizes of the table and the names at
/// its end. For a description of a CD, the first line is the description, and the rest is the image.
archives::ArchiveFile fileOf(const ArchiveFormat& format, core::Bytes bytes) {
    if (const Blank blank = blankOf(format); blank.size > 0)
        return {std::make_shared<Blanked>(bytes, blank)};
    const auto files = std::make_shared<core::MemoryFiles>();
    if (format.id == "cue") {
        files->add("x.cue", core::copyOf(bytes));
        files->add("x.bin", core::copyOf(bytes.subspan(std::min(restAfterLine(bytes), bytes.size()))));
        return {files->open("x.cue"), "x.cue", core::Siblings(files, "x.cue")};
    }
    if (!format.id.starts_with("ff8-fs"))
        return {core::inMemory(core::copyOf(bytes)), "x.zzz"};
    constexpr std::size_t kSizes = 2;
    const std::size_t rest = bytes.size() - std::min(kSizes, bytes.size());
    const std::size_t table = rest == 0 ? 0 : std::min<std::size_t>(bytes[0], rest);
    const std::size_t names = rest == 0 ? 0 : std::min<std::size_t>(bytes[1], rest - table);
    files->add("x.fs", core::copyOf(bytes.subspan(bytes.size() - rest, rest - table - names)));
    files->add("x.fi", core::copyOf(bytes.subspan(bytes.size() - table - names, table)));
    files->add("x.fl", core::copyOf(bytes.last(names)));
    const std::string name = format.id == "ff8-fs" ? "x.fs" : "x.fi";
    return {files->open(name), name, core::Siblings(files, name)};
}

void readArchive(const ArchiveFormat& format, core::Bytes bytes) {
    constexpr std::uint64_t kWorthTheTime = 1U << 17U;
    core::Limits limits = smallLimits();
    limits.memory = 1U << 18U;  // enough for hundreds of entries, and chunks of a packed disc
    const archives::ArchiveFile file = fileOf(format, bytes);
    std::unique_ptr<Archive> archive;
    try {
        const bool isClaimed = format.claims(file);
        if (format.unpacked == nullptr)
            archive = format.open(file, limits);
        else if (isClaimed)
            archive = Archive::open(format.unpacked(file, limits), limits);
        else
            return;
    } catch (const core::DecodeError&) {
        return;
    }
    std::set<std::string> names;
    std::uint64_t read = 0;
    for (const Entry& entry : archive->entries()) {
        checkName(entry.name);
        require(names.insert(core::lowerCase(entry.name)).second, "two names are the same without case");
        require(archive->find(entry.name) == &entry, "a name finds another entry");
        if (read += entry.storedSize + entry.size; read > kWorthTheTime)
            continue;
        try {
            require(archive->read(entry, limits).size() == entry.size && !entry.damaged, "an entry has another size");
        } catch (const core::DecodeError&) {  // rejected
        }
    }
    (void)archive->find("0x00000001");
    (void)archive->find("#1");
}

void checkArchive(const ArchiveFormat& format, core::Bytes bytes) {
    readArchive(format, bytes);
    moveReadFields(blankOf(format));
}

/// The first two bytes are the unpacked size.
void checkLzo1x(core::Bytes bytes) {
    if (bytes.size() < 2)
        return;
    core::ByteVector out(bytes[0] | std::size_t{bytes[1]} << 8U);
    try {
        archives::decompressLzo1x(bytes.subspan(2), out, {"stream", 2});
    } catch (const core::DecodeError&) {  // rejected
    }
}

}  // namespace

std::vector<Target> archiveTargets() {
    std::vector<Target> all;
    for (const ArchiveFormat& format : archives::archiveFormats())
        all.push_back(
            {std::string(format.id), Mutation::fields, [&format](core::Bytes bytes) { checkArchive(format, bytes); }});
    all.push_back({"lzo1x", Mutation::bytes, checkLzo1x});
    return all;
}

}  // namespace reanima::fuzz
