#include "formats/metroid/animation/stream_animation.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/bit_reader.h"
#include "core/bit_writer.h"

namespace reanima::metroid {

namespace {

using core::Code;
using core::DecodeError;
using core::Place;

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

/// The size of a channel that only contains its bone and key counts.
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
        fmt::format("{} of {} key counts differ from {}, the number in the bitmap (one of them is {}); the bitmap is "
                    "used",
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

/// Requires the memory of the stream's rows and their keys.
void requireMemoryForKeys(const StreamAnimation& stream, const core::Limits& limits, const Place& place) {
    std::uint64_t bytesPerKey = 0;
    eachRow(stream.channels, [&](const auto&, unsigned) { bytesPerKey += sizeof(std::int32_t) + sizeof(float); });
    core::requireMemory(bytesPerKey * streamKeyCount(stream), limits, place);
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

// ---------------------------------------------------------------------------------------------------------------------
// Writing

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

/// @throws DecodeError unless there is one number per key, and every number fits in its bits
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

}  // namespace

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

void readStreamNumbers(core::Bytes bytes, StreamAnimation& stream) {
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

std::uint64_t streamWords(const StreamAnimation& stream) {
    std::uint64_t bitsPerKey = 0;
    eachRow(stream.channels, [&](const auto&, unsigned bits) { bitsPerKey += bits; });
    return (bitsPerKey * streamKeyCount(stream) + kWordBits - 1) / kWordBits;
}

void writeStream(Writer& out, const Animation& animation, const StreamAnimation& stream) {
    requireRows(stream);
    const bool prime = animation.game == Game::prime;
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

}  // namespace reanima::metroid
