#include "formats/metroid/animation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

#include "core/bit_reader.h"
#include "core/bit_writer.h"
#include "core/decode_watch.h"
#include "formats/metroid/reading.h"

namespace reanima::metroid {

namespace {

using core::Code;
using core::DecodeError;
using core::Place;

constexpr std::uint32_t kArrays = 0;
constexpr std::uint32_t kCorruptionStream = 1;
constexpr std::uint32_t kStream = 2;
constexpr std::uint32_t kLastTimeKind = 4;

// ---------------------------------------------------------------------------------------------------------------------
// Judging a layout

/// Counts redundant fields that agree or disagree with the layout under which a file was read.
class Judgement {
  public:
    /// @param agrees true if the field has the value that the layout requires
    void expect(bool agrees, Code code, const Place& place, std::string text) {
        if (agrees)
            ++agreements_;
        else
            doubts_.push_back({core::Warning::Severity::warning, code, {}, place, std::move(text)});
    }

    [[nodiscard]] const std::vector<core::Warning>& doubts() const { return doubts_; }
    [[nodiscard]] int score() const { return agreements_ - static_cast<int>(doubts_.size()); }

  private:
    int agreements_ = 0;
    std::vector<core::Warning> doubts_;
};

void expectOne(Judgement& judgement, const Field<std::uint32_t>& field, std::uint32_t expected) {
    judgement.expect(field.value == expected, Code::rareLayout, field.place,
                     fmt::format("is 0x{:x}, expected 0x{:x}", field.value, expected));
}

/// @throws DecodeError if the times are impossible for an animation of `frames` frames
void checkTimes(const Field<float>& duration, const Field<float>& interval, std::uint32_t frames,
                Judgement& judgement) {
    if (!std::isfinite(duration.value) || (frames > 1 && duration.value <= 0))
        throw DecodeError(duration.place, fmt::format("is {}, expected a number of seconds", duration.value));
    if (frames <= 1)
        return;
    if (!isInterval(interval.value))
        throw DecodeError(interval.place, fmt::format("is {}, expected a number of seconds", interval.value));
    const double length = lengthOf(frames, interval.value);
    constexpr double kRounding = 1.001;
    judgement.expect(
        std::abs(static_cast<double>(duration.value) - length) <= static_cast<double>(interval.value) * kRounding,
        Code::countMismatch, duration.place,
        fmt::format(
            "is {}, but {} frames at the stated interval last {:.6g} seconds; the duration of the frames is used",
            duration.value, frames, length));
}

// ---------------------------------------------------------------------------------------------------------------------
// Type 2: everything before the stream

struct StreamHeader {
    std::uint32_t scratchSize = 0;
    std::uint32_t events = kNoEvents;
    Field<std::uint32_t> unknown1;
    Field<float> duration;
    Field<float> interval;
    std::uint32_t rootBone = 0;
    Field<std::uint32_t> looping;
    Field<std::uint32_t> rotationDivisor;
    Field<float> translationMultiplier;
    Field<float> scaleMultiplier{1, {}};
    Field<std::uint32_t> channelCount;
    Field<std::uint32_t> unknown2;
    Field<std::uint32_t> frameCount;
};

constexpr std::uint32_t unknown1Of(Game game) { return game == Game::prime ? 1 : 0x0101; }

StreamHeader readPrimeHeader(Reader& file) {
    StreamHeader header;
    header.scratchSize = file.read<std::uint32_t>("scratch_size");
    header.events = file.read<std::uint32_t>("evnt");
    header.unknown1 = readField<std::uint32_t>(file, "unknown_0c");
    header.duration = readField<float>(file, "duration");
    header.interval = readField<float>(file, "interval");
    header.rootBone = file.read<std::uint32_t>("root_bone");
    header.looping = readField<std::uint32_t>(file, "looping");
    header.rotationDivisor = readField<std::uint32_t>(file, "rotation_divisor");
    header.translationMultiplier = readField<float>(file, "translation_multiplier");
    header.channelCount = readField<std::uint32_t>(file, "channel_count");
    header.unknown2 = readField<std::uint32_t>(file, "unknown_2c");
    header.frameCount = readField<std::uint32_t>(file, "frame_count");
    return header;
}

StreamHeader readEchoesHeader(Reader& file) {
    StreamHeader header;
    header.scratchSize = file.read<std::uint32_t>("scratch_size");
    const Field<std::uint16_t> unknown1 = readField<std::uint16_t>(file, "unknown_08");
    header.unknown1 = {unknown1.value, unknown1.place};
    header.duration = readField<float>(file, "duration");
    header.interval = readField<float>(file, "interval");
    header.rootBone = file.read<std::uint32_t>("root_bone");
    header.looping = readField<std::uint32_t>(file, "looping");
    header.rotationDivisor = readField<std::uint32_t>(file, "rotation_divisor");
    header.translationMultiplier = readField<float>(file, "translation_multiplier");
    header.scaleMultiplier = readField<float>(file, "scale_multiplier");
    header.channelCount = readField<std::uint32_t>(file, "channel_count");
    header.unknown2 = readField<std::uint32_t>(file, "unknown_2a");
    header.frameCount = readField<std::uint32_t>(file, "frame_count");
    return header;
}

std::vector<std::uint32_t> readBitmap(Reader& file, const Field<std::uint32_t>& frameCount) {
    const std::uint64_t words = (std::uint64_t{frameCount.value} + kWordBits - 1) / kWordBits;
    if (frameCount.value == 0)
        throw DecodeError(frameCount.place, "is 0, expected at least 1");
    if (words > file.remaining() / 4)
        throw DecodeError(frameCount.place, fmt::format("is {}, but the file has room for only {}", frameCount.value,
                                                        file.remaining() / 4 * kWordBits));
    std::vector<std::uint32_t> bitmap(words);
    for (std::uint32_t& word : bitmap)
        word = file.read<std::uint32_t>("key_bitmap");
    return bitmap;
}

std::optional<Property> readProperty(Reader& file, std::string_view name) {
    const auto scope = file.enter(name);
    Property property;
    property.keyCount = file.read<std::uint16_t>("key_count");
    if (property.keyCount == 0)
        return std::nullopt;
    constexpr std::array<std::string_view, 3> kAxes = {"x", "y", "z"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto axisScope = file.enter(kAxes[axis]);
        Component& component = property.components[axis];
        component.initial = file.read<std::int16_t>("initial");
        component.bits = file.read<std::uint8_t>("bits");
        if (component.bits > 32)
            throw DecodeError(file.place("bits", 1), fmt::format("is {}, expected 0 to 32", component.bits));
    }
    return property;
}

StreamChannel readChannel(Reader& file, Game game) {
    StreamChannel channel;
    channel.bone = game == Game::prime ? file.read<std::uint32_t>("bone") : file.read<std::uint8_t>("bone");
    channel.rotation = readProperty(file, "rotation");
    channel.translation = readProperty(file, "translation");
    if (game == Game::echoes)
        channel.scale = readProperty(file, "scale");
    return channel;
}

/// The size of a channel with only bone and key counts.
constexpr std::uint64_t smallestChannel(Game game) { return game == Game::prime ? 4 + 2 * 2 : 1 + 3 * 2; }

std::vector<StreamChannel> readChannels(Reader& file, Game game, const Field<std::uint32_t>& count, std::size_t keys,
                                        const core::Limits& limits) {
    if (count.value > file.remaining() / smallestChannel(game))
        throw DecodeError(count.place, fmt::format("is {}, but the file has room for only {}", count.value,
                                                   file.remaining() / smallestChannel(game)));
    // A property whose numbers have no bits still has keys, so a small file can request any number of keys.
    core::SampleBudget(limits).take(count.value * std::uint64_t{keys + 1}, count.place);
    core::requireMemory(count.value * std::uint64_t{sizeof(StreamChannel)}, limits, count.place);
    std::vector<StreamChannel> channels;
    channels.reserve(count.value);
    while (channels.size() < count.value) {
        const auto scope = file.enter("channels", channels.size());
        channels.push_back(readChannel(file, game));
    }
    return channels;
}

template <typename Visit>
void eachProperty(const std::vector<StreamChannel>& channels, Visit visit) {
    for (const StreamChannel& channel : channels)
        for (const std::optional<Property>* property : {&channel.rotation, &channel.translation, &channel.scale})
            if (*property)
                visit(**property);
}

void judgeKeyCounts(const std::vector<StreamChannel>& channels, std::size_t keys, const Place& place,
                    Judgement& judgement) {
    std::size_t properties = 0;
    std::size_t others = 0;
    std::uint16_t other = 0;
    eachProperty(channels, [&](const Property& property) {
        ++properties;
        if (property.keyCount != keys) {
            ++others;
            other = property.keyCount;
        }
    });
    judgement.expect(
        others == 0, Code::countMismatch, place,
        fmt::format("{} of {} key counts differ from {}, the number in the bitmap (one is {}); the bitmap is used",
                    others, properties, keys, other));
}

/// Checks the multiplier of a channel.
void checkMultiplier(const Field<float>& multiplier) {
    if (!isMultiplier(multiplier.value))
        throw DecodeError(multiplier.place,
                          fmt::format("is {}, expected a number other than 0, because channels are multiplied by it",
                                      multiplier.value));
}

void checkFactors(const StreamHeader& header, const std::vector<StreamChannel>& channels) {
    const auto anyHas = [&](const std::optional<Property> StreamChannel::*property) {
        return std::any_of(channels.begin(), channels.end(),
                           [&](const StreamChannel& channel) { return (channel.*property).has_value(); });
    };
    if (header.rotationDivisor.value == 0 && anyHas(&StreamChannel::rotation))
        throw DecodeError(header.rotationDivisor.place, "is 0, but channels have rotations");
    if (anyHas(&StreamChannel::translation))
        checkMultiplier(header.translationMultiplier);
    if (anyHas(&StreamChannel::scale))
        checkMultiplier(header.scaleMultiplier);
}

/// Visits the rows of the stream in the order in which a key stores them: visit(numbers, bits). A row has a number per
/// key. Components without bits have no row.
template <typename Channels, typename Visit>
void eachRow(Channels& channels, Visit visit) {
    const auto visitComponents = [&visit](auto& property) {
        if (!property)
            return;
        for (auto& component : property->components)
            if (component.bits > 0)
                visit(component.changes, unsigned{component.bits});
    };
    for (auto& channel : channels) {
        if (channel.rotation)
            visit(channel.signs, 1U);
        visitComponents(channel.rotation);
        visitComponents(channel.translation);
        visitComponents(channel.scale);
    }
}

std::uint64_t streamWords(const StreamAnimation& stream) {
    std::uint64_t bitsPerKey = 0;
    eachRow(stream.channels, [&](const auto&, unsigned bits) { bitsPerKey += bits; });
    return (bitsPerKey * streamKeyCount(stream) + kWordBits - 1) / kWordBits;
}

/// Requires the memory of the stream's rows and their keys.
void requireMemoryForKeys(const StreamAnimation& stream, const core::Limits& limits, const Place& place) {
    std::uint64_t bytesPerKey = 0;
    eachRow(stream.channels, [&](const auto&, unsigned) { bytesPerKey += sizeof(std::int32_t) + sizeof(float); });
    core::requireMemory(bytesPerKey * streamKeyCount(stream), limits, place);
}

/// Reads all of type 2 except the numbers of the stream.
/// @return the bytes of the stream
core::Bytes readStreamStructure(Reader& file, Animation& animation, const core::Limits& limits, Judgement& judgement) {
    const Game game = animation.game;
    const StreamHeader header = game == Game::prime ? readPrimeHeader(file) : readEchoesHeader(file);
    expectOne(judgement, header.unknown1, unknown1Of(game));
    judgement.expect(header.looping.value <= 1, Code::rareLayout, header.looping.place,
                     fmt::format("is {}, expected 0 or 1", header.looping.value));
    expectOne(judgement, header.unknown2, 1);
    checkTimes(header.duration, header.interval, header.frameCount.value, judgement);

    StreamAnimation& stream = animation.content.emplace<StreamAnimation>();
    stream.bitmap = readBitmap(file, header.frameCount);
    stream.frameCount = header.frameCount.value;
    const std::size_t keys = streamKeyCount(stream);
    Field<std::uint32_t> count;
    if (game == Game::prime) {
        const Field<std::uint32_t> unused = readField<std::uint32_t>(file, "channel_count_2");
        count = readField<std::uint32_t>(file, "channel_count_3");
        stream.channelCount2 = unused.value;
        judgement.expect(
            unused.value == count.value, Code::countMismatch, unused.place,
            fmt::format("is {}, but channel_count_3 is {}; channel_count_3 is used", unused.value, count.value));
    } else {
        count = readField<std::uint32_t>(file, "channel_count_2");
    }
    judgement.expect(
        header.channelCount.value == count.value, Code::countMismatch, header.channelCount.place,
        fmt::format("is {0}, but {1} is {2}; {1} is used", header.channelCount.value, count.place.field, count.value));
    stream.channels = readChannels(file, game, count, keys, limits);
    judgeKeyCounts(stream.channels, keys, count.place, judgement);
    checkFactors(header, stream.channels);
    requireMemoryForKeys(stream, limits, count.place);
    judgement.expect(!stream.channels.empty(), Code::empty, count.place, "is 0, so nothing moves");

    animation.events = header.events;
    animation.duration = header.duration.value;
    animation.interval = header.interval.value;
    animation.rootBone = header.rootBone;
    stream.scratchSize = header.scratchSize;
    stream.unknown1 = header.unknown1.value;
    stream.looping = header.looping.value;
    stream.rotationDivisor = header.rotationDivisor.value;
    stream.translationMultiplier = header.translationMultiplier.value;
    stream.scaleMultiplier = header.scaleMultiplier.value;
    stream.channelCount = header.channelCount.value;
    stream.unknown2 = header.unknown2.value;
    return file.bytes(streamWords(stream) * 4, "stream");
}

/// A row of numbers. Consecutive rows that fit in the reader's window are read from one window.
struct RowInStream {
    std::int32_t* numbers;
    unsigned bits;
    unsigned windowBits;  ///< bits of this and the following rows in the same window; 0: the window is already open
};

std::vector<RowInStream> rowsOf(StreamAnimation& stream, std::size_t keys) {
    constexpr unsigned kSurelyInWindow = 33;
    std::vector<RowInStream> rows;
    std::size_t opening = 0;
    eachRow(stream.channels, [&](std::vector<std::int32_t>& numbers, unsigned bits) {
        numbers.resize(keys);
        if (rows.empty() || rows[opening].windowBits + bits > kSurelyInWindow)
            opening = rows.size();
        rows.push_back({numbers.data(), bits, 0});
        rows[opening].windowBits += bits;
    });
    return rows;
}

void readStream(core::Bytes bytes, StreamAnimation& stream) {
    const std::size_t keys = streamKeyCount(stream);
    const std::vector<RowInStream> rows = rowsOf(stream, keys);
    core::BitReader<core::BitOrder::lsb, core::BitWord::u32be> bits(bytes);
    for (std::size_t key = 0; key < keys; ++key) {
        std::uint64_t window = 0;
        for (const RowInStream& row : rows) {
            if (row.windowBits > 0) {
                window = bits.window();
                bits.skip(row.windowBits);
            }
            row.numbers[key] = core::signExtended(static_cast<std::uint32_t>(window), row.bits);
            window >>= row.bits;
        }
    }
    stream.tailBits = bits.bits(static_cast<unsigned>(bits.remaining()));
}

// ---------------------------------------------------------------------------------------------------------------------
// Type 0

core::ByteVector readTable(Reader& file, std::string_view name) {
    const std::string countName = std::string(name) + "_count";
    const auto count = file.read<std::uint32_t>(countName);
    return core::copyOf(file.bytes(count, name));
}

template <std::size_t size>
std::vector<std::array<float, size>> readArrays(Reader& file, std::string_view name, std::uint32_t keyCount) {
    const std::string countName = std::string(name) + "_count";
    const Field<std::uint32_t> count = readField<std::uint32_t>(file, countName);
    if (count.value > file.remaining() / (size * 4))
        throw DecodeError(count.place, fmt::format("is {}, but the file has room for only {}", count.value,
                                                   file.remaining() / (size * 4)));
    if (count.value > 0 && (keyCount == 0 || count.value % keyCount != 0))
        throw DecodeError(count.place, fmt::format("is {}, expected a multiple of the {} keys", count.value, keyCount));
    std::vector<std::array<float, size>> values(count.value);
    for (std::size_t i = 0; i < values.size(); ++i)
        for (float& value : values[i]) {
            value = file.read<float>(name);
            if (!(std::abs(value) <= kLargestNumber)) [[unlikely]]
                throw DecodeError(file.place(fmt::format("{}[{}]", name, i), 4),
                                  fmt::format("is {}, expected a number of at most 1e18", value));
        }
    return values;
}

/// @throws DecodeError if an entry of a table is neither kNoChannel nor below `count`
void checkTable(const core::ByteVector& table, std::uint64_t start, std::string_view name, std::uint64_t count,
                std::string_view what) {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table[i] != kNoChannel && table[i] >= count)
            throw DecodeError({fmt::format("{}[{}]", name, i), start + i},
                              fmt::format("is {}, but there are only {} {}", table[i], count, what));
}

/// A table with the offset of its first entry.
struct Table {
    core::ByteVector entries;
    std::uint64_t start = 0;
};

Table readPlacedTable(Reader& file, std::string_view name) {
    Table table;
    table.entries = readTable(file, name);
    table.start = file.offset() - table.entries.size();
    return table;
}

/// Reads the fields before the tables: the times and the root bone.
/// @return the number of keys
Field<std::uint32_t> readArrayHeader(Reader& file, Animation& animation, ArrayAnimation& arrays, Judgement& judgement) {
    const Field<float> duration = readField<float>(file, "duration");
    const Field<std::uint32_t> durationKind = readField<std::uint32_t>(file, "duration_kind");
    const Field<float> interval = readField<float>(file, "interval");
    const Field<std::uint32_t> intervalKind = readField<std::uint32_t>(file, "interval_kind");
    Field<std::uint32_t> keyCount = readField<std::uint32_t>(file, "key_count");
    animation.rootBone = file.read<std::uint32_t>("root_bone");
    for (const Field<std::uint32_t>& kind : {durationKind, intervalKind})
        judgement.expect(kind.value <= kLastTimeKind, Code::rareLayout, kind.place,
                         fmt::format("is {}, expected 0 to {}", kind.value, kLastTimeKind));
    checkTimes(duration, interval, keyCount.value, judgement);
    animation.duration = duration.value;
    animation.interval = interval.value;
    arrays.durationKind = durationKind.value;
    arrays.intervalKind = intervalKind.value;
    return keyCount;
}

void readArrayStructure(Reader& file, Animation& animation, const core::Limits& limits, Judgement& judgement) {
    ArrayAnimation& arrays = animation.content.emplace<ArrayAnimation>();
    const Field<std::uint32_t> keyCount = readArrayHeader(file, animation, arrays, judgement);
    const std::uint32_t keys = arrays.keyCount = keyCount.value;

    const Table slots = readPlacedTable(file, "slots");
    const std::uint64_t used = slots.entries.size() - static_cast<std::uint64_t>(std::count(
                                                          slots.entries.begin(), slots.entries.end(), kNoChannel));
    core::SampleBudget(limits).take(used * keys, keyCount.place);  // any number of bones may use the same array
    judgement.expect(used > 0 && keys > 0, Code::empty, keyCount.place, "nothing moves");
    const auto perKey = [keys](std::size_t values) -> std::uint64_t { return keys == 0 ? 0 : values / keys; };
    if (animation.game == Game::prime) {
        const Table translationOf = readPlacedTable(file, "translation_of");
        arrays.rotations = readArrays<4>(file, "rotations", keys);
        arrays.translations = readArrays<3>(file, "translations", keys);
        animation.events = file.read<std::uint32_t>("evnt");
        checkTable(slots.entries, slots.start, "slots",
                   std::min<std::uint64_t>(translationOf.entries.size(), perKey(arrays.rotations.size())),
                   "arrays of rotations");
        checkTable(translationOf.entries, translationOf.start, "translation_of", perKey(arrays.translations.size()),
                   "arrays of translations");
        arrays.translationOf = translationOf.entries;
    } else {
        const Table rotationOf = readPlacedTable(file, "rotation_of");
        const Table translationOf = readPlacedTable(file, "translation_of");
        const Table scaleOf = readPlacedTable(file, "scale_of");
        judgement.expect(
            translationOf.entries.size() == rotationOf.entries.size() &&
                scaleOf.entries.size() == rotationOf.entries.size(),
            Code::rareLayout, file.place("scale_of"),
            fmt::format("rotation_of, translation_of and scale_of have {}, {} and {} entries, expected equal numbers",
                        rotationOf.entries.size(), translationOf.entries.size(), scaleOf.entries.size()));
        arrays.scales = readArrays<3>(file, "scales", keys);
        arrays.rotations = readArrays<4>(file, "rotations", keys);
        arrays.translations = readArrays<3>(file, "translations", keys);
        checkTable(slots.entries, slots.start, "slots",
                   std::min({rotationOf.entries.size(), translationOf.entries.size(), scaleOf.entries.size()}),
                   "channels");
        checkTable(rotationOf.entries, rotationOf.start, "rotation_of", perKey(arrays.rotations.size()),
                   "arrays of rotations");
        checkTable(translationOf.entries, translationOf.start, "translation_of", perKey(arrays.translations.size()),
                   "arrays of translations");
        checkTable(scaleOf.entries, scaleOf.start, "scale_of", perKey(arrays.scales.size()), "arrays of scales");
        arrays.rotationOf = rotationOf.entries;
        arrays.translationOf = translationOf.entries;
        arrays.scaleOf = scaleOf.entries;
    }
    arrays.slots = slots.entries;
}

// ---------------------------------------------------------------------------------------------------------------------
// Finding the game

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

/// A repeated bone is not evidence about the layout, since the field is not redundant.
void warnOfSharedBones(const StreamAnimation& stream, core::Diagnostics& diagnostics) {
    std::unordered_set<std::uint32_t> bones;
    for (std::size_t i = 0; i < stream.channels.size(); ++i)
        if (!bones.insert(stream.channels[i].bone).second)
            diagnostics.warn(Code::damaged, {fmt::format("channels[{}].bone", i), std::nullopt},
                             fmt::format("is {}, the same as that of an earlier channel; the earlier channel is used",
                                         stream.channels[i].bone));
}

}  // namespace

std::string_view gameName(Game game) { return game == Game::prime ? "mp1" : "mp2"; }

std::optional<Game> gameNamed(std::string_view name) {
    for (const Game game : {Game::prime, Game::echoes})
        if (gameName(game) == name)
            return game;
    return std::nullopt;
}

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
        readStream(reading.stream, *stream);
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

// ---------------------------------------------------------------------------------------------------------------------
// Encoding

namespace {

void writeProperty(Writer& out, const std::optional<Property>& property) {
    if (!property) {
        out.write(std::uint16_t{0});
        return;
    }
    out.write(property->keyCount);
    for (const Component& component : property->components) {
        out.write(component.initial);
        out.write(component.bits);
    }
}

void writeChannel(Writer& out, const StreamChannel& channel, Game game) {
    if (game == Game::prime)
        out.write(channel.bone);
    else
        out.write(static_cast<std::uint8_t>(channel.bone));
    writeProperty(out, channel.rotation);
    writeProperty(out, channel.translation);
    if (game == Game::echoes)
        writeProperty(out, channel.scale);
}

/// @throws DecodeError unless there is a number per key, each within its bits
/// @param path field path of the numbers
void requireRow(const std::vector<std::int32_t>& numbers, unsigned bits, std::size_t keys, const std::string& path) {
    const std::size_t expected = bits == 0 ? 0 : keys;
    if (numbers.size() != expected)
        throw DecodeError({path, std::nullopt}, fmt::format("has {} numbers, expected {}", numbers.size(), expected));
    for (const std::int32_t number : numbers)
        if (core::signExtended(static_cast<std::uint32_t>(number), bits) != number)
            throw DecodeError({path, std::nullopt}, fmt::format("{} does not fit into {} bits", number, bits));
}

void requireRows(const StreamAnimation& stream) {
    const std::size_t keys = streamKeyCount(stream);
    for (std::size_t i = 0; i < stream.channels.size(); ++i) {
        const StreamChannel& channel = stream.channels[i];
        if (channel.rotation)
            requireRow(channel.signs, 1, keys, fmt::format("channels[{}].stored.rotation.signs", i));
        const std::pair<const char*, const std::optional<Property>&> properties[] = {
            // NOLINT: three of them
            {"rotation", channel.rotation},
            {"translation", channel.translation},
            {"scale", channel.scale}};
        for (const auto& [name, property] : properties)
            for (std::size_t axis = 0; property && axis < property->components.size(); ++axis)
                requireRow(property->components[axis].changes, property->components[axis].bits, keys,
                           fmt::format("channels[{}].stored.{}.changes[{}]", i, name, axis));
    }
}

/// Encodes the stream. requireRows() has checked the numbers.
core::ByteVector streamOf(const StreamAnimation& stream) {
    struct Row {
        const std::int32_t* numbers;
        unsigned bits;
    };
    std::vector<Row> rows;
    eachRow(stream.channels, [&rows](const std::vector<std::int32_t>& numbers, unsigned width) {
        rows.push_back({numbers.data(), width});
    });
    core::BitWriter<core::BitOrder::lsb, core::BitWord::u32be> bits;
    for (std::size_t key = 0, keys = streamKeyCount(stream); key < keys; ++key)
        for (const Row& row : rows)
            bits.signedBits(row.numbers[key], row.bits);
    const unsigned room = bits.bitsToWholeWord();
    if (std::uint64_t{stream.tailBits} >> room != 0)
        throw DecodeError(
            {"words.tail_bits", std::nullopt},
            fmt::format("is {}, but the last word of the stream has room for only {} bits", stream.tailBits, room));
    bits.bits(stream.tailBits, room);
    return bits.take();
}

void writeStream(Writer& out, const Animation& animation, const StreamAnimation& stream) {
    requireRows(stream);
    const bool prime = animation.game == Game::prime;
    out.write(kStream);
    out.write(stream.scratchSize);
    if (prime) {
        out.write(animation.events);
        out.write(stream.unknown1);
    } else {
        out.write(static_cast<std::uint16_t>(stream.unknown1));
    }
    out.write(animation.duration);
    out.write(animation.interval);
    out.write(animation.rootBone);
    out.write(stream.looping);
    out.write(stream.rotationDivisor);
    out.write(stream.translationMultiplier);
    if (!prime)
        out.write(stream.scaleMultiplier);
    out.write(stream.channelCount);
    out.write(stream.unknown2);
    out.write(stream.frameCount);
    for (const std::uint32_t word : stream.bitmap)
        out.write(word);
    if (prime)
        out.write(stream.channelCount2);
    out.write(static_cast<std::uint32_t>(stream.channels.size()));
    for (const StreamChannel& channel : stream.channels)
        writeChannel(out, channel, animation.game);
    out.write(core::Bytes(streamOf(stream)));
}

void writeTable(Writer& out, const core::ByteVector& table) {
    out.write(static_cast<std::uint32_t>(table.size()));
    out.write(core::Bytes(table));
}

template <std::size_t size>
void writeArrays(Writer& out, const std::vector<std::array<float, size>>& values) {
    out.write(static_cast<std::uint32_t>(values.size()));
    for (const std::array<float, size>& value : values)
        for (const float number : value)
            out.write(number);
}

void writeArrayAnimation(Writer& out, const Animation& animation, const ArrayAnimation& arrays) {
    out.write(kArrays);
    out.write(animation.duration);
    out.write(arrays.durationKind);
    out.write(animation.interval);
    out.write(arrays.intervalKind);
    out.write(arrays.keyCount);
    out.write(animation.rootBone);
    writeTable(out, arrays.slots);
    if (animation.game == Game::prime) {
        writeTable(out, arrays.translationOf);
        writeArrays(out, arrays.rotations);
        writeArrays(out, arrays.translations);
        out.write(animation.events);
    } else {
        writeTable(out, arrays.rotationOf);
        writeTable(out, arrays.translationOf);
        writeTable(out, arrays.scaleOf);
        writeArrays(out, arrays.scales);
        writeArrays(out, arrays.rotations);
        writeArrays(out, arrays.translations);
    }
}

}  // namespace

core::ByteVector encodeAnimation(const Animation& animation) {
    Writer out;
    if (const StreamAnimation* stream = animation.stream())
        writeStream(out, animation, *stream);
    else
        writeArrayAnimation(out, animation, *animation.arrays());
    out.write(core::Bytes(animation.padding));
    return out.take();
}

std::uint32_t sufficientScratchSize(const StreamAnimation& stream) {
    // The game expands fields in memory. Four bytes per field are an upper bound.
    constexpr std::uint64_t kHeaderFields = 16;
    constexpr std::uint64_t kChannelFields = 1 + 3 * (1 + 3 * 2);
    constexpr std::uint64_t kReadAhead = 2;  // words after the stream
    constexpr std::uint64_t kAlignment = 32;
    const std::uint64_t words = kHeaderFields + stream.bitmap.size() + stream.channels.size() * kChannelFields +
                                streamWords(stream) + kReadAhead;
    return static_cast<std::uint32_t>((words * 4 + kAlignment - 1) / kAlignment * kAlignment);
}

}  // namespace reanima::metroid
