/// CD images that contain all bytes of each sector, and descriptions (.cue) that name such images.
///
/// Layout and evidence: docs/formats/cd_image.md
#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "archives/archive.h"
#include "archives/chunks.h"
#include "core/text.h"

namespace reanima::archives {

namespace cd {
namespace {

using core::DecodeError;

constexpr std::uint64_t kUserData = 2048;
constexpr std::uint64_t kDescription = 16;  // the sector that contains the mark of ISO 9660
constexpr std::string_view kMark =
    "\x01"
    "CD001";

struct Layout {
    std::uint64_t size;                   ///< bytes per sector
    std::uint64_t data;                   ///< offset of the user data in it
    std::optional<std::uint64_t> form{};  ///< offset of the byte that states the form
};

constexpr std::array<Layout, 8> kLayouts = {{
    {2352, 24, 18},  // mode 2
    {2352, 16},      // mode 1
    {2336, 8, 2},    // mode 2 without sync bytes
    {2448, 24, 18},  // with subchannels
    {2448, 16},
    {2448, 8, 2},
    {2448, 0},  // a CHD that stores sectors of 2048 bytes
    {2352, 0},
}};

std::optional<Layout> layoutOf(const core::Source& file) {
    const auto found = std::ranges::find_if(kLayouts, [&file](const Layout& layout) {
        return beginsWith(file, kMark, kDescription * layout.size + layout.data);
    });
    return found == kLayouts.end() ? std::nullopt : std::optional(*found);
}

/// The user data of all sectors.
class SectorSource : public core::Source {
  public:
    SectorSource(std::shared_ptr<const core::Source> file, const Layout& layout)
        : file_(std::move(file)), layout_(layout) {}

    [[nodiscard]] std::uint64_t size() const override { return file_->size() / layout_.size * kUserData; }
    [[nodiscard]] std::uint64_t storedSize() const override { return std::min(size(), file_->storedSize()); }

  protected:
    bool fill(std::uint64_t offset, std::span<std::uint8_t> into) const override {
        constexpr std::uint64_t kAtOnce = 32;
        while (!into.empty()) {
            const std::uint64_t first = offset / kUserData;
            const std::uint64_t wanted = (offset + into.size() + kUserData - 1) / kUserData - first;
            const std::uint64_t count = std::min(kAtOnce, wanted);
            const core::ByteVector raw =
                file_->read(first * layout_.size, count * layout_.size, {"sector", first * layout_.size});
            for (std::uint64_t i = 0; i < count; ++i) {
                const core::Bytes data = userDataOf(raw, i, first + i).subspan(offset % kUserData);
                const std::size_t taken = std::min(data.size(), into.size());
                std::copy_n(data.begin(), taken, into.begin());
                into = into.subspan(taken);
                offset += taken;
            }
        }
        return true;
    }

  private:
    [[nodiscard]] core::Bytes userDataOf(core::Bytes raw, std::uint64_t index, std::uint64_t number) const {
        constexpr std::uint8_t kForm2 = 0x20;
        const core::Bytes sector = raw.subspan(index * layout_.size, layout_.size);
        if (layout_.form && (sector[static_cast<std::size_t>(*layout_.form)] & kForm2) != 0)
            throw DecodeError(
                {"sector", number * layout_.size},
                fmt::format("sector {} is of form 2, which contains sound or video, but no files", number));
        return sector.subspan(static_cast<std::size_t>(layout_.data), kUserData);
    }

    std::shared_ptr<const core::Source> file_;
    Layout layout_;
};

// ---------------------------------------------------------------------------------------------------------------------
// Descriptions

constexpr std::uint64_t kLongestDescription = 64U << 10U;
constexpr std::string_view kFile = "FILE ";

/// The first file that a description names. It contains the first track. Empty if there is none.
std::string firstFileOf(const core::Source& file) {
    const core::ByteVector bytes = file.read(0, std::min(file.size(), kLongestDescription), {});
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());  // NOLINT: bytes are bytes
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (!line.starts_with(kFile))
            continue;
        line.remove_prefix(kFile.size());
        const bool isQuoted = line.starts_with('"');
        line.remove_prefix(isQuoted ? 1 : 0);
        const std::size_t after = isQuoted ? line.find('"') : line.rfind(' ');  // the kind of image follows the name
        return after == std::string_view::npos ? std::string() : std::string(line.substr(0, after));
    }
    return {};
}

/// Most descriptions begin with FILE or REM. A .cue file may begin with another line, such as CATALOG.
bool isDescription(const ArchiveFile& file) {
    const bool isLike = beginsWith(*file.source, kFile) || beginsWith(*file.source, "REM ") ||
                        core::extensionOf(core::fileNameOf(file.name)) == "cue";
    return isLike && file.source->size() <= kLongestDescription && !firstFileOf(*file.source).empty();
}

/// Opens the image that a description names. Only the file name of its path is used: the path is from another machine.
ArchiveFile openDescription(const ArchiveFile& file, const core::Limits&) {
    const std::string named = firstFileOf(*file.source);
    const std::vector<std::string_view> parts = partsOf(named);
    const std::string name(parts.empty() ? std::string_view() : parts.back());
    std::shared_ptr<const core::Source> image = file.beside.open(name);
    if (!image)
        throw DecodeError({"FILE", std::nullopt},
                          fmt::format("names the image '{}', which is not beside it", core::printable(name)));
    return {std::move(image), name, file.beside};
}

}  // namespace
}  // namespace cd

extern const ArchiveFormat kCdSectors = {
    .id = "cd-sectors",
    .label = "CD image with raw sectors",
    .holdsArchives = true,
    .claims = [](const ArchiveFile& file) { return cd::layoutOf(*file.source).has_value(); },
    .unpacked = [](const ArchiveFile& file, const core::Limits&) -> ArchiveFile {
        return {std::make_shared<cd::SectorSource>(file.source, *cd::layoutOf(*file.source))};
    },
};

extern const ArchiveFormat kCdDescription = {
    .id = "cue",
    .label = "CD image description (CUE)",
    .endings = {"cue"},
    .holdsArchives = true,
    .namesAnother = true,
    .claims = cd::isDescription,
    .unpacked = cd::openDescription,
};

}  // namespace reanima::archives
