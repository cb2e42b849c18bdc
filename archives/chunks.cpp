#include "archives/chunks.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/decode_error.h"

namespace reanima::archives {

namespace {

constexpr std::uint64_t kKeptBytes = 8ULL << 20U;  // total size of kept chunks; a single larger chunk is also kept

}  // namespace

void ChunkedSource::unpackChunk(const Chunk&, std::span<std::uint8_t>) const {}

bool ChunkedSource::fill(std::uint64_t offset, std::span<std::uint8_t> into) const {
    while (!into.empty()) {
        const Chunk chunk = chunkAt(offset);
        const std::uint64_t within = offset - chunk.start;
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), chunk.size - within));
        const std::span<std::uint8_t> part = into.first(count);
        if (chunk.kind == Chunk::Kind::zeros) {
            countMade(chunk.start, count);
            std::fill(part.begin(), part.end(), std::uint8_t{0});
        } else if (chunk.kind == Chunk::Kind::stored) {
            file_->readInto(chunk.place + within, part, {"chunk", chunk.place});
        } else if (count == chunk.size) {
            countMade(chunk.start, count);
            unpackChunk(chunk, part);
        } else {
            const Bytes bytes = unpacked(chunk);
            std::copy_n(bytes->begin() + static_cast<std::ptrdiff_t>(within), count, part.begin());
        }
        into = into.subspan(count);
        offset += count;
    }
    return true;
}

ChunkedSource::Bytes ChunkedSource::unpacked(const Chunk& chunk) const {
    if (Bytes known = kept(chunk))
        return known;
    countMade(chunk.start, chunk.size);
    const auto bytes = std::make_shared<core::ByteVector>(static_cast<std::size_t>(chunk.size));
    unpackChunk(chunk, *bytes);
    keep(chunk, bytes);
    return bytes;
}

void ChunkedSource::countMade(std::uint64_t start, std::uint64_t bytes) const {
    constexpr std::uint64_t kLittle = 512ULL << 20U;
    constexpr std::uint64_t kTimesItsSize = 512;
    const std::lock_guard lock(mutex_);
    const std::uint64_t before = madeBytes_;
    madeBytes_ += bytes;
    if (madeBytes_ > std::max(kLittle, file_->size() * kTimesItsSize))
        throw core::DecodeError(
            {"chunk", start},
            fmt::format(
                "can't be unpacked, because {} bytes were already unpacked, which is too many for an image of {} bytes",
                before, file_->size()),
            core::DecodeError::Kind::limit);
}

ChunkedSource::Bytes ChunkedSource::kept(const Chunk& chunk) const {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(kept_, chunk, &std::pair<Chunk, Bytes>::first);
    if (found == kept_.end())
        return nullptr;
    std::rotate(kept_.begin(), found, found + 1);
    return kept_.front().second;
}

void ChunkedSource::keep(const Chunk& chunk, Bytes bytes) const {
    const std::lock_guard lock(mutex_);
    kept_.emplace_front(chunk, std::move(bytes));
    std::uint64_t held = 0;
    const auto first = std::ranges::find_if(kept_, [&held](const auto& known) {
        held += known.second->size();
        return held > kKeptBytes;
    });
    kept_.erase(std::max(first, kept_.begin() + 1), kept_.end());
}

bool beginsWith(const core::Source& source, std::string_view bytes, std::uint64_t offset) {
    return source.size() >= offset + bytes.size() &&
           std::ranges::equal(source.read(offset, bytes.size(), {}), bytes, {}, {},
                              [](char c) { return static_cast<std::uint8_t>(c); });
}

}  // namespace reanima::archives
