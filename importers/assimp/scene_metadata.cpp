#include "importers/assimp/scene_metadata.h"

#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "core/text.h"

namespace reanima {

namespace {

struct Adder {
    aiMetadata& metadata;
    const std::string& name;

    void operator()(std::nullptr_t) const {}
    void operator()(bool value) const { metadata.Add(name, value); }
    void operator()(std::int64_t value) const {
        const bool fits =
            value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
        if (fits)
            metadata.Add(name, static_cast<std::int32_t>(value));
        else
            metadata.Add(name, static_cast<std::uint64_t>(value));
    }
    void operator()(double value) const { metadata.Add(name, value); }
    void operator()(const std::string& value) const { metadata.Add(name, aiString(core::validUtf8(value))); }
    void operator()(const std::vector<core::Value>& list) const {
        for (std::size_t i = 0; i < list.size(); ++i)
            addMetadata(metadata, fmt::format("{}.{}", name, i), list[i]);
    }
    void operator()(const core::Properties& properties) const {
        for (const auto& [key, value] : properties)
            addMetadata(metadata, fmt::format("{}.{}", name, key), value);
    }
};

}  // namespace

void addMetadata(aiMetadata& metadata, const std::string& name, const core::Value& value) {
    std::visit(Adder{metadata, name}, value.data);
}

}  // namespace reanima
