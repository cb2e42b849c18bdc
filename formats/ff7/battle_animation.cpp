#include "formats/ff7/battle_animation.h"

#include <algorithm>
#include <cstring>
#include <span>

#include <fmt/format.h>

#include "core/bit_reader.h"
#include "core/bit_writer.h"
#include "core/byte_reader.h"
#include "core/byte_writer.h"
#include "core/decode_watch.h"
#include "core/memory.h"

namespace reanima::ff7 {

namespace {

using BitReader = core::BitReader<core::BitOrder::msb, core::BitWord::u8>;
using BitWriter = core::BitWriter<core::BitOrder::msb, core::BitWord::u8>;

using core::Code;
using core::DecodeError;

constexpr unsigned kAngleBits = 12;
constexpr unsigned kFullWidthCode = 7;
constexpr int kShortLowest = -64;  // both kinds of changes have a short form for -64 to 63
constexpr int kShortHighest = 63;

constexpr bool hasShortForm(int change) { return change >= kShortLowest && change <= kShortHighest; }

constexpr bool isLegalKey(unsigned keyBits) {
    return std::find(kKeyBits.begin(), kKeyBits.end(), keyBits) != kKeyBits.end();
}

/// Bits of the first frame, which contains absolute values.
constexpr std::uint64_t firstFrameBits(std::uint64_t rotationCount, unsigned keyBits) {
    return std::uint64_t{3} * 16 + rotationCount * 3 * std::uint64_t{kAngleBits - keyBits};
}

/// Bits of a later frame in which nothing changes: the fewest that a frame can have.
constexpr std::uint64_t smallestFrameBits(std::uint64_t rotationCount) {
    return std::uint64_t{3} * 8 + rotationCount * 3;
}

// ---------------------------------------------------------------------------------------------------------------------
// Changes of an angle. A change is stored in units of 1 << keyBits.

/// Change of one angle since the previous frame, in any form except the full width: 1 to 10 bits.
constexpr int readShortChange(BitReader& bits) {
    if (bits.bits(1) == 0)
        return 0;
    const unsigned width = bits.bits(3);
    if (width == 0)
        return -1;
    const int change = bits.signedBits(width);
    const int bias = 1 << (width - 1);  // smaller changes have a narrower width
    return change < 0 ? change - bias : change + bias;
}

enum class Form { shortest, wide };

void writeAngleChange(BitWriter& bits, int change, unsigned keyBits, Form form) {
    if (form == Form::wide || !hasShortForm(change)) {
        bits.bits(0b1000 | kFullWidthCode, 4);
        bits.signedBits(change, kAngleBits - keyBits);
        return;
    }
    if (change == 0) {
        bits.bits(0, 1);
        return;
    }
    unsigned width = 0;  // bits of the magnitude; the negative range has one more value
    while ((change < 0 ? -change - 1 : change) >> width != 0)
        ++width;
    bits.bits(0b1000 | width, 4);
    if (width == 0)
        return;
    const int bias = 1 << (width - 1);
    bits.signedBits(change < 0 ? change + bias : change - bias, width);
}

/// Every change except a full-width one has up to 10 bits, so one table lookup decodes it.
constexpr unsigned kShortFormBits = 10;
struct ShortForm {
    std::int8_t change = 0;
    std::uint8_t length = 0;  // bits; 0 = full width, whose length depends on the key
};
using ShortForms = std::array<ShortForm, 1U << kShortFormBits>;

constexpr ShortForms kShortForms = [] {
    ShortForms table{};
    for (unsigned prefix = 0; prefix < table.size(); ++prefix) {
        const std::array<std::uint8_t, 2> bytes = {static_cast<std::uint8_t>(prefix >> 2),
                                                   static_cast<std::uint8_t>(prefix << 6)};
        if (prefix >> 6 == (0b1000 | kFullWidthCode))
            continue;
        BitReader bits{core::Bytes(bytes)};
        const int change = readShortChange(bits);
        table[prefix] = {static_cast<std::int8_t>(change), static_cast<std::uint8_t>(bits.position())};
    }
    return table;
}();

/// The changes within the next 12 bits of a stream, up to six. The position of a change depends on the lengths of all
/// changes before it, so it is faster to decode several by one lookup.
constexpr unsigned kLookBits = 12;
struct Look {
    std::array<std::int8_t, 6> changes{};
    std::uint8_t count = 0;   // 0: a full-width change comes first
    std::uint8_t length = 0;  // bits of all these changes
};
static_assert(sizeof(Look) == 8);

constexpr std::array<Look, 1U << kLookBits> kLooks = [] {
    std::array<Look, 1U << kLookBits> table{};
    for (unsigned prefix = 0; prefix < table.size(); ++prefix) {
        Look& look = table[prefix];
        while (look.count < look.changes.size()) {
            const unsigned rest = (prefix << look.length) & (table.size() - 1);
            const ShortForm form = kShortForms[rest >> (kLookBits - kShortFormBits)];
            if (form.length == 0 || look.length + form.length > static_cast<int>(kLookBits))
                break;
            look.changes[look.count] = form.change;
            ++look.count;
            look.length = static_cast<std::uint8_t>(look.length + form.length);
        }
    }
    return table;
}();

// ---------------------------------------------------------------------------------------------------------------------
// Frames

/// Records a change whose stored form is longer than necessary.
void addWide(std::vector<Frames::WideRun>& runs, std::uint32_t change) {
    if (!runs.empty() && runs.back().first + runs.back().count == change)
        ++runs.back().count;
    else
        runs.push_back({change, 1});
}

/// Removes the records of a change and all later ones, since their frame is incomplete.
void dropWideFrom(std::vector<Frames::WideRun>& runs, std::uint32_t change) {
    while (!runs.empty() && runs.back().first >= change)
        runs.pop_back();
    if (!runs.empty())
        runs.back().count = std::min(runs.back().count, change - runs.back().first);
}

/// Looks up, for ascending numbers, whether changes are wide.
class WideForms {
  public:
    explicit WideForms(const std::vector<Frames::WideRun>& runs) : run_(runs.begin()), end_(runs.end()) {}
    bool next() {
        const std::uint64_t change = change_++;
        while (run_ != end_ && change >= std::uint64_t{run_->first} + run_->count)
            ++run_;
        return run_ != end_ && change >= run_->first;
    }

  private:
    std::vector<Frames::WideRun>::const_iterator run_;
    std::vector<Frames::WideRun>::const_iterator end_;
    std::uint64_t change_ = 0;
};

void readFirstFrame(BitReader& bits, unsigned keyBits, Position& translation, std::span<AngleTriple> rotations) {
    for (std::int16_t& value : translation)
        value = static_cast<std::int16_t>(bits.bits(16));
    for (AngleTriple& triple : rotations)
        for (Angle& angle : triple)
            angle = static_cast<Angle>(bits.bits(kAngleBits - keyBits) << keyBits);
}

/// Changes of a frame: three of the translation, then three per triple.
constexpr std::uint32_t changesPerFrame(std::uint32_t rotationCount) { return 3 + 3 * rotationCount; }

void readTranslation(BitReader& bits, Position& translation, std::uint32_t firstChange,
                     std::vector<Frames::WideRun>& wideRuns) {
    std::uint64_t window = bits.window();  // three changes have up to 51 bits
    std::size_t used = 0;
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
        const bool wide = window >> 63 != 0;
        const unsigned width = wide ? 16 : 7;
        const std::int32_t change = core::signExtended(static_cast<std::uint32_t>(window << 1 >> (64 - width)), width);
        if (wide && hasShortForm(change))
            addWide(wideRuns, firstChange + axis);
        translation[axis] = static_cast<std::int16_t>(translation[axis] + change);
        window <<= 1 + width;
        used += 1 + width;
    }
    bits.skip(used);
}

/// The changes of one frame's angles, in units of 1 << keyBits.
struct AngleChanges {
    /// Has space for one lookup after the last angle.
    std::vector<std::int8_t> shortForms;
    /// The few changes in full width, each with the index of its angle.
    std::vector<std::pair<std::size_t, std::int16_t>> fullWidths;

    explicit AngleChanges(std::size_t angles) : shortForms(angles + sizeof(Look)) {}
    [[nodiscard]] std::size_t count() const { return shortForms.size() - sizeof(Look); }
};

/// Reads a change per angle, several short ones (readShortChange()) at a time.
void readAngleChanges(BitReader& bits, unsigned keyBits, AngleChanges& changes) {
    const unsigned fullWidth = kAngleBits - keyBits;
    constexpr int kLooksPerWindow = 4;  // 12 bits each, up to 16 for the last: within the 57 valid bits
    const std::size_t count = changes.count();
    changes.fullWidths.clear();
    std::size_t done = 0;
    while (done < count) {
        std::uint64_t window = bits.window();
        unsigned used = 0;
        for (int i = 0; i < kLooksPerWindow && done < count; ++i) {
            const Look& look = kLooks[window >> (64 - kLookBits)];
            std::memcpy(&changes.shortForms[done], &look, sizeof look);  // surplus values are overwritten later
            if (look.count == 0) [[unlikely]] {
                const auto stored = static_cast<std::uint32_t>(window << 4 >> (64 - fullWidth));
                changes.fullWidths.emplace_back(done, static_cast<std::int16_t>(core::signExtended(stored, fullWidth)));
                used += 4 + fullWidth;
                ++done;
                break;
            }
            const bool whole = look.count <= count - done;  // otherwise the last changes belong to the next frame
            const unsigned length = whole ? look.length : kShortForms[window >> (64 - kShortFormBits)].length;
            window <<= length;
            used += length;
            done += whole ? look.count : 1;
        }
        bits.skip(used);
    }
}

void applyChanges(std::span<const Angle> previous, const AngleChanges& changes, unsigned keyBits,
                  std::span<Angle> angles) {
    const auto changed = [keyBits](Angle angle, int change) {
        return static_cast<Angle>((angle + change * (1 << keyBits)) & (core::kFullTurn - 1));
    };
    for (std::size_t i = 0; i < angles.size(); ++i)
        angles[i] = changed(previous[i], changes.shortForms[i]);
    for (const auto& [i, change] : changes.fullWidths)
        angles[i] = changed(previous[i], change);
}

std::span<Angle> anglesOf(std::span<AngleTriple> triples) {
    return triples.empty() ? std::span<Angle>() : std::span<Angle>(triples.front().data(), triples.size() * 3);
}

void keepTail(BitReader& bits, core::Bytes stream, Frames& frames) {
    frames.tailBits = static_cast<std::uint8_t>(bits.bits(static_cast<unsigned>(bits.remaining() % 8)));
    frames.tailBytes = core::copyOf(stream.subspan(bits.position() / 8));
}

/// The first `wanted` frames of a stream, or fewer if the stream ends earlier.
Frames decodeFrames(core::Bytes stream, unsigned keyBits, std::uint32_t rotationCount, std::uint32_t wanted) {
    Frames frames;
    BitReader bits(stream);
    const std::uint64_t first = firstFrameBits(rotationCount, keyBits);
    if (wanted > 0 && first <= bits.size()) {
        const std::uint64_t most =
            std::min<std::uint64_t>(wanted, 1 + (bits.size() - first) / smallestFrameBits(rotationCount));
        frames.translations.reserve(most);
        frames.rotations.resize(most * rotationCount);

        const std::span<AngleTriple> rotations(frames.rotations);
        const auto frameOf = [&](std::size_t frame) { return rotations.subspan(frame * rotationCount, rotationCount); };
        Position translation{};
        readFirstFrame(bits, keyBits, translation, frameOf(0));
        frames.translations.push_back(translation);
        AngleChanges changes(std::size_t{3} * rotationCount);
        while (frames.count() < most) {
            const std::size_t start = bits.position();
            const std::uint32_t firstChange =
                static_cast<std::uint32_t>(frames.count() - 1) * changesPerFrame(rotationCount);
            readTranslation(bits, translation, firstChange, frames.wideRuns);
            readAngleChanges(bits, keyBits, changes);
            for (const auto& [angle, change] : changes.fullWidths)
                if (hasShortForm(change))
                    addWide(frames.wideRuns, firstChange + 3 + static_cast<std::uint32_t>(angle));
            if (bits.overrun()) {
                bits.seek(start);
                dropWideFrom(frames.wideRuns, firstChange);
                break;
            }
            applyChanges(anglesOf(frameOf(frames.count() - 1)), changes, keyBits, anglesOf(frameOf(frames.count())));
            frames.translations.push_back(translation);
        }
        frames.rotations.resize(frames.count() * rotationCount);
    }
    keepTail(bits, stream, frames);
    return frames;
}

core::ByteVector encodeFrames(const Frames& frames, unsigned keyBits, std::uint32_t rotationCount) {
    BitWriter bits;
    WideForms wideForms(frames.wideRuns);
    for (std::size_t frame = 0; frame < frames.count(); ++frame) {
        const Position& translation = frames.translations[frame];
        const AngleTriple* rotations = frames.rotations.data() + frame * rotationCount;
        if (frame == 0) {
            for (const std::int16_t value : translation)
                bits.signedBits(value, 16);
            for (std::uint32_t triple = 0; triple < rotationCount; ++triple)
                for (const Angle angle : rotations[triple])
                    bits.bits(static_cast<std::uint32_t>(angle >> keyBits), kAngleBits - keyBits);
            continue;
        }
        const Position& before = frames.translations[frame - 1];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto change = static_cast<std::int16_t>(translation[axis] - before[axis]);
            const bool wide = wideForms.next() || !hasShortForm(change);
            bits.bits(wide ? 1 : 0, 1);
            bits.signedBits(change, wide ? 16 : 7);
        }
        const AngleTriple* previous = rotations - rotationCount;
        for (std::uint32_t triple = 0; triple < rotationCount; ++triple)
            for (std::size_t axis = 0; axis < 3; ++axis)
                writeAngleChange(bits, core::signedStep(previous[triple][axis], rotations[triple][axis]) >> keyBits,
                                 keyBits, wideForms.next() ? Form::wide : Form::shortest);
    }
    bits.bits(frames.tailBits, bits.bitsToWholeWord());
    core::ByteVector stream = bits.take();
    stream.insert(stream.end(), frames.tailBytes.begin(), frames.tailBytes.end());
    return stream;
}

// ---------------------------------------------------------------------------------------------------------------------
// One animation

/// The words before a stream, and the existing part of the stream.
struct Chunk {
    std::optional<std::uint16_t> frameCount;
    std::uint16_t streamSize = 0;
    std::uint8_t keyBits = 0;
    core::Bytes stream;
    core::Bytes padding;

    [[nodiscard]] bool isCut() const { return stream.size() < streamSize; }
};

enum class Layout { usual, withoutFrameCount };

constexpr std::uint32_t headerSize(Layout layout) { return layout == Layout::usual ? 5 : 3; }

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

/// The first of `counts` whose frames end in the last byte of the stream; the very first if there is none.
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

std::uint32_t wantedFrames(const std::optional<std::uint16_t>& streamFrameCount, std::uint32_t frameCount) {
    return streamFrameCount.value_or(0) != 0 ? *streamFrameCount : frameCount;
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
                         "is missing in this layout; frame_count is used");
    else if (*chunk.frameCount != animation.frameCount)
        diagnostics.warn(
            Code::countMismatch, block.place("stream_frame_count"),
            fmt::format("is {}, but frame_count is {}; {} is used", *chunk.frameCount, animation.frameCount,
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

}  // namespace

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
    // A skeleton that fits no body animation does not belong to the pack. Weapon animations need body animations.
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
    const bool disagreed = stored != animation.blockSize;  // the sizes disagree: more than the frames was edited
    if (animation.blockSize != entry.blockSize && (disagreed || animation.streamSize == entry.streamSize))
        changed("block_size", fmt::format("is {}, but the chunk has {} bytes", animation.blockSize, entry.blockSize));
    if (disagreed && animation.missing == 0 && animation.padding != entry.padding)
        changed("padding", fmt::format("has {} bytes, {} are written", animation.padding.size(), entry.padding.size()));
    if (animation.missing > 0)
        changed("missing", fmt::format("is {}, but the whole stream is written", animation.missing));
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
        changed("tail_bytes", fmt::format("is left out, because its {} bytes followed the old frames", tail));
        tail = 0;
    };

    const std::uint32_t wanted = wantedFrames(animation.streamFrameCount, animation.frameCount);
    if (wanted != frames) {
        changed(animation.streamFrameCount.value_or(0) != 0 ? "stream_frame_count" : "frame_count",
                fmt::format("is {}, but there are {} frames", wanted, frames));
        entry.frameCount = frames;
        if (entry.streamFrameCount.value_or(0) != 0)  // if it is 0, frame_count is the number of frames
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
        diagnostics.warn(Code::recomputed, placeOf(index, "wide_runs"),
                         "are rewritten, because they do not fit the short form (ascending runs of changes)");
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
        throw DecodeError(placeOf(index, "stream_size"),
                          fmt::format("the frames need {} bytes with key_bits {}, but the format allows {}. Try fewer "
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
                             fmt::format("is {}, but the whole chunk is written", animation.missing));
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
                fmt::format("is {}, but {} is written; all later animations move too", animation.offset, out.size()));
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
