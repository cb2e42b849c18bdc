/// Numbers for other programs' text formats, without exponents.
#pragma once

#include <string>

namespace reanima {

/// Whether trailing zeros of a fraction are written.
enum class Zeros { kept, cut };

/// Appends a number with six digits after the point, rounded and never with an exponent; with Zeros::cut `1.5` and `2`.
void addDecimal(double value, Zeros zeros, std::string& text);

}  // namespace reanima
