/// Lines of values separated by commas, as lists of names are written by hand and by spreadsheets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reanima {

struct CsvLine {
    std::size_t number = 0;  ///< from 1
    std::string_view text;
    std::vector<std::string> fields;  ///< without blanks around them
};

/// The lines that are neither empty nor begin with `#`. A field in double quotes may hold commas, and two double quotes
/// in it mean one (RFC 4180; but a field ends with its line). Throws DecodeError if a quotation does not end.
[[nodiscard]] std::vector<CsvLine> csvLines(std::string_view text);

/// A field as csvLines() reads it: in double quotes where it holds a comma or a quote, or its ends are blank.
[[nodiscard]] std::string csvField(std::string_view text);

}  // namespace reanima
