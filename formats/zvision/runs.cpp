#include "formats/zvision/runs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace reanima::zvision {

namespace {

using core::Pixel555;

// A count is one signed byte.
constexpr std::size_t kNegative = 256;  // a count byte of 128 or more is negative: subtract this

Pixel555 pixelAt(const std::uint8_t* data) {
    return static_cast<Pixel555>(data[0] | static_cast<unsigned>(data[1]) << 8U);
}

/// Copies `count` pixels from the file.
template <std::size_t count>
void copyPixels(const std::uint8_t* from, Pixel555* to) {
    if constexpr (std::endian::native == std::endian::little)
        std::memcpy(to, from, count * sizeof(Pixel555));
    else
        for (std::size_t i = 0; i < count; ++i)
            to[i] = pixelAt(from + i * sizeof(Pixel555));
}

const std::uint8_t* plusPixels(const std::uint8_t* data, std::size_t count) { return data + count * sizeof(Pixel555); }

/// A run, as its count byte states it.
struct Run {
    bool literal = false;
    std::uint8_t pixels = 0;
    std::size_t bytes = 0;  ///< size of the pixels after the count
};

Run keyRun(std::size_t stored) {
    if (stored < kNegative / 2)
        return {false, static_cast<std::uint8_t>(stored + kFewestRepeats), sizeof(Pixel555)};
    return {true, static_cast<std::uint8_t>(kNegative - stored), (kNegative - stored) * sizeof(Pixel555)};
}

Run deltaRun(std::size_t stored) {
    if (stored < kNegative / 2)
        return {false, static_cast<std::uint8_t>(stored + 1), 0};
    return {true, static_cast<std::uint8_t>(kNegative - stored), (kNegative - stored) * sizeof(Pixel555)};
}

/// Walks the runs of a frame, whose data may end inside the last run.
/// @param visit called with every run, clipped to the visible part
template <Run runOf(std::size_t), typename Visit>
RunExtent walk(core::Bytes data, const Visit& visit) {
    RunExtent extent;
    std::size_t at = 0;
    while (at < data.size() && extent.isWhole()) {
        Run run = runOf(data[at]);
        const std::size_t left = data.size() - at - 1;
        if (run.bytes <= left) [[likely]] {
            at += 1 + run.bytes;
        } else {
            extent.cut = {run.pixels, static_cast<std::uint8_t>(run.literal ? left / sizeof(Pixel555) : 0)};
            run.pixels = extent.cut.present;
        }
        visit(run);
        extent.pixels += run.pixels;
    }
    extent.wholeBytes = static_cast<std::uint32_t>(at);
    return extent;
}

constexpr auto kLook = [](const Run&) {};

}  // namespace

RunExtent extentOfKey(core::Bytes data) { return walk<keyRun>(data, kLook); }

RunExtent extentOfDelta(core::Bytes data) { return walk<deltaRun>(data, kLook); }

// ---------------------------------------------------------------------------------------------------------------------
// Key frames

namespace {

// Runs have unpredictable lengths, and a mispredicted branch costs more than a few extra pixels. The next run
// overwrites pixels beyond the end of a run.
constexpr std::size_t kWide = 24;  // pixels; most runs are not longer

void copyWide(const std::uint8_t* from, Pixel555* to, std::size_t count) {
    copyPixels<kWide>(from, to);
    for (std::size_t done = kWide; done < count; done += kWide)
        [[unlikely]] copyPixels<kWide>(plusPixels(from, done), to + done);
}

void fillWide(Pixel555 pixel, Pixel555* to, std::size_t count) {
    std::fill_n(to, kWide, pixel);
    for (std::size_t done = kWide; done < count; done += kWide)
        [[unlikely]] std::fill_n(to + done, kWide, pixel);
}

/// Draws runs until their end or the end of the picture.
void decodeWholeRuns(core::Bytes runs, Pixel555* surface, std::size_t pixels) {
    const std::uint8_t* in = runs.data();
    const std::uint8_t* const end = in + runs.size();
    std::size_t at = 0;
    while (in < end && at < pixels) {
        const std::size_t stored = *in++;
        if (stored == kNegative - 1) {  // a constant count lets the processor run ahead
            copyPixels<1>(in, surface + at);
            in = plusPixels(in, 1);
            at += 1;
        } else if (stored >= kNegative / 2) {
            const std::size_t count = kNegative - stored;
            copyWide(in, surface + at, count);
            in = plusPixels(in, count);
            at += count;
        } else {
            const std::size_t count = stored + kFewestRepeats;
            fillWide(pixelAt(in), surface + at, count);
            in = plusPixels(in, 1);
            at += count;
        }
    }
}

}  // namespace

void decodeKey(core::Bytes data, const RunExtent& extent, Pixel555* surface, std::size_t pixels) {
    const auto covered = static_cast<std::size_t>(std::min<std::uint64_t>(extent.pixels, pixels));
    std::array<Pixel555, kWide> after{};  // pixels after the last run must not change
    std::copy_n(surface + covered, kWide, after.begin());
    decodeWholeRuns(data.first(extent.wholeBytes), surface, pixels);
    if (extent.cut.present > 0) {  // without a visible pixel there may be no byte to read
        const std::uint8_t* in = data.data() + extent.wholeBytes + 1;
        for (std::uint64_t at = extent.pixels - extent.cut.present; at < covered; ++at, in = plusPixels(in, 1))
            surface[at] = pixelAt(in);
    }
    std::copy_n(after.begin(), kWide, surface + covered);
}

// ---------------------------------------------------------------------------------------------------------------------
// Delta frames

RunExtent appendDeltaSteps(core::Bytes data, std::size_t pixels, std::vector<DeltaStep>& steps) {
    const std::size_t first = steps.size();
    std::size_t left = pixels;
    return walk<deltaRun>(data, [&](const Run& run) {
        const auto count = static_cast<std::uint8_t>(std::min<std::size_t>(run.pixels, left));
        if (count == 0)
            return;
        left -= count;
        if (run.literal)
            steps.push_back({count, 0});
        else if (steps.size() > first && steps.back().kept == 0)
            steps.back().kept = count;
        else
            steps.push_back({0, count});
    });
}

namespace {

constexpr std::size_t blockOf(DeltaWay way) {
    return way == DeltaWay::blocks8 ? 8 : way == DeltaWay::blocks16 ? 16 : 24;
}

/// Processor cycles, measured on an AMD Zen 4. Only their ratios matter.
namespace cycles {
constexpr std::size_t kStep = 2;
constexpr std::size_t kEightPixels = 2;  // for both runs of a step, read and written
constexpr std::size_t kWrongGuess = 12;  // for a wrong guess about whether a run is longer than a block
constexpr std::size_t kReadAfterWrite = 30;
}  // namespace cycles

std::size_t cyclesInPlace(std::span<const DeltaStep> steps) {
    std::size_t near = 0;
    std::size_t longer = 0;
    for (const DeltaStep step : steps) {
        near +=
            step.literals + step.kept < 8 ? 1U : 0U;  // the next block begins inside a block that was only just written
        longer += step.literals > 24 ? 1U : 0U;
    }
    return steps.size() * (cycles::kStep + 3 * cycles::kEightPixels) + near * cycles::kReadAfterWrite +
           longer * cycles::kWrongGuess;
}

std::size_t cyclesInBlocks(std::span<const DeltaStep> steps, std::size_t block, std::size_t pixels) {
    std::size_t longer = 0;
    std::size_t beyond = 0;  // pixels written beyond the ends of runs
    for (const DeltaStep step : steps)
        for (const std::size_t run : {step.literals, step.kept}) {
            longer += run > block ? 1U : 0U;
            beyond += std::max(run, block) - block;
        }
    return steps.size() * (cycles::kStep + block / 8 * cycles::kEightPixels) + longer * cycles::kWrongGuess +
           beyond / 5 + pixels / 20;  // the other surface needs space in the cache
}

}  // namespace

DeltaWay fastestWay(std::span<const DeltaStep> steps, std::size_t pixels) {
    DeltaWay fastest = DeltaWay::inPlace;
    std::size_t least = cyclesInPlace(steps);
    for (const DeltaWay way : {DeltaWay::blocks8, DeltaWay::blocks16, DeltaWay::blocks24}) {
        const std::size_t needed = cyclesInBlocks(steps, blockOf(way), pixels);
        if (needed < least) {
            least = needed;
            fastest = way;
        }
    }
    return fastest;
}

namespace {

/// A block of eight pixels, as two words so that every compiler moves it at once.
using Block = std::array<std::uint64_t, 2>;
constexpr std::size_t kBlock = sizeof(Block) / sizeof(Pixel555);

Block blockAt(const void* from) {
    Block block;
    std::memcpy(block.data(), from, sizeof block);
    return block;
}

/// Copies `count` pixels, up to kWide, and changes no others. It writes three blocks, the last of which ends where the
/// run ends. For a run shorter than a block it writes the same blend of new and old pixels three times.
void copyRun(const std::uint8_t* from, Pixel555* to, std::size_t count) {
    if constexpr (std::endian::native == std::endian::little) {
        constexpr Pixel555 kYes = 0xFFFF;
        static constexpr std::array<Pixel555, 2 * kBlock> kMask = {kYes, kYes, kYes, kYes, kYes, kYes, kYes, kYes};
        const std::size_t written = std::min(count, kBlock);
        const std::size_t last = count - written;
        const Block mask = blockAt(kMask.data() + (kBlock - written));
        const Block kept = blockAt(to);
        for (const std::size_t at : {std::size_t{0}, std::min(last, kBlock), last}) {
            Block block = blockAt(plusPixels(from, at));
            for (std::size_t word = 0; word < block.size(); ++word)
                block[word] = kept[word] ^ ((kept[word] ^ block[word]) & mask[word]);
            std::memcpy(to + at, block.data(), sizeof block);
        }
    } else {
        for (std::size_t i = 0; i < count; ++i)
            to[i] = pixelAt(plusPixels(from, i));
    }
}

/// The number of count bytes of a step in the data.
std::size_t countsOf(DeltaStep step) { return (step.literals > 0 ? 1U : 0U) + (step.kept > 0 ? 1U : 0U); }

void decodeInPlace(const std::uint8_t* in, std::span<const DeltaStep> steps, Pixel555* surface) {
    for (const DeltaStep step : steps) {
        const std::uint8_t* from = in + 1;
        Pixel555* to = surface;
        std::size_t count = step.literals;
        for (; count > kWide; count -= kWide, from = plusPixels(from, kWide), to += kWide)
            [[unlikely]] copyPixels<kWide>(from, to);
        copyRun(from, to, count);
        in = plusPixels(in, step.literals) + countsOf(step);
        surface += step.literals + step.kept;
    }
}

/// True if both runs have 1 to `block` pixels.
template <std::size_t block>
bool isShort(DeltaStep step) {
    if constexpr (std::has_single_bit(block)) {
        constexpr unsigned kEach = 0x0101;
        constexpr unsigned kHigherBits = kEach * (0x100 - block);
        return ((std::bit_cast<std::uint16_t>(step) - kEach) & kHigherBits) == 0;
    } else {
        return std::max(step.literals - 1U, step.kept - 1U) < block;
    }
}

/// Draws steps in blocks. Pixels beyond the end of a run are overwritten by the next run.
/// @param before the previous picture
template <std::size_t block>
void decodeInBlocks(const std::uint8_t* in, std::span<const DeltaStep> steps, const Pixel555* before, Pixel555* surface,
                    std::size_t pixels) {
    std::size_t at = 0;
    for (const DeltaStep step : steps) {
        const std::size_t literals = step.literals;
        const std::size_t kept = step.kept;
        if (isShort<block>(step)) [[likely]] {
            copyPixels<block>(in + 1, surface + at);
            std::memcpy(surface + at + literals, before + at + literals, block * sizeof(Pixel555));
            in = plusPixels(in, literals) + 2;
        } else {
            for (std::size_t done = 0; done < literals; done += block)
                copyPixels<block>(plusPixels(in + 1, done), surface + at + done);
            for (std::size_t done = literals; done < literals + kept; done += block)
                std::memcpy(surface + at + done, before + at + done, block * sizeof(Pixel555));
            in = plusPixels(in, literals) + countsOf(step);
        }
        at += literals + kept;
    }
    std::copy(before + at, before + pixels, surface + at);
}

}  // namespace

void decodeDelta(core::Bytes data, std::span<const DeltaStep> steps, DeltaWay way, std::size_t pixels,
                 Surfaces& surfaces) {
    switch (way) {
        case DeltaWay::inPlace:
            return decodeInPlace(data.data(), steps, surfaces.shown);
        case DeltaWay::blocks8:
            decodeInBlocks<8>(data.data(), steps, surfaces.shown, surfaces.other, pixels);
            break;
        case DeltaWay::blocks16:
            decodeInBlocks<16>(data.data(), steps, surfaces.shown, surfaces.other, pixels);
            break;
        case DeltaWay::blocks24:
            decodeInBlocks<24>(data.data(), steps, surfaces.shown, surfaces.other, pixels);
            break;
    }
    std::swap(surfaces.shown, surfaces.other);
}

}  // namespace reanima::zvision
