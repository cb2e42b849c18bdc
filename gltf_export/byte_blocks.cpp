#include "gltf_export/byte_blocks.h"

#include <algorithm>

namespace reanima::gltf {

void ByteBlocks::append(core::Bytes bytes) {
    constexpr std::uint64_t kSmallest = 4U << 10U;
    constexpr std::uint64_t kLargest = 1U << 20U;
    size_ += bytes.size();
    if (!blocks_.empty()) {
        core::ByteVector& last = blocks_.back().owned;
        const std::size_t fits = std::min(last.capacity() - last.size(), bytes.size());
        last.insert(last.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(fits));
        bytes = bytes.subspan(fits);
    }
    if (bytes.empty())
        return;
    core::ByteVector& block = blocks_.emplace_back().owned;
    block.reserve(std::max<std::size_t>(bytes.size(), std::clamp(size_, kSmallest, kLargest)));
    block.assign(bytes.begin(), bytes.end());
}

void ByteBlocks::append(std::string_view text) {
    append(core::Bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));  // NOLINT: text is bytes
}

void ByteBlocks::append(core::ByteVector&& bytes) {
    size_ += bytes.size();
    if (!bytes.empty())
        blocks_.push_back({std::move(bytes)});
}

void ByteBlocks::append(ByteBlocks&& other) {
    size_ += std::exchange(other.size_, 0);
    referred_ += std::exchange(other.referred_, 0);
    std::move(other.blocks_.begin(), other.blocks_.end(), std::back_inserter(blocks_));
    other.blocks_.clear();
}

void ByteBlocks::refer(core::Bytes bytes) {
    size_ += bytes.size();
    referred_ += bytes.size();
    if (!bytes.empty())
        blocks_.push_back({{}, bytes});
}

void ByteBlocks::pad(char filler) {
    while (size_ % 4 != 0)
        append(std::string_view(&filler, 1));
}

void ByteBlocks::overwrite(std::uint64_t at, std::string_view text) {
    std::uint64_t begin = 0;
    for (Block& block : blocks_) {
        const std::uint64_t end = begin + block.bytes().size();
        while (!text.empty() && at >= begin && at < end) {
            block.owned.at(static_cast<std::size_t>(at++ - begin)) = static_cast<std::uint8_t>(text.front());
            text.remove_prefix(1);
        }
        begin = end;
    }
}

void ByteBlocks::erase(std::uint64_t begin, std::uint64_t end) {
    std::uint64_t at = 0;
    for (Block& block : std::exchange(blocks_, {})) {
        const core::Bytes bytes = block.bytes();
        const auto within = [&](std::uint64_t place) {
            return static_cast<std::size_t>(std::clamp<std::uint64_t>(place, at, at + bytes.size()) - at);
        };
        const std::size_t first = within(begin);
        const std::size_t last = within(end);
        at += bytes.size();
        size_ -= last - first;
        if (!block.owned.empty()) {
            const auto start = block.owned.begin();
            block.owned.erase(start + static_cast<std::ptrdiff_t>(first), start + static_cast<std::ptrdiff_t>(last));
            if (!block.owned.empty())
                blocks_.push_back(std::move(block));
            continue;
        }
        referred_ -= last - first;
        for (const core::Bytes part : {bytes.first(first), bytes.subspan(last)})
            if (!part.empty())
                blocks_.push_back({{}, part});
    }
}

core::ByteVector ByteBlocks::joined() && {
    core::ByteVector bytes;
    bytes.reserve(size_);
    drain([&bytes](core::Bytes part) { bytes.insert(bytes.end(), part.begin(), part.end()); });
    return bytes;
}

}  // namespace reanima::gltf
