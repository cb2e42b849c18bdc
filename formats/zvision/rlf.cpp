#include "formats/zvision/rlf.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "core/byte_reader.h"
#include "core/byte_writer.h"
#include "core/decode_watch.h"

namespace reanima::zvision {

namespace {

using core::Code;
using core::DecodeError;

// Four-character codes are stored as numbers, so their letters are reversed in the file.
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

constexpr std::size_t kMostLiterals = 128;
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

/// The expected content of a chunk in the header: the bytes after its size.
struct ChunkContent {
    std::uint32_t usual;      ///< bytes of content in every known file
    std::uint32_t least;      ///< smallest number of bytes
    std::optional<Tag> next;  ///< tag of the next chunk; none at the end of the file
};

/// The size of a chunk's content. It is the usual size, which players assume. The stored size is used only if the next
/// chunk follows there, but not after the usual size.
std::uint32_t contentSize(const core::LittleEndianReader& file, std::uint32_t stored, const ChunkContent& content) {
    const auto leadsOn = [&](std::uint32_t size) {
        if (size < content.least || size > file.remaining())
            return false;
        core::LittleEndianReader ahead = file;
        (void)ahead.bytes(size, {});
        return !content.next || (ahead.remaining() >= content.next->size() && readTag(ahead, {}) == *content.next);
    };
    const std::uint32_t size = stored - kChunkHeadSize;
    const bool isElsewhere =
        size != content.usual && stored >= kChunkHeadSize && leadsOn(size) && !(content.next && leadsOn(content.usual));
    return isElsewhere ? size : content.usual;
}

/// Reads a chunk of the header: its tag, its stored size, and its content.
core::LittleEndianReader readChunk(core::LittleEndianReader& file, const Tag& tag, const ChunkContent& content,
                                   std::uint32_t& stored, core::Diagnostics& diagnostics) {
    expectTag(file, "tag", tag);
    stored = file.read<std::uint32_t>("size");
    const std::uint32_t size = contentSize(file, stored, content);
    if (stored != size + kChunkHeadSize)
        diagnostics.warn(Code::countMismatch, file.place("size", 4),
                         fmt::format("is {}, expected {}", stored, size + kChunkHeadSize));
    return file.sliceUpTo(size);
}

void requireSide(std::uint32_t side, const core::Place& place) {
    if (side == 0)
        throw DecodeError(place, "is 0, expected at least 1");
    if (side > kLongestSide)
        throw DecodeError(place, fmt::format("is {}, but the limit is {}", side, kLongestSide),
                          DecodeError::Kind::limit);
}

void readPicture(core::LittleEndianReader& file, Rlf& video, const core::Limits& limits,
                 core::Diagnostics& diagnostics) {
    const auto scope = file.enter("picture");
    core::LittleEndianReader chunk = readChunk(file, kPicture, {24, 24, kTime}, video.pictureSize, diagnostics);
    std::ranges::copy(chunk.bytes(video.unknown8C.size(), "unknown_8c"), video.unknown8C.begin());
    const core::Place ofWidth = chunk.place("width");
    video.width = chunk.read<std::uint32_t>("width");
    const core::Place ofHeight = chunk.place("height");
    requireSide(video.width, ofWidth);
    video.height = chunk.read<std::uint32_t>("height");
    requirePictureSize(video.width, video.height, limits, ofWidth, ofHeight);
    video.pictureRest = core::copyOf(chunk.rest());
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
        const ChunkContent content{kCodecsSize - kChunkHeadSize, 0, kPicture};
        core::LittleEndianReader chunk = readChunk(file, kCodecs, content, video.codecsSize, diagnostics);
        const bool isCut = file.atEnd() && chunk.remaining() < content.usual;
        video.codecs = core::copyOf(isCut ? chunk.bytes(content.usual, "list") : chunk.rest());
    }
    readPicture(file, video, limits, diagnostics);
    const auto scope = file.enter("time");
    const std::optional<Tag> next = video.frameCount > 0 ? std::optional(kFrame) : std::nullopt;
    core::LittleEndianReader chunk = readChunk(file, kTime, {8, 8, next}, video.timeSize, diagnostics);
    video.unknownAC = chunk.read<std::uint32_t>("unknown_ac");
    video.frameTime = chunk.read<std::uint32_t>("frame_time");
    if (video.frameTime == 0)
        diagnostics.warn(Code::countMismatch, chunk.place("frame_time", 4),
                         "is 0, so 15 frames per second are assumed");
    video.timeRest = core::copyOf(chunk.rest());
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

/// Reads a frame without checking its data.
/// @throws DecodeError if the frame is incomplete or can't be decoded, since the next frame's start is then unknown
RlfFrame readFrameHeader(core::LittleEndianReader& file) {
    RlfFrame frame;
    frame.offset = file.offset();
    expectTag(file, "tag", kFrame);
    frame.size = file.read<std::uint32_t>("size");
    if (frame.size < kRlfFrameHeaderSize)
        throw DecodeError(file.place("size", 4),
                          fmt::format("is {}, but the header needs {} bytes", frame.size, kRlfFrameHeaderSize));
    if (frame.size - 8 > file.remaining())
        throw DecodeError(file.place("size", 4),
                          fmt::format("is {}, but only {} bytes are left", frame.size, file.remaining() + 8));
    frame.unknown08 = file.read<std::uint32_t>("unknown_08");
    frame.unknown0C = file.read<std::uint32_t>("unknown_0c");
    frame.codec = readCodec(file);
    frame.dataOffset = file.read<std::uint32_t>("data_offset");
    frame.unknown18 = file.read<std::uint32_t>("unknown_18");
    return frame;
}

void readBody(core::LittleEndianReader& file, RlfFrame& frame, core::Diagnostics& diagnostics) {
    frame.body = file.bytes(frame.size - kRlfFrameHeaderSize, "data");
    constexpr std::uint64_t kBack = 8;
    if (!frame.hasData())
        diagnostics.warn(Code::damaged, file.place("data_offset", kBack + frame.body.size()),
                         fmt::format("is {}, expected {} to {}; the previous frame is repeated", frame.dataOffset,
                                     kRlfFrameHeaderSize, frame.size));
}

void warnOfRuns(const RlfFrame& frame, std::size_t pixels, const core::Place& place, core::Diagnostics& diagnostics) {
    const CutRun& cut = frame.extent.cut;
    if (!frame.extent.isWhole())
        diagnostics.warn(Code::damaged, place,
                         fmt::format("ends inside a run of {} pixels; {} of them are drawn", cut.pixels, cut.present));
    if (frame.extent.pixels > pixels)
        diagnostics.warn(Code::damaged, place,
                         fmt::format("has runs of {} pixels, but the frame has {}; the rest is left out",
                                     frame.extent.pixels, pixels));
}

RlfFrame readFrame(core::LittleEndianReader& file, Rlf& video, core::Diagnostics& diagnostics) {
    RlfFrame frame = readFrameHeader(file);
    readBody(file, frame, diagnostics);
    if (frame.codec == Codec::key) {
        frame.extent = extentOfKey(frame.data());
    } else {
        frame.firstStep = video.steps.size();
        frame.extent = appendDeltaSteps(frame.data(), video.pixels(), video.steps);
        frame.stepCount = static_cast<std::uint32_t>(video.steps.size() - frame.firstStep);
        frame.way = fastestWay(video.stepsOf(frame), video.pixels());
    }
    warnOfRuns(frame, video.pixels(), file.place("data", frame.data().size()), diagnostics);
    return frame;
}

/// @throws DecodeError of the kind `limit`
void requireMemoryFor(const Rlf& video, const core::Limits& limits, const core::Place& place) {
    constexpr std::uint64_t kGrowing = 3;  // a growing list is copied to one of twice its size
    const std::uint64_t file = video.bytes.size() * std::uint64_t{2};
    core::requireMemory(
        file + kGrowing * (video.steps.size() * sizeof(DeltaStep) + video.frames.size() * sizeof(RlfFrame)), limits,
        place);
}

void readFrames(core::LittleEndianReader& file, Rlf& video, const core::Limits& limits,
                core::Diagnostics& diagnostics) {
    const core::Bytes fileBytes =
        core::Bytes(video.bytes).first(static_cast<std::size_t>(file.offset()) + file.remaining());
    std::uint64_t pixels = 0;
    while (video.frames.size() < video.frameCount) {
        const auto scope = file.enter("frames", video.frames.size());
        try {
            if (file.atEnd())
                throw DecodeError(file.place("tag"), "is missing, because the file ends here");
            video.frames.push_back(readFrame(file, video, diagnostics));
        } catch (const DecodeError& error) {
            if (video.frames.empty())
                throw;
            diagnostics.warn(Code::truncated, {error.field(), error.offset()},
                             fmt::format("{}; only {} of {} frames are read", error.problem(), video.frames.size(),
                                         video.frameCount));
            const RlfFrame& last = video.frames.back();
            video.trailing = fileBytes.subspan(static_cast<std::size_t>(last.offset) + last.size);
            return;
        }
        requireMemoryFor(video, limits, file.place("data"));
        // A frame without data repeats the picture and costs nothing.
        pixels += video.frames.back().data().empty() ? 0 : video.pixels();
        if (pixels > limits.videoPixels)
            throw DecodeError(
                file.place("data"),
                fmt::format("together, the frames up to this one exceed the limit of {} pixels", limits.videoPixels),
                DecodeError::Kind::limit)
                .withHint({"limit-samples", "N"});
    }
    if (!file.atEnd())
        diagnostics.note(Code::trailingBytes, file.place("trailing"),
                         fmt::format("{} bytes follow the last frame", file.remaining()));
    video.trailing = file.rest();
}

}  // namespace

void requirePictureSize(std::uint32_t width, std::uint32_t height, const core::Limits& limits,
                        const core::Place& ofWidth, const core::Place& ofHeight) {
    requireSide(width, ofWidth);
    requireSide(height, ofHeight);
    const std::uint64_t pixels = std::uint64_t{width} * height;
    if (pixels > limits.picturePixels)
        throw DecodeError(
            ofWidth, fmt::format("{} x {} pixels are more than the limit of {}", width, height, limits.picturePixels),
            DecodeError::Kind::limit)
            .withHint({"limit-samples", "N"});
    constexpr std::uint64_t kBytesAPixel = 18;  // a stored pixel, two shown ones, one of a page, and one of a PNG
    core::requireMemory(pixels * kBytesAPixel, limits, ofWidth);
}

std::shared_ptr<const Rlf> decodeRlf(core::Bytes bytes, const core::Limits& limits, core::Diagnostics& diagnostics) {
    core::tellDecoding("zvision video", bytes);
    auto video = std::make_shared<Rlf>();
    video->bytes = core::copyOf(bytes);
    video->bytes.resize(bytes.size() + kRunRoom * sizeof(Pixel555));
    core::LittleEndianReader file{core::Bytes(video->bytes).first(bytes.size())};
    readHeader(file, *video, limits, diagnostics);
    if (video->frameCount == 0)
        diagnostics.warn(Code::empty, {"frame_count", 0x10}, "is 0, so there are no frames");
    readFrames(file, *video, limits, diagnostics);
    return video;
}

RlfCursor::RlfCursor(std::shared_ptr<const Rlf> video) : video_(std::move(video)) {
    for (std::vector<Pixel555>& pixels : pixels_)
        pixels.resize(video_->pixels() + kRunRoom);
    surfaces_ = {pixels_[0].data(), pixels_[1].data()};
    mostKept_ = kKeptMemory / (video_->pixels() * sizeof(Pixel555));  // there is at least one pixel
}

/// True if frame `index` can be decoded now: onto the current surface, or because it needs no earlier picture.
bool RlfCursor::begins(std::uint32_t index) const {
    return index == next_ || index == 0 || video_->standsAlone(video_->frames[index]) ||
           (!kept_.empty() && kept_.back().index + 1 == index);
}

/// Prepares the surface on which `frame` is drawn.
void RlfCursor::startFrom(std::uint32_t frame) {
    if (frame != next_ && !video_->standsAlone(video_->frames[frame])) {
        if (frame > 0)
            std::ranges::copy(kept_.back().pixels, surfaces_.shown);
        else
            std::fill_n(surfaces_.shown, video_->pixels(), Pixel555{0});  // a video begins on black
    }
    next_ = frame;
}

/// @param keepEvery keep every n-th picture; 0: none
void RlfCursor::decodeTo(std::uint32_t index, std::uint32_t keepEvery) {
    for (std::uint32_t done = 1; next_ <= index; ++next_, ++done) {
        const RlfFrame& frame = video_->frames[next_];
        if (frame.codec == Codec::key)
            decodeKey(frame.data(), frame.extent, surfaces_.shown, video_->pixels());
        else
            decodeDelta(frame.data(), video_->stepsOf(frame), frame.way, video_->pixels(), surfaces_);
        ++decodedFrames_;
        if (keepEvery != 0 && done % keepEvery == 0 && next_ < index)
            kept_.push_back({next_, {surfaces_.shown, surfaces_.shown + video_->pixels()}});
    }
}

/// The distance between kept pictures when `frames` frames are decoded to play backwards. Half of the free memory is
/// used, so that there is room for the frames between two kept pictures, too.
std::uint32_t RlfCursor::spacingOfKept(std::uint32_t frames) const {
    if (mostKept_ <= kept_.size())
        return 0;
    const auto room = static_cast<std::uint32_t>((mostKept_ - kept_.size() + 1) / 2);
    return frames / (room + 1) + 1;
}

std::span<const Pixel555> RlfCursor::picture(std::uint32_t index) {
    const std::vector<RlfFrame>& frames = video_->frames;
    if (index >= frames.size())
        throw std::out_of_range(fmt::format("there is no frame {}: the video has {} frames", index, frames.size()));
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

/// The number of equal pixels at the start.
std::size_t repeatsAt(std::span<const Pixel555> pixels) {
    const auto other = std::find_if(pixels.begin(), pixels.end(), [&](Pixel555 p) { return p != pixels.front(); });
    return static_cast<std::size_t>(other - pixels.begin());
}

/// A repetition costs three bytes, a literal two, and each run of literals one more. So three equal pixels are always
/// written as a repetition, and two only if no literals follow.
Runs encodeKey(std::span<const Pixel555> picture) {
    Runs runs;
    std::size_t literals = 0;  // start of the unwritten run
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

/// Skips unchanged pixels, except a single one inside a run of literals, where a skip saves nothing. Unchanged pixels
/// at the end need no skip.
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

void writeChunk(core::LittleEndianWriter& out, const Tag& tag, std::uint32_t size) {
    writeTag(out, tag);
    out.write(size);
}

void writeHeader(core::LittleEndianWriter& out, const Rlf& video) {
    writeChunk(out, kFile, video.size);
    out.write(video.unknown08);
    out.write(video.unknown0C);
    out.write(video.frameCount);
    writeChunk(out, kCodecs, video.codecsSize);
    out.write(core::Bytes(video.codecs));
    writeChunk(out, kPicture, video.pictureSize);
    out.write(core::Bytes(video.unknown8C));
    out.write(video.width);
    out.write(video.height);
    out.write(core::Bytes(video.pictureRest));
    writeChunk(out, kTime, video.timeSize);
    out.write(video.unknownAC);
    out.write(video.frameTime);
    out.write(core::Bytes(video.timeRest));
}

void writeFrame(core::LittleEndianWriter& out, const RlfFrame& frame) {
    writeTag(out, kFrame);
    out.write(static_cast<std::uint32_t>(kRlfFrameHeaderSize + frame.body.size()));
    out.write(frame.unknown08);
    out.write(frame.unknown0C);
    writeTag(out, frame.codec == Codec::key ? kKeyCodec : kDeltaCodec);
    out.write(frame.dataOffset);
    out.write(frame.unknown18);
    out.write(frame.body);
}

}  // namespace

core::ByteVector usualCodecList() {
    core::LittleEndianWriter out;
    out.write(std::uint32_t{0});
    out.write(std::uint32_t{3});
    for (const auto& [name, tag] : {std::pair<std::string_view, Tag>{"Delta V RLE", kVerticalCodec},
                                    {"Delta H RLE", kDeltaCodec},
                                    {"H RLE Key", kKeyCodec}}) {
        out.write(std::uint32_t{0});
        std::array<std::uint8_t, 24> padded{};
        std::copy(name.begin(), name.end(), padded.begin());
        out.write(core::Bytes(padded));
        writeTag(out, tag);
    }
    return out.take();
}

core::ByteVector encodeRlf(const Rlf& video) {
    core::LittleEndianWriter out;
    writeHeader(out, video);
    for (const RlfFrame& frame : video.frames)
        writeFrame(out, frame);
    out.write(video.trailing);
    return out.take();
}

core::ByteVector encodeRlf(std::uint32_t width, std::uint32_t height,
                           const std::vector<std::vector<Pixel555>>& pictures, const RlfEncoding& encoding) {
    const std::size_t pixels = std::size_t{width} * height;
    if (pixels == 0 || width > kLongestSide || height > kLongestSide)
        throw DecodeError(fmt::format("frames of {} x {} pixels can't be written", width, height));
    core::LittleEndianWriter out;
    Rlf header;
    header.frameCount = static_cast<std::uint32_t>(pictures.size());
    header.codecs = usualCodecList();
    header.width = width;
    header.height = height;
    header.frameTime = encoding.frameTime;
    writeHeader(out, header);
    std::vector<Pixel555> black(pixels);
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        if (pictures[i].size() != pixels)
            throw DecodeError({fmt::format("frames[{}]", i), std::nullopt},
                              fmt::format("has {} pixels, expected {} x {}", pictures[i].size(), width, height));
        const bool mustBeKey = encoding.keyInterval > 0 && i % encoding.keyInterval == 0;
        const Runs key = encodeKey(pictures[i]);
        const Runs delta = mustBeKey ? Runs() : encodeDelta(i > 0 ? pictures[i - 1] : black, pictures[i]);
        const bool smaller = mustBeKey || key.size() <= delta.size();
        RlfFrame frame;
        frame.codec = smaller ? Codec::key : Codec::delta;
        frame.dataOffset = kRlfFrameHeaderSize;
        frame.body = smaller ? key : delta;
        writeFrame(out, frame);
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
            readBody(file, frame, ignored);
            frame.extent = frame.codec == Codec::key ? extentOfKey(frame.data()) : extentOfDelta(frame.data());
            if (!frame.isSound())
                return false;
        }
        return file.atEnd();
    } catch (const DecodeError&) {
        return false;
    }
}

}  // namespace reanima::zvision
