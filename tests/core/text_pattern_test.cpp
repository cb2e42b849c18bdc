#include "core/text_pattern.h"

#include <gtest/gtest.h>

namespace reanima::core {
namespace {

TEST(TextPattern, WildcardsStandForCharacters) {
    EXPECT_TRUE(isPattern("a*"));
    EXPECT_TRUE(isPattern("a?"));
    EXPECT_TRUE(isPattern("[ab]"));
    EXPECT_FALSE(isPattern("a-b.c"));
    EXPECT_TRUE(fits("rtda", "r?da"));
    EXPECT_FALSE(fits("rda", "r?da"));
    EXPECT_TRUE(fits("win_pose", "*win*"));
    EXPECT_TRUE(fits("win", "*win*"));
    EXPECT_TRUE(fits("aXbXc", "a*x*c"));
    EXPECT_FALSE(fits("aXbX", "a*x*c"));
    EXPECT_TRUE(fits("", "*"));
    EXPECT_FALSE(fits("", "?"));
    EXPECT_TRUE(fits("RTDA", "rt[c-e]A"));
    EXPECT_FALSE(fits("rtda", "rt[!C-E]a"));
    EXPECT_TRUE(fits("a]b", "a[]]b"));
    EXPECT_TRUE(fits("a[b", "a[b"));  // not a set: it has no end
}

TEST(TextPattern, ADotInFrontMustBeWritten) {
    EXPECT_FALSE(fits(".hidden", "*"));
    EXPECT_TRUE(fits(".hidden", ".*"));
}

TEST(TextPattern, PartsOfPathsStandForParts) {
    EXPECT_TRUE(fitsPath("03/7655.ff9anim", "*.ff9anim"));  // the last part, in any folder
    EXPECT_TRUE(fitsPath("10/300", "10/*"));
    EXPECT_FALSE(fitsPath("10/300/03/1", "10/*"));
    EXPECT_FALSE(fitsPath("10/300", "1*0"));
    EXPECT_TRUE(fitsPath("10/300", "1?/3*"));
    EXPECT_TRUE(fitsPath("10/300/03/1", "10/**"));
    EXPECT_TRUE(fitsPath("10/300/03/1", "**/03/*"));
    EXPECT_TRUE(fitsPath("03/1", "**/03/*"));  // no folder
    EXPECT_TRUE(fitsPath("a/b/c/b/d", "a/**/b/d"));
    EXPECT_FALSE(fitsPath("a/b/c", "a/**/b"));
    EXPECT_FALSE(fitsPath("a", "a/b"));
}

TEST(TextPattern, ManyStarsTakeNoLonger) {
    const std::string name(20000, 'a');
    std::string pattern;
    for (int i = 0; i < 200; ++i)
        pattern += "*a";
    EXPECT_FALSE(fits(name, pattern + "b"));
}

}  // namespace
}  // namespace reanima::core
