#include "archives/source.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <mutex>
#include <system_error>

#include "core/decode_error.h"
#include "core/file_system.h"

namespace reanima::archives {

namespace fs = std::filesystem;

namespace {

class FileSource : public Source {
  public:
    explicit FileSource(const fs::path& path) {
        file_.rdbuf()->pubsetbuf(nullptr, 0);  // tables are read in blocks, data whole: a buffer would read them twice
        errno = 0;
        file_.open(core::systemPath(path), std::ios::binary);
        if (file_)
            file_.seekg(0, std::ios::end);
        const std::streamoff end = file_ ? std::streamoff(file_.tellg()) : -1;
        if (end < 0)
            throw core::DecodeError("can't be read: " + std::generic_category().message(errno))
                .inFile(core::toUtf8(path));
        size_ = static_cast<std::uint64_t>(end);
    }

    [[nodiscard]] std::uint64_t size() const override { return size_; }

  protected:
    bool fill(std::uint64_t offset, std::span<std::uint8_t> into) const override {
        const std::lock_guard lock(mutex_);
        file_.clear();
        file_.seekg(static_cast<std::streamoff>(offset));
        file_.read(reinterpret_cast<char*>(into.data()),  // NOLINT: bytes are bytes
                   static_cast<std::streamsize>(into.size()));
        return static_cast<bool>(file_);
    }

  private:
    mutable std::mutex mutex_;
    mutable std::ifstream file_;
    std::uint64_t size_ = 0;
};

class MemorySource : public Source {
  public:
    explicit MemorySource(core::ByteVector bytes) : bytes_(std::move(bytes)) {}

    [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }

  protected:
    bool fill(std::uint64_t offset, std::span<std::uint8_t> into) const override {
        std::ranges::copy(core::Bytes(bytes_).subspan(static_cast<std::size_t>(offset), into.size()), into.begin());
        return true;
    }

  private:
    core::ByteVector bytes_;
};

}  // namespace

core::ByteVector Source::read(std::uint64_t offset, std::uint64_t count, const core::Place& place) const {
    const std::uint64_t left = offset < size() ? size() - offset : 0;
    if (count > left)
        core::detail::throwTooShort(place, count, left);
    core::ByteVector bytes(static_cast<std::size_t>(count));
    if (count > 0 && !fill(offset, bytes))
        throw core::DecodeError(place, "can't be read");
    return bytes;
}

std::shared_ptr<const Source> openFile(const fs::path& path) {
    if (!core::isFile(path))
        return nullptr;
    return std::make_shared<FileSource>(path);
}

std::shared_ptr<const Source> inMemory(core::ByteVector bytes) {
    return std::make_shared<MemorySource>(std::move(bytes));
}

}  // namespace reanima::archives
