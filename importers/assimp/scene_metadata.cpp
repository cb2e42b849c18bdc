#include "importers/assimp/scene_metadata.h"

#include <cstdint>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "core/text.h"

namespace reanima {

namespace {

/// Members whose whole numbers are words of 32 bits without sign.
bool holdsWords(std::string_view key) { return key == "counters" || key == "events"; }

struct Adder {
    aiMetadata& metadata;
    const std::string& name;
    bool ofWords;  // as the file stores them: of one type, whatever their value

    void operator()(std::nullptr_t) const {}
    void operator()(bool value) const { metadata.Add(name, value); }
    void operator()(std::int64_t value) const {
        const bool fits =
            value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
        if (fits && !(ofWords && value >= 0))
            metadata.Add(name, static_cast<std::int32_t>(value));
        else
            metadata.Add(name, static_cast<std::uint64_t>(value));
    }
    void operator()(double value) const { metadata.Add(name, value); }
    void operator()(const std::string& value) const { metadata.Add(name, aiString(core::validUtf8(value))); }
    void operator()(const std::vector<core::Value>& list) const {
        for (std::size_t i = 0; i < list.size(); ++i)
            add(fmt::format("{}.{}", name, i), list[i], ofWords);
    }
    void operator()(const core::Properties& properties) const {
        for (const auto& [key, value] : properties)
            add(fmt::format("{}.{}", name, key), value, ofWords || holdsWords(key));
    }
    void add(const std::string& inner, const core::Value& value, bool words) const {
        std::visit(Adder{metadata, inner, words}, value.data);
    }
};

}  // namespace

void addMetadata(aiMetadata& metadata, const std::string& name, const core::Value& value) {
    std::visit(Adder{metadata, name, false}, value.data);
}

}  // namespace reanima
