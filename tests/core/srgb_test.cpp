#include "core/srgb.h"

#include <gtest/gtest.h>

namespace reanima::core {
namespace {

/// Values of Python's ((v / 255 + 0.055) / 1.055) ** 2.4, and v / 255 / 12.92 below.
TEST(Srgb, IsMadeLinear) {
    EXPECT_EQ(linearFromSrgb(0), 0);
    EXPECT_FLOAT_EQ(linearFromSrgb(10), 0.0030352698F);
    EXPECT_FLOAT_EQ(linearFromSrgb(11), 0.0033465358F);
    EXPECT_FLOAT_EQ(linearFromSrgb(128), 0.2158605F);
    EXPECT_FLOAT_EQ(linearFromSrgb(254), 0.99110210F);
    EXPECT_EQ(linearFromSrgb(255), 1);
}

}  // namespace
}  // namespace reanima::core
