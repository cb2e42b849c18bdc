#include "formats/zvision/rlf.h"

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

constexpr std::size_t kMostLiterals = 128;
constexpr std::size_t kFewestRepeats = 2;
constexpr std::size_t kMostRepeats = 129;
constexpr std::size_t kMostSkips = 128;

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
    if (side > kLongestSide)
        throw DecodeError(file.place(field, 4), fmt::format("is {}, the limit is {}", side, kLongestSide),
                          DecodeError::Kind::limit);
    return side;
}

void readHeader(core::LittleEndianReader& file, Rlf& video, const core::Limits& limits,
                core::Diagnostics& diagnostics) {
    expectTag(file, "tag", kFile);
    video.size = file.read<std::uint32_t>("size");
    video.unknown08 = file.read<std::uint32_t>("unknown_08");
    video.unknown0C = file.read<std::uint32_t>("unknown_0c");
    video.frameCount = file.read<std::uint32_t>("frame_count");
    {
        const auto scope = file.enter("codecs");
        readChunkHead(file, kCodecs, kCodecsSize, diagnostics);
        (void)file.bytes(kCodecsSize - 8, "list");
    }
    {
        const auto scope = file.enter("picture");
        readChunkHead(file, kPicture, kPictureSize, diagnostics);
        (void)file.bytes(16, "unknown_8c");
        video.width = readSide(file, "width");
        video.height = readSide(file, "height");
        if (std::uint64_t{video.width} * video.height > limits.picturePixels)
            throw DecodeError(file.place("width", 8),
                              fmt::format("{} x {} pixels are more than the limit of {}", video.width, video.height,
                                          limits.picturePixels),
                              DecodeError::Kind::limit);
        constexpr std::uint64_t kBytesAPixel = 18;  // as stored, twice, as shown, on a page, and in a PNG
        core::requireMemory(video.pixels() * kBytesAPixel, limits, file.place("width", 8));
    }
    const auto scope = file.enter("time");
    readChunkHead(file, kTime, kTimeSize, diagnostics);
    (void)file.bytes(4, "unknown_ac");
    video.frameTime = file.read<std::uint32_t>("frame_time");
    if (video.frameTime == 0)
        diagnostics.warn(Code::countMismatch, file.place("frame_time", 4), "is 0: 15 pictures per second are assumed");
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
                          ? fmt::format("is '{}' (Delta V RLE), for which no decoder is known", inReadingOrder(tag))
                          : fmt::format("is '{}', expected 'HRLE' or 'DHLE'", inReadingOrder(tag)));
}

/// A frame without its data offset's bytes being looked at.
/// @throws DecodeError if it is not there as a whole or can't be decoded: then nobody knows where the next one begins
RlfFrame readFrameHeader(core::LittleEndianReader& file) {
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
    frame.unknown18 = file.read<std::uint32_t>("unknown_18");
    return frame;
}

void readData(core::LittleEndianReader& file, RlfFrame& frame, core::Diagnostics& diagnostics) {
    if (frame.dataOffset < kFrameHeaderSize || frame.dataOffset > frame.size) {
        constexpr std::uint64_t kBack = 8;
        diagnostics.warn(Code::damaged, file.place("data_offset", kBack),
                         fmt::format("is {}, expected {} to {}: the picture stays as it is", frame.dataOffset,
                                     kFrameHeaderSize, frame.size));
        (void)file.bytes(frame.size - kFrameHeaderSize, "data");
        return;
    }
    (void)file.bytes(frame.dataOffset - kFrameHeaderSize, "gap");
    frame.data = file.bytes(frame.size - frame.dataOffset, "data");
}

void warnOfRuns(const RlfFrame& frame, std::size_t pixels, const core::Place& place, core::Diagnostics& diagnostics) {
    const CutRun& cut = frame.extent.cut;
    if (!frame.extent.isWhole())
        diagnostics.warn(Code::damaged, place,
                         fmt::format("ends inside a run of {} pixels, of which {} are drawn", cut.pixels, cut.present));
    if (frame.extent.pixels > pixels)
        diagnostics.warn(Code::damaged, place,
                         fmt::format("has runs of {} pixels, the picture has {}: the rest is left out",
                                     frame.extent.pixels, pixels));
}

RlfFrame readFrame(core::LittleEndianReader& file, Rlf& video, core::Diagnostics& diagnostics) {
    RlfFrame frame = readFrameHeader(file);
    readData(file, frame, diagnostics);
    if (frame.codec == Codec::key) {
        frame.extent = extentOfKey(frame.data);
    } else {
        frame.firstStep = video.steps.size();
        frame.extent = appendDeltaSteps(frame.data, video.pixels(), video.steps);
        frame.stepCount = static_cast<std::uint32_t>(video.steps.size() - frame.firstStep);
        frame.way = fastestWay(video.stepsOf(frame), video.pixels());
    }
    warnOfRuns(frame, video.pixels(), file.place("data", frame.data.size()), diagnostics);
    return frame;
}

/// @throws DecodeError of the kind `limit`
void requireMemoryFor(const Rlf& video, const core::Limits& limits, const core::Place& place) {
    constexpr std::uint64_t kGrowing = 3;  // a list that grows is copied to one of twice its size
    const std::uint64_t file = video.bytes.size() * std::uint64_t{2};
    core::requireMemory(
        file + kGrowing * (video.steps.size() * sizeof(DeltaStep) + video.frames.size() * sizeof(RlfFrame)), limits,
        place);
}

void readFrames(core::LittleEndianReader& file, Rlf& video, const core::Limits& limits,
                core::Diagnostics& diagnostics) {
    std::uint64_t pixels = 0;
    while (video.frames.size() < video.frameCount) {
        const auto scope = file.enter("frames", video.frames.size());
        try {
            if (file.atEnd())
                throw DecodeError(file.place("tag"), "is missing: the file ends");
            video.frames.push_back(readFrame(file, video, diagnostics));
        } catch (const DecodeError& error) {
            if (video.frames.empty())
                throw;
            diagnostics.warn(
                Code::truncated, {error.field(), error.offset()},
                fmt::format("{}; {} of {} frames are read", error.problem(), video.frames.size(), video.frameCount));
            return;
        }
        requireMemoryFor(video, limits, file.place("data"));
        // A frame without data repeats the picture and costs nothing.
        pixels += video.frames.back().data.empty() ? 0 : video.pixels();
        if (pixels > limits.videoPixels)
            throw DecodeError(file.place("data"),
                              fmt::format("the pictures up to here have more than {} pixels together, "
                                          "which is the limit",
                                          limits.videoPixels),
                              DecodeError::Kind::limit);
    }
    if (!file.atEnd())
        diagnostics.note(Code::trailingBytes, file.place("trailing"),
                         fmt::format("{} bytes after the last frame", file.remaining()));
}

}  // namespace

std::shared_ptr<const Rlf> decodeRlf(core::Bytes bytes, const core::Limits& limits, core::Diagnostics& diagnostics) {
    auto video = std::make_shared<Rlf>();
    video->bytes = core::copyOf(bytes);
    video->bytes.resize(bytes.size() + kRunRoom * sizeof(Pixel555));
    core::LittleEndianReader file{core::Bytes(video->bytes).first(bytes.size())};
    readHeader(file, *video, limits, diagnostics);
    if (video->frameCount == 0)
        diagnostics.warn(Code::empty, {"frame_count", 0x10}, "is 0: there are no pictures");
    readFrames(file, *video, limits, diagnostics);
    return video;
}

RlfCursor::RlfCursor(std::shared_ptr<const Rlf> video) : video_(std::move(video)) {
    for (std::vector<Pixel555>& pixels : pixels_)
        pixels.resize(video_->pixels() + kRunRoom);
    surfaces_ = {pixels_[0].data(), pixels_[1].data()};
    mostKept_ = kKeptMemory / (video_->pixels() * sizeof(Pixel555));  // which are not 0
}

/// True if frame `index` needs nothing but what the surface shows, or nothing at all.
bool RlfCursor::begins(std::uint32_t index) const {
    return index == next_ || index == 0 || video_->standsAlone(video_->frames[index]) ||
           (!kept_.empty() && kept_.back().index + 1 == index);
}

/// Puts on the surface what `frame` is drawn on.
void RlfCursor::startFrom(std::uint32_t frame) {
    if (frame != next_ && !video_->standsAlone(video_->frames[frame])) {
        if (frame > 0)
            std::ranges::copy(kept_.back().pixels, surfaces_.shown);
        else
            std::fill_n(surfaces_.shown, video_->pixels(), Pixel555{0});  // a video begins on black
    }
    next_ = frame;
}

/// @param keepEvery every n-th picture on the way is kept; 0: none
void RlfCursor::decodeTo(std::uint32_t index, std::uint32_t keepEvery) {
    for (std::uint32_t done = 1; next_ <= index; ++next_, ++done) {
        const RlfFrame& frame = video_->frames[next_];
        if (frame.codec == Codec::key)
            decodeKey(frame.data, frame.extent, surfaces_.shown, video_->pixels());
        else
            decodeDelta(frame.data, video_->stepsOf(frame), frame.way, video_->pixels(), surfaces_);
        ++decodedFrames_;
        if (keepEvery != 0 && done % keepEvery == 0 && next_ < index)
            kept_.push_back({next_, {surfaces_.shown, surfaces_.shown + video_->pixels()}});
    }
}

/// How far apart pictures are kept where so many frames are decoded on the way back. Half of the room that is left is
/// used, so that the frames between two of them find room as well.
std::uint32_t RlfCursor::spacingOfKept(std::uint32_t frames) const {
    if (mostKept_ <= kept_.size())
        return 0;
    const auto room = static_cast<std::uint32_t>((mostKept_ - kept_.size() + 1) / 2);
    return frames / (room + 1) + 1;
}

std::span<const Pixel555> RlfCursor::picture(std::uint32_t index) {
    const std::vector<RlfFrame>& frames = video_->frames;
    if (index >= frames.size())
        throw std::out_of_range(fmt::format("there is no picture {}, there are {}", index, frames.size()));
    const bool backwards = index < asked_;
    asked_ = index;
    if (index + 1 == next_)
        return {surfaces_.shown, video_->pixels()};
    while (!kept_.empty() && kept_.back().index > index)
        kept_.pop_back();
    if (!kept_.empty() && kept_.back().index == index)
        return kept_.back().pixels;
    std::uint32_t start = index;
    while (!begins(start))
        --start;
    startFrom(start);
    decodeTo(index, backwards ? spacingOfKept(index - start) : 0);
    return {surfaces_.shown, video_->pixels()};
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
/// pixels are always worth a repetition, two only where no stretch of literals goes on after them.
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
        const bool literalsAfter = at + repeats < picture.size() && repeatsFrom(at + repeats) < kFewestRepeats;
        const bool worthIt =
            repeats > kFewestRepeats || (repeats == kFewestRepeats && !(literalsBefore && literalsAfter));
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
    if (pixels == 0 || width > kLongestSide || height > kLongestSide)
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

bool isRlf(core::Bytes bytes) {
    if (!beginsLikeRlf(bytes))
        return false;
    try {
        core::Diagnostics ignored;
        core::LittleEndianReader file(bytes);
        Rlf video;
        readHeader(file, video, {}, ignored);
        for (std::uint32_t i = 0; i < video.frameCount; ++i) {
            RlfFrame frame = readFrameHeader(file);
            readData(file, frame, ignored);
            frame.extent = frame.codec == Codec::key ? extentOfKey(frame.data) : extentOfDelta(frame.data);
            if (!frame.isSound())
                return false;
        }
        return file.atEnd();
    } catch (const DecodeError&) {
        return false;
    }
}

}  // namespace reanima::zvision
