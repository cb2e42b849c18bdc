#include "core/shortened.h"

#include <gtest/gtest.h>

#include "core/decode_error.h"
#include "core/diagnostics.h"

namespace reanima::core {
namespace {

TEST(Shortened, KeepsBothEnds) {
    EXPECT_EQ(shortened("", 9), "");
    EXPECT_EQ(shortened("123456789", 9), "123456789");
    EXPECT_EQ(shortened("1234567890", 9), "123...890");
    EXPECT_EQ(shortened("1234567890", 8), "12...90");
}

TEST(Shortened, CutsNoCharacter) {
    // Four euro signs of three bytes. A sign that would be cut is left out.
    EXPECT_EQ(shortened("\u20AC\u20AC\u20AC\u20AC", 9), "\u20AC...\u20AC");
    EXPECT_EQ(shortened("\u20AC\u20AC\u20AC\u20AC", 8), "...");
    EXPECT_EQ(shortened("a\U0001F600\U0001F600\U0001F600b", 13), "a\U0001F600...\U0001F600b");
    EXPECT_EQ(shortened("a\U0001F600\U0001F600\U0001F600b", 12), "a...b");
    EXPECT_EQ(shortened(std::string(20, '\x80'), 9), "...");  // not UTF-8
}

TEST(Shortened, MessagesHaveALength) {
    const std::string longName(1U << 20U, 'k');
    const DecodeError error({longName, 3}, "is " + longName + ", expected 0");
    EXPECT_LE(error.field().size(), kLongestField);
    EXPECT_LE(error.problem().size(), kLongestProblem);
    EXPECT_TRUE(error.problem().ends_with("k, expected 0"));
    const DecodeError named = error.inFile("a/" + longName).withHint({"joints", longName});
    for (const std::string& message : {named.message(plainWording), std::string(named.what())}) {
        EXPECT_LE(message.size(), kLongestMessage);
        EXPECT_TRUE(message.starts_with("a/kkk"));
    }
    Diagnostics diagnostics;
    const auto about = diagnostics.about("x");
    diagnostics.warn(Code::damaged, {longName, std::nullopt}, longName + " is damaged");
    const Warning& warning = diagnostics.warnings().front();
    EXPECT_LE(warning.place.field.size(), kLongestField);
    EXPECT_LE(warning.text.size(), kLongestProblem);
    EXPECT_LE(warning.message().size(), kLongestMessage);
    EXPECT_TRUE(warning.message().ends_with(" is damaged"));
}

}  // namespace
}  // namespace reanima::core
