#include "importers/ff9/materials.h"

#include <fmt/format.h>

namespace reanima::ff9 {

namespace {

constexpr std::uint8_t kMark = 0xDC;
constexpr std::uint16_t kNone = 0xFFFF;
constexpr std::size_t kRecordSize = 12;
constexpr std::size_t kMaterialWords = 8;  // where the materials are, the blinking of the eyes, and two bytes of junk

}  // namespace

std::vector<MaterialRecord> decodeMaterialRecords(core::LittleEndianReader object) {
    const auto mark = object.read<std::uint8_t>("mark");
    if (mark != kMark)
        throw core::DecodeError(object.place("mark", 1), fmt::format("is 0x{:02x}, expected 0x{:02x}", mark, kMark));
    const auto count = object.read<std::uint8_t>("model_count");
    const core::Place countPlace = object.place("model_count", 1);
    (void)object.read<std::uint16_t>("unknown_02");
    if (count > object.remaining() / kRecordSize)
        throw core::DecodeError(
            countPlace, fmt::format("is {}, the object has room for {}", count, object.remaining() / kRecordSize));
    std::vector<MaterialRecord> records;
    records.reserve(count);
    while (records.size() < count) {
        MaterialRecord& record = records.emplace_back();
        record.model = object.read<std::uint16_t>("model");
        const auto animation = object.read<std::uint16_t>("animation");
        if (animation != kNone)
            record.defaultAnimation = animation;
        (void)object.bytes(kMaterialWords, "materials");
    }
    return records;
}

}  // namespace reanima::ff9
