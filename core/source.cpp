#include "core/source.h"

#include <algorithm>

#include "core/decode_error.h"

namespace reanima::core {

namespace {

class MemorySource : public Source {
  public:
    explicit MemorySource(ByteVector bytes) : bytes_(std::move(bytes)) {}

    [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }

  protected:
    bool fill(std::uint64_t offset, std::span<std::uint8_t> into) const override {
        std::ranges::copy(Bytes(bytes_).subspan(static_cast<std::size_t>(offset), into.size()), into.begin());
        return true;
    }

  private:
    ByteVector bytes_;
};

}  // namespace

ByteVector Source::read(std::uint64_t offset, std::uint64_t count, const Place& place) const {
    const std::uint64_t left = offset < size() ? size() - offset : 0;
    if (count > left)
        detail::throwTooShort(place, count, left);
    ByteVector bytes(static_cast<std::size_t>(count));
    if (count > 0 && !fill(offset, bytes))
        throw DecodeError(place, "can't be read");
    return bytes;
}

std::shared_ptr<const Source> inMemory(ByteVector bytes) { return std::make_shared<MemorySource>(std::move(bytes)); }

}  // namespace reanima::core
