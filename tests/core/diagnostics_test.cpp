#include "core/diagnostics.h"

#include <gtest/gtest.h>

namespace reanima::core {
namespace {

TEST(Diagnostics, WarningsBeyondTheMostAreOneEntryPerSeverityAndCode) {
    Diagnostics diagnostics;
    const auto about = diagnostics.about("x");
    for (std::size_t i = 0; i < Diagnostics::kMost; ++i)
        diagnostics.warn(Code::damaged, {"a", i}, "is damaged");
    ASSERT_EQ(diagnostics.warnings().size(), Diagnostics::kMost);
    diagnostics.warn(Code::damaged, {"b", 1}, "is damaged, too");
    EXPECT_EQ(diagnostics.warnings().back().message(), "x: warning: b: is damaged, too");
    diagnostics.note(Code::damaged, {"c", 2}, "is no matter");
    for (int i = 0; i < 3; ++i)
        diagnostics.warn(Code::damaged, {"d", 3}, "is damaged");
    diagnostics.warn(Code::truncated, {"e", 4}, "is cut");
    diagnostics.note(Code::damaged, {"f", 5}, "is no matter");
    ASSERT_EQ(diagnostics.warnings().size(), Diagnostics::kMost + 3);
    const Warning* surplus = diagnostics.warnings().data() + Diagnostics::kMost;
    EXPECT_EQ(surplus[0].message(), "x: warning: b: is damaged, too; 3 more like this");
    EXPECT_EQ(surplus[1].message(), "x: note: c: is no matter; 1 more like this");
    EXPECT_EQ(surplus[2].message(), "x: warning: e: is cut");
}

}  // namespace
}  // namespace reanima::core
