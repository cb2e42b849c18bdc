#include "formats/ff7/battle_entry.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "formats/ff7/battle_frames.h"

namespace reanima::ff7 {

namespace {

using core::Code;
using core::DecodeError;

/// The words before a stream, and the existing part of the stream.
struct Chunk {
    std::optional<std::uint16_t> frameCount;
    std::uint16_t streamSize = 0;
    std::uint8_t keyBits = 0;
    core::Bytes stream;
    core::Bytes padding;

    [[nodiscard]] bool isCut() const { return stream.size() < streamSize; }
};

/// @throws DecodeError if the words are impossible in this layout
Chunk readChunk(core::LittleEndianReader block, std::uint32_t blockSize, Layout layout) {
    Chunk chunk;
    if (layout == Layout::usual)
        chunk.frameCount = block.read<std::uint16_t>("stream_frame_count");
    chunk.streamSize = block.read<std::uint16_t>("stream_size");
    if (chunk.streamSize > blockSize - headerSize(layout))
        throw DecodeError(block.place("stream_size", 2),
                          fmt::format("is {}, but the block has only {} bytes for the stream", chunk.streamSize,
                                      blockSize - headerSize(layout)));
    chunk.keyBits = block.read<std::uint8_t>("key_bits");
    if (!isLegalKey(chunk.keyBits))
        throw DecodeError(block.place("key_bits", 1), fmt::format("is {}, expected 0, 2 or 4", chunk.keyBits));
    chunk.stream = block.bytesUpTo(chunk.streamSize);
    chunk.padding = block.rest();
    return chunk;
}

/// The numbers of triples that a frame may have, the most likely first.
std::vector<std::uint32_t> usualCounts(std::uint32_t boneCount) { return {boneCount, boneCount + 1, boneCount - 1, 1}; }
std::vector<std::uint32_t> countsOf(const PackHints& hints, std::size_t index, std::uint32_t boneCount) {
    const std::uint32_t body = bodyRotations(*hints.bones);
    const bool weaponFirst = hints.bodyAnimations ? index >= *hints.bodyAnimations : boneCount == 1;
    return weaponFirst ? std::vector<std::uint32_t>{1, body} : std::vector<std::uint32_t>{body, 1};
}

struct Fit {
    std::uint32_t rotationCount = 0;
    Frames frames;
    bool exact = false;  // all frames are present, and the last one ends in the last byte
};

/// The first of `counts` with which the frames end in the last byte of the stream; if there is none, counts[0].
Fit fitRotationCount(const Chunk& chunk, std::uint32_t wanted, const std::vector<std::uint32_t>& counts) {
    std::optional<Fit> fallback;
    for (const std::uint32_t count : counts) {
        if (count == 0 || firstFrameBits(count, chunk.keyBits) > chunk.stream.size() * 8)
            continue;
        Fit fit{count, decodeFrames(chunk.stream, chunk.keyBits, count, wanted), false};
        fit.exact = !chunk.isCut() && wanted > 0 && fit.frames.count() == wanted && fit.frames.tailBytes.empty();
        if (fit.exact)
            return fit;
        if (!fallback && count == counts.front())
            fallback = std::move(fit);
    }
    return fallback ? std::move(*fallback) : Fit{counts.front(), {}, false};
}

/// Reads the usual layout. If that is impossible, reads the layout without frame count.
/// @throws DecodeError if neither is possible
Chunk readChunkOfAnyLayout(const core::LittleEndianReader& block, const BattleAnimation& animation,
                           const std::vector<std::uint32_t>& counts) {
    const auto firstFrameFits = [&](const Chunk& chunk) {
        return std::any_of(counts.begin(), counts.end(), [&](std::uint32_t count) {
            return count > 0 && firstFrameBits(count, chunk.keyBits) <= std::uint64_t{chunk.streamSize} * 8;
        });
    };
    std::optional<DecodeError> impossible;
    try {
        Chunk usual = readChunk(block, animation.blockSize, Layout::usual);
        if (firstFrameFits(usual))
            return usual;
        impossible = DecodeError(block.at(2, {}).place("stream_size"),
                                 fmt::format("is {}, but frame 0 needs {} bytes for {} rotations", usual.streamSize,
                                             (firstFrameBits(counts.front(), usual.keyBits) + 7) / 8, counts.front()));
    } catch (const DecodeError& error) {
        impossible = error;
    }
    try {
        Chunk rare = readChunk(block, animation.blockSize, Layout::withoutFrameCount);
        if (firstFrameFits(rare) &&
            (animation.missing > 0 || fitRotationCount(rare, animation.frameCount, counts).exact))
            return rare;
    } catch (const DecodeError&) {  // the error of the usual layout is more specific
    }
    throw *impossible;
}

void checkSkeletonFits(const BattleAnimation& animation, const Chunk& chunk, std::uint32_t wanted,
                       const PackHints& hints, core::Place place) {
    if (!hints.bones || animation.missing > 0)
        return;
    const Fit other = fitRotationCount(chunk, wanted, usualCounts(animation.boneCount));
    if (other.exact)
        throw DecodeError(std::move(place),
                          fmt::format("the frames have {} rotations, but the skeleton's {} bones need {}",
                                      other.rotationCount, *hints.bones, bodyRotations(*hints.bones)),
                          DecodeError::Kind::skeletonMismatch);
}

void readAnimation(const core::LittleEndianReader& block, std::size_t index, const PackHints& hints,
                   core::SampleBudget& budget, BattleAnimation& animation, core::Diagnostics& diagnostics) {
    const std::vector<std::uint32_t> counts =
        hints.bones ? countsOf(hints, index, animation.boneCount) : usualCounts(animation.boneCount);
    const Chunk chunk = readChunkOfAnyLayout(block, animation, counts);
    const std::uint32_t wanted = wantedFrames(chunk.frameCount, animation.frameCount);
    Fit fit = fitRotationCount(chunk, wanted, counts);
    if (!fit.exact)
        checkSkeletonFits(animation, chunk, wanted, hints, block.place("rotation_count"));
    if (fit.frames.count() == 0)
        throw DecodeError(
            block.place("stream"),
            wanted == 0 ? "contains 0 frames"
                        : fmt::format("has {} bytes, but frame 0 needs {} for {} rotations", chunk.stream.size(),
                                      (firstFrameBits(fit.rotationCount, chunk.keyBits) + 7) / 8, fit.rotationCount));
    const std::uint64_t samples = AngleFrames::samples(fit.frames.count(), fit.rotationCount);
    budget.take(samples, block.place("stream"));

    animation.streamFrameCount = chunk.frameCount;
    animation.streamSize = chunk.streamSize;
    animation.keyBits = chunk.keyBits;
    animation.rotationCount = animation.decodedRotationCount = fit.rotationCount;
    animation.frames = std::move(fit.frames);
    animation.padding = core::copyOf(chunk.padding);

    const std::size_t present = animation.frames.count();
    if (!chunk.frameCount)
        diagnostics.warn(Code::rareLayout, block.place("stream_frame_count"),
                         "is missing in this layout; `frame_count` is used");
    else if (*chunk.frameCount != animation.frameCount)
        diagnostics.warn(
            Code::countMismatch, block.place("stream_frame_count"),
            fmt::format("is {}, but `frame_count` is {}; `{}` is used", *chunk.frameCount, animation.frameCount,
                        *chunk.frameCount == 0 ? "frame_count" : "stream_frame_count"));
    if (present < wanted)
        diagnostics.warn(
            Code::truncated,
            chunk.frameCount.value_or(0) ? block.place("stream_frame_count") : block.place("frame_count", 8),
            fmt::format("only {} of {} frames are present", present, wanted));
    else if (!fit.exact)
        diagnostics.warn(
            Code::countMismatch, block.place("rotation_count"),
            fmt::format(
                "no number of rotations per frame fits the stream: {} rotations fit best, but leave {} bytes unused",
                fit.rotationCount, animation.frames.tailBytes.size()));
    else if (fit.rotationCount != animation.boneCount)
        diagnostics.note(
            Code::countMismatch, block.place("bone_count", 12),
            fmt::format("is {}, but the stream has {} rotations per frame", animation.boneCount, fit.rotationCount));
}

}  // namespace

std::uint32_t wantedFrames(const std::optional<std::uint16_t>& streamFrameCount, std::uint32_t frameCount) {
    return streamFrameCount.value_or(0) != 0 ? *streamFrameCount : frameCount;
}

BattleAnimation readEntry(core::LittleEndianReader& pack, std::size_t index, const PackHints& hints,
                          core::SampleBudget& budget, std::optional<DecodeError>& mismatch,
                          core::Diagnostics& diagnostics) {
    BattleAnimation animation;
    animation.offset = pack.offset();
    animation.boneCount = pack.read<std::uint32_t>("bone_count");
    animation.frameCount = pack.read<std::uint32_t>("frame_count");
    animation.blockSize = pack.read<std::uint32_t>("block_size");
    core::LittleEndianReader block = pack.sliceUpTo(animation.blockSize);
    animation.missing = animation.blockSize - static_cast<std::uint32_t>(block.remaining());
    if (animation.missing > 0)
        diagnostics.warn(Code::truncated, pack.place("block_size", block.remaining() + 4),
                         fmt::format("only {} of {} bytes are present", block.remaining(), animation.blockSize));
    if (animation.blockSize < kSmallestAnimation) {
        animation.kind = animation.missing > 0 ? BattleAnimation::Kind::damaged : BattleAnimation::Kind::special;
        animation.raw = core::copyOf(block.rest());
        return animation;
    }
    try {
        readAnimation(block, index, hints, budget, animation, diagnostics);
    } catch (const DecodeError& error) {
        if (error.kind() == DecodeError::Kind::limit)
            throw;
        const bool isMismatch = error.kind() == DecodeError::Kind::skeletonMismatch;
        diagnostics.warn(isMismatch ? Code::skeletonMismatch : Code::damaged, error);
        if (isMismatch && !mismatch)
            mismatch = error;
        animation.kind = BattleAnimation::Kind::damaged;
        animation.raw = core::copyOf(block.rest());
    }
    return animation;
}

}  // namespace reanima::ff7
