#include "formats/ff9/materials.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/byte_writer.h"
#include "core/decode_watch.h"

namespace reanima::ff9 {

namespace {

using core::DecodeError;
using core::LittleEndianReader;

constexpr std::uint8_t kMark = 0xDC;
constexpr std::uint16_t kNoAnimation = 0xFFFF;
constexpr unsigned kCountShift = 24;  // position of the number of materials in the word with their offset
constexpr std::uint32_t kOffsetBits = 0xFFFFFF;

/// Offset of a record from the first byte.
constexpr std::uint32_t startOf(std::size_t record) {
    return kMaterialsHeader + kMaterialRecordSize * static_cast<std::uint32_t>(record);
}

/// @param object reader that is positioned at the first material
std::vector<MaterialPlace> readMaterials(LittleEndianReader object, std::size_t count) {
    object = object.slice(count * kMaterialSize, "materials");
    std::vector<MaterialPlace> materials(count);
    for (MaterialPlace& material : materials) {
        material.page = object.read<std::uint16_t>("materials");
        material.clut = object.read<std::uint16_t>("materials");
    }
    for (MaterialPlace& material : materials)
        for (std::int16_t& axis : material.window)
            axis = object.read<std::int16_t>("materials");
    for (MaterialPlace& material : materials)
        for (std::int16_t& number : material.place)
            number = object.read<std::int16_t>("materials");
    return materials;
}

core::ByteVector encode(const std::vector<MaterialPlace>& materials) {
    core::LittleEndianWriter out;
    for (const MaterialPlace& material : materials) {
        out.write(material.page);
        out.write(material.clut);
    }
    for (const MaterialPlace& material : materials)
        for (const std::int16_t axis : material.window)
            out.write(axis);
    for (const MaterialPlace& material : materials)
        for (const std::int16_t number : material.place)
            out.write(number);
    return out.take();
}

void put(core::ByteVector& file, std::size_t offset, core::Bytes bytes) {
    file.resize(std::max(file.size(), offset + bytes.size()));
    std::copy(bytes.begin(), bytes.end(), file.begin() + static_cast<std::ptrdiff_t>(offset));
}

/// @throws DecodeError if other data of the object needs different bytes here
void requireThere(const core::ByteVector& file, std::size_t offset, const core::ByteVector& bytes, std::string field) {
    if (!std::equal(bytes.begin(), bytes.end(), file.begin() + static_cast<std::ptrdiff_t>(offset)))
        throw DecodeError({std::move(field), std::nullopt},
                          "share bytes with materials of different content, expected separate offsets");
}

std::vector<Materials::Unused> findUnused(const Materials& materials, core::Bytes file) {
    std::vector<bool> used(file.size());
    const auto mark = [&](std::size_t offset, std::size_t size) {
        std::fill_n(used.begin() + static_cast<std::ptrdiff_t>(offset), size, true);
    };
    mark(0, startOf(materials.records.size()));
    for (std::size_t i = 0; i < materials.records.size(); ++i)
        mark(startOf(i) + materials.records[i].offset, materials.records[i].materials.size() * kMaterialSize);
    std::vector<Materials::Unused> unused;
    for (std::size_t i = 0; i < used.size(); ++i) {
        if (used[i])
            continue;
        if (i == 0 || used[i - 1])
            unused.push_back({static_cast<std::uint32_t>(i), {}});
        unused.back().bytes.push_back(file[i]);
    }
    return unused;
}

}  // namespace

std::optional<std::uint16_t> MaterialRecord::defaultAnimation() const {
    return animation == kNoAnimation ? std::nullopt : std::optional(animation);
}

Materials decodeMaterials(const LittleEndianReader& object) {
    core::tellDecoding("ff9 materials", object);
    LittleEndianReader table = object;
    const auto mark = table.read<std::uint8_t>("mark");
    if (mark != kMark)
        throw DecodeError(table.place("mark", 1), fmt::format("is 0x{:02x}, expected 0x{:02x}", mark, kMark));
    const auto count = table.read<std::uint8_t>("model_count");
    const core::Place countPlace = table.place("model_count", 1);
    Materials materials;
    materials.unknown02 = table.read<std::uint16_t>("unknown_02");
    if (count > table.remaining() / kMaterialRecordSize)
        throw DecodeError(countPlace, fmt::format("is {}, but the object has room for only {}", count,
                                                  table.remaining() / kMaterialRecordSize));
    for (std::size_t i = 0; i < count; ++i) {
        const auto scope = table.enter("models", i);
        MaterialRecord& record = materials.records.emplace_back();
        std::uint32_t word = 0;
        describe(fields::Read<LittleEndianReader>{table}, record, word);
        record.offset = word & kOffsetBits;
        LittleEndianReader all = object;
        const auto inAll = all.enter("models", i);
        record.materials = readMaterials(all.at(startOf(i) + record.offset, "offset"), word >> kCountShift);
    }
    LittleEndianReader whole = object;
    materials.unused = findUnused(materials, whole.rest());
    return materials;
}

core::ByteVector encodeMaterials(const Materials& materials) {
    core::LittleEndianWriter table;
    table.write(kMark);
    table.write(static_cast<std::uint8_t>(materials.records.size()));
    table.write(materials.unknown02);
    for (const MaterialRecord& record : materials.records) {
        const auto word = static_cast<std::uint32_t>(record.offset | record.materials.size() << kCountShift);
        describe(fields::Write<core::LittleEndianWriter>{table}, record, word);
    }
    const core::ByteVector head = table.take();
    core::ByteVector file = head;
    for (std::size_t i = 0; i < materials.records.size(); ++i)
        put(file, startOf(i) + materials.records[i].offset, encode(materials.records[i].materials));
    for (const Materials::Unused& unused : materials.unused)
        put(file, unused.offset, unused.bytes);
    // Materials may overlap the table and each other, as long as their bytes agree.
    requireThere(file, 0, head, "models");
    for (std::size_t i = 0; i < materials.records.size(); ++i)
        requireThere(file, startOf(i) + materials.records[i].offset, encode(materials.records[i].materials),
                     fmt::format("models[{}].materials", i));
    return file;
}

bool isMaterials(core::Bytes file) {
    try {
        const Materials materials = decodeMaterials(LittleEndianReader(file));
        return !materials.records.empty() && materials.unknown02 == 0 && materials.unused.empty();
    } catch (const DecodeError&) {
        return false;
    }
}

bool beginsLikeMaterials(core::Bytes file) {
    return file.size() >= kMaterialsHeader && file[0] == kMark && file[1] > 0 && file[2] == 0 && file[3] == 0;
}

}  // namespace reanima::ff9
