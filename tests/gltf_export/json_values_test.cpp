#include "gltf_export/json_values.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace reanima::gltf {
namespace {

using Reader = BasicJsonReader<JsonValue>;

TEST(JsonValues, MembersAreFoundInObjectsOfAnySize) {
    for (const int count : {1, 15, 16, 17, 1000}) {
        std::string text = "{";
        for (int i = 0; i < count; ++i)
            text += fmt::format(R"("m{}":{},)", i, i);
        text += R"("m0":-1,"":-2})";  // of equal names, the last one counts
        const std::optional<JsonDocument> document = parsedJson(text);
        ASSERT_TRUE(document);
        const Reader reader(*document);
        for (int i = 1; i < count; ++i)
            EXPECT_EQ(reader.at(fmt::format("m{}", i)).number(), i);
        EXPECT_EQ(reader.at("m0").number(), -1);
        EXPECT_EQ(reader.at("").number(), -2);
        EXPECT_FALSE(reader.find("m"));
        EXPECT_FALSE(reader.find("z"));
        EXPECT_EQ(reader.keys().size(), static_cast<std::size_t>(count) + 1);
    }
}

TEST(JsonValues, NumbersAreTheNearestOnes) {
    for (const double number :
         {0.1, 4.35, 1e-300, 2.2250738585072014e-308, 1.7976931348623157e308, 9007199254740993.0}) {
        const std::optional<JsonDocument> document = parsedJson(fmt::format("[{:.17g}]", number));
        ASSERT_TRUE(document);
        EXPECT_EQ(Reader(*document).at(0).number(), number);
    }
}

TEST(JsonValues, ErrorsShowTheValue) {
    const std::optional<JsonDocument> document = parsedJson(R"({"a":["x",true,18446744073709551615,1.5,null,{}]})");
    ASSERT_TRUE(document);
    const Reader list = Reader(*document).at("a");
    std::string shown;
    for (std::size_t i = 0; i < list.size(); ++i)
        shown += list.at(i).shown() + ' ';
    EXPECT_EQ(shown, R"("x" true 18446744073709551615 1.5 null an object )");
    EXPECT_EQ(list.at(3).place().field, "a[3]");
}

TEST(JsonValues, OtherTextsAreRefused) {
    using namespace std::string_literals;
    for (const std::string& text : {R"("\udc00")"s, R"("\ud800")"s, R"({"\udfff":1})"s, "{}\0{}"s, "[1,]"s, "\"\xff\""s,
                                    "\"\xed\xa0\x80\""s, "1e400"s, "nul"s, "[1] 2"s, ""s, "NaN"s})
        EXPECT_FALSE(parsedJson(text)) << text;
}

}  // namespace
}  // namespace reanima::gltf
