#include "archives/lzo1x.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/byte_reader.h"

namespace reanima::archives {

namespace {

using core::DecodeError;

class Lzo1xDecoder {
  public:
    Lzo1xDecoder(core::Bytes stream, std::span<std::uint8_t> out, const core::Place& place)
        : in_(stream, place.field, place.offset.value_or(0)), out_(out) {}

    void run() {
        readFirst();
        while (readInstruction()) {
        }
        if (filled_ != out_.size())
            refuse(fmt::format("unpacks to {} bytes, expected {}", filled_, out_.size()));
        if (!in_.atEnd())
            refuse(fmt::format("has {} bytes after its end mark", in_.remaining()));
    }

  private:
    /// The meaning of an instruction without length bits depends on the previous instruction.
    enum class Before { noLiterals, fewLiterals, literalRun };

    [[noreturn]] void refuse(const std::string& problem) const { throw DecodeError(in_.place({}), problem); }

    std::uint8_t next() { return in_.read<std::uint8_t>({}); }

    /// Reads the first byte, which may be the number of literals at the start.
    void readFirst() {
        constexpr std::uint8_t kBase = 17;
        core::LittleEndianReader ahead = in_;
        const auto first = ahead.read<std::uint8_t>({});
        if (first <= kBase)
            return;
        in_ = ahead;
        const std::size_t count = first - std::size_t{kBase};
        copyLiterals(count);
        before_ = count < 4 ? Before::fewLiterals : Before::literalRun;
    }

    /// @return false at the end mark
    bool readInstruction() {
        const std::uint8_t code = next();
        if (code >= 128)
            copyNear(code, 5 + (code >> 5U & 3U));
        else if (code >= 64)
            copyNear(code, 3 + (code >> 5U & 1U));
        else if (code >= 32)
            return copyFar(2 + lengthOf(code, 31), 1);
        else if (code >= 16)
            return copyFar(2 + lengthOf(code, 7), 16384 + (code & 8U) * 2048U);
        else
            readShort(code);
        return true;
    }

    /// Reads a length. If all its bits are zero, bytes follow: zeros, worth 255 each, then one byte for the rest.
    std::size_t lengthOf(std::uint8_t code, std::uint8_t mask) {
        if ((code & mask) != 0)
            return code & mask;
        std::size_t length = mask;
        std::uint8_t byte = next();
        for (; byte == 0; byte = next())
            length += 255;  // the result is up to 255 times the stream's size
        return length + byte;
    }

    void readShort(std::uint8_t code) {
        if (before_ == Before::noLiterals) {
            copyLiterals(3 + lengthOf(code, 15));
            before_ = Before::literalRun;
            return;
        }
        const bool afterRun = before_ == Before::literalRun;
        const std::size_t distance = (std::size_t{next()} << 2U) + (code >> 2U) + (afterRun ? 2049U : 1U);
        copy(afterRun ? 3 : 2, distance);
        copyFewLiterals(code & 3U);
    }

    void copyNear(std::uint8_t code, std::size_t length) {
        copy(length, (std::size_t{next()} << 3U) + (code >> 2U & 7U) + 1);
        copyFewLiterals(code & 3U);
    }

    /// @param base is added to the stored distance. With the base 16384, a stored 0 is the end mark
    bool copyFar(std::size_t length, std::size_t base) {
        const auto word = in_.read<std::uint16_t>({});
        const std::size_t distance = base + (word >> 2U);
        if (distance == 16384 && base == 16384)
            return false;
        copy(length, distance);
        copyFewLiterals(word & 3U);
        return true;
    }

    void copyFewLiterals(std::size_t count) {
        copyLiterals(count);
        before_ = count > 0 ? Before::fewLiterals : Before::noLiterals;
    }

    void requireRoom(std::size_t count) const {
        if (count > out_.size() - filled_)
            refuse(fmt::format("unpacks to more than {} bytes", out_.size()));
    }

    void copyLiterals(std::size_t count) {
        requireRoom(count);
        std::ranges::copy(in_.bytes(count, {}), out_.begin() + static_cast<std::ptrdiff_t>(filled_));
        filled_ += count;
    }

    /// The copied range may overlap the output of the same instruction.
    void copy(std::size_t length, std::size_t distance) {
        requireRoom(length);
        if (distance > filled_)
            refuse(fmt::format("refers {} bytes back, but only {} bytes are unpacked", distance, filled_));
        for (; length > 0; --length, ++filled_)
            out_[filled_] = out_[filled_ - distance];
    }

    core::LittleEndianReader in_;
    std::span<std::uint8_t> out_;
    std::size_t filled_ = 0;
    Before before_ = Before::noLiterals;
};

}  // namespace

void decompressLzo1x(core::Bytes stream, std::span<std::uint8_t> out, const core::Place& place) {
    Lzo1xDecoder(stream, out, place).run();
}

}  // namespace reanima::archives
