#include "formats/ff9/animation_layout.h"

#include <algorithm>
#include <span>
#include <string>

#include <fmt/format.h>

#include "core/byte_writer.h"

namespace reanima::ff9 {

namespace {

using core::Code;
using core::DecodeError;

/// Writes a block from its first byte to its last.
class UsualOrder {
  public:
    explicit UsualOrder(const Animation& animation) : animation_(animation) {}

    /// @throws DecodeError if a stream would begin after the first 64 KiB
    core::ByteVector encode() {
        out_.write(std::uint16_t{0});
        out_.write(animation_.frameCount);
        const std::size_t translationAt = out_.size();
        writeRecord({});
        const std::size_t tablesAt = out_.size();
        out_.write(std::uint32_t{0});
        out_.write(std::uint32_t{0});
        patchRecord(translationAt, translationRecord());
        out_.pad(4);
        out_.patch(tablesAt, static_cast<std::uint32_t>(out_.size()));
        writeTable("high_table",
                   [this](std::span<const Angle> angles, const std::string& field) { return highWord(angles, field); });
        if (animation_.hasLowTable) {
            out_.patch(tablesAt + 4, static_cast<std::uint32_t>(out_.size()));
            writeTable("low_table", [this](std::span<const Angle> angles, const std::string& field) {
                return lowWord(angles, field);
            });
        }
        return out_.take();
    }

  private:
    struct Word {
        std::uint16_t value;
        bool constant;
    };

    void writeRecord(const Record& record) {
        for (const std::uint16_t word : record.words)
            out_.write(word);
        out_.write(record.mask);
    }

    void patchRecord(std::size_t at, const Record& record) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            out_.patch(at + 2 * axis, record.words[axis]);
        out_.patch(at + 6, record.mask);
    }

    static void set(Record& record, std::size_t axis, Word word) {
        record.words[axis] = word.value;
        record.mask = static_cast<std::uint16_t>(record.mask | (word.constant ? 1U << axis : 0U));
    }

    /// The offset of a stream that is about to be written.
    [[nodiscard]] Word beginStream(const std::string& field) const {
        if (out_.size() > 0xFFFF)
            throw DecodeError({field, std::nullopt},
                              fmt::format("its stream would begin at 0x{:x}, but the format allows at most 0xffff. Try "
                                          "fewer frames or fewer changes",
                                          out_.size()));
        return {static_cast<std::uint16_t>(out_.size()), false};
    }

    static bool neverChanges(std::span<const Angle> angles, Angle bits) {
        return std::all_of(angles.begin(), angles.end(),
                           [&](Angle angle) { return (angle & bits) == (angles.front() & bits); });
    }

    Record translationRecord() {
        Record record;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::span<const std::int16_t> values = animation_.translation[axis];
            if (std::all_of(values.begin(), values.end(), [&](std::int16_t v) { return v == values.front(); })) {
                set(record, axis, {static_cast<std::uint16_t>(values.front()), true});
                continue;
            }
            set(record, axis, beginStream(std::string("translation.") + kAxisNames[axis]));
            for (const std::int16_t value : values)
                out_.write(value);
        }
        return record;
    }

    template <typename WriteChannel>
    void writeTable(const char* name, const WriteChannel& writeChannel) {
        const std::size_t tableAt = out_.size();
        for (std::size_t bone = 0; bone < animation_.boneCount(); ++bone)
            writeRecord({});
        for (std::size_t bone = 0; bone < animation_.boneCount(); ++bone) {
            Record record;
            for (std::size_t axis = 0; axis < 3; ++axis)
                set(record, axis,
                    writeChannel(animation_.angles[3 * bone + axis],
                                 fmt::format("{}[{}].{}", name, bone, kAxisNames[axis])));
            patchRecord(tableAt + bone * kRecordSize, record);
        }
        out_.pad(4);
    }

    Word highWord(std::span<const Angle> angles, const std::string& field) {
        if (neverChanges(angles, 0xFF0)) {
            const auto high = static_cast<std::int8_t>(angles.front() >> 4U);
            return {static_cast<std::uint16_t>(std::int16_t{high}), true};  // stored with its sign
        }
        const Word word = beginStream(field);
        for (const Angle angle : angles)
            out_.write(static_cast<std::uint8_t>(angle >> 4U));
        return word;
    }

    Word lowWord(std::span<const Angle> angles, const std::string& field) {
        if (neverChanges(angles, 0x00F))
            return {lowPart(angles.front()), true};
        const Word word = beginStream(field);
        for (std::size_t frame = 0; frame < angles.size(); frame += 2) {
            const Angle even = lowPart(angles[frame]);
            const Angle odd = frame + 1 < angles.size() ? lowPart(angles[frame + 1]) : Angle{0};
            out_.write(static_cast<std::uint8_t>(even | odd << 4U));
        }
        return word;
    }

    const Animation& animation_;
    core::LittleEndianWriter out_;
};

/// Sets the constant in a record's word and keeps the unused bits.
std::uint16_t withConstant(std::uint16_t word, std::uint16_t usedBits, std::uint16_t value) {
    return static_cast<std::uint16_t>((word & ~usedBits) | (value & usedBits));
}

/// Writes values at the places that a stored layout gives them.
class InLayout {
  public:
    InLayout(const Animation& animation, const Layout& layout)
        : animation_(animation), layout_(layout), image_(layout.size) {}

    /// The block. Empty if a part would be outside of it.
    std::optional<core::ByteVector> encode() {
        if (layout_.high.size() != animation_.boneCount() ||
            layout_.low.size() != (layout_.lowTable != 0 ? animation_.boneCount() : 0))
            return std::nullopt;
        BlockHeader header{layout_.unknown00, animation_.frameCount, layout_.translation, layout_.highTable,
                           layout_.lowTable};
        const std::uint32_t base = baseAddress(header);
        for (const Layout::Unused& run : layout_.unused)
            put(run.offset, run.bytes);
        putTable(layout_.highTable - base, layout_.high, 0xFF0);
        if (layout_.lowTable != 0)
            putTable(layout_.lowTable - base, layout_.low, 0x00F);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto valueAt = [&](std::size_t frame) {
                return static_cast<std::uint16_t>(animation_.translation.at(axis, frame));
            };
            std::uint16_t& word = header.translation.words[axis];
            if (header.translation.isConstant(axis))
                word = valueAt(0);
            else
                for (std::size_t frame = 0; frame < animation_.frameCount; ++frame)
                    putWord(word + 2 * frame, valueAt(frame));
        }
        putWord(0, header.unknown00);
        putWord(2, header.frameCount);
        putRecord(4, header.translation);
        putLong(kHighTableAt, header.highTable);
        putLong(kLowTableAt, header.lowTable);
        return fits_ ? std::optional(std::move(image_)) : std::nullopt;
    }

  private:
    void putBits(std::uint64_t offset, std::uint8_t bits, unsigned value) {
        if (offset < image_.size())
            image_[offset] = static_cast<std::uint8_t>((image_[offset] & ~bits) | (value & bits));
        else
            fits_ = false;
    }
    void put(std::uint64_t offset, core::Bytes bytes) {
        for (const std::uint8_t byte : bytes)
            putBits(offset++, 0xFF, byte);
    }
    void putWord(std::uint64_t offset, std::uint16_t value) {
        putBits(offset, 0xFF, value & 0xFFU);
        putBits(offset + 1, 0xFF, value >> 8U);
    }
    void putLong(std::uint64_t offset, std::uint32_t value) {
        putWord(offset, static_cast<std::uint16_t>(value & 0xFFFFU));
        putWord(offset + 2, static_cast<std::uint16_t>(value >> 16U));
    }
    void putRecord(std::uint64_t offset, const Record& record) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            putWord(offset + 2 * axis, record.words[axis]);
        putWord(offset + 6, record.mask);
    }

    /// @param bits the bits of an angle that the table stores
    void putTable(std::uint64_t tableAt, const std::vector<Record>& table, Angle bits) {
        const bool isHigh = bits == 0xFF0;
        for (std::size_t bone = 0; bone < table.size(); ++bone) {
            Record record = table[bone];
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const std::size_t channel = 3 * bone + axis;
                const Angle first = animation_.angles.at(channel, 0);
                std::uint16_t& word = record.words[axis];
                if (record.isConstant(axis))
                    word = isHigh ? withConstant(word, 0xFF, static_cast<std::uint16_t>(first >> 4U))
                                  : withConstant(word, 0x0F, first);
                else if (isHigh)
                    putHighStream(word, channel);
                else
                    putLowStream(word, channel);
            }
            putRecord(tableAt + bone * kRecordSize, record);
        }
    }
    void putHighStream(std::uint64_t offset, std::size_t channel) {
        for (std::size_t frame = 0; frame < animation_.frameCount; ++frame)
            putBits(offset + frame, 0xFF, static_cast<unsigned>(animation_.angles.at(channel, frame) >> 4U));
    }
    void putLowStream(std::uint64_t offset, std::size_t channel) {
        for (std::size_t frame = 0; frame < animation_.frameCount; ++frame) {
            const unsigned low = lowPart(animation_.angles.at(channel, frame));
            putBits(offset + frame / 2, frame % 2 == 0 ? 0x0F : 0xF0, low | low << 4U);
        }
    }

    const Animation& animation_;
    const Layout& layout_;
    core::ByteVector image_;
    bool fits_ = true;
};

template <typename T>
bool showTheSame(const Channels<T>& a, const Channels<T>& b, std::size_t frames) {
    if (a.count() != b.count())
        return false;
    for (std::size_t channel = 0; channel < a.count(); ++channel)
        for (std::size_t frame = 0; frame < frames; ++frame)
            if (a.at(channel, frame) != b.at(channel, frame))
                return false;
    return true;
}

bool showTheSame(const Animation& a, const Animation& b) {
    return a.frameCount == b.frameCount && a.hasLowTable == b.hasLowTable &&
           showTheSame(a.translation, b.translation, a.frameCount) && showTheSame(a.angles, b.angles, a.frameCount);
}

/// Notes parts of a layout that the values override: constants in records, and unused bytes that are now used.
void reportOtherLayout(const Layout& asked, const Layout& written, core::Diagnostics& diagnostics) {
    const auto report = [&diagnostics](bool same, const char* field) {
        if (!same)
            diagnostics.note(Code::recomputed, {field, std::nullopt}, "does not fit the values and is rewritten");
    };
    report(asked.translation == written.translation, "layout.translation");
    report(asked.high == written.high, "layout.high_records");
    report(asked.low == written.low, "layout.low_records");
    report(asked.unused == written.unused, "layout.unused");
}

}  // namespace

core::ByteVector encodeInUsualOrder(const Animation& animation) { return UsualOrder(animation).encode(); }

bool isInUsualOrder(const BlockWords& words, const Animation& animation) {
    try {
        const core::ByteVector usual = encodeInUsualOrder(animation);
        return std::equal(usual.begin(), usual.end(), words.bytes.begin(), words.bytes.end());
    } catch (const DecodeError&) {  // the streams fit only if they share bytes
        return false;
    }
}

std::vector<Layout::Unused> unusedBytes(const BlockWords& words) {
    const core::ByteVector used = usedBits(words);
    std::vector<Layout::Unused> runs;
    for (std::size_t i = 0; i < used.size(); ++i) {
        const auto rest = static_cast<std::uint8_t>(words.bytes[i] & ~used[i]);
        if (rest == 0)
            continue;
        if (runs.empty() || runs.back().offset + runs.back().bytes.size() != i)
            runs.push_back({static_cast<std::uint32_t>(i), {}});
        runs.back().bytes.push_back(rest);
    }
    return runs;
}

Layout layoutOf(const BlockWords& words) {
    const bool hasLowTable = words.lowTable != kNoTable;
    return {static_cast<std::uint32_t>(words.bytes.size()),
            words.header.unknown00,
            words.header.translation,
            words.header.highTable,
            words.header.lowTable,
            words.high,
            hasLowTable ? words.low : std::vector<Record>(),
            unusedBytes(words)};
}

std::optional<core::ByteVector> encodeInLayout(const Animation& animation, const Layout& layout,
                                               core::Diagnostics& diagnostics) {
    std::optional<core::ByteVector> image = InLayout(animation, layout).encode();
    if (!image)
        return std::nullopt;
    try {
        core::Diagnostics ignored;
        const auto bones = static_cast<std::uint32_t>(animation.boneCount());
        const BlockWords words = readWords(core::LittleEndianReader(*image), bones, ignored);
        if (!showTheSame(animationOf(words), animation))
            return std::nullopt;
        reportOtherLayout(layout, layoutOf(words), diagnostics);
        return image;
    } catch (const DecodeError&) {
        return std::nullopt;
    }
}

}  // namespace reanima::ff9
