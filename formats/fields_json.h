/// Puts the whole numbers that describe() names into JSON, and takes them out again. What else a game's records have, a
/// visitor of its own adds.
#pragma once

#include <array>
#include <concepts>
#include <string>

#include <nlohmann/json.hpp>

#include "formats/fields.h"
#include "json/json.h"

namespace reanima::fields {

struct ToJson {
    Json& json;
    void operator()(std::string_view name, const std::integral auto& value, auto...) const {
        json[std::string(name)] = value;
    }
    template <std::integral T, std::size_t count>
    void operator()(std::string_view name, const std::array<T, count>& values, auto...) const {
        json[std::string(name)] = values;
    }
};

struct FromJson {
    const JsonReader& json;
    template <std::integral T>
    void operator()(std::string_view name, T& value) const {
        value = json.at(name).template integer<T>();
    }
    template <std::integral T, std::size_t count>
    void operator()(std::string_view name, std::array<T, count>& values) const {
        const JsonReader list = json.at(name);
        list.requireSize(count);
        for (std::size_t i = 0; i < count; ++i)
            values[i] = list.at(i).template integer<T>();
    }
    void operator()(std::string_view name, auto& value, MayLack) const {
        if (json.has(name))
            (*this)(name, value);
    }
};

}  // namespace reanima::fields
