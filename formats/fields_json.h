/// Converts the whole numbers named by describe() to JSON and back. Each game's visitor adds other types.
#pragma once

#include <array>
#include <concepts>
#include <string>
#include <utility>
#include <vector>

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
    void operator()(std::string_view, const auto&, Derived) const {}
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
    void operator()(std::string_view, const auto&, Derived) const {}
};

/// A list of objects, each with its `index` and the fields of a record.
template <typename Record>
[[nodiscard]] Json listToJson(const std::vector<Record>& records) {
    Json list = Json::array();
    for (const Record& record : records) {
        Json json = {{"index", list.size()}};
        describe(ToJson{json}, record);
        list.push_back(std::move(json));
    }
    return list;
}

template <typename Record>
[[nodiscard]] std::vector<Record> listFromJson(const JsonReader& list, DerivedMembers& derived) {
    std::vector<Record> records(list.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
        derived.expect(list.at(i), "index", i);
        const JsonReader element = list.at(i);
        describe(FromJson{element}, records[i]);
    }
    return records;
}

/// @throws core::DecodeError, which names the member, unless every parent is an earlier record: see isParentOf()
template <typename Record>
void requireParents(const JsonReader& list, const std::vector<Record>& records) {
    for (std::size_t i = 0; i < records.size(); ++i)
        if (const auto parent = records[i].parent; !isParentOf(parent, i))
            list.at(i).at("parent").fail(i == 0 ? std::to_string(std::numeric_limits<decltype(parent)>::max())
                                                : "an earlier bone");
}

}  // namespace reanima::fields
