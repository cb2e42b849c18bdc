#include "gltf_export/extras.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.h"
#include "gltf_export/json_writer.h"

namespace reanima::gltf {

namespace {

void write(JsonWriter& json, const core::Value& value);

void write(JsonWriter& json, const core::Properties& properties) {
    json.StartObject();
    for (auto property = properties.begin(); property != properties.end(); ++property) {
        const std::string& name = property->first;
        if (std::any_of(properties.begin(), property, [&](const auto& before) { return before.first == name; }))
            continue;
        writeText(json, core::validUtf8(name));
        write(json, property->second);
    }
    json.EndObject();
}

struct ValueWriter {
    JsonWriter& json;

    void operator()(std::nullptr_t) const { json.Null(); }
    void operator()(bool value) const { json.Bool(value); }
    void operator()(std::int64_t value) const {
        if (value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max())
            json.Int64(value);
        else
            json.Double(static_cast<double>(value));
    }
    void operator()(double value) const {
        if (std::isfinite(value))
            json.Double(value);
        else
            json.Null();
    }
    void operator()(const std::string& value) const { writeText(json, core::validUtf8(value)); }
    void operator()(const std::vector<core::Value>& list) const {
        json.StartArray();
        for (const core::Value& value : list)
            write(json, value);
        json.EndArray();
    }
    void operator()(const core::Properties& properties) const { write(json, properties); }
};

void write(JsonWriter& json, const core::Value& value) { std::visit(ValueWriter{json}, value.data); }

}  // namespace

std::string jsonOf(const core::Properties& properties) {
    JsonBuffer text;
    JsonWriter json(text);
    write(json, properties);
    return {text.GetString(), text.GetSize()};
}

}  // namespace reanima::gltf
