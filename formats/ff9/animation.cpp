#include "formats/ff9/animation.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "core/decode_watch.h"
#include "formats/ff9/animation_layout.h"
#include "formats/ff9/animation_words.h"

namespace reanima::ff9 {

namespace {

using core::Code;
using core::DecodeError;

/// The counted samples of a block: six for every frame of a moving bone (the high and the low part of three angles),
/// even if some parts are constant. Bones that never move cost nothing.
std::uint64_t samplesIn(const BlockWords& words) {
    const auto moves = [](const Record& record) { return record.mask % 8 != kAllConstant; };
    std::uint64_t channels = moves(words.header.translation) ? 3 : 0;
    for (std::size_t bone = 0; bone < words.high.size(); ++bone)
        if (moves(words.high[bone]) || moves(words.low[bone]))
            channels += 6;
    return channels * words.frames();
}

/// Warns about parts of the layout that are unusual.
void reportOddities(const core::LittleEndianReader& block, const BlockWords& words, core::Diagnostics& diagnostics) {
    const std::size_t end = endOfContent(words);
    const core::Bytes after = words.bytes.subspan(end);
    if (std::any_of(after.begin(), after.end(), [](std::uint8_t byte) { return byte != 0; }))
        diagnostics.note(Code::trailingBytes, placeAt(block, end, "trailing"),
                         fmt::format("{} bytes after the block are not used", after.size()));
    if (const std::uint32_t base = baseAddress(words.header); base != 0)
        diagnostics.note(
            Code::rareLayout, placeAt(block, kHighTableAt, "high_table"),
            fmt::format("is an address, because the block was copied from the console's memory at 0x{:08x}", base));
}

BlockWords readWithinBudget(const core::LittleEndianReader& block, std::optional<std::uint32_t> bones,
                            core::SampleBudget& budget, core::Diagnostics& diagnostics) {
    BlockWords words = readWords(block, bones, diagnostics);
    budget.take(samplesIn(words), placeAt(block, 2, "frame_count"));
    reportOddities(block, words, diagnostics);
    return words;
}

/// Reports a block whose number of bones can't be inferred: nothing follows its HIGH table, or the bytes after it look
/// like more of the table. Such blocks are valid with a model that states the number.
void reportHiddenBones(core::Bytes image, const Animation& animation, core::Diagnostics& diagnostics) {
    const core::LittleEndianReader block(image);
    const BlockWords words = readHeaderAndPointers(block);
    const std::optional<std::uint64_t> shown = recordsInHighTable(image, words.highTable, words.lowTable);
    if (shown == animation.boneCount())
        return;
    diagnostics.note(Code::assumed, {animation.hasLowTable ? "bone_count" : "low_table", std::nullopt},
                     fmt::format("{}the block {}. To read the file, name a model with {} bones",
                                 animation.hasLowTable ? "" : "is false, and ",
                                 shown ? fmt::format("seems to have {} bones", *shown)
                                       : std::string("does not state its number of bones"),
                                 animation.boneCount()));
}

}  // namespace

BlockFacts examineBlock(const core::LittleEndianReader& object, std::optional<std::uint32_t> bones) {
    const BlockWords words = readHeaderAndPointers(object);
    if (recordsInHighTable(words.bytes, words.highTable, words.lowTable))
        bones.reset();
    else if (!bones)
        bones = recordsToTheEnd(words);
    core::Diagnostics ignored;  // decoding reports the same again
    const BlockWords whole = readWords(object, bones, ignored);
    return {static_cast<std::uint32_t>(whole.high.size()), samplesIn(whole)};
}

Animation decodeAnimation(const core::LittleEndianReader& block, std::optional<std::uint32_t> bones,
                          core::SampleBudget& budget, core::Diagnostics& diagnostics) {
    core::tellDecoding("ff9 animation", block);
    return animationOf(readWithinBudget(block, bones, budget, diagnostics));
}

namespace {

/// A number of bones with which a block can be written back. Empty if the real number can be inferred.
std::optional<std::uint32_t> assumedBones(const core::LittleEndianReader& block, core::Diagnostics& diagnostics) {
    const BlockWords words = readHeaderAndPointers(block);
    if (recordsInHighTable(words.bytes, words.highTable, words.lowTable))
        return std::nullopt;
    const std::uint64_t room = (words.bytes.size() - words.highTable) / kRecordSize;
    const auto bones = static_cast<std::uint32_t>(std::min<std::uint64_t>(room, kMostBones));
    diagnostics.note(
        Code::assumed, placeAt(block, kHighTableAt, "high_table"),
        fmt::format("does not state the number of bones; {} bones are assumed, as many as fit before the end", bones),
        {"joints", "N"});
    return bones;
}

}  // namespace

Block decodeBlock(const core::LittleEndianReader& block, std::optional<std::uint32_t> bones, core::SampleBudget& budget,
                  core::Diagnostics& diagnostics, UnknownBones unknown) {
    core::tellDecoding("ff9 animation", block);
    if (!bones && unknown == UnknownBones::assumed)
        bones = assumedBones(block, diagnostics);
    const BlockWords words = readWithinBudget(block, bones, budget, diagnostics);
    Block result{animationOf(words), std::nullopt};
    if (!isInUsualOrder(words, result.animation))
        result.layout = layoutOf(words);
    return result;
}

core::ByteVector encodeBlock(const Block& block, core::Diagnostics& diagnostics) {
    std::optional<core::ByteVector> image;
    if (block.layout) {
        image = encodeInLayout(block.animation, *block.layout, diagnostics);
        if (!image)
            diagnostics.warn(Code::recomputed, {"layout", std::nullopt},
                             "does not fit the values; the order of the game's own tool is used");
    }
    if (!image)
        image = encodeInUsualOrder(block.animation);
    reportHiddenBones(*image, block.animation, diagnostics);
    return std::move(*image);
}

// ---------------------------------------------------------------------------------------------------------------------
// Recognition

bool isAnimation(core::Bytes bytes) {
    try {
        core::Diagnostics ignored;
        const BlockWords words = readWords(core::LittleEndianReader(bytes), std::nullopt, ignored);
        if (words.header.unknown00 != 0 || baseAddress(words.header) != 0 || !unusedBytes(words).empty())
            return false;
        constexpr std::size_t kMostPadding = 3;
        const core::ByteVector used = usedBits(words);
        std::size_t padding = 0;
        return std::all_of(used.begin(), used.end(), [&padding](std::uint8_t bits) {
            padding = bits == 0 ? padding + 1 : 0;
            return padding <= kMostPadding;
        });
    } catch (const DecodeError&) {
        return false;
    }
}

bool beginsLikeAnimation(core::Bytes bytes) {
    try {
        const BlockHeader header = readHeader(core::LittleEndianReader(bytes));
        return header.unknown00 == 0 && header.translation.mask <= kAllConstant &&
               (header.highTable == usualHighTable(header) ||
                (isAddress(header.highTable) && header.lowTable - header.highTable < bytes.size()));
    } catch (const DecodeError&) {
        return false;
    }
}

}  // namespace reanima::ff9
