/// Archives: every name is safe and finds its entry, every entry is of the size that the list says or refused.

#include <algorithm>
#include <set>

#include "archives/archive.h"
#include "archives/lzo1x.h"
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

void checkArchive(const ArchiveFormat& format, core::Bytes bytes) {
    constexpr std::uint64_t kWorthTheTime = 1U << 17U;
    const core::Limits limits = smallLimits();
    const auto source = core::inMemory(core::copyOf(bytes));
    (void)format.claims(*source);
    std::unique_ptr<Archive> archive;
    try {
        archive = format.open(source, limits);
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
        } catch (const core::DecodeError&) {  // refused
        }
    }
    (void)archive->find("0x00000001");
    (void)archive->find("#1");
}

/// The first two bytes tell the size of what is unpacked.
void checkLzo1x(core::Bytes bytes) {
    if (bytes.size() < 2)
        return;
    core::ByteVector out(bytes[0] | std::size_t{bytes[1]} << 8U);
    try {
        archives::decompressLzo1x(bytes.subspan(2), out, {"stream", 2});
    } catch (const core::DecodeError&) {  // refused
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
