/// Lines of values separated by commas, as lists of names are written by hand.
#pragma once

#include <string_view>
#include <vector>

namespace reanima {

struct CsvLine {
    std::size_t number = 0;  ///< from 1
    std::string_view text;
    std::vector<std::string_view> fields;  ///< without blanks around them
};

/// The lines that are neither empty nor begin with `#`.
[[nodiscard]] std::vector<CsvLine> csvLines(std::string_view text);

}  // namespace reanima
