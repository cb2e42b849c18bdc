#include "formats/ff7/battle_animation.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/byte_reader.h"
#include "core/byte_writer.h"
#include "core/decode_watch.h"
#include "core/memory.h"
#include "formats/ff7/battle_entry.h"
#include "formats/ff7/battle_frames.h"

namespace reanima::ff7 {

using core::Code;
using core::DecodeError;

std::uint64_t memoryOf(const BattleAnimation& animation) {
    const auto heapOf = [](const auto& list) { return core::heapBytes(list.capacity() * sizeof(list[0])); };
    const Frames& frames = animation.frames;
    return sizeof animation + heapOf(frames.translations) + heapOf(frames.rotations) + heapOf(frames.tailBytes) +
           heapOf(frames.wideRuns) + heapOf(animation.padding) + heapOf(animation.raw);
}

BattlePack decodeBattlePack(core::Bytes file, const PackHints& hints, const core::Limits& limits,
                            core::Diagnostics& diagnostics) {
    core::tellDecoding("ff7 battle pack", file);
    core::LittleEndianReader reader(file);
    BattlePack pack;
    pack.count = reader.read<std::uint32_t>("count");
    if (pack.count == 0)
        diagnostics.warn(Code::empty, {"count", 0}, "is 0, so there are no animations");
    core::SampleBudget budget(limits);
    std::optional<DecodeError> mismatch;
    constexpr std::size_t kHeaderSize = 12;
    while (pack.animations.size() < pack.count && reader.remaining() >= kHeaderSize) {
        const std::size_t index = pack.animations.size();
        const auto scope = reader.enter("animations", index);
        pack.animations.push_back(readEntry(reader, index, hints, budget, mismatch, diagnostics));
        budget.keep(memoryOf(pack.animations.back()), {"animations", std::nullopt});
    }
    // A skeleton belongs to the pack only if it fits a body animation. Weapon animations need body animations.
    const bool fitsABody = std::any_of(pack.animations.begin(), pack.animations.end(), [&](const BattleAnimation& a) {
        return a.kind == BattleAnimation::Kind::animation && a.rotationCount == bodyRotations(hints.bones.value_or(0));
    });
    if (mismatch && !fitsABody)
        throw DecodeError(*mismatch);
    if (pack.animations.size() < pack.count)
        diagnostics.warn(Code::truncated, {"count", 0},
                         fmt::format("is {}, but the file contains only {}", pack.count, pack.animations.size()));
    else if (!reader.atEnd())
        diagnostics.warn(Code::trailingBytes, {"trailing", reader.offset()},
                         fmt::format("{} bytes follow the last animation", reader.remaining()));
    pack.trailing = core::copyOf(reader.rest());
    return pack;
}

// ---------------------------------------------------------------------------------------------------------------------
// Encoding

namespace {

core::Place placeOf(std::size_t index, const char* field) {
    return {fmt::format("animations[{}].{}", index, field), std::nullopt};
}

/// The stored number of key bits, or a smaller one if an angle needs lower bits.
std::uint8_t usableKey(const BattleAnimation& animation, std::size_t index, core::Diagnostics& diagnostics) {
    const std::uint8_t coarsest = coarsestKey(animation.frames.rotations);
    if (animation.keyBits <= coarsest)
        return animation.keyBits;
    diagnostics.warn(Code::recomputed, placeOf(index, "key_bits"),
                     fmt::format("is {}, but at least one angle is not a multiple of {}; {} is written",
                                 animation.keyBits, 1U << animation.keyBits, coarsest));
    return coarsest;
}

/// An animation in the form that is written.
struct Entry {
    std::uint32_t boneCount;
    std::uint32_t frameCount;
    std::uint32_t blockSize;
    std::optional<std::uint16_t> streamFrameCount;
    std::uint16_t streamSize;
    std::uint8_t keyBits;
    core::ByteVector stream;
    core::ByteVector padding;

    [[nodiscard]] std::uint32_t header() const {
        return headerSize(streamFrameCount ? Layout::usual : Layout::withoutFrameCount);
    }
    void write(core::LittleEndianWriter& out) const {
        out.write(boneCount);
        out.write(frameCount);
        out.write(blockSize);
        if (streamFrameCount)
            out.write(*streamFrameCount);
        out.write(streamSize);
        out.write(keyBits);
        out.write(core::Bytes(stream));
        out.write(core::Bytes(padding));
    }
};

/// Padding to a multiple of four bytes, and the bytes after the original padding.
core::ByteVector newPadding(const BattleAnimation& animation, const Entry& entry) {
    if (entry.stream.size() == animation.streamSize &&
        entry.streamFrameCount.has_value() == animation.streamFrameCount.has_value())
        return animation.padding;
    const auto toFour = [](std::size_t size) { return (4 - size % 4) % 4; };
    core::ByteVector padding(toFour(entry.header() + entry.stream.size()));
    const std::size_t before = toFour(entry.header() + std::size_t{animation.streamSize});
    if (animation.padding.size() > before)
        padding.insert(padding.end(), animation.padding.begin() + static_cast<std::ptrdiff_t>(before),
                       animation.padding.end());
    return padding;
}

/// True if the entry's stored words are still valid for its frames.
bool wordsHold(const BattleAnimation& animation, const Entry& entry) {
    const std::uint64_t present = entry.header() + entry.stream.size() + animation.padding.size();
    const bool cutInStream = animation.padding.empty() && animation.missing > 0 &&
                             animation.streamSize <= animation.blockSize - entry.header();
    const bool sizesHold =
        present + animation.missing == animation.blockSize &&
        (entry.stream.size() == animation.streamSize || (cutInStream && entry.stream.size() < animation.streamSize));
    const std::uint32_t wanted = wantedFrames(animation.streamFrameCount, animation.frameCount);
    const std::size_t frames = animation.frames.count();
    return sizesHold && animation.rotationCount == animation.decodedRotationCount &&
           (wanted == frames ||
            decodeFrames(entry.stream, entry.keyBits, animation.rotationCount, wanted).count() == frames);
}

/// True if a reader without hints decodes the entry to the same frames.
bool readsBack(const BattleAnimation& animation, const Entry& entry) {
    core::LittleEndianWriter out;
    entry.write(out);
    const core::ByteVector bytes = out.take();
    core::LittleEndianReader reader{core::Bytes(bytes)};
    core::SampleBudget budget(core::Limits{});
    core::Diagnostics unheard;
    std::optional<DecodeError> none;
    const BattleAnimation again = readEntry(reader, 0, {}, budget, none, unheard);
    return again.kind == BattleAnimation::Kind::animation && again.rotationCount == animation.rotationCount &&
           again.frames.translations == animation.frames.translations &&
           again.frames.rotations == animation.frames.rotations;
}

/// Warns about stored sizes that changed, and about fields that depend on them.
void reportSizes(const BattleAnimation& animation, std::size_t index, const Entry& entry,
                 core::Diagnostics& diagnostics) {
    const auto changed = [&](const char* field, const std::string& what) {
        diagnostics.warn(Code::recomputed, placeOf(index, field), what);
    };
    if (animation.streamSize != entry.streamSize)
        changed("stream_size",
                fmt::format("is {}, but the frames need {} bytes", animation.streamSize, entry.stream.size()));
    const std::uint64_t stored =
        entry.header() + std::uint64_t{animation.streamSize} + animation.padding.size() + animation.missing;
    const bool disagreed = stored != animation.blockSize;  // then not only the frames were edited
    if (animation.blockSize != entry.blockSize && (disagreed || animation.streamSize == entry.streamSize))
        changed("block_size", fmt::format("is {}, but the chunk has {} bytes", animation.blockSize, entry.blockSize));
    if (disagreed && animation.missing == 0 && animation.padding != entry.padding)
        changed("padding",
                fmt::format("has {} bytes, but {} are written", animation.padding.size(), entry.padding.size()));
    if (animation.missing > 0)
        changed("missing", fmt::format("is {}, but the new stream has no missing bytes", animation.missing));
    if (animation.decodedRotationCount != animation.rotationCount && entry.boneCount == animation.boneCount)
        changed("rotation_count", fmt::format("is {}, but the frames have {} rotations", animation.decodedRotationCount,
                                              animation.rotationCount));
}

/// Rewrites only the words that are no longer valid.
void correctWords(const BattleAnimation& animation, std::size_t index, Entry& entry, core::Diagnostics& diagnostics) {
    const auto changed = [&](const char* field, const std::string& what) {
        diagnostics.warn(Code::recomputed, placeOf(index, field), what);
    };
    const auto frames = static_cast<std::uint16_t>(animation.frames.count());
    const auto setSizes = [&] {
        entry.streamSize = static_cast<std::uint16_t>(entry.stream.size());
        entry.padding = newPadding(animation, entry);
        entry.blockSize = static_cast<std::uint32_t>(entry.header() + entry.stream.size() + entry.padding.size());
    };
    std::size_t tail = animation.frames.tailBytes.size();
    const auto leaveOutTail = [&] {
        if (tail == 0)
            return;
        entry.stream.resize(entry.stream.size() - tail);
        changed("tail_bytes", fmt::format("is left out, because its {} bytes fit only the original frames", tail));
        tail = 0;
    };

    const std::uint32_t wanted = wantedFrames(animation.streamFrameCount, animation.frameCount);
    if (wanted != frames) {
        changed(animation.streamFrameCount.value_or(0) != 0 ? "stream_frame_count" : "frame_count",
                fmt::format("is {}, but there are {} frames", wanted, frames));
        entry.frameCount = frames;
        if (entry.streamFrameCount.value_or(0) != 0)  // 0 means: frame_count is the number of frames
            entry.streamFrameCount = frames;
    }
    if (wanted != frames || animation.missing > 0)
        leaveOutTail();
    setSizes();
    if (!readsBack(animation, entry)) {
        if (entry.boneCount != animation.rotationCount)
            changed("bone_count",
                    fmt::format("is {}, but the frames have {} rotations", entry.boneCount, animation.rotationCount));
        entry.boneCount = animation.rotationCount;
    }
    if (tail > 0 && !readsBack(animation, entry)) {
        leaveOutTail();
        setSizes();
    }
    if (!entry.streamFrameCount && !readsBack(animation, entry)) {
        entry.streamFrameCount = frames;
        changed("stream_frame_count",
                fmt::format("is missing; {} is written, so that the layout can be recognised", frames));
        setSizes();
    }
    reportSizes(animation, index, entry, diagnostics);
}

/// Warns about parts of the JSON that the written stream does not contain.
void reportLosses(const BattleAnimation& animation, std::size_t index, const Entry& entry,
                  core::Diagnostics& diagnostics) {
    const Frames written = decodeFrames(entry.stream, entry.keyBits, animation.rotationCount,
                                        static_cast<std::uint32_t>(animation.frames.count()));
    if (written.tailBits != animation.frames.tailBits)
        diagnostics.warn(
            Code::recomputed, placeOf(index, "tail_bits"),
            fmt::format("is {}, but {} is written, because the last byte of the frames has no room for more bits",
                        animation.frames.tailBits, written.tailBits));
    if (written.wideRuns != animation.frames.wideRuns)
        diagnostics.warn(
            Code::recomputed, placeOf(index, "wide_runs"),
            "are rewritten, because runs must be ascending and contain only changes that fit the short form");
}

/// @throws DecodeError if a frame lacks rotations or an angle is invalid
void requireWholeFrames(const BattleAnimation& animation, std::size_t index) {
    const Frames& frames = animation.frames;
    if (frames.rotations.size() != frames.count() * animation.rotationCount)
        throw DecodeError(placeOf(index, "frames"),
                          fmt::format("has {} rotations, expected {} for each of {} frames", frames.rotations.size(),
                                      animation.rotationCount, frames.count()));
    for (const AngleTriple& triple : frames.rotations)
        for (const Angle angle : triple)
            if (angle >= 1U << kAngleBits)
                throw DecodeError(placeOf(index, "frames"),
                                  fmt::format("has the angle {}, expected 0 to {}", angle, (1U << kAngleBits) - 1));
}

void writeAnimation(core::LittleEndianWriter& out, const BattleAnimation& animation, std::size_t index,
                    core::Diagnostics& diagnostics) {
    constexpr std::size_t kMost = 0xFFFF;
    requireWholeFrames(animation, index);
    const std::uint8_t keyBits = usableKey(animation, index, diagnostics);
    if (animation.frames.count() == 0 || animation.frames.count() > kMost)
        throw DecodeError(placeOf(index, "frames"),
                          fmt::format("has {} frames, but the format allows 1 to {}", animation.frames.count(), kMost));
    Entry entry{animation.boneCount,
                animation.frameCount,
                animation.blockSize,
                animation.streamFrameCount,
                animation.streamSize,
                keyBits,
                encodeFrames(animation.frames, keyBits, animation.rotationCount),
                animation.padding};
    if (entry.stream.size() > kMost)
        throw DecodeError(
            placeOf(index, "stream_size"),
            fmt::format("the frames need {} bytes with `key_bits` {}, but the format allows {}. Try fewer "
                        "frames, or angles that are multiples of {}",
                        entry.stream.size(), keyBits, kMost, 1U << kKeyBits.back()));
    if (!wordsHold(animation, entry))
        correctWords(animation, index, entry, diagnostics);
    reportLosses(animation, index, entry, diagnostics);
    if (!readsBack(animation, entry))
        diagnostics.note(
            Code::skeletonMismatch, placeOf(index, "bone_count"),
            fmt::format("is {}, but the frames have {} rotations; to read this file, the skeleton is needed",
                        entry.boneCount, animation.rotationCount));
    entry.write(out);
}

void writeRaw(core::LittleEndianWriter& out, const BattleAnimation& animation, std::size_t index,
              core::Diagnostics& diagnostics) {
    std::uint32_t blockSize = animation.blockSize;
    if (animation.raw.size() + animation.missing != blockSize) {
        blockSize = static_cast<std::uint32_t>(animation.raw.size());
        diagnostics.warn(Code::recomputed, placeOf(index, "block_size"),
                         fmt::format("is {}, but the chunk has {} bytes", animation.blockSize, blockSize));
        if (animation.missing > 0)
            diagnostics.warn(Code::recomputed, placeOf(index, "missing"),
                             fmt::format("is {}, but the written chunk has no missing bytes", animation.missing));
    }
    out.write(animation.boneCount);
    out.write(animation.frameCount);
    out.write(blockSize);
    out.write(core::Bytes(animation.raw));
}

}  // namespace

core::ByteVector encodeBattlePack(const BattlePack& pack, core::Diagnostics& diagnostics) {
    core::LittleEndianWriter out;
    out.write(pack.count);
    bool moved = false;
    for (std::size_t index = 0; index < pack.animations.size(); ++index) {
        const BattleAnimation& animation = pack.animations[index];
        if (!moved && animation.offset != 0 && animation.offset != out.size()) {
            diagnostics.note(
                Code::recomputed, placeOf(index, "offset"),
                fmt::format("is {}, but {} is written; all later offsets change too", animation.offset, out.size()));
            moved = true;
        }
        if (animation.kind == BattleAnimation::Kind::animation)
            writeAnimation(out, animation, index, diagnostics);
        else
            writeRaw(out, animation, index, diagnostics);
    }
    out.write(core::Bytes(pack.trailing));
    return out.take();
}

std::size_t streamSizeOf(const BattleAnimation& animation) {
    if (animation.frames.count() == 0)
        return 0;
    const unsigned keyBits = std::min(animation.keyBits, coarsestKey(animation.frames.rotations));
    return encodeFrames(animation.frames, keyBits, animation.rotationCount).size();
}

std::uint8_t coarsestKey(const std::vector<AngleTriple>& rotations) {
    unsigned bits = 0;
    for (const AngleTriple& triple : rotations)
        bits |= static_cast<unsigned>(triple[0] | triple[1] | triple[2]);
    const auto key = std::find_if(kKeyBits.rbegin(), kKeyBits.rend(),
                                  [bits](std::uint8_t keyBits) { return bits % (1U << keyBits) == 0; });
    return *key;
}

// ---------------------------------------------------------------------------------------------------------------------
// Recognition

namespace {

/// How well the bytes match the structure of a pack.
struct Walk {
    bool exact = false;               // the last animation ends with the last byte
    std::uint32_t animationLike = 0;  // whole chunks that are long enough, with a legal key and a stream inside
    std::uint32_t other = 0;          // whole chunks that are long enough but unlike an animation
};

Walk walk(core::Bytes file) {
    Walk result;
    core::LittleEndianReader reader(file);
    try {
        const auto count = reader.read<std::uint32_t>("count");
        for (std::uint32_t i = 0; i < count; ++i) {
            (void)reader.bytes(8, {});
            const auto size = reader.read<std::uint32_t>({});
            const core::LittleEndianReader block = reader.sliceUpTo(size);
            if (block.remaining() < size)
                return result;
            if (size >= kSmallestAnimation) {
                core::LittleEndianReader words = block;
                (void)words.bytes(2, {});
                const auto streamSize = words.read<std::uint16_t>({});
                const auto keyBits = words.read<std::uint8_t>({});
                const bool like = isLegalKey(keyBits) && streamSize <= size - headerSize(Layout::usual) &&
                                  streamSize * std::uint64_t{8} >= firstFrameBits(1, keyBits);
                ++(like ? result.animationLike : result.other);
            }
        }
        result.exact = reader.atEnd();
    } catch (const DecodeError&) {  // the end of the file
    }
    return result;
}

}  // namespace

bool isBattlePack(core::Bytes file) {
    const Walk found = walk(file);
    return found.exact && found.animationLike > 0;
}

bool beginsLikeBattlePack(core::Bytes file) {
    const Walk found = walk(file);
    return found.animationLike > found.other;
}

}  // namespace reanima::ff7
