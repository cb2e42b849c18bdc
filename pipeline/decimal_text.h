/// Numbers for other programs' text formats, without exponents.
#pragma once

#include <string>

namespace reanima {

/// Whether trailing zeros of a fraction are kept.
enum class Zeros { kept, cut };

/// Appends a number, rounded to six digits after the point, without an exponent. Zeros::cut writes `1.5` and `2`.
void addDecimal(double value, Zeros zeros, std::string& text);

}  // namespace reanima
