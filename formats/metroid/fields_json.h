/// Converts the fields named by describe() to JSON and back.
#pragma once

#include <string>

#include "formats/fields_json.h"
#include "formats/metroid/json_fields.h"

namespace reanima::metroid {

struct FieldsToJson : fields::ToJson {
    using fields::ToJson::operator();
    void operator()(std::string_view name, const float& value, auto...) const {
        json[std::string(name)] = floatToJson(value);
    }
    void operator()(std::string_view name, const std::string& text, auto...) const {
        json[std::string(name)] = textToJson(text);
    }
};

struct FieldsFromJson : fields::FromJson {
    using fields::FromJson::operator();
    void operator()(std::string_view name, float& value) const { value = numberFromJson(json.at(name)); }
    void operator()(std::string_view name, std::string& text) const { text = textFromJson(json.at(name)); }
    void operator()(std::string_view name, auto& value, fields::MayLack) const {
        if (json.has(name))
            (*this)(name, value);
    }
};

}  // namespace reanima::metroid
