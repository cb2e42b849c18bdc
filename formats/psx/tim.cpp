#include "formats/psx/tim.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/byte_writer.h"

namespace reanima::psx {

namespace {

using core::DecodeError;
using core::LittleEndianReader;

constexpr std::uint32_t kMark = 0x10;
constexpr std::uint32_t kModeBits = 0x7;
constexpr std::uint32_t kHasClut = 0x8;
constexpr std::uint32_t kBlockHeader = 12;

/// The bytes of a CLUT's block: the console rounds the count down to a multiple of four to find the image.
std::uint32_t sizeOfClut(const TimBlock& clut) { return clut.byteCount / 4 * 4; }

struct Header {
    std::uint8_t mode = 0;
    bool hasClut = false;
};

Header readHeader(LittleEndianReader& file) {
    const auto mark = file.read<std::uint32_t>("mark");
    if (mark != kMark)
        throw DecodeError(file.place("mark", 4), fmt::format("is 0x{:x}, expected 0x{:x}", mark, kMark));
    const auto flags = file.read<std::uint32_t>("mode");
    if ((flags & ~(kModeBits | kHasClut)) != 0 || (flags & kModeBits) > kHighestTimMode)
        throw DecodeError(file.place("mode", 4),
                          fmt::format("is 0x{:x}, expected 0 to {}, and 8 more with a CLUT", flags, kHighestTimMode));
    return {static_cast<std::uint8_t>(flags & kModeBits), (flags & kHasClut) != 0};
}

TimBlock readBlock(LittleEndianReader& file, std::string_view name) {
    const auto scope = file.enter(name);
    TimBlock block;
    block.byteCount = file.read<std::uint32_t>("bytes");
    const core::Place place = file.place("bytes", 4);
    block.x = file.read<std::uint16_t>("x");
    block.y = file.read<std::uint16_t>("y");
    block.width = file.read<std::uint16_t>("width");
    block.height = file.read<std::uint16_t>("height");
    const std::uint64_t bytes = std::uint64_t{block.width} * block.height * 2;
    if (bytes + kBlockHeader > block.byteCount)
        throw DecodeError(place, fmt::format("is {}, {} x {} words take {}", block.byteCount, block.width, block.height,
                                             bytes + kBlockHeader));
    LittleEndianReader words = file.slice(bytes, "words");
    block.words.resize(static_cast<std::size_t>(bytes / 2));
    for (std::uint16_t& word : block.words)
        word = words.read<std::uint16_t>("words");
    return block;
}

void writeBlock(core::LittleEndianWriter& out, const TimBlock& block) {
    out.write(block.byteCount);
    for (const std::uint16_t word : {block.x, block.y, block.width, block.height})
        out.write(word);
    for (const std::uint16_t word : block.words)
        out.write(word);
}

}  // namespace

std::uint32_t pixelWidthOf(const Tim& tim) {
    const std::uint32_t words = tim.image.width;
    switch (tim.mode) {
        case 0:
            return words * 4;
        case 1:
            return words * 2;
        case 2:
            return words;
        default:
            return words * 2 / 3;
    }
}

Tim decodeTim(LittleEndianReader file) {
    const Header header = readHeader(file);
    Tim tim;
    tim.mode = header.mode;
    if (header.hasClut) {
        LittleEndianReader block = file;
        tim.clut = readBlock(block, "clut");
        const std::uint64_t end = file.offset() + sizeOfClut(*tim.clut);
        (void)file.bytes(sizeOfClut(*tim.clut), "clut");
        if (block.offset() < end)
            tim.clutRest = core::copyOf(block.bytes(end - block.offset(), "clut"));
    }
    tim.image = readBlock(file, "image");
    tim.rest = core::copyOf(file.rest());
    return tim;
}

core::ByteVector encodeTim(const Tim& tim) {
    core::LittleEndianWriter out;
    out.write(kMark);
    out.write(tim.mode | (tim.clut ? kHasClut : 0U));
    core::ByteVector file = out.take();
    if (tim.clut) {
        core::LittleEndianWriter block;
        writeBlock(block, *tim.clut);
        block.write(core::Bytes(tim.clutRest));
        // An odd count of bytes may end inside the last word, which the image then covers.
        const std::size_t size = std::min<std::size_t>(block.size(), sizeOfClut(*tim.clut));
        file.insert(file.end(), block.bytes().begin(), block.bytes().begin() + static_cast<std::ptrdiff_t>(size));
    }
    core::LittleEndianWriter image;
    writeBlock(image, tim.image);
    image.write(core::Bytes(tim.rest));
    file.insert(file.end(), image.bytes().begin(), image.bytes().end());
    return file;
}

bool isTim(core::Bytes file) {
    try {
        const Tim tim = decodeTim(LittleEndianReader(file));
        return !tim.image.words.empty() &&
               std::all_of(tim.rest.begin(), tim.rest.end(), [](std::uint8_t byte) { return byte == 0; });
    } catch (const DecodeError&) {
        return false;
    }
}

bool beginsLikeTim(core::Bytes file) {
    try {
        LittleEndianReader reader(file);
        (void)readHeader(reader);
        return true;
    } catch (const DecodeError&) {
        return false;
    }
}

}  // namespace reanima::psx
