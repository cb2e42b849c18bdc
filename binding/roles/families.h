/// The naming conventions of common rigs, as data.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace reanima::roles {

/// A family of rigs. Names are in the form of plainName(), without the family's common prefix. `@` stands for left and
/// right, `%` for l and r, `$` for the Japanese signs.
struct Family {
    std::string_view name;
    std::string_view unmistakable;  ///< names that must all be present; for sided names the left one
    /// Entries `name=role`, with roles as in nameOf() without the side. Several joints may have the role `spine`. A
    /// name after `!` may lack the prefix; in an entry `=role`, the name is the prefix itself.
    std::string_view joints;
};

/// More specific families first.
[[nodiscard]] std::span<const Family> families();

/// A name without its namespace, separators and case.
[[nodiscard]] std::string plainName(std::string_view name);

}  // namespace reanima::roles
