#include "formats/ff7/action_scripts.h"

#include <algorithm>
#include <array>

#include "core/byte_reader.h"

namespace reanima::ff7 {

namespace {

using core::LittleEndianReader;

constexpr std::size_t kSettings = 0x68;
constexpr std::size_t kMostScripts = 128;        // scripts per file; known files have up to 74
constexpr std::size_t kMostBytes = 256U << 10U;  // bytes per file; known files have a few thousand
constexpr std::size_t kUnused = 4;               // zero bytes where an unused script would begin

constexpr std::uint8_t kFirstInstruction = 0x8E;  // smaller bytes play a clip
constexpr std::uint8_t kPlay = 0xA9;              // plays the clip in its second argument
constexpr std::uint8_t kFinish = 0xB6;            // lets a running clip finish: its first argument
constexpr std::uint8_t kBranch = 0xFE;
constexpr std::uint8_t kAgain = 0xC0;  // argument of kBranch: back to the first clip
/// Instructions that end a script: end, back to idle, back to the loop's start, stay here forever.
constexpr std::array<std::uint8_t, 4> kEnds = {0xEE, 0xFF, 0xC1, 0xF1};

/// The number of argument bytes of each instruction, starting with 8E.
constexpr std::array<std::uint8_t, 0x100 - kFirstInstruction> kArguments = {
    /* 8E */ 0, 0,
    /* 90 */ 3, 1, 0, 0, 5, 0,  2, 2, 1, 6, 4, 0, 0, 1, 0, 0,
    /* A0 */ 1, 2, 1, 1, 0, 0,  0, 1, 2, 2, 0, 4, 1, 5, 0, 1,
    /* B0 */ 0, 0, 0, 0, 0, 11, 1, 0, 0, 1, 2, 0, 1, 4, 1, 2,
    /* C0 */ 0, 0, 1, 0, 3, 0,  1, 3, 5, 0, 0, 8, 1, 0, 1, 8,
    /* D0 */ 3, 5, 0, 0, 3, 8,  1, 2, 3, 0, 1, 4, 3, 2, 2, 0,
    /* E0 */ 0, 0, 0, 0, 0, 0,  0, 1, 0, 3, 0, 0, 0, 0, 0, 0,
    /* F0 */ 0, 0, 0, 0, 1, 1,  0, 1, 1, 0, 0, 4, 0, 6, 1, 0,
};

bool isUnused(core::Bytes script) {
    const core::Bytes head = script.first(std::min(script.size(), kUnused));
    return std::ranges::all_of(head, [](std::uint8_t byte) { return byte == 0; });
}

/// @throws core::DecodeError if the script extends beyond the file
std::vector<std::uint8_t> clipsOf(LittleEndianReader script) {
    std::vector<std::uint8_t> clips;
    for (;;) {
        const auto code = script.read<std::uint8_t>("code");
        if (code < kFirstInstruction) {
            clips.push_back(code);
            continue;
        }
        const core::Bytes arguments = script.bytes(kArguments[code - kFirstInstruction], "arguments");
        if (code == kPlay)
            clips.push_back(arguments[1]);
        else if (code == kFinish)
            clips.push_back(arguments[0]);
        const bool isLoop = code == kBranch && arguments[0] == kAgain;
        if (isLoop || std::ranges::find(kEnds, code) != kEnds.end())
            return clips;
    }
}

/// The offsets of the scripts; 0: no script.
std::vector<std::uint32_t> readOffsets(core::Bytes file) {
    LittleEndianReader reader = LittleEndianReader(file).at(kSettings, "scripts");
    std::vector<std::uint32_t> offsets;
    std::uint32_t first = 0;  // offset of the first script, which is the end of the table
    const auto isEnd = [&] {
        return reader.remaining() < sizeof(std::uint32_t) || (first != 0 && reader.offset() >= first);
    };
    while (!isEnd() && offsets.size() < kMostScripts) {
        const auto offset = reader.read<std::uint32_t>("offset");
        if (offset != 0)
            first = first == 0 ? offset : std::min(first, offset);
        offsets.push_back(offset);
    }
    return offsets;
}

}  // namespace

ActionScripts readActionScripts(core::Bytes file) {
    ActionScripts scripts;
    if (file.size() < kSettings || file.size() > kMostBytes)
        return scripts;
    for (const std::uint32_t offset : readOffsets(file)) {
        std::vector<std::uint8_t>& clips = scripts.emplace_back();
        if (offset < kSettings || offset >= file.size() || isUnused(file.subspan(offset)))
            continue;
        try {
            clips = clipsOf(LittleEndianReader(file).at(offset, "script"));
        } catch (const core::DecodeError&) {  // NOLINT: the clips keep their current names
        }
    }
    return scripts;
}

}  // namespace reanima::ff7
