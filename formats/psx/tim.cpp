#include "formats/psx/tim.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/byte_writer.h"
#include "core/decode_watch.h"

namespace reanima::psx {

namespace {

using core::DecodeError;
using core::LittleEndianReader;

constexpr std::uint32_t kMark = 0x10;
constexpr std::uint32_t kModeBits = 0x7;
constexpr std::uint32_t kHasClut = 0x8;
constexpr std::uint32_t kBlockHeader = 12;

/// The size of a CLUT's block in bytes. The console rounds the count down to a multiple of four to find the image.
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
                          fmt::format("is 0x{:x}, expected 0 to {}, plus 8 with a CLUT", flags, kHighestTimMode));
    return {static_cast<std::uint8_t>(flags & kModeBits), (flags & kHasClut) != 0};
}

std::uint64_t sizeOfWords(const TimBlock& block) {
    return kBlockHeader + std::uint64_t{block.width} * block.height * 2;
}

void warnOfLength(core::Diagnostics& diagnostics, const core::Place& place, const TimBlock& block) {
    diagnostics.warn(core::Code::countMismatch, place,
                     fmt::format("is {}, but {} x {} words need {} bytes, which are read", block.byteCount, block.width,
                                 block.height, sizeOfWords(block)));
}

TimBlock readHeaderOfBlock(LittleEndianReader& file) {
    TimBlock block;
    describe(fields::Read<LittleEndianReader>{file}, block);
    return block;
}

TimBlock readBlock(LittleEndianReader& file) {
    TimBlock block = readHeaderOfBlock(file);
    const std::uint64_t bytes = sizeOfWords(block) - kBlockHeader;
    LittleEndianReader words = file.slice(bytes, "words");
    block.words.resize(static_cast<std::size_t>(bytes / 2));
    for (std::uint16_t& word : block.words)
        word = words.read<std::uint16_t>("words");
    return block;
}

/// True if a block begins `skipped` bytes from here, and all its words are present.
bool holdsBlock(LittleEndianReader file, std::uint64_t skipped = 0) {
    (void)file.bytesUpTo(skipped);
    const std::uint64_t bytes = file.remaining();
    return bytes >= kBlockHeader && sizeOfWords(readHeaderOfBlock(file)) <= bytes;
}

/// Reads the CLUT. Moves `file` to the image: to the place that the CLUT states, or after the words of the CLUT.
void readClut(LittleEndianReader& file, Tim& tim, core::Diagnostics& diagnostics) {
    const LittleEndianReader begin = file;
    LittleEndianReader words = file;
    {
        const auto scope = words.enter("clut");
        tim.clut = readBlock(words);
    }
    const std::uint64_t stated = sizeOfClut(*tim.clut);
    const bool isTooShort = tim.clut->byteCount < sizeOfWords(*tim.clut);
    const bool isThere = !isTooShort && holdsBlock(begin, stated);
    if (isTooShort || (!isThere && holdsBlock(words))) {
        warnOfLength(diagnostics, begin.place("clut.bytes", 0), *tim.clut);
        tim.imageFollowsWords = stated < sizeOfWords(*tim.clut) && !isTooShort;
        file = words;
        return;
    }
    (void)file.bytes(stated, "clut");
    if (words.offset() < file.offset())
        tim.clutRest = core::copyOf(words.bytes(file.offset() - words.offset(), "clut"));
}

void readImage(LittleEndianReader& file, Tim& tim, core::Diagnostics& diagnostics) {
    const auto scope = file.enter("image");
    const LittleEndianReader begin = file;
    tim.image = readBlock(file);
    if (tim.image.byteCount < sizeOfWords(tim.image) || tim.image.byteCount / 4 * 4 > begin.remaining())
        warnOfLength(diagnostics, begin.place("bytes", 0), tim.image);
}

void writeBlock(core::LittleEndianWriter& out, const TimBlock& block) {
    describe(fields::Write<core::LittleEndianWriter>{out}, block);
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

Tim decodeTim(LittleEndianReader file, core::Diagnostics& diagnostics) {
    core::tellDecoding("psx texture", file);
    const Header header = readHeader(file);
    Tim tim;
    tim.mode = header.mode;
    if (header.hasClut)
        readClut(file, tim, diagnostics);
    readImage(file, tim, diagnostics);
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
        // A count that is not a multiple of 4 may end inside a word. The image then covers the rest of it.
        const bool isWhole = tim.imageFollowsWords || tim.clut->byteCount < sizeOfWords(*tim.clut);
        const std::size_t size = isWhole ? block.size() : std::min<std::size_t>(block.size(), sizeOfClut(*tim.clut));
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
        LittleEndianReader reader(file);
        if (readHeader(reader).hasClut) {
            LittleEndianReader head = reader;
            const TimBlock clut = readHeaderOfBlock(head);
            if (clut.byteCount < sizeOfWords(clut))
                return false;
            (void)reader.bytes(sizeOfClut(clut), "clut");
        }
        const std::uint64_t left = reader.remaining();
        const TimBlock image = readHeaderOfBlock(reader);
        const std::uint64_t size = sizeOfWords(image);
        (void)reader.bytes(size - kBlockHeader, "image");
        const core::Bytes rest = reader.rest();
        return size > kBlockHeader && image.byteCount >= size && image.byteCount / 4 * 4 <= left &&
               std::all_of(rest.begin(), rest.end(), [](std::uint8_t byte) { return byte == 0; });
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
