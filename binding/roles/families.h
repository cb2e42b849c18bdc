/// The naming conventions of common rigs, as data.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace reanima::roles {

/// A family of rigs. Names are written as plainName() makes them, without what a whole family has in front. `@` stands
/// for left and right, `%` for l and r, `$` for the Japanese signs.
struct Family {
    std::string_view name;
    std::string_view unmistakable;  ///< names that all are there; those with a side on the left
    /// `name=role` with roles as in nameOf() without the side; `hips`, or one that several joints have: `spine`. A name
    /// that begins with `!` is not after the prefix; a bare `=role` is the prefix alone.
    std::string_view joints;
};

/// The more special ones first.
[[nodiscard]] std::span<const Family> families();

/// A name without its namespace, separators and case.
[[nodiscard]] std::string plainName(std::string_view name);

}  // namespace reanima::roles
