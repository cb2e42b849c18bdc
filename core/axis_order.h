/// The order in which three angles about the axes are combined into a rotation.
#pragma once

#include <array>
#include <cstdint>

namespace reanima::core {

/// The order of the factors of a rotation on column vectors. The last factor is applied first.
enum class AxisOrder { yxz, zyx };

/// The axes in the order of the factors: 0, 1 and 2 are X, Y and Z.
using Factors = std::array<std::uint8_t, 3>;

[[nodiscard]] constexpr Factors factorsOf(AxisOrder order) {
    return order == AxisOrder::yxz ? Factors{1, 0, 2} : Factors{2, 1, 0};
}

}  // namespace reanima::core
