/// Tables of names and links that belong to the library: formats/<game>/names/*.csv. They are optional. Without
/// them, names come from the files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.h"

namespace reanima {

/// A table as a gzip stream, either compiled in (cmake/EmbedTables.cmake) or from a file.
/// @return empty if there is no such table
[[nodiscard]] core::ByteVector packedTable(std::string_view name);

/// The text of a table without its heading line: CSV for json/csv.h. Each call unpacks it: keep the parsed result.
/// @param name `ff9/animations`: the game's folder and the file's name
/// @return an empty text if there is no such table, or not enough memory for it
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
