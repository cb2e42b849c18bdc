/// Lists of vectors as JSON: `[[x, y, z], ...]`.
#pragma once

#include <array>
#include <concepts>
#include <vector>

#include <nlohmann/json.hpp>

#include "formats/metroid/json_fields.h"

namespace reanima::metroid {

template <typename T, std::size_t size>
[[nodiscard]] Json vectorToJson(const std::array<T, size>& vector) {
    Json list = Json::array();
    for (const T part : vector) {
        if constexpr (std::same_as<T, float>)
            list.push_back(floatToJson(part));
        else
            list.push_back(part);
    }
    return list;
}

template <typename T, std::size_t size>
[[nodiscard]] Json vectorsToJson(const std::vector<std::array<T, size>>& vectors) {
    Json list = Json::array();
    for (const std::array<T, size>& vector : vectors)
        list.push_back(vectorToJson(vector));
    return list;
}

/// @throws core::DecodeError if the number of components is wrong, or a value is not of this type
template <typename T, std::size_t size>
[[nodiscard]] std::array<T, size> vectorFromJson(const JsonReader& json) {
    std::array<T, size> vector{};
    json.requireSize(size);
    for (std::size_t i = 0; i < size; ++i) {
        if constexpr (std::same_as<T, float>)
            vector[i] = numberFromJson(json.at(i));
        else
            vector[i] = json.at(i).template integer<T>();
    }
    return vector;
}

/// @throws core::DecodeError as vectorFromJson() does
template <typename T, std::size_t size>
[[nodiscard]] std::vector<std::array<T, size>> vectorsFromJson(const JsonReader& json) {
    std::vector<std::array<T, size>> vectors;
    for (std::size_t i = 0; i < json.size(); ++i)
        vectors.push_back(vectorFromJson<T, size>(json.at(i)));
    return vectors;
}

}  // namespace reanima::metroid
