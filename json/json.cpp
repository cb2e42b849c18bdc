#include "json/json.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/shortened.h"

namespace reanima {

namespace {

/// Formats a value for an error message.
template <typename Value>
std::string shown(const Value& value) {
    if (value.is_object())
        return "an object";
    if (value.is_array())
        return "a list";
    std::string text = value.dump(-1, ' ', true, Value::error_handler_t::replace);
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
            list.push_back(fmt::format("{}{}{}", file, field.empty() ? "" : field + ": ", warning.text));
    }
    return list;
}

namespace {

/// Builds a value while parsing, so that errors can name their path.
class JsonBuilder final : public nlohmann::json_sax<Json> {
  public:
    explicit JsonBuilder(core::Bytes text) : text_(text) {}

    [[nodiscard]] Json take() { return std::move(root_); }

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(std::int64_t value) override { return add(value); }
    bool number_unsigned(std::uint64_t value) override { return add(value); }
    bool number_float(double value, const std::string&) override { return add(value); }
    bool string(std::string& value) override { return add(std::move(value)); }
    bool binary(Json::binary_t& value) override { return add(std::move(value)); }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(std::string& name) override {
        open_.back().key = std::move(name);
        return true;
    }

    /// @param position after the invalid token
    [[noreturn]] bool parse_error(std::size_t position, const std::string& token,
                                  const nlohmann::detail::exception& error) override {
        const bool isNumber = dynamic_cast<const Json::out_of_range*>(&error) != nullptr;
        const std::size_t start = position - std::min(position, isNumber ? token.size() : 1);
        const std::string_view before(reinterpret_cast<const char*>(text_.data()), start);  // NOLINT: bytes as text
        const auto line = 1 + std::count(before.begin(), before.end(), '\n');
        const std::size_t column = start - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
        const std::string where = fmt::format("at line {}, column {}", line, column);
        throw core::DecodeError({path(), std::nullopt}, isNumber ? fmt::format("{} {} is outside the range of numbers",
                                                                               token.substr(0, kMostShown), where)
                                                                 : "invalid JSON " + where);
    }

  private:
    static constexpr std::size_t kMostShown = 40;

    /// An incomplete object or list.
    struct Open {
        Json* value;
        std::string key;  ///< key of the next or current member
    };

    /// @return its place, valid until something else is added to its parent
    Json* place(Json value) {
        if (open_.empty())
            return &(root_ = std::move(value));
        Json& parent = *open_.back().value;
        if (parent.is_array())
            return &parent.emplace_back(std::move(value));
        return &(parent[open_.back().key] = std::move(value));
    }
    bool add(Json value) {
        (void)place(std::move(value));
        return complete();
    }
    bool open(Json value) {
        open_.push_back({place(std::move(value)), {}});
        return true;
    }
    bool close() {
        open_.pop_back();
        return complete();
    }
    /// Called at the end of a value. The key of the next member is still unknown.
    bool complete() {
        if (!open_.empty())
            open_.back().key.clear();
        return true;
    }

    /// The path of the next value.
    [[nodiscard]] std::string path() const {
        std::string path;
        for (const Open& open : open_) {
            const bool isLast = &open == &open_.back();
            if (open.value->is_array())
                path += fmt::format("[{}]", open.value->size() - (isLast ? 0 : 1));
            else
                path += (path.empty() || open.key.empty() ? "" : ".") + open.key;
        }
        return path;
    }

    core::Bytes text_;
    Json root_;
    std::vector<Open> open_;
};

}  // namespace

std::string toLine(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json parseJson(core::Bytes text) {
    JsonBuilder builder(text);
    (void)Json::sax_parse(text.begin(), text.end(), &builder);
    return builder.take();
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
    if (fitsOneLine(json)) {
        text += toLine(json);
        return;
    }
    const std::string newLine = "\n" + std::string(static_cast<std::size_t>(indent) + 1, ' ');
    const bool object = json.is_object();
    text += object ? '{' : '[';
    const char* separator = "";
    for (auto element = json.begin(); element != json.end(); ++element) {
        text += separator + newLine;
        if (object)
            text += toLine(Json(element.key())) + ": ";
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

JsonPath JsonPath::member(const std::string& key) const { return with({&key}); }

JsonPath JsonPath::element(std::size_t index) const {
    if (used_ == 0 || steps_[used_ - 1].index != kNoIndex)
        return with({nullptr, index});
    JsonPath path = *this;
    path.steps_[used_ - 1].index = index;
    return path;
}

JsonPath JsonPath::with(Step step) const {
    JsonPath path = used_ < steps_.size() ? *this : JsonPath(core::shortened(text(), core::kLongestField));
    path.steps_[path.used_++] = step;
    return path;
}

std::string JsonPath::text() const {
    std::string text = begin_;
    for (const Step& step : std::span(steps_).first(used_)) {
        if (step.key != nullptr)
            text += (text.empty() ? "" : ".") + *step.key;
        if (step.index != kNoIndex)
            text += fmt::format("[{}]", step.index);
    }
    return text;
}

template <typename Value>
void BasicJsonReader<Value>::fail(std::string_view expected) const {
    throw core::DecodeError(place(), fmt::format("is {}, expected {}", shown(), expected));
}

template <typename Value>
bool BasicJsonReader<Value>::equals(const Value& other) const {
    return *value_ == other;
}

template <typename Value>
std::string BasicJsonReader<Value>::shown() const {
    return reanima::shown(*value_);
}

template <typename Value>
std::optional<BasicJsonReader<Value>> BasicJsonReader<Value>::find(std::string_view key) const {
    if (!value_->is_object())
        fail("an object");
    const auto member = value_->find(key);
    if (member == value_->end())
        return std::nullopt;
    return BasicJsonReader(*member, path_.member(member.key()));
}

template <typename Value>
BasicJsonReader<Value> BasicJsonReader<Value>::at(std::string_view key) const {
    std::optional<BasicJsonReader> member = find(key);
    if (!member)
        throw core::DecodeError({path_.member(std::string(key)).text(), std::nullopt}, "is missing");
    return *std::move(member);
}

template <typename Value>
BasicJsonReader<Value> BasicJsonReader<Value>::at(std::size_t index) const {
    if (index >= size())
        throw core::DecodeError(place(), fmt::format("has {} elements, expected more than {}", size(), index));
    return BasicJsonReader((*value_)[index], path_.element(index));
}

template <typename Value>
std::vector<BasicJsonReader<Value>> BasicJsonReader<Value>::list(std::string_view key) const {
    std::vector<BasicJsonReader> elements;
    if (const std::optional<BasicJsonReader> member = find(key))
        for (std::size_t i = 0, count = member->size(); i < count; ++i)
            elements.push_back(member->at(i));
    return elements;
}

template <typename Value>
bool BasicJsonReader<Value>::has(std::string_view key) const {
    if (!value_->is_object())
        return false;
    const auto member = value_->find(key);
    return member != value_->end() && !member->is_null();
}

template <typename Value>
bool BasicJsonReader<Value>::contains(std::string_view key) const {
    return value_->is_object() && value_->find(key) != value_->end();
}

template <typename Value>
std::vector<std::string> BasicJsonReader<Value>::keys() const {
    if (!value_->is_object())
        fail("an object");
    std::vector<std::string> names;
    for (const auto& member : value_->items())
        names.push_back(member.key());
    return names;
}

template <typename Value>
std::size_t BasicJsonReader<Value>::size() const {
    if (!value_->is_array())
        fail("a list");
    return value_->size();
}

template <typename Value>
void BasicJsonReader<Value>::requireSize(std::size_t elements) const {
    if (size() != elements)
        throw core::DecodeError(place(), fmt::format("has {} elements, expected {}", size(), elements));
}

template <typename Value>
void BasicJsonReader<Value>::requireSize(std::size_t least, std::size_t most) const {
    if (size() < least || size() > most)
        throw core::DecodeError(place(), fmt::format("has {} elements, expected {} {}", size(),
                                                     least == 0 ? "at most" : fmt::format("{} to", least), most));
}

template <typename Value>
std::int64_t BasicJsonReader<Value>::integer(std::int64_t minimum, std::int64_t maximum) const {
    const bool fits = value_->is_number_unsigned()
                          ? value_->template get<std::uint64_t>() <=
                                static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())
                          : value_->is_number_integer();
    const std::int64_t number = fits ? value_->template get<std::int64_t>() : 0;
    if (!fits || number < minimum || number > maximum)
        fail(fmt::format("a whole number from {} to {}", minimum, maximum));
    return number;
}

template <typename Value>
std::optional<std::uint64_t> BasicJsonReader<Value>::wholeOrNone() const {
    constexpr double kLargest = 9007199254740992;  // 2^53
    const double number = value_->is_number() ? value_->template get<double>() : -1;
    if (!(number >= 0 && number <= kLargest) || number != std::floor(number))
        return std::nullopt;
    return static_cast<std::uint64_t>(number);
}

template <typename Value>
std::uint64_t BasicJsonReader<Value>::whole() const {
    const std::optional<std::uint64_t> number = wholeOrNone();
    if (!number)
        fail("a whole number");
    return *number;
}

template <typename Value>
std::uint64_t BasicJsonReader<Value>::wholeOr(std::string_view key, std::uint64_t otherwise) const {
    const std::optional<BasicJsonReader> member = find(key);
    return member ? member->whole() : otherwise;
}

template <typename Value>
std::uint32_t BasicJsonReader<Value>::index(std::size_t count) const {
    const std::optional<std::uint64_t> number = wholeOrNone();
    if (!number || *number >= count)
        fail(fmt::format("an index below {}", count));
    return static_cast<std::uint32_t>(*number);
}

template <typename Value>
double BasicJsonReader<Value>::number() const {
    if (!value_->is_number() || !std::isfinite(value_->template get<double>()))
        fail("a number");
    return value_->template get<double>();
}

template <typename Value>
float BasicJsonReader<Value>::single() const {
    const auto value = static_cast<float>(number());
    if (!std::isfinite(value))
        fail("a number that fits 32 bits");
    return value;
}

template <typename Value>
const std::string& BasicJsonReader<Value>::text() const {
    if (!value_->is_string())
        fail("a text");
    return value_->template get_ref<const std::string&>();
}

template <typename Value>
std::string BasicJsonReader<Value>::textOrNone(std::string_view key) const {
    const std::optional<BasicJsonReader> member = find(key);
    return member && member->isText() ? member->text() : "";
}

template <typename Value>
bool BasicJsonReader<Value>::isText() const {
    return value_->is_string();
}

template <typename Value>
bool BasicJsonReader<Value>::isFlag() const {
    return value_->is_boolean();
}

template <typename Value>
bool BasicJsonReader<Value>::isList() const {
    return value_->is_array();
}

template <typename Value>
bool BasicJsonReader<Value>::flag() const {
    if (!value_->is_boolean())
        fail("true or false");
    return value_->template get<bool>();
}

template <typename Value>
core::ByteVector BasicJsonReader<Value>::hex() const {
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

template <typename Value>
core::ByteVector BasicJsonReader<Value>::hexOrNone(std::string_view key) const {
    return has(key) ? at(key).hex() : core::ByteVector{};
}

template class BasicJsonReader<nlohmann::ordered_json>;
template class BasicJsonReader<nlohmann::json>;

void DerivedMembers::expect(const JsonReader& object, std::string_view key, const Json& actual) {
    if (!object.has(key) || object.at(key).equals(actual))
        return;
    if (++count_ > 1)
        return;
    const JsonReader given = object.at(key);
    place_ = given.place();
    problem_ = actual.is_structured() ? "disagrees with the other values and is recalculated from them"
                                      : fmt::format("is {}; {} is written instead, calculated from the other values",
                                                    given.shown(), shown(actual));
}

void DerivedMembers::report(core::Diagnostics& diagnostics) const {
    if (count_ > 0)
        diagnostics.note(core::Code::recomputed, place_,
                         count_ == 1 ? problem_ : fmt::format("{} (and {} more like it)", problem_, count_ - 1));
}

}  // namespace reanima
