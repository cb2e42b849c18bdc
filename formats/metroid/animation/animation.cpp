#include "formats/metroid/animation/animation.h"

#include <algorithm>
#include <bit>
#include <unordered_set>

#include <fmt/format.h>

#include "core/decode_watch.h"
#include "formats/metroid/animation/array_animation.h"
#include "formats/metroid/animation/judgement.h"
#include "formats/metroid/animation/stream_animation.h"
#include "formats/metroid/reading.h"

namespace reanima::metroid {

namespace {

using core::Code;
using core::DecodeError;
using core::Place;

constexpr std::uint32_t kArrays = 0;
constexpr std::uint32_t kCorruptionStream = 1;
constexpr std::uint32_t kStream = 2;

/// The result of reading a file with one layout.
struct AnimationReading {
    Animation animation;
    core::Bytes stream;
    Judgement judgement;
    std::optional<DecodeError> error;
    std::uint64_t reach = 0;  ///< offset of the error

    [[nodiscard]] int score() const {
        constexpr int kReadToTheEnd = 2;
        return judgement.score() + (error ? 0 : kReadToTheEnd);
    }
    [[nodiscard]] bool isBetterThan(const AnimationReading& other) const {
        return score() != other.score() ? score() > other.score() : reach > other.reach;
    }
};

AnimationReading readAs(Game game, core::Bytes bytes, const core::Limits& limits) {
    AnimationReading reading;
    reading.animation.game = game;
    Reader file(bytes);
    try {
        if (file.read<std::uint32_t>("type") == kStream)
            reading.stream = readStreamStructure(file, reading.animation, limits, reading.judgement);
        else
            readArrayStructure(file, reading.animation, limits, reading.judgement);
        const Place place = file.place("padding");
        reading.animation.padding = core::copyOf(file.rest());
        reading.judgement.expect(isPadding(reading.animation.padding, bytes.size()), Code::trailingBytes, place,
                                 fmt::format("{} bytes follow the content", reading.animation.padding.size()));
    } catch (const DecodeError& error) {
        reading.error = error;
        reading.reach = file.offset();
    }
    return reading;
}

/// True for arrays of Corruption: they have two more bytes after the type than arrays of Echoes.
bool isCorruptionArrays(core::Bytes bytes) {
    constexpr std::size_t kType = 4;
    constexpr std::size_t kMore = 2;
    if (bytes.size() < kType + kMore || Reader(bytes).read<std::uint32_t>("type") != kArrays)
        return false;
    core::ByteVector withoutThem(bytes.begin(), bytes.begin() + kType);
    withoutThem.insert(withoutThem.end(), bytes.begin() + kType + kMore, bytes.end());
    return !readAs(Game::echoes, withoutThem, {}).error;
}

/// @throws DecodeError unless the bytes are an animation of these games
void requireKnownType(core::Bytes bytes) {
    Reader file(bytes);
    const Field<std::uint32_t> type = readField<std::uint32_t>(file, "type");
    if (type.value == kCorruptionStream)
        throw DecodeError(type.place, "is 1, as in animations of Metroid Prime 3: Corruption, which can't be read");
    if (type.value == kRemasteredMagic)
        throw DecodeError(type.place, "is \"RFRM\", as in files of Metroid Prime Remastered, which can't be read");
    if (type.value != kArrays && type.value != kStream)
        throw DecodeError(type.place, fmt::format("is {}, expected 0 or 2", type.value));
}

AnimationReading bestReading(core::Bytes file, std::optional<Game> game, const core::Limits& limits) {
    requireKnownType(file);
    if (game)
        return readAs(*game, file, limits);
    AnimationReading prime = readAs(Game::prime, file, limits);
    AnimationReading echoes = readAs(Game::echoes, file, limits);
    if (prime.error && echoes.error && isCorruptionArrays(file))
        throw DecodeError({"type", 0},
                          "is 0, but the arrays have the layout of Metroid Prime 3: Corruption, which can't be read");
    return echoes.isBetterThan(prime) ? std::move(echoes) : std::move(prime);
}

/// A repeated bone does not count as evidence of another layout, since the field is not redundant.
void warnOfSharedBones(const StreamAnimation& stream, core::Diagnostics& diagnostics) {
    std::unordered_set<std::uint32_t> bones;
    for (std::size_t i = 0; i < stream.channels.size(); ++i)
        if (!bones.insert(stream.channels[i].bone).second)
            diagnostics.warn(Code::damaged, {fmt::format("channels[{}].bone", i), std::nullopt},
                             fmt::format("is {}, the same as that of an earlier channel; the earlier channel is used",
                                         stream.channels[i].bone));
}

}  // namespace

double lengthOf(std::uint32_t frames, float interval) {
    return frames <= 1 ? 0 : (frames - 1.0) * static_cast<double>(interval);
}

std::size_t streamKeyCount(const StreamAnimation& stream) {
    std::size_t keys = 0;
    for (std::size_t i = 0; i < stream.bitmap.size(); ++i) {
        std::uint32_t word = stream.bitmap[i];
        if (i == 0)
            word &= ~1U;  // frame 0 has no key in the stream
        if (const std::uint32_t last = stream.frameCount % kWordBits; i + 1 == stream.bitmap.size() && last != 0)
            word &= (1U << last) - 1;
        keys += static_cast<std::size_t>(std::popcount(word));
    }
    return keys;
}

Animation decodeAnimation(core::Bytes file, std::optional<Game> game, const core::Limits& limits,
                          core::Diagnostics& diagnostics) {
    core::tellDecoding("metroid animation", file);
    AnimationReading reading = bestReading(file, game, limits);
    if (reading.error)
        throw DecodeError(*reading.error);
    for (const core::Warning& doubt : reading.judgement.doubts())
        diagnostics.warn(doubt.code, doubt.place, doubt.text);
    if (auto* stream = std::get_if<StreamAnimation>(&reading.animation.content)) {
        readStreamNumbers(reading.stream, *stream);
        warnOfSharedBones(*stream, diagnostics);
    }
    return std::move(reading.animation);
}

std::optional<std::uint32_t> eventsIdOf(core::Bytes file) {
    try {
        const AnimationReading reading = bestReading(file, std::nullopt, {});
        const std::uint32_t id = reading.animation.events;
        return reading.error || id == 0 || id == kNoEvents ? std::nullopt : std::optional(id);
    } catch (const DecodeError&) {
        return std::nullopt;
    }
}

bool isAnimation(core::Bytes file) {
    try {
        const AnimationReading reading = bestReading(file, std::nullopt, {});
        return !reading.error && reading.judgement.doubts().empty();
    } catch (const DecodeError&) {
        return false;
    }
}

bool beginsLikeAnimation(core::Bytes file) {
    constexpr int kConvincing = 3;
    try {
        return bestReading(file, std::nullopt, {}).judgement.score() >= kConvincing;
    } catch (const DecodeError&) {
        return false;
    }
}

core::ByteVector encodeAnimation(const Animation& animation) {
    Writer out;
    if (const StreamAnimation* stream = animation.stream()) {
        out.write(kStream);
        writeStream(out, animation, *stream);
    } else {
        out.write(kArrays);
        writeArrayAnimation(out, animation, *animation.arrays());
    }
    out.write(core::Bytes(animation.padding));
    return out.take();
}

std::uint32_t sufficientScratchSize(const StreamAnimation& stream) {
    // The game expands fields in memory. Four bytes per field are an upper bound.
    constexpr std::uint64_t kHeaderFields = 16;
    constexpr std::uint64_t kChannelFields = 1 + 3 * (1 + 3 * 2);
    constexpr std::uint64_t kReadAhead = 2;  // words that the game reads after the stream
    constexpr std::uint64_t kAlignment = 32;
    const std::uint64_t words = kHeaderFields + stream.bitmap.size() + stream.channels.size() * kChannelFields +
                                streamWords(stream) + kReadAhead;
    return static_cast<std::uint32_t>((words * 4 + kAlignment - 1) / kAlignment * kAlignment);
}

}  // namespace reanima::metroid
