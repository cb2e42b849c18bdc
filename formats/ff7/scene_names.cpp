#include "formats/ff7/scene_names.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include <libdeflate.h>

#include "core/byte_reader.h"

namespace reanima::ff7 {

namespace {

using namespace std::string_view_literals;
using core::LittleEndianReader;

constexpr std::size_t kBlock = 0x2000;
constexpr std::size_t kScenesOfBlock = 16;
constexpr std::size_t kMostScenes = 256;
constexpr std::size_t kTableSize = kScenesOfBlock * sizeof(std::uint32_t);
constexpr std::uint32_t kNoScene = 0xFFFFFFFF;
constexpr std::size_t kSceneSize = 7808;
constexpr std::size_t kEnemies = 3;  // enemies of a scene
constexpr std::uint16_t kNoEnemy = 0xFFFF;
constexpr std::size_t kRecords = 0x298;
constexpr std::size_t kRecordSize = 184;
constexpr std::size_t kNameSize = 32;

/// The game's letters for the bytes 0x60 and above.
constexpr std::uint8_t kAccented = 0x60;
constexpr std::array kAccentedLetters = {
    "Ä"sv, "Á"sv, "Ç"sv, "É"sv, "Ñ"sv, "Ö"sv, "Ü"sv, "á"sv, "à"sv, "â"sv, "ä"sv, "ã"sv, "å"sv, "ç"sv,
    "é"sv, "è"sv, "ê"sv, "ë"sv, "í"sv, "ì"sv, "î"sv, "ï"sv, "ñ"sv, "ó"sv, "ò"sv, "ô"sv, "ö"sv, "õ"sv,
    "ú"sv, "ù"sv, "û"sv, "ü"sv, ""sv,  ""sv,  ""sv,  ""sv,  "Ù"sv, "Û"sv, ""sv,  "ß"sv,
};

struct Free {
    void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
};
using Decompressor = std::unique_ptr<libdeflate_decompressor, Free>;

/// Empty for a name that is empty, has no end, or contains an unknown letter.
std::optional<std::string> nameFrom(core::Bytes field) {
    constexpr std::uint8_t kEnd = 0xFF;
    constexpr std::uint8_t kToAscii = 0x20;
    constexpr std::uint8_t kLastOfAscii = 0x5E;  // `~`
    const auto end = std::ranges::find(field, kEnd);
    if (end == field.end())
        return std::nullopt;
    std::string name;
    for (auto letter = field.begin(); letter != end; ++letter) {
        if (*letter <= kLastOfAscii)
            name.push_back(static_cast<char>(*letter + kToAscii));
        else if (*letter >= kAccented && *letter - kAccented < static_cast<int>(kAccentedLetters.size()) &&
                 !kAccentedLetters.at(*letter - kAccented).empty())
            name += kAccentedLetters.at(*letter - kAccented);
        else
            return std::nullopt;
    }
    const std::size_t last = name.find_last_not_of(' ');
    name.erase(last == std::string::npos ? 0 : last + 1);
    return name.empty() ? std::nullopt : std::optional(std::move(name));
}

/// The valid starts of scenes in a block: after its table and before its end.
std::vector<std::size_t> scenesOf(core::Bytes block) {
    std::vector<std::size_t> begins;
    if (block.size() < kTableSize)
        return begins;
    LittleEndianReader table(block);
    for (std::size_t i = 0; i < kScenesOfBlock; ++i) {
        const auto words = table.read<std::uint32_t>("offset");
        const std::uint64_t begin = std::uint64_t{words} * sizeof(std::uint32_t);
        if (words == kNoScene || begin < (begins.empty() ? kTableSize : begins.back() + 1) || begin >= block.size())
            break;
        begins.push_back(static_cast<std::size_t>(begin));
    }
    return begins;
}

class Scenes {
  public:
    void addBlock(core::Bytes block) {
        const std::vector<std::size_t> begins = scenesOf(block);
        for (std::size_t i = 0; i < begins.size() && count_ < kMostScenes; ++i, ++count_) {
            const std::size_t end = i + 1 < begins.size() ? begins[i + 1] : block.size();
            if (unpack(block.subspan(begins[i], end - begins[i])))
                addNames();
        }
    }

    std::map<std::uint32_t, std::string> take() { return std::move(names_); }

  private:
    [[nodiscard]] bool unpack(core::Bytes packed) {
        std::size_t used = 0;  // bytes after the stream are padding
        return decompressor_ != nullptr &&
               libdeflate_gzip_decompress_ex(decompressor_.get(), packed.data(), packed.size(), scene_.data(),
                                             scene_.size(), &used, nullptr) == LIBDEFLATE_SUCCESS;
    }

    void addNames() {
        LittleEndianReader ids(scene_);
        for (std::size_t enemy = 0; enemy < kEnemies; ++enemy) {
            const auto id = ids.read<std::uint16_t>("id");
            const std::size_t at = kRecords + enemy * kRecordSize;
            std::optional<std::string> name = nameFrom(core::Bytes(scene_).subspan(at, kNameSize));
            if (id != kNoEnemy && name)
                names_.try_emplace(id, *std::move(name));
        }
    }

    Decompressor decompressor_{libdeflate_alloc_decompressor()};
    std::array<std::uint8_t, kSceneSize> scene_{};
    std::size_t count_ = 0;
    std::map<std::uint32_t, std::string> names_;
};

}  // namespace

std::map<std::uint32_t, std::string> sceneNames(core::Bytes file) {
    Scenes scenes;
    const core::Bytes read = file.first(std::min<std::size_t>(file.size(), kLargestSceneFile));
    for (std::size_t at = 0; at < read.size(); at += kBlock)
        scenes.addBlock(read.subspan(at, std::min(kBlock, read.size() - at)));
    return scenes.take();
}

std::string battleCode(std::uint32_t id) {
    constexpr std::uint32_t kAlphabet = 26;
    if (id >= kAlphabet * kAlphabet)
        return {};
    return {static_cast<char>('a' + id / kAlphabet), static_cast<char>('a' + id % kAlphabet)};
}

}  // namespace reanima::ff7
