/// A file in parts that are written without being joined first.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/bytes.h"

namespace reanima::gltf {

/// Bytes that grow at their end. Appended bytes never move, so growing needs no copies.
class ByteBlocks {
  public:
    /// Copies the bytes.
    void append(core::Bytes bytes);
    void append(std::string_view text);
    /// Appends bytes by moving them.
    void append(core::ByteVector&& bytes);
    void append(ByteBlocks&& other);
    /// Refers to bytes that must stay unchanged until the blocks are written.
    void refer(core::Bytes bytes);
    /// Appends `filler` up to a multiple of four bytes.
    void pad(char filler);

    [[nodiscard]] std::uint64_t size() const { return size_; }
    /// The number of owned bytes, without bytes that are only referred to.
    [[nodiscard]] std::uint64_t owned() const { return size_ - referred_; }

    /// Calls read(core::Bytes) for every part in order.
    template <typename Read>
    void visit(const Read& read) const {
        for (const Block& block : blocks_)
            read(block.bytes());
    }
    /// Overwrites owned bytes.
    /// @param at offset of the first byte, below size()
    void overwrite(std::uint64_t at, std::string_view text);

    /// Removes a range of bytes.
    /// @param begin, end in ascending order, up to size()
    void erase(std::uint64_t begin, std::uint64_t end);

    /// Calls write(core::Bytes) for every part in order, and then frees the part.
    template <typename Write>
    void drain(const Write& write) {
        for (Block& block : std::exchange(blocks_, {})) {
            write(block.bytes());
            block = {};
        }
        size_ = referred_ = 0;
    }

    /// All bytes in one block.
    [[nodiscard]] core::ByteVector joined() &&;

  private:
    struct Block {
        core::ByteVector owned;
        core::Bytes others{};  ///< used if `owned` is empty

        [[nodiscard]] core::Bytes bytes() const { return owned.empty() ? others : core::Bytes(owned); }
    };

    std::vector<Block> blocks_;
    std::uint64_t size_ = 0;
    std::uint64_t referred_ = 0;
};

}  // namespace reanima::gltf
