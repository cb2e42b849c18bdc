#include "core/linear_color.h"

#include <gtest/gtest.h>

namespace reanima::core {
namespace {

/// Values of Python's ((v / 255 + 0.055) / 1.055) ** 2.4, and v / 255 / 12.92 below.
TEST(LinearColor, IsThatOfTheStandard) {
    EXPECT_EQ(linearFromSrgb(0), 0);
    EXPECT_FLOAT_EQ(linearFromSrgb(10), 0.0030352698F);
    EXPECT_FLOAT_EQ(linearFromSrgb(11), 0.0033465358F);
    EXPECT_FLOAT_EQ(linearFromSrgb(128), 0.2158605F);
    EXPECT_FLOAT_EQ(linearFromSrgb(254), 0.99110210F);
    EXPECT_FLOAT_EQ(linearFromSrgb(188), 0.50288646F);
    EXPECT_EQ(linearFromSrgb(255), 1);
    EXPECT_NEAR(fifthRoot(1.0 / 32), 0.5, 1e-15);
    EXPECT_EQ(fifthRoot(0), 0);
}

}  // namespace
}  // namespace reanima::core
