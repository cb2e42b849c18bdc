/// Lists of records, and trailing bytes after the content.
#pragma once

#include <concepts>
#include <limits>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/byte_reader.h"
#include "core/diagnostics.h"
#include "formats/fields.h"

namespace reanima {

/// The number of records of a list, and its place in the file.
struct RecordCount {
    std::size_t records;
    core::Place place;
};

template <std::integral T, typename Reader>
[[nodiscard]] RecordCount readCount(Reader& file, std::string_view field) {
    const core::Place place = file.place(field);
    return {file.template read<T>(field), place};
}

/// The size in bytes of a record with empty texts.
template <typename Record>
[[nodiscard]] std::size_t sizeOfRecord() {
    fields::LeastSize size;
    const Record record;
    describe(size, record);
    return size.bytes();
}

/// Reads the list `name` of records described by describe(), at least one.
/// @throws core::DecodeError if the records are incomplete
template <typename Record, typename Reader>
[[nodiscard]] std::vector<Record> readRecords(Reader& file, std::string_view name, const RecordCount& count) {
    const std::size_t room = file.remaining() / sizeOfRecord<Record>();
    if (count.records == 0 || count.records > room)
        throw core::DecodeError(count.place, fmt::format("is {}, expected 1 to {}", count.records, room));
    std::vector<Record> records(count.records);
    for (std::size_t i = 0; i < records.size(); ++i) {
        const auto scope = file.enter(name, i);
        describe(fields::Read<Reader>{file}, records[i]);
    }
    return records;
}

/// @param file positioned after the records; their first field is `parent`
/// @throws core::DecodeError unless every record's parent is an earlier record, see fields::isParentOf()
template <typename Record, typename Reader>
void requireParents(Reader& file, std::string_view name, const std::vector<Record>& records) {
    for (std::size_t i = 0; i < records.size(); ++i) {
        const auto parent = records[i].parent;
        if (fields::isParentOf(parent, i))
            continue;
        const auto scope = file.enter(name, i);
        throw core::DecodeError(file.place("parent", (records.size() - i) * sizeOfRecord<Record>()),
                                fmt::format("is {}, expected an earlier bone, or {} for the first", parent,
                                            std::numeric_limits<decltype(parent)>::max()));
    }
}

/// All remaining bytes, for the member `trailing`. Warns if there are any.
/// @param after the part of the file before these bytes: `the last bone`
template <typename Reader>
[[nodiscard]] core::ByteVector readTrailing(Reader& file, std::string_view after, core::Diagnostics& diagnostics) {
    if (!file.atEnd())
        diagnostics.warn(core::Code::trailingBytes, file.place("trailing"),
                         fmt::format("{} bytes follow {}", file.remaining(), after));
    return core::copyOf(file.rest());
}

}  // namespace reanima
