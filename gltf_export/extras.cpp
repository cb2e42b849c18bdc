#include "gltf_export/extras.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.h"

namespace reanima::gltf {

namespace {

/// A value that tinygltf can't write, as the text that writeGlb() and writeGltf() turn into it.
tinygltf::Value spelledOut(const char* json) { return tinygltf::Value(kSpelledOut + std::string(json)); }

tinygltf::Value toGltf(const core::Value& value);

struct ToGltf {
    tinygltf::Value operator()(std::nullptr_t) const { return spelledOut("null"); }
    tinygltf::Value operator()(bool value) const { return tinygltf::Value(value); }
    tinygltf::Value operator()(std::int64_t value) const {
        // Blender's importer turns the extras into one text if a whole number is beyond an int.
        const bool fits = value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max();
        return fits ? tinygltf::Value(static_cast<int>(value)) : tinygltf::Value(static_cast<double>(value));
    }
    tinygltf::Value operator()(double value) const {
        return std::isfinite(value) ? tinygltf::Value(value) : spelledOut("null");  // JSON has no other numbers
    }
    tinygltf::Value operator()(const std::string& value) const { return tinygltf::Value(plainText(value)); }
    tinygltf::Value operator()(const std::vector<core::Value>& list) const {
        if (list.empty())
            return spelledOut("[]");
        tinygltf::Value::Array array;
        for (const core::Value& value : list)
            array.push_back(toGltf(value));
        return tinygltf::Value(std::move(array));
    }
    tinygltf::Value operator()(const core::Properties& properties) const { return gltf::toGltf(properties); }
};

tinygltf::Value toGltf(const core::Value& value) { return std::visit(ToGltf{}, value.data); }

}  // namespace

std::string plainText(const std::string& text) {
    std::string plain = core::validUtf8(text);
    std::replace(plain.begin(), plain.end(), kSpelledOut, '_');
    return plain;
}

tinygltf::Value toGltf(const core::Properties& properties) {
    tinygltf::Value::Object object;
    for (const auto& [key, value] : properties)
        object.emplace(plainText(key), toGltf(value));
    return tinygltf::Value(std::move(object));
}

}  // namespace reanima::gltf
