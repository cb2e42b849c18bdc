#include "core/near_names.h"

#include <gtest/gtest.h>

namespace reanima::core {
namespace {

TEST(NearNames, AreAFewLettersApart) {
    struct Pair {
        std::string a, b;
        unsigned letters;  ///< counted by hand
    };
    for (const Pair& pair :
         {Pair{"walk", "walk", 0}, Pair{"walk", "WALK", 0}, Pair{"walk", "wal", 1}, Pair{"walk", "walks", 1},
          Pair{"walk", "wolk", 1}, Pair{"walk", "wakl", 1}, Pair{"list", "lits", 1}, Pair{"walk", "klaw", 3},
          Pair{"output", "uoptut", 2}, Pair{"output", "ouptut", 1}, Pair{"ab", "ba", 1}, Pair{"kitten", "sitting", 3},
          Pair{"", "ab", 2}}) {
        EXPECT_TRUE(areWithin(pair.a, pair.b, pair.letters)) << pair.a << " " << pair.b;
        EXPECT_TRUE(areWithin(pair.b, pair.a, pair.letters)) << pair.a << " " << pair.b;
        if (pair.letters > 0) {
            EXPECT_FALSE(areWithin(pair.a, pair.b, pair.letters - 1)) << pair.a << " " << pair.b;
        }
    }
}

std::string questionFor(std::string_view wanted, std::initializer_list<std::string_view> names) {
    NearestName nearest(wanted);
    for (const std::string_view name : names)
        nearest.offer(name);
    return nearest.question();
}

TEST(NearNames, TheClosestIsFound) {
    EXPECT_EQ(questionFor("convrt", {"info", "convert", "conver"}), "; did you mean convert?");
    EXPECT_EQ(questionFor("convort", {"covort", "convert"}), "; did you mean covort?");
    EXPECT_EQ(questionFor("cnvort", {"cenvert", "convort"}), "; did you mean convort?");
    EXPECT_EQ(questionFor("Walk", {"wall", "walk", "Walk"}), "; did you mean walk?");
}

TEST(NearNames, ShortNamesMustBeCloser) {
    EXPECT_EQ(questionFor("rtda", {"rtba"}), "; did you mean rtba?");
    EXPECT_EQ(questionFor("rdta", {"rabc", "rtda"}), "; did you mean rtda?");
    EXPECT_EQ(questionFor("rtda", {"rabc"}), "");
    EXPECT_EQ(questionFor("AB", {"ac", "ab"}), "; did you mean ab?");
    EXPECT_EQ(questionFor("", {"a"}), "");
    EXPECT_EQ(questionFor("ab", {"ac"}), "");
    EXPECT_EQ(questionFor("anything", {"nothing at all"}), "");
}

TEST(NearNames, WhatStandsInFrontIsShown) {
    NearestName nearest("ouput");
    nearest.offer("output");
    EXPECT_EQ(nearest.question("--"), "; did you mean --output?");
}

}  // namespace
}  // namespace reanima::core
