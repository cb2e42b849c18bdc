#include "archives/ff9_img.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "core/called.h"
#include "core/near_names.h"
#include "core/source.h"
#include "core/text.h"
#include "formats/ff9/container.h"
#include "formats/ff9/enemies.h"
#include "formats/ff9/names.h"
#include "formats/own_names.h"

namespace reanima::archives {

namespace {

using core::Code;
using core::DecodeError;

constexpr std::uint64_t kSector = 2048;
constexpr std::size_t kDirectorySize = 16;
constexpr std::size_t kFileSize = 8;   // bytes per file in a directory of files with ids
constexpr std::size_t kPlaceSize = 2;  // bytes per file in a directory of places
constexpr std::uint16_t kNoPlace = 0xFFFF;
constexpr std::uint64_t kLargestFormation = 16U << 20U;
constexpr unsigned kMonsters = 7;  // the directory of the monsters' models
enum DirectoryKind : std::uint32_t { kFiles = 2, kPlaces = 3, kEnd = 4 };

struct Directory {
    std::uint32_t kind;
    std::uint32_t files;
    std::uint32_t listSector;
    std::uint32_t firstSector;
    std::uint32_t nextSector;  ///< first sector of the next directory; 0: there is none
};

std::vector<ff9::Object> objectsOf(core::Bytes bytes) {
    core::Diagnostics ignored;  // these warnings are reported when the entry is read
    try {
        return ff9::readContainer(bytes, ignored);
    } catch (const DecodeError&) {
        return {};
    }
}

/// `4/102, 4/110 or 10/1`
std::string listed(const std::vector<const Entry*>& entries) {
    constexpr std::size_t kMostShown = 12;
    const std::size_t shown = std::min(entries.size(), kMostShown);
    std::string text;
    for (std::size_t i = 0; i < shown; ++i)
        text += (i == 0 ? "" : i + 1 < entries.size() ? ", " : " or ") + entries[i]->name;
    return entries.size() > shown ? fmt::format("{} or {} others", text, entries.size() - shown) : text;
}

class Ff9Img : public Archive {
  public:
    Ff9Img(std::shared_ptr<const Source> img, const core::Limits& limits) : Archive(kFf9Img, std::move(img), limits) {
        const std::vector<Directory> directories = readDirectories();
        tableBytesLeft_ = source().size();
        for (std::size_t i = 0; i < directories.size(); ++i)
            readDirectory(i, directories[i]);
    }

    /// World models have 20 ticks per second, models of places 30, monsters and party members 15. Monsters are named by
    /// the image's formations. Worlds and fields load textures into texture memory; monsters, weapons and party members
    /// have one texture per material.
    [[nodiscard]] OptionValues optionsOf(const Entry& entry) const override {
        constexpr std::string_view kRate = "rate";
        constexpr std::string_view kTexturesBy = "textures-by";
        unsigned directory = 0;
        std::from_chars(entry.name.data(), entry.name.data() + entry.name.size(), directory);
        OptionValues options;
        if (const ff9::EnemyNames names = directory == kMonsters ? enemiesIn(entry) : ff9::EnemyNames(); !names.empty())
            options.set(kOwnNameKey, ff9::linesOf(names));
        if (directory == 3 || directory == 4) {
            options.set(kRate, directory == 3 ? 20.0 : 30.0);
            options.set(kTexturesBy, std::string("vram"));
        }
        if (directory == kMonsters || directory == 10)
            options.set(kRate, 15.0);
        if (directory == kMonsters || directory == 8 || directory == 10)
            options.set(kTexturesBy, std::string("place"));
        return options;
    }

    [[nodiscard]] std::vector<std::string> charactersIn(const Entry& entry) const override {
        std::vector<std::string> titles;
        for (const std::uint32_t model : canBeRead(entry) ? modelsIn(entry) : std::vector<std::uint32_t>()) {
            const auto own = enemies().find(model);
            const std::string title =
                own != enemies().end() ? core::titleOf(own->second) : ff9::calledByTable(model).title;
            if (!title.empty() && std::ranges::find(titles, title) == titles.end())
                titles.push_back(title);
        }
        return titles;
    }

  protected:
    /// An entry by its character: `zidane`, `GEO_MAIN_F0_ZDN`.
    /// @throws core::DecodeError that lists the entries if there are several
    [[nodiscard]] const Entry* findOtherwise(const std::string& name) const override {
        if (std::ranges::none_of(name, core::isLetter))
            return nullptr;
        std::vector<std::uint32_t> wanted = ff9::modelsCalled(name);
        for (const auto& [model, own] : enemies())
            if (core::titleOf(own) == core::titleOf(name) && std::ranges::find(wanted, model) == wanted.end())
                wanted.push_back(model);
        if (wanted.empty())
            return nullptr;
        const std::lock_guard lock(mutex_);
        const auto [known, isNew] = byModel_.try_emplace(wanted);
        std::vector<const Entry*>& found = known->second;
        for (const Entry& entry : isNew ? entries() : std::span<const Entry>())
            if (canBeRead(entry) && holdsAny(entry, wanted))
                found.push_back(&entry);
        if (found.size() > 1)
            throw DecodeError(fmt::format("{} is in several entries: {}", name, listed(found)));
        return found.empty() ? nullptr : found.front();
    }

    [[nodiscard]] std::string otherNameNear(std::string_view name) const override {
        std::string title = ff9::titleNear(name);
        if (title.empty()) {
            core::NearestName nearest(core::titleOf(name));
            for (const auto& [model, own] : enemies())
                nearest.offer(core::titleOf(own));
            title = nearest.found();
        }
        try {
            return title.empty() || findOtherwise(title) == nullptr ? std::string() : title;
        } catch (const DecodeError&) {  // several entries contain such a model: the title is still a useful suggestion
            return title;
        }
    }

  private:
    static bool canBeRead(const Entry& entry) {
        return !entry.damaged && entry.size > 0 && entry.size <= kLargestEntry;
    }

    [[nodiscard]] std::vector<std::uint32_t> modelsIn(const Entry& entry) const {
        std::vector<std::uint32_t> models;
        for (const ff9::Object& object : objectsOf(source().read(entry.offset, entry.size, {})))
            if (object.type == ff9::ObjectType::model && !object.damaged)
                models.push_back(object.id);
        return models;
    }

    [[nodiscard]] bool holdsAny(const Entry& entry, const std::vector<std::uint32_t>& models) const {
        return std::ranges::any_of(
            modelsIn(entry), [&](std::uint32_t model) { return std::ranges::find(models, model) != models.end(); });
    }

    /// Monster names from the image's formations. The first name for a model is used.
    [[nodiscard]] const ff9::EnemyNames& enemies() const {
        std::call_once(areEnemiesRead_, [this] {
            try {
                for (const Entry& entry : entriesToRead())
                    if (canBeRead(entry) && entry.size <= kLargestFormation && ff9::mayBeFormation(headOf(entry))) {
                        const core::ByteVector bytes = source().read(entry.offset, entry.size, {});
                        enemies_.merge(ff9::enemyNames(bytes, objectsOf(bytes)));
                    }
            } catch (const DecodeError&) {  // the names are optional
            }
        });
        return enemies_;
    }

    [[nodiscard]] core::ByteVector headOf(const Entry& entry) const {
        constexpr std::uint64_t kTable = 4 + 255 * 4;
        return source().read(entry.offset, std::min(entry.size, kTable), {});
    }

    [[nodiscard]] ff9::EnemyNames enemiesIn(const Entry& entry) const {
        ff9::EnemyNames names;
        if (enemies().empty() || !canBeRead(entry))
            return names;
        for (const std::uint32_t model : modelsIn(entry))
            if (const auto name = enemies().find(model); name != enemies().end())
                names.insert(*name);
        return names;
    }

    std::vector<Directory> readDirectories() {
        core::LittleEndianTable table(source());
        (void)table.bytes(8, "magic");
        const auto count = table.read<std::uint32_t>("directory_count");
        const core::Place place = table.place("directory_count", 4);
        (void)table.read<std::uint32_t>("unknown_0c");
        const std::uint64_t most = table.remaining() / kDirectorySize;
        if (count > most)
            throw DecodeError(place, fmt::format("is {}, but the file has room for only {}", count, most));
        requireRoomFor(count, place);
        std::vector<Directory> directories;
        for (std::uint32_t i = 0; i < count; ++i) {
            Directory directory{};
            directory.kind = table.read<std::uint32_t>("directories.kind");
            directory.files = table.read<std::uint32_t>("directories.file_count");
            directory.listSector = table.read<std::uint32_t>("directories.list_sector");
            directory.firstSector = table.read<std::uint32_t>("directories.first_sector");
            if (directory.kind == kEnd)
                break;
            if (!directories.empty())
                directories.back().nextSector = directory.firstSector;
            directories.push_back(directory);
        }
        return directories;
    }

    void readDirectory(std::size_t index, const Directory& directory) {
        const std::string path = fmt::format("directories[{}]", index);
        const core::Place place{path, directory.listSector * kSector};
        if (directory.kind != kFiles && directory.kind != kPlaces) {
            warnings().warn(Code::rareLayout, place,
                            fmt::format("has the unknown kind {} and is left out", directory.kind));
            return;
        }
        const bool hasIds = directory.kind == kFiles;
        const std::uint64_t records = std::uint64_t{directory.files} + (hasIds ? 1 : 0);
        const std::uint64_t bytes = records * (hasIds ? kFileSize : kPlaceSize);
        if (bytes > tableBytesLeft_)  // otherwise a small image could list any number of files
            throw DecodeError(place, fmt::format("has {} files, but the image is too small for them", directory.files));
        tableBytesLeft_ -= bytes;
        requireRoomFor(directory.files, place);
        core::LittleEndianTable table(source(), directory.listSector * kSector, path);
        if (bytes > table.remaining())
            throw DecodeError(place,
                              fmt::format("its list needs {} bytes, but only {} are left", bytes, table.remaining()));
        if (hasIds)
            readFiles(index, directory.files, table);
        else
            readPlaces(index, directory, table);
    }

    void readFiles(std::size_t directory, std::uint32_t files, core::LittleEndianTable& table) {
        struct Record {
            std::uint16_t id;
            std::uint16_t link;
            std::uint32_t sector;
        };
        const auto read = [&table] {
            Record record{};
            record.id = table.read<std::uint16_t>("files.id");
            record.link = table.read<std::uint16_t>("files.link");
            record.sector = table.read<std::uint32_t>("files.first_sector");
            return record;
        };
        Record record = read();
        for (std::uint32_t i = 0; i < files; ++i) {
            const Record next = read();
            addFile(directory, record.id, record.sector * kSector, next.sector * kSector, record.link);
            record = next;
        }
    }

    void readPlaces(std::size_t index, const Directory& directory, core::LittleEndianTable& table) {
        struct Place {
            std::uint32_t index;
            std::uint64_t start;
        };
        std::vector<Place> places;
        for (std::uint32_t i = 0; i < directory.files; ++i)
            if (const auto sector = table.read<std::uint16_t>("files"); sector != kNoPlace)
                places.push_back({i, (std::uint64_t{directory.firstSector} + sector) * kSector});
        // If the next directory begins before the last file, its start does not show where that file ends.
        const std::uint64_t next = directory.nextSector * kSector;
        const bool isKnown = !places.empty() && next >= places.back().start && next <= source().size();
        const std::uint64_t lastEnd = isKnown && next > 0 ? next : source().size();
        for (std::size_t i = 0; i < places.size(); ++i) {
            const bool isLast = i + 1 == places.size();
            const std::uint64_t end = isLast ? lastEnd : places[i + 1].start;
            if (isLast && places[i].start == end)  // this marks the end and is not a file
                break;
            addFile(index, places[i].index, places[i].start, end, std::nullopt);
        }
    }

    void addFile(std::size_t directory, std::uint32_t id, std::uint64_t start, std::uint64_t end,
                 std::optional<std::uint32_t> link) {
        Entry entry;
        entry.id = id;
        entry.offset = start;
        entry.detail = link;
        entry.damaged = end < start;
        entry.size = entry.storedSize = entry.damaged ? 0 : end - start;
        const std::string folder = fmt::format("{}", directory);
        const std::string name = fmt::format("{}", id);
        const std::array<std::string_view, 2> parts = {folder, name};
        Entry& added = add(std::move(entry), parts);
        if (end < start)
            damage(added, fmt::format("begins at {:#x}, but ends at {:#x}", start, end));
    }

    std::uint64_t tableBytesLeft_ = 0;
    mutable std::once_flag areEnemiesRead_;
    mutable ff9::EnemyNames enemies_;
    mutable std::mutex mutex_;
    mutable std::map<std::vector<std::uint32_t>, std::vector<const Entry*>>
        byModel_;  // entries that contain one of these models
};

bool isFf9Img(const ArchiveFile& file) {
    const Source& source = *file.source;
    if (source.size() < kSector)
        return false;
    const core::ByteVector head = source.read(0, 4, {});
    return head[0] == 'F' && head[1] == 'F' && head[2] == '9' && (head[3] == ' ' || head[3] == 0);
}

}  // namespace

const ArchiveFormat kFf9Img = {
    .id = "ff9-img",
    .label = "Final Fantasy IX (PlayStation) image",
    .endings = {"img"},
    .detail = "link",
    .insteadOfWriting = "`extract` the entry, edit the extracted file, and put it back with a tool for disc images",
    .claims = isFf9Img,
    .open = [](const ArchiveFile& file, const core::Limits& limits) -> std::unique_ptr<Archive> {
        return std::make_unique<Ff9Img>(file.source, limits);
    },
};

}  // namespace reanima::archives
