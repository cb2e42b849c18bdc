/// The parts of C++20 that this project uses and that the compiler's standard library (libc++ 13) lacks. The toolchain
/// (wasm.cmake) includes it before every C++ source.
#pragma once

#if __cplusplus >= 202002L  // CMake tests the compiler without this standard

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <compare>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>

namespace std {  // NOLINT: later versions of libc++ contain these

template <typename To, typename From>
requires(sizeof(To) == sizeof(From)) constexpr To bit_cast(const From& from) noexcept {
    return __builtin_bit_cast(To, from);
}

/// Uses strtod() and strtof(), which round correctly here and ignore the locale. Unlike from_chars(), they also accept
/// hexadecimal digits, a plus, and spaces before the number.
template <typename Number>
requires is_floating_point_v<Number> from_chars_result from_chars(const char* first, const char* last, Number& value) {
    const string_view whole(first, static_cast<size_t>(last - first));
    const size_t sign = whole.starts_with('-') ? 1 : 0;
    const bool isHexadecimal = whole.size() > sign + 1 && whole[sign] == '0' && (whole[sign + 1] | 0x20) == 'x';
    const string text(whole.substr(0, isHexadecimal ? sign + 1 : whole.find_first_of(" \t\n\v\f\r(")));
    char* end = nullptr;
    Number number = 0;
    if constexpr (is_same_v<Number, float>)
        number = strtof(text.c_str(), &end);
    else
        number = strtod(text.c_str(), &end);
    const auto read = end - text.c_str();
    if (read == 0 || text.starts_with('+') || text.substr(sign).starts_with('+'))
        return {first, errc::invalid_argument};
    const bool isInfinite = (text[sign] | 0x20) == 'i';
    const bool isZero = text.substr(0, text.find_first_of("eE")).find_first_of("123456789in") == string::npos;
    if ((isinf(number) && !isInfinite) || (number == 0 && !isZero))
        return {first + read, errc::result_out_of_range};
    value = number;
    return {first + read, errc()};
}

template <typename T>
constexpr auto operator<=>(const optional<T>& a, const optional<T>& b) -> decltype(*a <=> *b) {
    return a && b ? *a <=> *b : a.has_value() <=> b.has_value();
}

class jthread : public thread {
  public:
    using thread::thread;
    jthread(jthread&&) noexcept = default;
    ~jthread() {
        if (joinable())
            join();
    }
};

namespace ranges {

/// A predicate or comparison that is called with the projections of values.
template <typename Function, typename Projection>
constexpr auto projected(Function& function, Projection& projection) {
    return [&function, &projection](auto&&... values) -> decltype(auto) {
        return std::invoke(function, std::invoke(projection, std::forward<decltype(values)>(values))...);
    };
}

template <range Range, typename Predicate, typename Projection = identity>
constexpr auto find_if(Range&& range, Predicate predicate, Projection projection = {}) {
    auto at = ranges::begin(range);
    while (at != ranges::end(range) && !std::invoke(predicate, std::invoke(projection, *at)))
        ++at;
    return at;
}

template <range Range, typename Predicate, typename Projection = identity>
constexpr auto find_if_not(Range&& range, Predicate predicate, Projection projection = {}) {
    return ranges::find_if(range, std::not_fn(predicate), projection);
}

template <range Range, typename Predicate, typename Projection = identity>
constexpr bool any_of(Range&& range, Predicate predicate, Projection projection = {}) {
    return ranges::find_if(range, predicate, projection) != ranges::end(range);
}

template <range Range, typename Predicate, typename Projection = identity>
constexpr bool none_of(Range&& range, Predicate predicate, Projection projection = {}) {
    return !ranges::any_of(range, predicate, projection);
}

template <range Range, typename Predicate, typename Projection = identity>
constexpr bool all_of(Range&& range, Predicate predicate, Projection projection = {}) {
    return ranges::find_if_not(range, predicate, projection) == ranges::end(range);
}

template <range Range, typename Predicate, typename Projection = identity>
constexpr auto count_if(Range&& range, Predicate predicate, Projection projection = {}) {
    return std::count_if(ranges::begin(range), ranges::end(range), projected(predicate, projection));
}

#define REANIMA_BY_ORDER(algorithm)                                                                      \
    template <range Range, typename Compare = less, typename Projection = identity>                      \
    constexpr auto algorithm(Range&& range, Compare compare = {}, Projection projection = {}) {          \
        return std::algorithm(ranges::begin(range), ranges::end(range), projected(compare, projection)); \
    }
REANIMA_BY_ORDER(sort)
REANIMA_BY_ORDER(stable_sort)
REANIMA_BY_ORDER(is_sorted)
REANIMA_BY_ORDER(min_element)
REANIMA_BY_ORDER(max_element)
#undef REANIMA_BY_ORDER

/// Algorithms with a range and any further arguments.
#define REANIMA_PLAIN(algorithm)                                                                      \
    template <range Range, typename... More>                                                          \
    constexpr auto algorithm(Range&& range, More&&... more) {                                         \
        return std::algorithm(ranges::begin(range), ranges::end(range), std::forward<More>(more)...); \
    }
REANIMA_PLAIN(binary_search)
REANIMA_PLAIN(copy)
REANIMA_PLAIN(copy_if)
REANIMA_PLAIN(fill)
REANIMA_PLAIN(for_each)
REANIMA_PLAIN(move)
REANIMA_PLAIN(remove_copy_if)
REANIMA_PLAIN(replace)
REANIMA_PLAIN(replace_if)
REANIMA_PLAIN(reverse)
#undef REANIMA_PLAIN

template <typename Iterator, typename Predicate>
constexpr bool none_of(Iterator first, Iterator last, Predicate predicate) {
    return std::none_of(first, last, predicate);
}

template <range Range, typename Value, typename Projection = identity>
constexpr auto find(Range&& range, const Value& value, Projection projection = {}) {
    return ranges::find_if(
        range, [&value](const auto& each) { return each == value; }, projection);
}

template <range Range, typename Value, typename Projection = identity>
constexpr auto count(Range&& range, const Value& value, Projection projection = {}) {
    return ranges::count_if(
        range, [&value](const auto& each) { return each == value; }, projection);
}

template <range Range, typename Value, typename Compare = less, typename Projection = identity>
constexpr auto lower_bound(Range&& range, const Value& value, Compare compare = {}, Projection projection = {}) {
    return std::lower_bound(ranges::begin(range), ranges::end(range), value, [&](const auto& each, const Value& bound) {
        return std::invoke(compare, std::invoke(projection, each), bound);
    });
}

template <range Range, typename Value, typename Compare = less, typename Projection = identity>
constexpr auto upper_bound(Range&& range, const Value& value, Compare compare = {}, Projection projection = {}) {
    return std::upper_bound(ranges::begin(range), ranges::end(range), value, [&](const Value& bound, const auto& each) {
        return std::invoke(compare, bound, std::invoke(projection, each));
    });
}

template <range Range, typename Other, typename Equal = equal_to, typename First = identity, typename Second = identity>
constexpr bool equal(Range&& range, Other&& other, Equal isEqual = {}, First first = {}, Second second = {}) {
    return std::equal(ranges::begin(range), ranges::end(range), ranges::begin(other), ranges::end(other),
                      [&](const auto& a, const auto& b) {
                          return std::invoke(isEqual, std::invoke(first, a), std::invoke(second, b));
                      });
}

template <range Range, typename Out, typename Function>
constexpr auto transform(Range&& range, Out out, Function function) {
    return std::transform(ranges::begin(range), ranges::end(range), out,
                          [&function](auto&& each) { return std::invoke(function, each); });
}

template <range Range, typename Iterator>
constexpr void nth_element(Range&& range, Iterator middle) {
    std::nth_element(ranges::begin(range), middle, ranges::end(range));
}

template <range Range, typename Other, typename Out>
constexpr auto set_union(Range&& range, Other&& other, Out out) {
    return std::set_union(ranges::begin(range), ranges::end(range), ranges::begin(other), ranges::end(other), out);
}

template <range Range>
constexpr auto max(Range&& range) {
    return *ranges::max_element(range);
}

template <range Range>
constexpr auto minmax(Range&& range) {
    const auto [least, most] = std::minmax_element(ranges::begin(range), ranges::end(range));
    return std::pair(*least, *most);
}

}  // namespace ranges

}  // namespace std

#endif
