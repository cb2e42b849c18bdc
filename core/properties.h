/// Named values attached to a joint, a clip or an event; hosts show them as extras or metadata.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace reanima::core {

/// A std::variant with safe copies. If all alternatives are strings, vectors or trivial, libstdc++ 12 assumes that a
/// variant always has a value, and destroys garbage if copying a value throws. Here a copy is completed first.
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

struct Value;

/// Names and values in the order in which they were added.
using Properties = std::vector<std::pair<std::string, Value>>;

/// A number, a text, a list, or nested properties.
struct Value {
    Variant<std::nullptr_t, bool, std::int64_t, double, std::string, std::vector<Value>, Properties> data;

    Value() : data(nullptr) {}
    Value(std::nullptr_t) : data(nullptr) {}                     // NOLINT: converts on purpose
    Value(bool value) : data(value) {}                           // NOLINT
    Value(int value) : data(std::int64_t{value}) {}              // NOLINT
    Value(std::uint32_t value) : data(std::int64_t{value}) {}    // NOLINT
    Value(std::int64_t value) : data(value) {}                   // NOLINT
    Value(double value) : data(value) {}                         // NOLINT
    Value(const char* value) : data(std::string(value)) {}       // NOLINT
    Value(std::string value) : data(std::move(value)) {}         // NOLINT
    Value(std::vector<Value> value) : data(std::move(value)) {}  // NOLINT
    Value(Properties value) : data(std::move(value)) {}          // NOLINT
};

}  // namespace reanima::core
