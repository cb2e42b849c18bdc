/// Tables for people: as wide as what is in them, and no wider than the terminal as far as that can be.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/reanima/system/console.h"

namespace reanima::tool {

/// How wide tables may be: as the terminal that standard output is, else 80; with -v as wide as they come.
[[nodiscard]] std::size_t tableWidth(const Console& console);

struct TableColumn {
    enum class Side { left, right };

    std::string head;
    Side side = Side::right;  ///< where the cells stand
    unsigned leftOut = 0;     ///< columns with larger numbers are left out where the others need the room; 0: never
};

/// Collects rows, and lays them out once all are there.
class TextTable {
  public:
    explicit TextTable(std::vector<TableColumn> columns) : columns_(std::move(columns)) {}

    /// @param cells one per column, printable
    void addRow(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

    /// A line of heads and a line per row, of at most `width` characters unless what may not be left out needs more.
    /// Columns without any text are left out. Empty for a table without rows.
    [[nodiscard]] std::string text(std::size_t width) const;

  private:
    [[nodiscard]] std::vector<std::size_t> widths() const;
    /// The same, with 0 for columns that are left out.
    [[nodiscard]] std::vector<std::size_t> widthsWithin(std::size_t width) const;

    std::vector<TableColumn> columns_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace reanima::tool
