/// CSV, as written by hand and by spreadsheets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reanima {

struct CsvLine {
    std::size_t number = 0;  ///< from 1
    std::string_view text;
    std::vector<std::string> fields;  ///< without leading and trailing blanks
};

/// The lines of a text, except empty lines and lines that begin with `#`. A field in double quotes may contain commas;
/// two double quotes within it mean one. This is RFC 4180, except that fields can't span lines. Throws DecodeError if a
/// quote is not closed.
[[nodiscard]] std::vector<CsvLine> csvLines(std::string_view text);

/// A field as csvLines() reads it: in double quotes if it contains a comma or a quote, or starts or ends with a blank.
[[nodiscard]] std::string csvField(std::string_view text);

}  // namespace reanima
