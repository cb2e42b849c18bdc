/// Converts short lists of numbers to JSON and back.
#pragma once

#include <array>
#include <concepts>

#include <nlohmann/json.hpp>

#include "json/stored_values.h"

namespace reanima::ff7 {

template <std::size_t n>
[[nodiscard]] Json toJson(const std::array<float, n>& values) {
    Json list = Json::array();
    for (const float value : values)
        list.push_back(shortest(value));
    return list;
}

/// @throws core::DecodeError that names the member, unless the member is a list of n numbers
template <typename T, std::size_t n>
void arrayFrom(const JsonReader& json, std::array<T, n>& values) {
    json.requireSize(n);
    for (std::size_t i = 0; i < n; ++i)
        if constexpr (std::floating_point<T>)
            values[i] = json.at(i).single();
        else
            values[i] = json.at(i).integer<T>();
}

}  // namespace reanima::ff7
