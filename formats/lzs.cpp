#include "formats/lzs.h"

#include <algorithm>

namespace reanima {

namespace {

constexpr std::uint32_t kRing = 4096;
constexpr std::uint32_t kFirstWrite = 0xFEE;
constexpr std::uint32_t kShortest = 3;
constexpr unsigned kItems = 8;  // items in a group

/// Appends the bytes that a reference points to. Bytes before the start of the output are zeros.
/// @param position absolute place in the ring
void copy(core::ByteVector& out, std::uint32_t position, std::uint32_t length, std::uint64_t most) {
    const std::uint64_t written = out.size() + kFirstWrite;  // place of the next byte; the first one is at kFirstWrite
    const std::uint64_t back = ((written - position - 1) & (kRing - 1)) + 1;
    for (std::uint32_t i = 0; i < length && out.size() < most; ++i) {
        const std::uint8_t byte = back > out.size() ? 0 : out[out.size() - static_cast<std::size_t>(back)];
        out.push_back(byte);
    }
}

}  // namespace

core::ByteVector unpackLzs(core::Bytes packed, std::uint64_t most) {
    core::ByteVector out;
    out.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(most, packed.size() * kLzsRatio)));
    for (std::size_t at = 0; at < packed.size() && out.size() < most;) {
        const unsigned control = packed[at++];
        for (unsigned item = 0; item < kItems && at < packed.size() && out.size() < most; ++item) {
            if ((control >> item & 1U) != 0) {
                out.push_back(packed[at++]);
                continue;
            }
            if (packed.size() - at < 2)
                return out;
            const std::uint32_t low = packed[at];
            const std::uint32_t high = packed[at + 1];
            at += 2;
            copy(out, low | (high & 0xF0U) << 4U, (high & 0x0FU) + kShortest, most);
        }
    }
    return out;
}

}  // namespace reanima
