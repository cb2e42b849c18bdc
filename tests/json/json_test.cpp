#include "json/json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace reanima {
namespace {

std::string errorOf(const std::string& text) {
    const core::ByteVector bytes(text.begin(), text.end());
    try {
        (void)parseJson(bytes);
    } catch (const core::DecodeError& error) {
        return error.what();
    }
    return "none";
}

TEST(Json, ANumberThatNoDoubleHoldsIsNamedWithItsPath) {
    EXPECT_EQ(errorOf(R"({"a":[1, 1e999]})"), "a[1]: 1e999 at line 1, column 10 is outside the range of numbers");
    EXPECT_EQ(errorOf("{\"list\": [\n  {\"x\": 1},\n  {\"y\": 2,\n   \"z\": -2.5E+400000}]}"),
              "list[1].z: -2.5E+400000 at line 4, column 9 is outside the range of numbers");
    EXPECT_EQ(errorOf("-2.5E+400000"), "-2.5E+400000 at line 1, column 1 is outside the range of numbers");
    EXPECT_EQ(errorOf("[" + std::string(100, '9') + "e999]"),
              "[0]: " + std::string(40, '9') + " at line 1, column 2 is outside the range of numbers");
    EXPECT_EQ(errorOf("1e308"), "none");
    EXPECT_EQ(errorOf("1e-999"), "none");
}

TEST(Json, WhatIsNotJsonIsNamedWithItsPath) {
    EXPECT_EQ(errorOf(""), "invalid JSON at line 1, column 1");
    EXPECT_EQ(errorOf("nonsense"), "invalid JSON at line 1, column 2");
    EXPECT_EQ(errorOf("{\"a\":[1,\n2, NaN]}"), "a[2]: invalid JSON at line 2, column 4");
    EXPECT_EQ(errorOf("{\"a\":{\"b\":[[], [true, }"), "a.b[1][1]: invalid JSON at line 1, column 23");
    EXPECT_EQ(errorOf("{\"a\":[], }"), "invalid JSON at line 1, column 10");
    EXPECT_EQ(errorOf("{\"a\":1} x"), "invalid JSON at line 1, column 9");
}

TEST(Json, ValuesOfEveryKindAreRead) {
    const std::string text =
        R"({"a": [1, -2, 3.5, 18446744073709551615, true, false, null, "\u00e4\n", {}, []], "b": {"c": {"d": 1}}, "a2": ""})";
    const Json json = parseJson(core::ByteVector(text.begin(), text.end()));
    EXPECT_EQ(json, Json::parse(text));
    EXPECT_EQ(json.dump(), Json::parse(text).dump());  // the order of the keys, too
}

TEST(Json, ReadersNameWhatTheyExpect) {
    const Json json = Json::parse(R"({"list": [1, 2], "number": 7})");
    const auto errorOf = [&](const auto& read) -> std::string {
        try {
            read(JsonReader(json));
        } catch (const core::DecodeError& error) {
            return error.what();
        }
        return "none";
    };
    EXPECT_EQ(errorOf([](const JsonReader& r) { (void)r.at("list").at(2); }),
              "list: has 2 elements, expected more than 2");
    EXPECT_EQ(errorOf([](const JsonReader& r) { r.at("list").requireSize(3); }), "list: has 2 elements, expected 3");
    EXPECT_EQ(errorOf([](const JsonReader& r) { (void)r.at("number").size(); }), "number: is 7, expected a list");
    EXPECT_EQ(errorOf([](const JsonReader& r) { (void)r.at("gone"); }), "gone: is missing");
}

TEST(Json, PathsNameEveryStepHoweverDeep) {
    const Json json = Json::parse(R"([[{"a": {"": [[{"b": {"c": [0, {"d": {"e": {"f": "x"}}}]}}]]}}]])");
    const JsonReader deep = JsonReader(json, "file").at(0).at(0).at("a").at("").at(0).at(0).at("b").at("c").at(1);
    const auto errorOf = [](const JsonReader& reader) -> std::string {
        try {
            (void)reader.whole();
        } catch (const core::DecodeError& error) {
            return error.what();
        }
        return "none";
    };
    EXPECT_EQ(errorOf(deep.at("d").at("e").at("f")),
              "file[0][0].a.[0][0].b.c[1].d.e.f: is \"x\", expected a whole number");
    EXPECT_EQ(JsonReader(json).at(0).place().field, "[0]");
    EXPECT_EQ(deep.place().field, "file[0][0].a.[0][0].b.c[1]");
}

TEST(Json, MembersThatNothingAskedForAreNamed) {
    const Json json = {{"bits", 1}, {"clips", {{{"rate", 15}, {"rat", 30}, {"deep", {{"odd", 1}}}}}}};
    AskedNames asked;
    const JsonReader reader(json, asked);
    EXPECT_EQ(reader.at("bits").number(), 1);
    EXPECT_EQ(reader.at("clips").at(std::size_t{0}).at("rate").number(), 15);
    core::Diagnostics diagnostics;
    (void)reader.list("clips").front().has("deep");
    asked.add("odd");
    asked.warnOfOthers(json, diagnostics);
    ASSERT_EQ(diagnostics.warnings().size(), 1U);
    EXPECT_EQ(diagnostics.warnings().front().message(),
              "warning: clips[0].rat: is not a member of this format and is ignored; did you mean rate?");
    asked.add("rat");
    diagnostics = {};
    asked.warnOfOthers(json, diagnostics);
    EXPECT_TRUE(diagnostics.warnings().empty());
}

TEST(Json, MembersThatFollowFromTheRestAreComparedAndNamedInOneNote) {
    const Json json = Json::parse(R"({"sizes": [1, 2], "count": 3, "end": 9})");
    const JsonReader reader(json);
    DerivedMembers derived;
    derived.expect(reader, "count", 3);
    derived.expect(reader, "gone", 7);
    core::Diagnostics none;
    derived.report(none);
    EXPECT_TRUE(none.warnings().empty());
    derived.expect(reader, "sizes", Json::parse("[1, 3]"));
    core::Diagnostics one;
    derived.report(one);
    ASSERT_EQ(one.warnings().size(), 1U);
    EXPECT_EQ(one.warnings()[0].message(),
              "note: sizes: disagrees with the other values and is recalculated from them");
    derived.expect(reader, "end", 8);
    derived.expect(reader, "count", 4);
    core::Diagnostics three;
    derived.report(three);
    ASSERT_EQ(three.warnings().size(), 1U);
    EXPECT_EQ(three.warnings()[0].message(),
              "note: sizes: disagrees with the other values and is recalculated from them (and 2 more like it)");
}

}  // namespace
}  // namespace reanima
