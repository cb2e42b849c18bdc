/// Tables of names and links that are compiled into the library: formats/<game>/names/*.csv. They are optional. Without
/// them, names come from the files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reanima {

/// A table in its compiled form.
struct PackedTable {
    std::string_view name;  ///< `ff9/animations`
    const std::uint8_t* bytes;
    std::size_t size;
    std::size_t unpackedSize;
};

/// All tables. The source is generated.
[[nodiscard]] std::span<const PackedTable> packedTables();

/// The text of a table without its heading line: CSV for json/csv.h. Each call unpacks it, so callers should keep the
/// parsed result.
/// @param name `ff9/animations`: its game's folder and its file
/// @return an empty text if there is no such table, or no memory for it
[[nodiscard]] std::string namesTable(std::string_view name);

/// The fields of a line without quotes.
[[nodiscard]] std::vector<std::string_view> plainFields(std::string_view line);

/// Calls use(line) for every line of a text.
template <typename Use>
void forEachLine(std::string_view text, const Use& use) {
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        use(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
}

}  // namespace reanima
