#include "importers/zvision/rlf.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include "core/byte_reader.h"
#include "core/byte_writer.h"

namespace reanima::zvision {

namespace {

using core::Code;
using core::DecodeError;

// Four-character codes are stored as numbers, so that their letters stand in the file in reverse.
using Tag = std::array<char, 4>;
constexpr Tag kFile = {'F', 'E', 'L', 'R'};
constexpr Tag kCodecs = {'F', 'N', 'I', 'C'};
constexpr Tag kPicture = {'F', 'N', 'I', 'M'};
constexpr Tag kTime = {'E', 'M', 'I', 'T'};
constexpr Tag kFrame = {'M', 'A', 'R', 'F'};
constexpr Tag kKeyCodec = {'E', 'L', 'R', 'H'};
constexpr Tag kDeltaCodec = {'E', 'L', 'H', 'D'};
constexpr Tag kVerticalCodec = {'L', 'R', 'V', 'D'};

constexpr std::uint32_t kCodecsSize = 112;
constexpr std::uint32_t kPictureSize = 32;
constexpr std::uint32_t kTimeSize = 16;
constexpr std::uint32_t kFrameHeaderSize = 28;
constexpr std::size_t kHeaderSize = 0xB4;

constexpr std::size_t kMostLiterals = 128;
constexpr std::size_t kFewestRepeats = 2;
constexpr std::size_t kMostRepeats = 129;
constexpr std::size_t kMostSkips = 128;
constexpr std::size_t kNegative = 256;  // a count byte of 128 or more stands for the number minus 256

std::string inReadingOrder(const Tag& tag) {
    std::string text(tag.rbegin(), tag.rend());
    for (char& c : text)
        c = c >= ' ' && c <= '~' ? c : '?';
    return text;
}

Tag readTag(core::LittleEndianReader& file, std::string_view field) {
    Tag tag{};
    const core::Bytes bytes = file.bytes(tag.size(), field);
    std::memcpy(tag.data(), bytes.data(), tag.size());
    return tag;
}

void expectTag(core::LittleEndianReader& file, std::string_view field, const Tag& expected) {
    const Tag found = readTag(file, field);
    if (found != expected)
        throw DecodeError(file.place(field, found.size()),
                          fmt::format("is '{}', expected '{}'", inReadingOrder(found), inReadingOrder(expected)));
}

/// A chunk of the header: its tag, its size, and what the size should be.
void readChunkHead(core::LittleEndianReader& file, const Tag& tag, std::uint32_t size, core::Diagnostics& diagnostics) {
    expectTag(file, "tag", tag);
    const auto stored = file.read<std::uint32_t>("size");
    if (stored != size)
        diagnostics.warn(Code::countMismatch, file.place("size", 4), fmt::format("is {}, expected {}", stored, size));
}

std::uint32_t readSide(core::LittleEndianReader& file, std::string_view field) {
    const auto side = file.read<std::uint32_t>(field);
    if (side == 0)
        throw DecodeError(file.place(field, 4), "is 0, expected at least 1");
    return side;
}

void readHeader(core::LittleEndianReader& file, Rlf& movie, const core::Limits& limits,
                core::Diagnostics& diagnostics) {
    expectTag(file, "tag", kFile);
    movie.size = file.read<std::uint32_t>("size");
    movie.unknown08 = file.read<std::uint32_t>("unknown_08");
    movie.unknown0C = file.read<std::uint32_t>("unknown_0c");
    movie.frameCount = file.read<std::uint32_t>("frame_count");
    {
        const auto scope = file.enter("codecs");
        readChunkHead(file, kCodecs, kCodecsSize, diagnostics);
        (void)file.bytes(kCodecsSize - 8, "list");
    }
    {
        const auto scope = file.enter("picture");
        readChunkHead(file, kPicture, kPictureSize, diagnostics);
        (void)file.bytes(16, "unknown_8c");
        movie.width = readSide(file, "width");
        movie.height = readSide(file, "height");
        if (std::uint64_t{movie.width} * movie.height > limits.picturePixels)
            throw DecodeError(file.place("width", 8),
                              fmt::format("{} x {} pixels are more than the limit of {}", movie.width, movie.height,
                                          limits.picturePixels),
                              DecodeError::Kind::limit);
        constexpr std::uint64_t kBytesAPixel = 16;  // as stored, as shown, on a page, and in a PNG
        core::requireMemory(movie.pixels() * kBytesAPixel, limits, file.place("width", 8));
    }
    const auto scope = file.enter("time");
    readChunkHead(file, kTime, kTimeSize, diagnostics);
    (void)file.bytes(4, "unknown_ac");
    movie.frameTime = file.read<std::uint32_t>("frame_time");
    if (movie.frameTime == 0)
        diagnostics.warn(Code::countMismatch, file.place("frame_time", 4), "is 0: 15 pictures a second are assumed");
}

// ---------------------------------------------------------------------------------------------------------------------
// Runs. A count is one signed byte.

/// What a frame's runs cover.
struct Coverage {
    std::uint64_t pixels = 0;
    std::array<std::uint64_t, kMostLiterals + 1> literals{};  // runs of so many pixels
    bool truncated = false;                                   // the data ends inside a run

    /// The length that more than half of the literals have, or 0.
    [[nodiscard]] std::size_t usualLiteral() const {
        const auto most = std::max_element(literals.begin(), literals.end());
        const std::uint64_t all = std::accumulate(literals.begin(), literals.end(), std::uint64_t{0});
        return *most > all / 2 ? static_cast<std::size_t>(most - literals.begin()) : 0;
    }
};

/// Walks the runs without decoding them.
Coverage coverageOf(Codec codec, core::Bytes data) {
    Coverage coverage;
    std::size_t at = 0;
    while (at < data.size()) {
        const auto count = static_cast<std::int8_t>(data[at++]);
        std::size_t bytes = 0;
        if (count < 0) {
            coverage.pixels += static_cast<std::uint64_t>(-count);
            ++coverage.literals[static_cast<std::size_t>(-count)];
            bytes = static_cast<std::size_t>(-count) * sizeof(Pixel555);
        } else if (codec == Codec::key) {
            coverage.pixels += static_cast<std::uint64_t>(count) + kFewestRepeats;
            bytes = sizeof(Pixel555);
        } else {
            coverage.pixels += static_cast<std::uint64_t>(count) + 1;
        }
        if (bytes > data.size() - at) {
            coverage.truncated = true;
            return coverage;
        }
        at += bytes;
    }
    return coverage;
}

// Pixels are moved in blocks: where a run may end anywhere, a branch that is often guessed wrong costs more than a few
// pixels too many.
constexpr std::size_t kBlock = 8;                    // pixels
constexpr std::size_t kWide = 3 * kBlock;            // most runs are not longer
constexpr std::size_t kRoom = kMostRepeats + kWide;  // what may be read and written beyond the last pixel

Pixel555 pixelAt(const std::uint8_t* data) {
    return static_cast<Pixel555>(data[0] | static_cast<unsigned>(data[1]) << 8U);
}

/// Copies `count` pixels of the file.
template <std::size_t count>
void copyPixels(const std::uint8_t* from, Pixel555* to) {
    if constexpr (std::endian::native == std::endian::little)
        std::memcpy(to, from, count * sizeof(Pixel555));
    else
        for (std::size_t i = 0; i < count; ++i)
            to[i] = pixelAt(from + i * sizeof(Pixel555));
}

const std::uint8_t* plusPixels(const std::uint8_t* data, std::size_t count) { return data + count * sizeof(Pixel555); }

/// For frames that state every pixel: what a run writes behind its end is overwritten by the next.
class Freely {
  public:
    explicit Freely(Pixel555* surface) : surface_(surface) {}

    void copy(const std::uint8_t* from, std::size_t at, std::size_t count) {
        Pixel555* const to = surface_ + at;
        copyPixels<kWide>(from, to);
        for (std::size_t done = kWide; done < count; done += kWide)
            [[unlikely]] copyPixels<kWide>(plusPixels(from, done), to + done);
    }

    void fill(std::size_t at, Pixel555 pixel, std::size_t count) {
        Pixel555* const to = surface_ + at;
        std::fill_n(to, kWide, pixel);
        for (std::size_t done = kWide; done < count; done += kWide)
            [[unlikely]] std::fill_n(to + done, kWide, pixel);
    }

  private:
    Pixel555* surface_;
};

/// A block of pixels, in two words so that every compiler moves it at once.
using Block = std::array<std::uint64_t, kBlock * sizeof(Pixel555) / sizeof(std::uint64_t)>;

Block blockAt(const void* from) {
    Block block;
    std::memcpy(block.data(), from, sizeof block);
    return block;
}

/// Copies `count` pixels, up to kWide, and writes no other: three blocks, the last of which end with the run. A run
/// that is shorter than a block writes the same mixture with what was there three times.
void copyRun(const std::uint8_t* from, Pixel555* to, std::size_t count) {
    if constexpr (std::endian::native == std::endian::little) {
        constexpr Pixel555 kYes = 0xFFFF;
        static constexpr std::array<Pixel555, 2 * kBlock> kMask = {kYes, kYes, kYes, kYes, kYes, kYes, kYes, kYes};
        const std::size_t written = std::min(count, kBlock);
        const std::size_t last = count - written;
        const Block mask = blockAt(kMask.data() + (kBlock - written));
        const Block kept = blockAt(to);
        for (const std::size_t at : {std::size_t{0}, std::min(last, kBlock), last}) {
            Block block = blockAt(plusPixels(from, at));
            for (std::size_t word = 0; word < block.size(); ++word)
                block[word] = kept[word] ^ ((kept[word] ^ block[word]) & mask[word]);
            std::memcpy(to + at, block.data(), sizeof block);
        }
    } else {
        for (std::size_t i = 0; i < count; ++i)
            to[i] = pixelAt(plusPixels(from, i));
    }
}

/// For frames that keep pixels.
class Exactly {
  public:
    explicit Exactly(Pixel555* surface) : surface_(surface) {}

    void copy(const std::uint8_t* from, std::size_t at, std::size_t count) {
        for (; count > kWide; count -= kWide, from = plusPixels(from, kWide), at += kWide)
            [[unlikely]] copyPixels<kWide>(from, surface_ + at);
        copyRun(from, surface_ + at, count);
    }

    void fill(std::size_t at, Pixel555 pixel, std::size_t count) { std::fill_n(surface_ + at, count, pixel); }

  private:
    Pixel555* surface_;
};

/// Decodes a frame whose runs are known to be whole onto the surface of `pixels` pixels and kRoom more. What passes the
/// end of the picture lands there.
///
/// Where the next run begins depends on the count that is being read. Code for a count that is known lets the processor
/// run ahead: worth it where it can guess that the count comes. It also spares copyRun() in frames of many short
/// literals near to each other, where a block would be read that was just written in part: the processor waits for
/// that.
/// @tparam usual the length that most literals have, or 0
template <Codec codec, std::size_t usual, typename Write>
void decodeRuns(core::Bytes data, Pixel555* surface, std::size_t pixels) {
    Write write(surface);
    const std::uint8_t* in = data.data();
    const std::uint8_t* const end = in + data.size();
    std::size_t at = 0;
    while (in < end && at < pixels) {
        const std::size_t stored = *in++;
        if (usual > 0 && stored == kNegative - usual) {
            copyPixels<usual>(in, surface + at);
            in = plusPixels(in, usual);
            at += usual;
        } else if (stored == kNegative - 1) {
            copyPixels<1>(in, surface + at);
            in = plusPixels(in, 1);
            at += 1;
        } else if (stored == kNegative - 2 && codec == Codec::delta) {
            copyPixels<2>(in, surface + at);
            in = plusPixels(in, 2);
            at += 2;
        } else if (stored >= kNegative / 2) {
            const std::size_t count = kNegative - stored;
            write.copy(in, at, count);
            in = plusPixels(in, count);
            at += count;
        } else if (codec == Codec::key) {
            const std::size_t count = stored + kFewestRepeats;
            write.fill(at, pixelAt(in), count);
            in = plusPixels(in, 1);
            at += count;
        } else {
            at += stored + 1;
        }
    }
}

void decodeDelta(const RlfFrame& frame, Pixel555* surface, std::size_t pixels) {
    switch (frame.usualLiteral) {  // shorter than a block
        case 3:
            return decodeRuns<Codec::delta, 3, Exactly>(frame.data, surface, pixels);
        case 4:
            return decodeRuns<Codec::delta, 4, Exactly>(frame.data, surface, pixels);
        case 5:
            return decodeRuns<Codec::delta, 5, Exactly>(frame.data, surface, pixels);
        case 6:
            return decodeRuns<Codec::delta, 6, Exactly>(frame.data, surface, pixels);
        case 7:
            return decodeRuns<Codec::delta, 7, Exactly>(frame.data, surface, pixels);
        default:
            return decodeRuns<Codec::delta, 0, Exactly>(frame.data, surface, pixels);
    }
}

void decodeFrame(const RlfFrame& frame, Pixel555* surface, std::size_t pixels) {
    if (frame.codec == Codec::delta)
        decodeDelta(frame, surface, pixels);
    else if (frame.standsAlone)
        decodeRuns<Codec::key, 0, Freely>(frame.data, surface, pixels);
    else
        decodeRuns<Codec::key, 0, Exactly>(frame.data, surface, pixels);
}

// ---------------------------------------------------------------------------------------------------------------------
// Frames

Codec readCodec(core::LittleEndianReader& file) {
    const Tag tag = readTag(file, "codec");
    if (tag == kKeyCodec)
        return Codec::key;
    if (tag == kDeltaCodec)
        return Codec::delta;
    throw DecodeError(file.place("codec", tag.size()),
                      tag == kVerticalCodec
                          ? fmt::format("is '{}' (Delta V RLE), which nobody decodes", inReadingOrder(tag))
                          : fmt::format("is '{}', expected 'HRLE' or 'DHLE'", inReadingOrder(tag)));
}

RlfFrame readFrame(core::LittleEndianReader& file, const Rlf& movie, core::Diagnostics& diagnostics) {
    RlfFrame frame;
    frame.offset = file.offset();
    expectTag(file, "tag", kFrame);
    frame.size = file.read<std::uint32_t>("size");
    if (frame.size < kFrameHeaderSize)
        throw DecodeError(file.place("size", 4),
                          fmt::format("is {}, the header alone has {} bytes", frame.size, kFrameHeaderSize));
    if (frame.size - 8 > file.remaining())
        throw DecodeError(file.place("size", 4),
                          fmt::format("is {}, {} bytes are left", frame.size, file.remaining() + 8));
    frame.unknown08 = file.read<std::uint32_t>("unknown_08");
    frame.unknown0C = file.read<std::uint32_t>("unknown_0c");
    frame.codec = readCodec(file);
    frame.dataOffset = file.read<std::uint32_t>("data_offset");
    if (frame.dataOffset < kFrameHeaderSize || frame.dataOffset > frame.size)
        throw DecodeError(file.place("data_offset", 4),
                          fmt::format("is {}, expected {} to {}", frame.dataOffset, kFrameHeaderSize, frame.size));
    frame.unknown18 = file.read<std::uint32_t>("unknown_18");
    (void)file.bytes(frame.dataOffset - kFrameHeaderSize, "gap");
    frame.data = file.bytes(frame.size - frame.dataOffset, "data");

    const Coverage coverage = coverageOf(frame.codec, frame.data);
    if (coverage.truncated)
        throw DecodeError(file.place("data", frame.data.size()), "ends inside a run");
    if (coverage.pixels > movie.pixels())
        diagnostics.warn(Code::damaged, file.place("data", frame.data.size()),
                         fmt::format("has runs of {} pixels, the picture has {}: the rest is left out", coverage.pixels,
                                     movie.pixels()));
    frame.usualLiteral = coverage.usualLiteral();
    frame.standsAlone = frame.codec == Codec::key && coverage.pixels >= movie.pixels();
    return frame;
}

void readFrames(core::LittleEndianReader& file, Rlf& movie, const core::Limits& limits,
                core::Diagnostics& diagnostics) {
    std::uint64_t pixels = 0;
    while (movie.frames.size() < movie.frameCount) {
        const auto scope = file.enter("frames", movie.frames.size());
        try {
            if (file.atEnd())
                throw DecodeError(file.place("tag"), "is missing: the file ends");
            movie.frames.push_back(readFrame(file, movie, diagnostics));
        } catch (const DecodeError& error) {
            if (movie.frames.empty())
                throw;
            diagnostics.warn(
                Code::truncated, {error.field(), error.offset()},
                fmt::format("{}; {} of {} frames are read", error.problem(), movie.frames.size(), movie.frameCount));
            return;
        }
        // A frame without data repeats the picture and costs nothing.
        pixels += movie.frames.back().data.empty() ? 0 : movie.pixels();
        if (pixels > limits.filmPixels)
            throw DecodeError(file.place("data"),
                              fmt::format("the pictures up to here have more than {} pixels together, "
                                          "which is the limit",
                                          limits.filmPixels),
                              DecodeError::Kind::limit);
    }
    if (!file.atEnd())
        diagnostics.note(Code::trailingBytes, file.place("trailing"),
                         fmt::format("{} bytes behind the last frame", file.remaining()));
}

}  // namespace

std::shared_ptr<const Rlf> decodeRlf(core::Bytes bytes, const core::Limits& limits, core::Diagnostics& diagnostics) {
    auto movie = std::make_shared<Rlf>();
    movie->bytes = core::copyOf(bytes);
    movie->bytes.resize(bytes.size() + kRoom * sizeof(Pixel555));
    core::LittleEndianReader file{core::Bytes(movie->bytes).first(bytes.size())};
    readHeader(file, *movie, limits, diagnostics);
    if (movie->frameCount == 0)
        diagnostics.warn(Code::empty, {"frame_count", 0x10}, "is 0: there are no pictures");
    readFrames(file, *movie, limits, diagnostics);
    return movie;
}

RlfCursor::RlfCursor(std::shared_ptr<const Rlf> movie) : movie_(std::move(movie)), surface_(movie_->pixels() + kRoom) {}

std::span<const Pixel555> RlfCursor::picture(std::uint32_t index) {
    const std::vector<RlfFrame>& frames = movie_->frames;
    if (index >= frames.size())
        throw std::out_of_range(fmt::format("there is no picture {}, there are {}", index, frames.size()));
    std::uint32_t start = index;  // the nearest frame from which the picture can be made
    while (start > 0 && !frames[start].standsAlone && start != next_)
        --start;
    if (index + 1 == next_)
        start = next_;
    else if (start == 0 && !frames[0].standsAlone && next_ != 0)
        std::fill(surface_.begin(), surface_.end(), Pixel555{0});  // a movie begins on black
    for (next_ = start; next_ <= index; ++next_)
        decodeFrame(frames[next_], surface_.data(), movie_->pixels());
    return {surface_.data(), movie_->pixels()};
}

// ---------------------------------------------------------------------------------------------------------------------
// Encoding

namespace {

using Runs = core::ByteVector;

void addLiterals(Runs& runs, std::span<const Pixel555> pixels) {
    while (!pixels.empty()) {
        const std::size_t count = std::min(pixels.size(), kMostLiterals);
        runs.push_back(static_cast<std::uint8_t>(256 - count));
        for (const Pixel555 pixel : pixels.first(count)) {
            runs.push_back(static_cast<std::uint8_t>(pixel));
            runs.push_back(static_cast<std::uint8_t>(pixel >> 8U));
        }
        pixels = pixels.subspan(count);
    }
}

/// How many pixels at the front are the same.
std::size_t repeatsAt(std::span<const Pixel555> pixels) {
    const auto other = std::find_if(pixels.begin(), pixels.end(), [&](Pixel555 p) { return p != pixels.front(); });
    return static_cast<std::size_t>(other - pixels.begin());
}

/// A repetition costs three bytes, a literal two, and a byte more begins each stretch of literals: so three equal
/// pixels are always worth a repetition, two only where no stretch of literals goes on behind them.
Runs encodeKey(std::span<const Pixel555> picture) {
    Runs runs;
    std::size_t literals = 0;  // where the stretch that is not yet written begins
    std::size_t at = 0;
    const auto repeatsFrom = [&](std::size_t position) {
        return std::min(repeatsAt(picture.subspan(position, std::min(picture.size() - position, kMostRepeats))),
                        kMostRepeats);
    };
    while (at < picture.size()) {
        const std::size_t repeats = repeatsFrom(at);
        const bool literalsBefore = literals < at;
        const bool literalsBehind = at + repeats < picture.size() && repeatsFrom(at + repeats) < kFewestRepeats;
        const bool worthIt =
            repeats > kFewestRepeats || (repeats == kFewestRepeats && !(literalsBefore && literalsBehind));
        if (!worthIt) {
            at += repeats;
            continue;
        }
        addLiterals(runs, picture.subspan(literals, at - literals));
        runs.push_back(static_cast<std::uint8_t>(repeats - kFewestRepeats));
        runs.push_back(static_cast<std::uint8_t>(picture[at]));
        runs.push_back(static_cast<std::uint8_t>(picture[at] >> 8U));
        at += repeats;
        literals = at;
    }
    addLiterals(runs, picture.subspan(literals));
    return runs;
}

/// Skips equal pixels, except single ones inside a stretch of literals: they cost no more there. Equal pixels at the
/// end need no skip.
Runs encodeDelta(std::span<const Pixel555> before, std::span<const Pixel555> picture) {
    Runs runs;
    std::size_t written = 0;
    std::size_t at = 0;
    while (at < picture.size()) {
        if (before[at] == picture[at]) {
            ++at;
            continue;
        }
        for (std::size_t skip = at - written; skip > 0;) {
            const std::size_t count = std::min(skip, kMostSkips);
            runs.push_back(static_cast<std::uint8_t>(count - 1));
            skip -= count;
        }
        std::size_t end = at + 1;
        while (end < picture.size() &&
               (before[end] != picture[end] || (end + 1 < picture.size() && before[end + 1] != picture[end + 1])))
            ++end;
        addLiterals(runs, picture.subspan(at, end - at));
        at = written = end;
    }
    return runs;
}

void writeTag(core::LittleEndianWriter& out, const Tag& tag) {
    for (const char c : tag)
        out.write(static_cast<std::uint8_t>(c));
}

void writeHeader(core::LittleEndianWriter& out, std::uint32_t width, std::uint32_t height, std::size_t frames,
                 std::uint32_t frameTime) {
    const auto words = [&out](std::initializer_list<std::uint32_t> values) {
        for (const std::uint32_t value : values)
            out.write(value);
    };
    writeTag(out, kFile);
    words({20, 0, 0, static_cast<std::uint32_t>(frames)});
    writeTag(out, kCodecs);
    words({kCodecsSize, 0, 3});
    for (const auto& [name, tag] : {std::pair<std::string_view, Tag>{"Delta V RLE", kVerticalCodec},
                                    {"Delta H RLE", kDeltaCodec},
                                    {"H RLE Key", kKeyCodec}}) {
        out.write(std::uint32_t{0});
        std::array<std::uint8_t, 24> padded{};
        std::copy(name.begin(), name.end(), padded.begin());
        out.write(core::Bytes(padded));
        writeTag(out, tag);
    }
    writeTag(out, kPicture);
    words({kPictureSize, 0, 0, 0, 0, width, height});
    writeTag(out, kTime);
    words({kTimeSize, 0, frameTime});
}

void writeFrame(core::LittleEndianWriter& out, Codec codec, const Runs& runs) {
    writeTag(out, kFrame);
    out.write(static_cast<std::uint32_t>(kFrameHeaderSize + runs.size()));
    out.write(std::uint64_t{0});
    writeTag(out, codec == Codec::key ? kKeyCodec : kDeltaCodec);
    out.write(kFrameHeaderSize);
    out.write(std::uint32_t{0});
    out.write(core::Bytes(runs));
}

}  // namespace

core::ByteVector encodeRlf(std::uint32_t width, std::uint32_t height,
                           const std::vector<std::vector<Pixel555>>& pictures, const RlfEncoding& encoding) {
    const std::size_t pixels = std::size_t{width} * height;
    if (pixels == 0)
        throw DecodeError(fmt::format("pictures of {} x {} pixels can't be written", width, height));
    core::LittleEndianWriter out;
    writeHeader(out, width, height, pictures.size(), encoding.frameTime);
    std::vector<Pixel555> black(pixels);
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        if (pictures[i].size() != pixels)
            throw DecodeError({fmt::format("frames[{}]", i), std::nullopt},
                              fmt::format("has {} pixels, expected {} x {}", pictures[i].size(), width, height));
        const bool mustBeKey = encoding.keyInterval > 0 && i % encoding.keyInterval == 0;
        const Runs key = encodeKey(pictures[i]);
        const Runs delta = mustBeKey ? Runs() : encodeDelta(i > 0 ? pictures[i - 1] : black, pictures[i]);
        const bool smaller = mustBeKey || key.size() <= delta.size();
        writeFrame(out, smaller ? Codec::key : Codec::delta, smaller ? key : delta);
    }
    return out.take();
}

// ---------------------------------------------------------------------------------------------------------------------
// Recognition

bool beginsLikeRlf(core::Bytes file) {
    return file.size() >= kFile.size() && std::equal(kFile.begin(), kFile.end(), file.begin());
}

bool isRlf(core::Bytes file) {
    if (!beginsLikeRlf(file) || file.size() < kHeaderSize)
        return false;
    try {
        core::Diagnostics diagnostics;
        const auto movie = decodeRlf(file, core::Limits{}, diagnostics);
        return movie->frames.size() == movie->frameCount &&
               std::none_of(diagnostics.warnings().begin(), diagnostics.warnings().end(),
                            [](const core::Warning& w) { return w.code == Code::trailingBytes; });
    } catch (const DecodeError&) {
        return false;
    }
}

}  // namespace reanima::zvision
