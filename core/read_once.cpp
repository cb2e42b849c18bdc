#include "core/read_once.h"

#include <utility>

#include "core/decode_error.h"
#include "core/file_system.h"
#include "core/source.h"

namespace reanima::core {

namespace {

constexpr std::uint64_t kLargest = 256U << 10U;  ///< bytes of the largest file that is kept
constexpr std::uint64_t kMost = 8U << 20U;       ///< total bytes: small enough to be ignored by limits

}  // namespace

bool ReadOnceFiles::exists(const std::string& path) const {
    const std::shared_ptr<const File> known = find(path);
    return (known && known->path == path) || FilesThrough::exists(path);
}

File ReadOnceFiles::read(const std::string& path, const Limits& limits) const {
    if (const std::shared_ptr<const File> known = find(path); known && known->path == path) {
        requireRoomForFile(known->bytes.size(), path, limits);
        return *known;
    }
    File file = FilesThrough::read(path, limits);
    keep(path, file);
    return file;
}

std::shared_ptr<const Source> ReadOnceFiles::open(const std::string& path) const {
    if (const std::shared_ptr<const File> known = find(path); known && known->path == path)
        return inMemory(known->bytes);
    try {
        Limits small;
        small.fileSize = kLargest;
        std::optional<File> file = files().readIfThere(path, small);
        if (!file)
            return nullptr;
        keep(path, *file);
        return inMemory(std::move(file->bytes));
    } catch (const DecodeError&) {  // too large, or unreadable: then open() reports the reason
        return FilesThrough::open(path);
    }
}

std::optional<File> ReadOnceFiles::readBeside(const std::string& path, std::string_view name,
                                              const Limits& limits) const {
    const std::string beside =
        toUtf8(fromUtf8(path).parent_path() / fromUtf8(name));  // the path that the disk's files use
    if (const std::shared_ptr<const File> known = find(beside)) {
        requireRoomForFile(known->bytes.size(), known->path, limits);
        return *known;
    }
    std::optional<File> file = FilesThrough::readBeside(path, name, limits);
    if (file)
        keep(beside, *file);
    return file;
}

std::shared_ptr<const File> ReadOnceFiles::find(const std::string& path) const {
    const std::lock_guard lock(mutex_);
    const auto known = kept_.find(path);
    return known == kept_.end() ? nullptr : known->second;
}

void ReadOnceFiles::keep(const std::string& path, const File& file) const {
    if (file.path.empty() || file.bytes.size() > kLargest)  // a stream has no path, and can be read only once
        return;
    const std::lock_guard lock(mutex_);
    if (!kept_.emplace(path, std::make_shared<const File>(file)).second)
        return;
    order_.push_back(path);
    for (bytes_ += file.bytes.size(); bytes_ > kMost; order_.pop_front()) {
        const auto oldest = kept_.find(order_.front());
        bytes_ -= oldest->second->bytes.size();
        kept_.erase(oldest);
    }
}

}  // namespace reanima::core
