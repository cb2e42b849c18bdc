/// Puts what describe() names into JSON, and takes it out again.
#pragma once

#include <concepts>
#include <string>

#include <nlohmann/json.hpp>

#include "formats/fields.h"
#include "formats/metroid/json_fields.h"

namespace reanima::metroid {

struct FieldsToJson {
    Json& json;
    void operator()(std::string_view name, const std::integral auto& value, auto...) const {
        json[std::string(name)] = value;
    }
    void operator()(std::string_view name, const float& value, auto...) const {
        json[std::string(name)] = static_cast<double>(value);
    }
    void operator()(std::string_view name, const std::string& text, auto...) const {
        json[std::string(name)] = textToJson(text);
    }
};

struct FieldsFromJson {
    const JsonReader& json;
    template <typename T>
    void operator()(std::string_view name, T& value) const {
        if constexpr (std::integral<T>)
            value = json.at(name).template integer<T>();
        else if constexpr (std::floating_point<T>)
            value = numberFromJson(json.at(name));
        else
            value = textFromJson(json.at(name));
    }
    void operator()(std::string_view name, auto& value, fields::MayLack) const {
        if (json.has(name))
            (*this)(name, value);
    }
};

}  // namespace reanima::metroid
