#include "core/fraction.h"

#include <gtest/gtest.h>

namespace reanima::core {
namespace {

void expectFraction(double value, std::uint32_t numerator, std::uint32_t denominator) {
    SCOPED_TRACE(value);
    const Fraction fraction = fractionOf(value);
    EXPECT_EQ(fraction.numerator, numerator);
    EXPECT_EQ(fraction.denominator, denominator);
}

TEST(FractionOf, IsWhatADecimalSays) {
    expectFraction(24, 24, 1);
    expectFraction(29.97, 2997, 100);
    expectFraction(23.976, 2997, 125);
    expectFraction(12.5, 25, 2);
    expectFraction(0.001, 1, 1000);
    expectFraction(999.999, 999999, 1000);
    expectFraction(14.985015, 2997003, 200000);
}

TEST(FractionOf, IsAQuotientAgain) {
    expectFraction(24000 / 1001.0, 24000, 1001);
    expectFraction(10000 / 667.0, 10000, 667);
    expectFraction(1 / 2147483648.0, 1, 2147483648);
    expectFraction(2147483648.0, 2147483648, 1);
}

TEST(FractionOf, IsTheLastConvergentThat32BitsHold) {
    expectFraction(24.000000001, 24, 1);  // 24000000001/1000000000
    expectFraction(1 + 1 / 4294967296.0, 1, 1);
}

}  // namespace
}  // namespace reanima::core
