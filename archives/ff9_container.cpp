#include "archives/ff9_container.h"

#include <algorithm>
#include <array>

#include "core/source.h"
#include "core/text.h"
#include "formats/ff9/container.h"

namespace reanima::archives {

namespace {

constexpr std::array kExtensions = {".ff9model", ".ff9anim", ".tim"};

/// The first bytes of a DB, which contain its tables.
constexpr std::uint64_t kHead = 64U << 10U;
constexpr std::uint8_t kDatabaseMark = 0xDB;

class Ff9Container : public Archive {
  public:
    Ff9Container(const ArchiveFormat& format, std::shared_ptr<const Source> file, const core::Limits& limits)
        : Archive(format, std::move(file), limits) {
        core::requireMemory(source().size(), limits, {});
        const core::ByteVector bytes = source().read(0, source().size(), {});
        const std::vector<ff9::Object> objects = ff9::readContainer(bytes, warnings());
        requireRoomFor(objects.size(), {});
        for (const ff9::Object& object : objects)
            addObject(object);
    }

  protected:
    /// Finds entries also by names without extension.
    [[nodiscard]] const Entry* findOtherwise(const std::string& name) const override {
        for (const char* extension : kExtensions)
            if (const Entry* entry = findExactly(name + extension))
                return entry;
        return nullptr;
    }

  private:
    void addObject(const ff9::Object& object) {
        Entry entry;
        entry.id = object.id;
        entry.type = static_cast<std::uint32_t>(object.type);
        entry.offset = object.offset;
        entry.size = entry.storedSize = object.size;
        entry.damaged = object.damaged;
        const std::string extension = core::extensionOf(core::fileNameOf(object.name));
        const std::string dotted = extension.empty() ? "" : "." + extension;
        std::vector<std::string_view> parts;
        const std::string_view name = std::string_view(object.name).substr(0, object.name.size() - dotted.size());
        for (std::size_t begin = 0; begin <= name.size();) {
            const std::size_t end = std::min(name.find('/', begin), name.size());
            parts.push_back(name.substr(begin, end - begin));
            begin = end + 1;
        }
        (void)add(std::move(entry), parts, dotted);
    }
};

template <const ArchiveFormat& format>
std::unique_ptr<Archive> openContainer(const ArchiveFile& file, const core::Limits& limits) {
    return std::make_unique<Ff9Container>(format, file.source, limits);
}

enum class Container { database, chunk };

bool beginsLike(const Source& source, Container container) {
    const bool isDatabase = container == Container::database;
    if (source.size() == 0 || (source.read(0, 1, {}).front() == kDatabaseMark) != isDatabase)
        return false;
    const core::ByteVector head = source.read(0, std::min(source.size(), kHead), {});
    if (ff9::beginsLikeContainer(head))
        return true;
    // A DB's first chunk may begin after these bytes.
    return head.size() < source.size() && source.size() <= Archive::kLargestEntry && isDatabase &&
           ff9::beginsLikeContainer(source.read(0, source.size(), {}));
}

}  // namespace

const ArchiveFormat kFf9Db = {
    .id = "ff9-db",
    .label = "Final Fantasy IX (PlayStation) DB",
    .types = ArchiveFormat::Types::numbers,
    .holdsCharacters = false,
    .insteadOfWriting = "`encode` writes clips into it, one model at a time",
    .claims = [](const ArchiveFile& file) { return beginsLike(*file.source, Container::database); },
    .open = openContainer<kFf9Db>,
};

const ArchiveFormat kFf9Chunk = {
    .id = "ff9-chunk",
    .label = "Final Fantasy IX (PlayStation) chunk",
    .types = ArchiveFormat::Types::numbers,
    .holdsCharacters = false,
    .insteadOfWriting = "`encode` writes clips into it, one model at a time",
    .claims = [](const ArchiveFile& file) { return beginsLike(*file.source, Container::chunk); },
    .open = openContainer<kFf9Chunk>,
};

}  // namespace reanima::archives
