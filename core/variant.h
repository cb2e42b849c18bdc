/// A std::variant that survives a copy which runs out of memory.
#pragma once

#include <type_traits>
#include <utility>
#include <variant>

namespace reanima::core {

/// As std::variant, which it can be used as. If all alternatives are strings, vectors or trivial, libstdc++ 12 takes
/// a variant never to be without a value, and destroys whatever is there when the copy of one throws. Here a copy is
/// made of its own first.
template <typename... Types>
class Variant : public std::variant<Types...> {
    using Base = std::variant<Types...>;

  public:
    using Base::Base;
    using Base::operator=;

    Variant() = default;
    Variant(const Variant& other) : Base() {
        const auto copy = [this](const auto& value) { this->template emplace<std::decay_t<decltype(value)>>(value); };
        std::visit(copy, static_cast<const Base&>(other));
    }
    Variant(Variant&&) noexcept = default;
    Variant& operator=(const Variant& other) { return *this = Variant(other); }
    Variant& operator=(Variant&&) noexcept = default;
    ~Variant() = default;
};

}  // namespace reanima::core
