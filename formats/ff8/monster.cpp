#include "formats/ff8/monster.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/byte_reader.h"
#include "core/byte_writer.h"
#include "core/decode_watch.h"
#include "formats/ff8/offsets.h"
#include "formats/records.h"

namespace reanima::ff8 {

namespace {

using core::Code;
using core::DecodeError;
using core::LittleEndianReader;
using core::LittleEndianWriter;

/// The start of every section, and the end of the last one.
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
    const RecordCount count = readCount<std::uint8_t>(section, "bone_count");
    describe(fields::Read<LittleEndianReader>{section}, skeleton);
    skeleton.bones = readRecords<Bone>(section, "joints", count);
    requireParents(section, "joints", skeleton.bones);
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
// Animations

/// The length of the section is a multiple of this number in all known files.
constexpr std::size_t kAlignment = 4;
constexpr core::BitOrder kOrder = core::BitOrder::lsb;
constexpr ChangeWidths kPlaceWidths{.bits = {3, 6, 9, 16}};
constexpr ChangeWidths kAngleWidths{.flag = ChangeWidths::Flag::ifChanged, .bits = {3, 6, 8, 12}};
constexpr ChangeWidths kScaleWidths{.flag = ChangeWidths::Flag::ifChanged, .codeBits = 0, .bits = {16}};

/// Reads or writes the values of a frame.
constexpr auto kWalk = [](auto& port, Animation& animation, std::size_t frame) {
    port.place(animation, frame, kPlaceWidths);
    animation.scales.resize(animation.count());
    std::vector<ScaleTriple>& scales = animation.scales[frame];
    scales.resize(port.flag(!scales.empty()) ? port.triples() : 0);
    for (std::size_t bone = 0; bone < port.triples(); ++bone) {
        port.angles(animation, frame, bone, kAngleWidths);
        if (!scales.empty())
            for (std::int32_t& axis : scales[bone])
                axis = kScaleOne + port.change(axis - kScaleOne, kScaleWidths);
    }
};

Animation readAnimation(LittleEndianReader& reader, std::size_t bones, core::SampleBudget& budget,
                        core::Diagnostics& diagnostics) {
    Animation animation;
    readOrKeep(reader, budget, diagnostics, animation, [&] {
        constexpr std::size_t kLeastOfFrame = 16;
        constexpr std::size_t kLeastOfBone = 3;
        const RecordCount count = readCount<std::uint8_t>(reader, "frame_count");
        readPacked<kOrder>(reader, count, bones, kLeastOfFrame + kLeastOfBone * bones, budget, animation, kWalk);
        budget.keep(animation.scales.size() * bones * sizeof(ScaleTriple), count.place);
    });
    return animation;
}

void readMotion(const LittleEndianReader& section, const core::Limits& limits, Monster& monster,
                core::Diagnostics& diagnostics) {
    const Parts parts = readParts(section, "animation_count", "animation_offsets");
    parts.requireLittleSharing(section.place("animations"));
    monster.motionGap = core::copyOf(section.at(parts.tableEnd, {}).bytes(parts.bounds.front() - parts.tableEnd, {}));
    monster.isMotionAligned = section.remaining() % kAlignment == 0;
    if (!parts.areInOrder())
        diagnostics.note(Code::recomputed, section.place("animations"),
                         "are written one after the other, because in the file they share bytes or are not in the "
                         "order of their table");
    core::SampleBudget budget(limits);
    for (const std::uint32_t start : parts.starts) {
        LittleEndianReader reader = section.at(start, "animations").slice(parts.endOf(start) - start, "animations");
        const auto scope = reader.enter("animations", monster.animations.size());
        monster.animations.push_back(readAnimation(reader, monster.skeleton.bones.size(), budget, diagnostics));
    }
}

/// True for bytes that only align the end of the section. They are replaced, because their number changes with the size
/// of the animations.
bool isPadding(core::Bytes gap) {
    return gap.size() < kAlignment && std::ranges::all_of(gap, [](std::uint8_t byte) { return byte == 0; });
}

core::ByteVector encodeMotion(const Monster& monster, core::Diagnostics& diagnostics) {
    LittleEndianWriter out;
    out.write(static_cast<std::uint32_t>(monster.animations.size()));
    for (std::size_t i = 0; i < monster.animations.size(); ++i)
        out.write(std::uint32_t{0});
    out.write(monster.motionGap);
    for (std::size_t i = 0; i < monster.animations.size(); ++i) {
        const Animation& animation = monster.animations[i];
        out.patch(4 + 4 * i, static_cast<std::uint32_t>(out.size()));
        if (!animation.isDamaged) {
            out.write(static_cast<std::uint8_t>(animation.count()));
            out.write(writePacked<kOrder>(animation, fmt::format("animations[{}]", i), diagnostics, kWalk));
        }
        const bool isLast = i + 1 == monster.animations.size();
        if (!isLast || animation.isDamaged || !monster.isMotionAligned || !isPadding(animation.gap))
            out.write(animation.gap);
    }
    if (monster.isMotionAligned)
        out.pad(kAlignment);
    else if (out.size() % kAlignment == 0)
        diagnostics.warn(Code::recomputed, {"motion_aligned", std::nullopt},
                         fmt::format("is false, but the section has {} bytes, a multiple of 4", out.size()));
    return out.take();
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
    core::tellDecoding("ff8 monster", file);
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
    monster.trailing = readTrailing(reader, "the last section", diagnostics);
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
            out.write(encodeMotion(monster, diagnostics));
        else
            out.write(monster.sections[i]);
    }
    out.patch(4 + 4 * kSections, static_cast<std::uint32_t>(out.size()));
    out.write(monster.trailing);
    return out.take();
}

}  // namespace reanima::ff8
