/// A file in parts, to write it without joining it first.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/bytes.h"

namespace reanima::gltf {

/// Bytes that grow at their end. Appended bytes never move, so growing does not copy them.
class ByteBlocks {
  public:
    /// Copies the bytes.
    void append(core::Bytes bytes);
    void append(std::string_view text);
    /// Takes bytes over.
    void append(core::ByteVector&& bytes);
    void append(ByteBlocks&& other);
    /// Refers to bytes that stay where they are until the blocks are written.
    void refer(core::Bytes bytes);
    /// Appends `filler` up to a multiple of four bytes.
    void pad(char filler);

    [[nodiscard]] std::uint64_t size() const { return size_; }
    /// The number of owned bytes, without those referred to.
    [[nodiscard]] std::uint64_t owned() const { return size_ - referred_; }

    /// Calls read(core::Bytes) for every part in turn.
    template <typename Read>
    void visit(const Read& read) const {
        for (const Block& block : blocks_)
            read(block.bytes());
    }
    /// Overwrites appended bytes, not those referred to.
    /// @param at of the first, below size()
    void overwrite(std::uint64_t at, std::string_view text);

    /// Takes bytes out of the middle.
    /// @param begin, end in ascending order, at most size()
    void erase(std::uint64_t begin, std::uint64_t end);

    /// Calls write(core::Bytes) for every part in turn and frees it.
    template <typename Write>
    void drain(const Write& write) {
        for (Block& block : std::exchange(blocks_, {})) {
            write(block.bytes());
            block = {};
        }
        size_ = referred_ = 0;
    }

    /// All bytes one after the other.
    [[nodiscard]] core::ByteVector joined() &&;

  private:
    struct Block {
        core::ByteVector owned;
        core::Bytes others{};  ///< unless it owns some

        [[nodiscard]] core::Bytes bytes() const { return owned.empty() ? others : core::Bytes(owned); }
    };

    std::vector<Block> blocks_;
    std::uint64_t size_ = 0;
    std::uint64_t referred_ = 0;
};

}  // namespace reanima::gltf
