/// Tables for people: as wide as their content, within the width of the terminal if possible.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/reanima/system/console.h"

namespace reanima::tool {

/// The maximal width of tables: the terminal's, or 80 if standard output is not a terminal. Unlimited with -v.
[[nodiscard]] std::size_t tableWidth(const Console& console);

struct TableColumn {
    enum class Side { left, right };

    std::string head;
    Side side = Side::right;  ///< alignment of cells
    unsigned leftOut = 0;     ///< columns with the largest numbers are dropped first if space is needed; 0: never
};

/// Collects rows and lays them out together.
class TextTable {
  public:
    explicit TextTable(std::vector<TableColumn> columns) : columns_(std::move(columns)) {}

    /// @param cells one per column, printable
    void addRow(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

    /// A line of headings and a line per row, within `width` characters unless mandatory columns need more. Empty
    /// columns are left out. Without rows, the text is empty.
    [[nodiscard]] std::string text(std::size_t width) const;

  private:
    [[nodiscard]] std::vector<std::size_t> widths() const;
    /// The widths of columns that fit in `width`. 0 for columns that are left out.
    [[nodiscard]] std::vector<std::size_t> widthsWithin(std::size_t width) const;

    std::vector<TableColumn> columns_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace reanima::tool
