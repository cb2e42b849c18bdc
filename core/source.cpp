#include "core/source.h"

#include <algorithm>

#include "core/decode_error.h"

namespace reanima::core {

namespace {

class MemorySource : public Source {
  public:
    MemorySource(ByteVector bytes, std::uint64_t storedSize) : bytes_(std::move(bytes)), storedSize_(storedSize) {}

    [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
    [[nodiscard]] std::uint64_t storedSize() const override { return storedSize_; }

  protected:
    bool fill(std::uint64_t offset, std::span<std::uint8_t> into) const override {
        std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), into.size(), into.begin());
        return true;
    }

  private:
    ByteVector bytes_;
    std::uint64_t storedSize_;
};

class RangeSource : public Source {
  public:
    RangeSource(std::shared_ptr<const Source> source, std::uint64_t offset, std::uint64_t size)
        : source_(std::move(source)), offset_(offset), size_(size) {}

    [[nodiscard]] std::uint64_t size() const override { return size_; }
    [[nodiscard]] std::uint64_t storedSize() const override { return std::min(size_, source_->storedSize()); }

  protected:
    bool fill(std::uint64_t offset, std::span<std::uint8_t> into) const override {
        source_->readInto(offset_ + offset, into, {});
        return true;
    }

  private:
    std::shared_ptr<const Source> source_;
    std::uint64_t offset_;
    std::uint64_t size_;
};

void requireRange(const Source& source, std::uint64_t offset, std::uint64_t count, const Place& place) {
    const std::uint64_t left = offset < source.size() ? source.size() - offset : 0;
    if (count > left)
        detail::throwTooShort(place, count, left);
}

}  // namespace

ByteVector Source::read(std::uint64_t offset, std::uint64_t count, const Place& place) const {
    requireRange(*this, offset, count, place);
    ByteVector bytes(static_cast<std::size_t>(count));
    readInto(offset, bytes, place);
    return bytes;
}

void Source::readInto(std::uint64_t offset, std::span<std::uint8_t> into, const Place& place) const {
    requireRange(*this, offset, into.size(), place);
    if (!into.empty() && !fill(offset, into))
        throw DecodeError(place, "can't be read");
}

std::shared_ptr<const Source> inMemory(ByteVector bytes) {
    const std::uint64_t size = bytes.size();
    return inMemory(std::move(bytes), size);
}

std::shared_ptr<const Source> inMemory(ByteVector bytes, std::uint64_t storedSize) {
    return std::make_shared<MemorySource>(std::move(bytes), storedSize);
}

std::shared_ptr<const Source> rangeOf(std::shared_ptr<const Source> source, std::uint64_t offset, std::uint64_t size) {
    requireRange(*source, offset, size, {});
    return std::make_shared<RangeSource>(std::move(source), offset, size);
}

}  // namespace reanima::core
