// The tables of the format pages list the described fields in order, with their offsets in the file.

#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "formats/ff7/battle_skeleton.h"
#include "formats/ff7/piece.h"
#include "formats/ff7/texture.h"
#include "formats/ff9/model.h"
#include "formats/fields.h"
#include "formats/psx/tim.h"
#include "tests/support/bytes.h"

namespace reanima {

namespace {

/// The starts of a table's rows: "| 0C | u32 | `bone_count` |".
class Rows {
  public:
    template <fields::Number T>
    void operator()(std::string_view name, const T&, auto...) {
        add(fields::typeName<T>(), name, sizeof(T));
    }
    template <fields::Number T, std::size_t count>
    void operator()(std::string_view name, const std::array<T, count>&, auto...) {
        add(fmt::format("{}[{}]", fields::typeName<T>(), count), name, count * sizeof(T));
    }
    [[nodiscard]] const std::vector<std::string>& rows() const { return rows_; }

  private:
    void add(const std::string& type, std::string_view name, std::size_t bytes) {
        rows_.push_back(fmt::format("| {:02X} | {} | `{}` |", offset_, type, name));
        offset_ += bytes;
    }

    std::size_t offset_ = 0;
    std::vector<std::string> rows_;
};

/// The lines of a page from the one that begins like the first row, one per row.
std::vector<std::string> linesOf(const std::string& page, const std::vector<std::string>& rows) {
    std::ifstream file(test::sourceFolder() / "docs/formats" / page);
    std::vector<std::string> lines;
    for (std::string line; lines.size() < rows.size() && std::getline(file, line);)
        if (!lines.empty() || line.starts_with(rows.front()))
            lines.push_back(line);
    return lines;
}

template <typename Record>
void expectOnPage(const std::string& page, auto&... counts) {
    Rows described;
    const Record record;
    describe(described, record, counts...);
    const std::vector<std::string> lines = linesOf(page, described.rows());
    ASSERT_EQ(lines.size(), described.rows().size()) << page;
    for (std::size_t i = 0; i < lines.size(); ++i)
        EXPECT_TRUE(lines[i].starts_with(described.rows()[i]))
            << page << ": " << lines[i] << "\nexpected: " << described.rows()[i];
}

TEST(DescribedFields, AreThoseOfThePages) {
    const std::uint32_t words = 0;
    const std::uint8_t bytes = 0;
    expectOnPage<ff7::TextureHeader>("ff7_texture.md");
    expectOnPage<ff7::PieceHeader>("ff7_mesh.md");
    expectOnPage<ff7::BattleSkeleton>("ff7_battle_skeleton.md", words);
    expectOnPage<ff9::ModelHead>("ff9_model.md", bytes);
    expectOnPage<psx::TimBlock>("psx_tim.md");
}

}  // namespace

}  // namespace reanima
