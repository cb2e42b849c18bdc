/// Numbers in the texts of other programs, which need not know exponents.
#pragma once

#include <string>

namespace reanima {

/// Of zeros after the last other digit of a fraction: all are written, or none.
enum class Zeros { kept, cut };

/// Appends a number with six digits after the point, rounded and never with an exponent; with Zeros::cut `1.5` and `2`.
void addDecimal(double value, Zeros zeros, std::string& text);

}  // namespace reanima
