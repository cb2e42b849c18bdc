#include "tools/reanima/jobs/spool.h"

#include <algorithm>
#include <functional>
#include <system_error>

#include "core/file_system.h"
#include "core/files.h"
#include "tools/reanima/system/failure.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/temporary.h"

namespace reanima::tool {

namespace fs = std::filesystem;

struct Spool::Held {
    explicit Held(const fs::path& output) : place(output), file(Temporary::fileBeside(output)) {}

    fs::path place;  // the path in errors
    Temporary file;
    std::uint64_t size = 0;
    std::shared_ptr<const core::Source> source{};  // set by close()
};

namespace {

/// A part of the spooled data.
class SpooledBytes : public core::Source {
  public:
    SpooledBytes(std::function<const core::Source*()> whole, std::uint64_t begin, std::uint64_t size)
        : whole_(std::move(whole)), begin_(begin), size_(size) {}

    [[nodiscard]] std::uint64_t size() const override { return size_; }

  protected:
    bool fill(std::uint64_t offset, std::span<std::uint8_t> into) const override {
        const core::Source* whole = whole_();
        if (whole == nullptr)
            return false;
        const core::ByteVector bytes = whole->read(begin_ + offset, into.size(), {});
        std::ranges::copy(bytes, into.begin());
        return true;
    }

  private:
    std::function<const core::Source*()> whole_;
    std::uint64_t begin_;
    std::uint64_t size_;
};

void orFailToSpool(const fs::path& place, const std::function<void()>& work) {
    try {
        work();
    } catch (const std::system_error& error) {
        failToWrite(place, error.code());
    }
}

}  // namespace

Spool::Spool(const fs::path& output) {
    makeFolderOf(output);
    orFailToSpool(output, [&] { held_ = std::make_shared<Held>(output); });
}

std::shared_ptr<const core::Source> Spool::add(core::Bytes bytes) {
    const std::uint64_t begin = held_->size;
    orFailToSpool(held_->place, [&] {
        held_->file.writer().append({reinterpret_cast<const char*>(bytes.data()), bytes.size()});  // NOLINT: bytes
    });
    held_->size += bytes.size();
    return std::make_shared<SpooledBytes>([held = held_] { return held->source.get(); }, begin, bytes.size());
}

void Spool::close() {
    orFailToSpool(held_->place, [this] { held_->file.writer().finish(); });
    held_->source = core::diskFiles()->open(core::toUtf8(held_->file.path()));
}

}  // namespace reanima::tool
