#include "importers/json.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace reanima {

namespace {

/// A value as an error message shows it.
std::string shown(const Json& value) {
    if (value.is_object())
        return "an object";
    if (value.is_array())
        return "a list";
    std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    return text.size() > 40 ? text.substr(0, 37) + "..." : text;
}

}  // namespace

std::string toHex(core::Bytes bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    hex.reserve(bytes.size() * 2);
    for (const std::uint8_t byte : bytes) {
        hex += kDigits[byte >> 4U];
        hex += kDigits[byte & 15U];
    }
    return hex;
}

Json warningsToJson(const core::Diagnostics& diagnostics,
                    const std::function<bool(const std::string& field)>& concerns) {
    Json list = Json::array();
    for (const core::Warning& warning : diagnostics.warnings()) {
        const std::string& field = warning.place.field;
        const std::string file = warning.file == diagnostics.file() ? "" : warning.file + ": ";
        if (warning.severity == core::Warning::Severity::warning && concerns(field))
            list.push_back(file + (field.empty() ? "" : field + ": ") + warning.text);
    }
    return list;
}

Json parseJson(core::Bytes text) {
    try {
        return Json::parse(text.begin(), text.end());
    } catch (const Json::parse_error& error) {
        throw core::DecodeError({{}, error.byte > 0 ? error.byte - 1 : 0}, "the text is no JSON from there on");
    }
}

namespace {

bool isListOfPlainValues(const Json& json) {
    return json.is_array() && std::all_of(json.begin(), json.end(), [](const Json& e) { return e.is_primitive(); });
}

bool fitsOneLine(const Json& json) {
    return json.empty() || json.is_primitive() || isListOfPlainValues(json) ||
           (json.is_array() && std::all_of(json.begin(), json.end(), isListOfPlainValues));
}

void appendText(std::string& text, const Json& json, int indent) {
    constexpr auto kReplace = Json::error_handler_t::replace;
    if (fitsOneLine(json)) {
        text += json.dump(-1, ' ', false, kReplace);
        return;
    }
    const std::string newLine = "\n" + std::string(static_cast<std::size_t>(indent) + 1, ' ');
    const bool object = json.is_object();
    text += object ? '{' : '[';
    const char* separator = "";
    for (auto element = json.begin(); element != json.end(); ++element) {
        text += separator + newLine;
        if (object)
            text += Json(element.key()).dump(-1, ' ', false, kReplace) + ": ";
        appendText(text, *element, indent + 1);
        separator = ",";
    }
    text += newLine.substr(0, newLine.size() - 1);
    text += object ? '}' : ']';
}

}  // namespace

std::string toText(const Json& json) {
    std::string text;
    appendText(text, json, 0);
    return text += '\n';
}

void JsonReader::fail(std::string_view expected) const {
    throw core::DecodeError(place(), fmt::format("is {}, expected {}", shown(*value_), expected));
}

JsonReader JsonReader::at(std::string_view key) const {
    if (!value_->is_object())
        fail("an object");
    const std::string path = path_.empty() ? std::string(key) : path_ + "." + std::string(key);
    const auto member = value_->find(std::string(key));
    if (member == value_->end())
        throw core::DecodeError({path, std::nullopt}, "is missing");
    return JsonReader(*member, path);
}

JsonReader JsonReader::at(std::size_t index) const {
    if (index >= size())
        throw core::DecodeError(place(), fmt::format("has {} elements, expected more than {}", size(), index));
    return JsonReader((*value_)[index], fmt::format("{}[{}]", path_, index));
}

bool JsonReader::has(std::string_view key) const {
    if (!value_->is_object())
        return false;
    const auto member = value_->find(std::string(key));
    return member != value_->end() && !member->is_null();
}

std::vector<std::string> JsonReader::keys() const {
    if (!value_->is_object())
        fail("an object");
    std::vector<std::string> names;
    for (const auto& member : value_->items())
        names.push_back(member.key());
    return names;
}

std::size_t JsonReader::size() const {
    if (!value_->is_array())
        fail("a list");
    return value_->size();
}

void JsonReader::requireSize(std::size_t elements) const {
    if (size() != elements)
        throw core::DecodeError(place(), fmt::format("has {} elements, expected {}", size(), elements));
}

std::int64_t JsonReader::integer(std::int64_t minimum, std::int64_t maximum) const {
    const bool fits =
        value_->is_number_unsigned()
            ? value_->get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())
            : value_->is_number_integer();
    const std::int64_t number = fits ? value_->get<std::int64_t>() : 0;
    if (!fits || number < minimum || number > maximum)
        fail(fmt::format("a whole number from {} to {}", minimum, maximum));
    return number;
}

double JsonReader::number() const {
    if (!value_->is_number() || !std::isfinite(value_->get<double>()))
        fail("a number");
    return value_->get<double>();
}

float JsonReader::single() const {
    const auto value = static_cast<float>(number());
    if (!std::isfinite(value))
        fail("a number that fits 32 bits");
    return value;
}

const std::string& JsonReader::text() const {
    if (!value_->is_string())
        fail("a text");
    return value_->get_ref<const std::string&>();
}

bool JsonReader::isText() const { return value_->is_string(); }

bool JsonReader::isFlag() const { return value_->is_boolean(); }

bool JsonReader::isList() const { return value_->is_array(); }

bool JsonReader::flag() const {
    if (!value_->is_boolean())
        fail("true or false");
    return value_->get<bool>();
}

core::ByteVector JsonReader::hex() const {
    const std::string& digits = text();
    const auto valueOf = [&](char c) -> unsigned {
        if (c >= '0' && c <= '9')
            return static_cast<unsigned>(c - '0');
        if (c >= 'a' && c <= 'f')
            return static_cast<unsigned>(c - 'a' + 10);
        if (c >= 'A' && c <= 'F')
            return static_cast<unsigned>(c - 'A' + 10);
        fail("bytes as hexadecimal digits");
    };
    if (digits.size() % 2 != 0)
        fail("bytes as an even number of hexadecimal digits");
    core::ByteVector bytes;
    bytes.reserve(digits.size() / 2);
    for (std::size_t i = 0; i < digits.size(); i += 2)
        bytes.push_back(static_cast<std::uint8_t>(valueOf(digits[i]) << 4U | valueOf(digits[i + 1])));
    return bytes;
}

core::ByteVector JsonReader::hexOrNone(std::string_view key) const {
    return has(key) ? at(key).hex() : core::ByteVector{};
}

}  // namespace reanima
