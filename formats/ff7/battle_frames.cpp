#include "formats/ff7/battle_frames.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "core/bit_reader.h"
#include "core/bit_writer.h"

namespace reanima::ff7 {

namespace {

using BitReader = core::BitReader<core::BitOrder::msb, core::BitWord::u8>;
using BitWriter = core::BitWriter<core::BitOrder::msb, core::BitWord::u8>;

constexpr unsigned kFullWidthCode = 7;
constexpr int kShortLowest = -64;  // both kinds of changes have a short form for -64 to 63
constexpr int kShortHighest = 63;

constexpr bool hasShortForm(int change) { return change >= kShortLowest && change <= kShortHighest; }

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

/// Removes the records of this change and of all later ones, since their frame is incomplete.
void dropWideFrom(std::vector<Frames::WideRun>& runs, std::uint32_t change) {
    while (!runs.empty() && runs.back().first >= change)
        runs.pop_back();
    if (!runs.empty())
        runs.back().count = std::min(runs.back().count, change - runs.back().first);
}

/// Looks up for one change after the other whether it is wide.
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

}  // namespace

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

}  // namespace reanima::ff7
