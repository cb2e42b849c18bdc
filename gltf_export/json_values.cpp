#include "gltf_export/json_values.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "json/json_reader.h"

namespace reanima {

namespace {

using gltf::JsonValue;

std::string_view viewOf(const JsonValue& text) { return {text.GetString(), text.GetStringLength()}; }

/// Objects with up to this many members are searched one by one. In larger objects, members are sorted by their names.
constexpr std::size_t kFewMembers = 16;

/// Sorts the members of an object by their names. Members of the same name keep their order.
void sortMembers(JsonValue& object) {
    const auto members = object.MemberBegin();
    std::vector<std::uint32_t> order(object.MemberCount());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [members](std::uint32_t member) { return viewOf(members[member].name); });
    for (std::uint32_t first = 0; first < order.size(); ++first)
        for (std::uint32_t place = first; order[place] != place;) {
            const std::uint32_t from = std::exchange(order[place], place);
            if (from == first)
                break;
            members[place].name.Swap(members[from].name);
            members[place].value.Swap(members[from].value);
            place = from;
        }
}

/// True for UTF-8 without surrogates. RapidJSON checks the bytes of texts, but accepts half a surrogate pair: `\udc00`.
bool isSound(const JsonValue& text) {
    const std::string_view bytes = viewOf(text);
    for (std::size_t at = bytes.find('\xED'); at != bytes.npos; at = bytes.find('\xED', at + 1))
        if (static_cast<std::uint8_t>(bytes[at + 1]) >= 0xA0)
            return false;
    return true;
}

/// Prepares a value for searches. @return false if a text in it is invalid: see isSound()
bool prepare(JsonValue& value) {
    if (value.IsString())
        return isSound(value);
    if (value.IsArray())
        return std::all_of(value.Begin(), value.End(), prepare);
    if (!value.IsObject())
        return true;
    for (auto member = value.MemberBegin(); member != value.MemberEnd(); ++member)
        if (!isSound(member->name) || !prepare(member->value))
            return false;
    if (value.MemberCount() > kFewMembers)
        sortMembers(value);
    return true;
}

}  // namespace

template <>
struct JsonAccess<JsonValue> {
    static bool isNull(const JsonValue& value) { return value.IsNull(); }
    static bool isObject(const JsonValue& value) { return value.IsObject(); }
    static bool isList(const JsonValue& value) { return value.IsArray(); }
    static bool isText(const JsonValue& value) { return value.IsString(); }
    static bool isFlag(const JsonValue& value) { return value.IsBool(); }
    static std::optional<double> number(const JsonValue& value) {
        return value.IsNumber() ? std::optional(value.GetDouble()) : std::nullopt;
    }
    static std::optional<std::int64_t> integer(const JsonValue& value) {
        return value.IsInt64() ? std::optional(value.GetInt64()) : std::nullopt;
    }
    static std::string written(const JsonValue& value) {
        const Json copy = value.IsString()   ? Json(viewOf(value))
                          : value.IsBool()   ? Json(value.GetBool())
                          : value.IsInt64()  ? Json(value.GetInt64())
                          : value.IsUint64() ? Json(value.GetUint64())
                          : value.IsNumber() ? Json(value.GetDouble())
                                             : Json();
        return JsonReader(copy).shown();
    }
    static std::size_t size(const JsonValue& list) { return list.Size(); }
    static const JsonValue& element(const JsonValue& list, std::size_t index) { return list.Begin()[index]; }
    static std::optional<FoundMember<JsonValue>> member(const JsonValue& object, std::string_view key) {
        const auto begin = object.MemberBegin();
        const auto end = object.MemberEnd();
        const auto isIt = [key](const JsonValue::Member& member) { return viewOf(member.name) == key; };
        const auto isAfter = [](std::string_view name, const JsonValue::Member& member) {
            return name < viewOf(member.name);
        };
        const auto after =
            object.MemberCount() > kFewMembers
                ? std::upper_bound(begin, end, key, isAfter)
                : std::find_if(std::make_reverse_iterator(end), std::make_reverse_iterator(begin), isIt).base();
        if (after == begin || !isIt(*(after - 1)))
            return std::nullopt;
        return FoundMember<JsonValue>{viewOf((after - 1)->name), &(after - 1)->value};
    }
    static std::vector<std::string> keys(const JsonValue& object) {
        std::vector<std::string> names;
        for (auto member = object.MemberBegin(); member != object.MemberEnd(); ++member)
            names.emplace_back(viewOf(member->name));
        std::ranges::sort(names);
        names.erase(std::unique(names.begin(), names.end()), names.end());
        return names;
    }
    static std::string_view text(const JsonValue& text) { return viewOf(text); }
    static bool flag(const JsonValue& flag) { return flag.GetBool(); }
};

template class BasicJsonReader<JsonValue>;

namespace gltf {

std::optional<JsonDocument> parsedJson(std::string_view text) {
    rapidjson::MemoryStream memory(text.data(), text.size());
    rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> stream(memory);
    JsonDocument document;
    document.ParseStream<rapidjson::kParseFullPrecisionFlag | rapidjson::kParseValidateEncodingFlag>(stream);
    const bool isWhole = stream.Tell() == text.size();  // a zero byte ends the stream
    if (document.HasParseError() || !isWhole || !prepare(document))
        return std::nullopt;
    return document;
}

}  // namespace gltf

}  // namespace reanima
