#include "json/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/decode_error.h"

namespace reanima {
namespace {

using testing::ElementsAre;

std::vector<std::string> fieldsOf(const std::string& line) {
    const std::vector<CsvLine> lines = csvLines(line);
    return lines.size() == 1 ? lines[0].fields : std::vector<std::string>{"not one line"};
}

TEST(Csv, FieldsWithoutBlanksAroundThem) {
    EXPECT_THAT(fieldsOf("clip, 0 ,two words"), ElementsAre("clip", "0", "two words"));
    EXPECT_THAT(fieldsOf("a,,b,"), ElementsAre("a", "", "b", ""));
    EXPECT_THAT(fieldsOf("\xEF\xBB\xBFone\r\n"), ElementsAre("one"));
}

TEST(Csv, QuotationsHoldCommasAndQuotes) {
    EXPECT_THAT(fieldsOf(R"(clip,0,"walk, slow")"), ElementsAre("clip", "0", "walk, slow"));
    EXPECT_THAT(fieldsOf(R"("a" , " b ","")"), ElementsAre("a", " b ", ""));
    EXPECT_THAT(fieldsOf(R"("say ""hi"", he said","""")"), ElementsAre(R"(say "hi", he said)", R"(")"));
    EXPECT_THAT(fieldsOf(R"(a 5" gun,b)"),
                ElementsAre(R"(a 5" gun)", "b"));  // quotes only matter at a field's beginning
}

TEST(Csv, LinesAreCountedWithThoseThatAreLeftOut) {
    const std::vector<CsvLine> lines = csvLines("# names\n\n  a,b\n\nc");
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].number, 3U);
    EXPECT_EQ(lines[0].text, "a,b");
    EXPECT_EQ(lines[1].number, 5U);
}

TEST(Csv, QuotationsThatDoNotEndAreNamed) {
    for (const char* line : {R"("a)", R"("a"b)", R"(""")", R"("a" "b")"})
        try {
            static_cast<void>(csvLines("x\n" + std::string(line)));
            FAIL() << line;
        } catch (const core::DecodeError& error) {
            EXPECT_STREQ(error.what(), "line 2: field 1 has text after its closing quotation mark");
        }
}

}  // namespace
}  // namespace reanima
