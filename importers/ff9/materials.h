/// Objects of type 0x12 of Final Fantasy IX (PlayStation): what goes with the models of a container. Read as far as the
/// default animations; the materials themselves are not.
///
/// Layout and evidence: docs/formats/ff9_container.md
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "../../core/byte_reader.h"

namespace reanima::ff9 {

/// One row of the table.
struct MaterialRecord {
    std::uint16_t model = 0;                        ///< id
    std::optional<std::uint16_t> defaultAnimation;  ///< id; it may lie in another file
};

/// The rows in file order.
/// @throws core::DecodeError if the object is none of its type or the table leaves it
[[nodiscard]] std::vector<MaterialRecord> decodeMaterialRecords(core::LittleEndianReader object);

}  // namespace reanima::ff9
