#include "formats/ff8/monster.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "core/bit_reader.h"
#include "core/bit_writer.h"
#include "core/byte_reader.h"
#include "core/byte_writer.h"
#include "formats/ff8/offsets.h"

namespace reanima::ff8 {

namespace {

using core::Code;
using core::DecodeError;
using core::LittleEndianReader;
using core::LittleEndianWriter;
using BitReader = core::BitReader<core::BitOrder::lsb, core::BitWord::u8>;
using BitWriter = core::BitWriter<core::BitOrder::lsb, core::BitWord::u8>;

constexpr std::size_t kBoneSize = 48;

/// Where the sections begin, and where the last one ends.
std::vector<std::uint32_t> readSectionTable(LittleEndianReader& file, std::size_t count) {
    const auto first = static_cast<std::uint32_t>(4 * (count + 2));
    std::vector<std::uint32_t> starts = readOffsets(file, "offsets", count + 1, first);
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const std::uint32_t least = i == 0 ? first : starts[i - 1];
        if (i == 0 ? starts[i] != least : starts[i] < least)
            throw DecodeError({fmt::format("offsets[{}]", i), 4 + 4 * i},
                              fmt::format("is {}, expected {}{}", starts[i], least, i == 0 ? "" : " or more"));
    }
    return starts;
}

// ---------------------------------------------------------------------------------------------------------------------
// Skeleton

Skeleton readSkeleton(LittleEndianReader section) {
    Skeleton skeleton;
    const std::size_t count = section.read<std::uint8_t>("bone_count");
    const core::Place place = section.place("bone_count", 1);
    describe(fields::Read<LittleEndianReader>{section}, skeleton);
    if (count == 0 || count > section.remaining() / kBoneSize)
        throw DecodeError(place, fmt::format("is {}, expected 1 to {}", count, section.remaining() / kBoneSize));
    while (skeleton.bones.size() < count) {
        const auto scope = section.enter("joints", skeleton.bones.size());
        const core::Place parent = section.place("parent");
        Bone& bone = skeleton.bones.emplace_back();
        describe(fields::Read<LittleEndianReader>{section}, bone);
        if (!hasValidParent(skeleton, skeleton.bones.size() - 1))
            throw DecodeError(parent,
                              fmt::format("is {}, expected an earlier bone, or 65535 for the first", bone.parent));
    }
    skeleton.rest = core::copyOf(section.rest());
    return skeleton;
}

void writeSkeleton(LittleEndianWriter& out, const Skeleton& skeleton) {
    out.write(static_cast<std::uint8_t>(skeleton.bones.size()));
    describe(fields::Write<LittleEndianWriter>{out}, skeleton);
    for (const Bone& bone : skeleton.bones)
        describe(fields::Write<LittleEndianWriter>{out}, bone);
    out.write(skeleton.rest);
}

// ---------------------------------------------------------------------------------------------------------------------
// Streams: reading and writing take the same steps

struct Widths {
    std::array<unsigned, 4> bits;

    /// The narrowest that holds a change.
    [[nodiscard]] std::uint8_t codeOf(std::int32_t change) const {
        std::uint8_t code = 0;
        while (code < 3 && core::signExtended(static_cast<std::uint32_t>(change), bits[code]) != change)
            ++code;
        return code;
    }
};

constexpr Widths kPlaceWidths{{3, 6, 9, 16}};
constexpr Widths kAngleWidths{{3, 6, 8, 12}};

class StreamReader {
  public:
    StreamReader(core::Bytes bytes, Animation& animation) : bits_(bytes), animation_(animation) {}

    void readFrame(std::size_t bones) {
        const bool isFirst = animation_.translations.empty();
        Position place = isFirst ? Position{} : animation_.translations.back();
        for (std::int16_t& axis : place)
            axis = static_cast<std::int16_t>(axis + readChange(kPlaceWidths, kAlways));
        animation_.translations.push_back(place);
        auto& scales = animation_.scales.emplace_back(bits_.bits(1) != 0 ? bones : 0);
        for (std::size_t bone = 0; bone < bones; ++bone) {
            AngleTriple angles = isFirst ? AngleTriple{} : animation_.rotations[animation_.rotations.size() - bones];
            for (core::Angle& angle : angles)
                angle = static_cast<core::Angle>(angle + readChange(kAngleWidths, kIfChanged)) % core::kFullTurn;
            animation_.rotations.push_back(angles);
            if (!scales.empty())
                for (std::int32_t& axis : scales[bone])
                    axis = readScale();
        }
    }

    [[nodiscard]] bool overrun() const { return bits_.overrun(); }
    /// Bytes up to the last bit that was read; what that one's byte has left are the tail bits.
    std::size_t finish() {
        animation_.tailBits = static_cast<std::uint8_t>(bits_.bits(static_cast<unsigned>(-bits_.position() % 8)));
        return bits_.position() / 8;
    }

  private:
    enum Presence { kAlways, kIfChanged };

    std::int32_t readChange(const Widths& widths, Presence presence) {
        const std::uint32_t value = values_++;
        if (presence == kIfChanged && bits_.bits(1) == 0)
            return 0;
        const auto code = static_cast<std::uint8_t>(bits_.bits(2));
        const std::int32_t change = bits_.signedBits(widths.bits[code]);
        if (code != widths.codeOf(change) || (presence == kIfChanged && change == 0))
            animation_.wide.push_back({value, code});
        return change;
    }

    std::int32_t readScale() {
        const std::uint32_t value = values_++;
        if (bits_.bits(1) == 0)
            return kScaleOne;
        const std::int32_t scale = bits_.signedBits(16) + kScaleOne;
        if (scale == kScaleOne)
            animation_.wide.push_back({value, 0});
        return scale;
    }

    BitReader bits_;
    Animation& animation_;
    std::uint32_t values_ = 0;
};

class StreamWriter {
  public:
    explicit StreamWriter(const Animation& animation) : animation_(animation), wide_(animation.wide) {}

    core::ByteVector run() {
        const std::size_t bones = animation_.triples();
        for (std::size_t frame = 0; frame < animation_.count(); ++frame) {
            const Position before = frame == 0 ? Position{} : animation_.translations[frame - 1];
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const std::int32_t change = animation_.translations[frame][axis] - before[axis];
                writeChange(kPlaceWidths, static_cast<std::int16_t>(change));
            }
            const auto& scales = animation_.scales[frame];
            bits_.bits(scales.empty() ? 0 : 1, 1);
            for (std::size_t bone = 0; bone < bones; ++bone) {
                const AngleTriple from = frame == 0 ? AngleTriple{} : animation_.rotations[(frame - 1) * bones + bone];
                for (std::size_t axis = 0; axis < 3; ++axis)
                    writeAngle(core::signedStep(from[axis], animation_.rotations[frame * bones + bone][axis]));
                if (!scales.empty())
                    for (const std::int32_t scale : scales[bone])
                        writeScale(scale - kScaleOne);
            }
        }
        bits_.bits(animation_.tailBits, bits_.bitsToWholeWord());
        return bits_.take();
    }

  private:
    /// The width that is stored for the next value, if it is not the usual one.
    const Animation::Wide* nextWide() {
        const std::uint32_t value = values_++;
        while (!wide_.empty() && wide_.front().value < value)
            wide_ = wide_.subspan(1);
        return !wide_.empty() && wide_.front().value == value ? &wide_.front() : nullptr;
    }

    void writeCoded(const Widths& widths, std::int32_t change, const Animation::Wide* wide) {
        const std::uint8_t code = std::max(widths.codeOf(change), wide != nullptr ? wide->code : std::uint8_t{0});
        bits_.bits(code, 2);
        bits_.signedBits(change, widths.bits[code]);
    }

    void writeChange(const Widths& widths, std::int32_t change) { writeCoded(widths, change, nextWide()); }

    void writeAngle(std::int32_t change) {
        const Animation::Wide* const wide = nextWide();
        const bool isStored = change != 0 || wide != nullptr;
        bits_.bits(isStored ? 1 : 0, 1);
        if (isStored)
            writeCoded(kAngleWidths, change, wide);
    }

    void writeScale(std::int32_t change) {
        const bool isStored = nextWide() != nullptr || change != 0;
        bits_.bits(isStored ? 1 : 0, 1);
        if (isStored)
            bits_.signedBits(change, 16);
    }

    const Animation& animation_;
    std::span<const Animation::Wide> wide_;
    BitWriter bits_;
    std::uint32_t values_ = 0;
};

// ---------------------------------------------------------------------------------------------------------------------
// Animations

/// Reads the frames of an animation, up to the end of `reader`.
/// @throws DecodeError if they are not there
void readFrames(LittleEndianReader& reader, std::size_t bones, core::SampleBudget& budget, Animation& animation) {
    const core::Place place = reader.place("frame_count");
    const std::size_t count = reader.read<std::uint8_t>("frame_count");
    const core::Bytes stream = LittleEndianReader(reader).rest();
    constexpr std::size_t kLeastOfFrame = 16;
    constexpr std::size_t kLeastOfBone = 3;
    const std::size_t least = kLeastOfFrame + kLeastOfBone * bones;
    if (count > 8 * stream.size() / least)
        throw DecodeError(place, fmt::format("is {}, there is room for {}", count, 8 * stream.size() / least));
    budget.take(AngleFrames::samples(count, bones), place);
    StreamReader bits(stream, animation);
    for (std::size_t frame = 0; frame < count; ++frame) {
        bits.readFrame(bones);
        if (bits.overrun())
            throw DecodeError(place, fmt::format("is {}, the bits end in frame {}", count, frame));
    }
    (void)reader.bytes(bits.finish(), "frames");
    budget.keep(
        (animation.scales.size() * bones) * sizeof(ScaleTriple) + animation.wide.size() * sizeof(Animation::Wide),
        place);
}

Animation readAnimation(LittleEndianReader& reader, std::size_t bones, core::SampleBudget& budget,
                        core::Diagnostics& diagnostics) {
    Animation animation;
    const LittleEndianReader start = reader;
    try {
        readFrames(reader, bones, budget, animation);
    } catch (const DecodeError& error) {
        if (error.kind() == DecodeError::Kind::limit)
            throw;
        diagnostics.warn(Code::damaged, error);
        animation = {};
        animation.isDamaged = true;
        reader = start;
    }
    budget.keep(reader.remaining(), reader.place("gap"));
    animation.gap = core::copyOf(reader.rest());
    return animation;
}

void readMotion(const LittleEndianReader& section, const core::Limits& limits, Monster& monster,
                core::Diagnostics& diagnostics) {
    const Parts parts = readParts(section, "animation_count", "animation_offsets");
    parts.requireLittleSharing(section.place("animations"));
    monster.motionGap = core::copyOf(section.at(parts.tableEnd, {}).bytes(parts.bounds.front() - parts.tableEnd, {}));
    if (!parts.areInOrder())
        diagnostics.note(Code::recomputed, section.place("animations"),
                         "share bytes or are in another order than their table; they are written one after the other");
    core::SampleBudget budget(limits);
    for (const std::uint32_t start : parts.starts) {
        LittleEndianReader reader = section.at(start, "animations").slice(parts.endOf(start) - start, "animations");
        const auto scope = reader.enter("animations", monster.animations.size());
        monster.animations.push_back(readAnimation(reader, monster.skeleton.bones.size(), budget, diagnostics));
    }
}

/// Tells what of an edited animation is not in the stream as it is written.
void reportLosses(const Animation& animation, std::size_t index, core::Bytes stream, core::Diagnostics& diagnostics) {
    Animation written;
    StreamReader bits(stream, written);
    while (written.count() < animation.count())
        bits.readFrame(animation.triples());
    (void)bits.finish();
    if (written.tailBits != animation.tailBits)
        diagnostics.warn(Code::recomputed, {fmt::format("animations[{}].tail_bits", index), std::nullopt},
                         fmt::format("is {}, {} is written: the last byte has room for no more", animation.tailBits,
                                     written.tailBits));
    if (written.wide != animation.wide)
        diagnostics.warn(Code::recomputed, {fmt::format("animations[{}].wide", index), std::nullopt},
                         "are not ascending values that fit narrower widths: they are rewritten");
}

void writeMotion(LittleEndianWriter& out, const Monster& monster, core::Diagnostics& diagnostics) {
    const std::size_t start = out.size();
    out.write(static_cast<std::uint32_t>(monster.animations.size()));
    for (std::size_t i = 0; i < monster.animations.size(); ++i)
        out.write(std::uint32_t{0});
    out.write(monster.motionGap);
    for (std::size_t i = 0; i < monster.animations.size(); ++i) {
        const Animation& animation = monster.animations[i];
        out.patch(start + 4 + 4 * i, static_cast<std::uint32_t>(out.size() - start));
        if (!animation.isDamaged) {
            const core::ByteVector stream = StreamWriter(animation).run();
            reportLosses(animation, i, stream, diagnostics);
            out.write(static_cast<std::uint8_t>(animation.count()));
            out.write(stream);
        }
        out.write(animation.gap);
    }
}

}  // namespace

std::uint32_t sectionCountOf(core::Bytes file) {
    try {
        LittleEndianReader reader(file);
        const auto count = reader.read<std::uint32_t>({});
        if (count >= reader.remaining() / 4)
            return 0;
        (void)readSectionTable(reader, count);
        return count;
    } catch (const DecodeError&) {
        return 0;
    }
}

bool hasValidParent(const Skeleton& skeleton, std::size_t bone) {
    const std::uint16_t parent = skeleton.bones[bone].parent;
    return bone == 0 ? parent == kNoParent : parent < bone;
}

LittleEndianReader readerOf(const Monster& monster, std::size_t section) {
    return LittleEndianReader(monster.sections[section], {}, monster.offsets[section]);
}

std::string nameOf(const Monster& monster) {
    constexpr std::size_t kLongest = 24;
    constexpr std::uint8_t kGivenByPlayer = 3;
    constexpr std::uint8_t kGriever = 0x50;
    const core::Bytes values = monster.sections[kValueSection];
    std::string name;
    for (std::size_t i = 0; i < std::min(kLongest, values.size()) && values[i] != 0; ++i) {
        const std::uint8_t code = values[i];
        if (code == kGivenByPlayer) {
            name += ++i < values.size() && values[i] == kGriever ? "Griever" : "?";
            continue;
        }
        const auto from = [&](std::uint8_t first, char letter, int count) {
            const bool isIn = code >= first && code < first + count;
            if (isIn)
                name += static_cast<char>(letter + code - first);
            return isIn;
        };
        if (!from(0x45, 'A', 26) && !from(0x5F, 'a', 26) && !from(0x21, '0', 10))
            name += code == 0x20 ? ' ' : '?';
    }
    return name;
}

bool beginsLikeMonster(core::Bytes file) {
    constexpr std::array<std::uint8_t, 8> kHead = {kSections, 0, 0, 0, 4 * (kSections + 2), 0, 0, 0};
    return file.size() >= kHead.size() && std::equal(kHead.begin(), kHead.end(), file.begin());
}

Monster decodeMonster(core::Bytes file, const core::Limits& limits, core::Diagnostics& diagnostics) {
    LittleEndianReader reader(file);
    const auto count = reader.read<std::uint32_t>("section_count");
    if (count != kSections)
        throw DecodeError(reader.place("section_count", 4), fmt::format("is {}, expected {}", count, kSections));
    const std::vector<std::uint32_t> starts = readSectionTable(reader, count);
    Monster monster;
    for (std::size_t i = 0; i < kSections; ++i) {
        LittleEndianReader section = reader.slice(starts[i + 1] - starts[i], "sections");
        if (i == kSkeletonSection)
            monster.skeleton = readSkeleton(section);
        else if (i == kMotionSection)
            readMotion(section, limits, monster, diagnostics);
        else
            monster.sections[i] = core::copyOf(section.rest());
        monster.offsets[i] = starts[i];
    }
    if (!reader.atEnd())
        diagnostics.warn(Code::trailingBytes, reader.place("trailing"),
                         fmt::format("{} bytes after the last section", reader.remaining()));
    monster.trailing = core::copyOf(reader.rest());
    return monster;
}

core::ByteVector encodeMonster(const Monster& monster, core::Diagnostics& diagnostics) {
    LittleEndianWriter out;
    out.write(static_cast<std::uint32_t>(kSections));
    for (std::size_t i = 0; i <= kSections; ++i)
        out.write(std::uint32_t{0});
    for (std::size_t i = 0; i < kSections; ++i) {
        out.patch(4 + 4 * i, static_cast<std::uint32_t>(out.size()));
        if (i == kSkeletonSection)
            writeSkeleton(out, monster.skeleton);
        else if (i == kMotionSection)
            writeMotion(out, monster, diagnostics);
        else
            out.write(monster.sections[i]);
    }
    out.patch(4 + 4 * kSections, static_cast<std::uint32_t>(out.size()));
    out.write(monster.trailing);
    return out.take();
}

}  // namespace reanima::ff8
