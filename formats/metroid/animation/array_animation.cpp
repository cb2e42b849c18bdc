#include "formats/metroid/animation/array_animation.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace reanima::metroid {

namespace {

using core::Code;
using core::DecodeError;

constexpr std::uint32_t kLastTimeKind = 4;

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

}  // namespace

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

void writeArrayAnimation(Writer& out, const Animation& animation, const ArrayAnimation& arrays) {
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

}  // namespace reanima::metroid
