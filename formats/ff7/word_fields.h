/// Records of 32-bit words: one table of their names serves reading, writing and JSON.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/byte_reader.h"
#include "core/byte_writer.h"

namespace reanima::ff7 {

template <typename Record>
struct WordField {
    std::string_view name;  ///< as `dump` has it
    std::uint32_t Record::*member;
};

/// The words of a record, in the order of the table.
/// @throws core::DecodeError that names the field at which the bytes end
template <typename Record>
[[nodiscard]] Record readWords(core::LittleEndianReader& file, std::span<const WordField<Record>> fields) {
    Record record;
    for (const WordField<Record>& field : fields)
        record.*field.member = file.read<std::uint32_t>(field.name);
    return record;
}

template <typename Record>
void writeWords(core::LittleEndianWriter& out, const Record& record, std::span<const WordField<Record>> fields) {
    for (const WordField<Record>& field : fields)
        out.write(record.*field.member);
}

}  // namespace reanima::ff7
