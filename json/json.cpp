#include "json/json.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/near_names.h"
#include "core/shortened.h"
#include "json/json_reader.h"

namespace reanima {

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

    /// An object or list that is not complete yet.
    struct Open {
        Json* value;
        std::string key;  ///< key of the next or current member
    };

    /// @return the place of the added value, valid until its parent gets another value
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
    /// Called at the end of a value, when the key of the next member is still unknown.
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

void AskedNames::add(std::string_view name) {
    if (!names_.contains(name))
        names_.emplace(name);
}

void AskedNames::warnOfOthers(const Json& json, core::Diagnostics& diagnostics) const {
    std::string first;
    core::Place place;
    std::size_t count = 0;
    std::vector<std::pair<const Json*, JsonPath>> open = {{&json, JsonPath()}};  // no recursion: values may be deep
    while (!open.empty()) {
        const auto [value, path] = open.back();
        open.pop_back();
        for (auto element = value->begin(); element != value->end(); ++element) {
            if (value->is_object() && !names_.contains(element.key()) && ++count == 1) {
                first = element.key();
                place = {path.member(first).text(), std::nullopt};
            }
            if (!element->is_structured())
                continue;
            if (value->is_object())
                open.emplace_back(&*element, path.member(element.key()));
            else
                open.emplace_back(&*element, path.element(static_cast<std::size_t>(element - value->begin())));
        }
    }
    if (count == 0)
        return;
    core::NearestName nearest(first);
    for (const std::string& name : names_)
        nearest.offer(name);
    diagnostics.warn(core::Code::ignored, place,
                     fmt::format("is not a member of this format and is ignored{}{}", nearest.question(),
                                 count == 1 ? "" : fmt::format(" (and {} more like it)", count - 1)));
}

JsonPath JsonPath::member(std::string_view key) const { return with({key}); }

JsonPath JsonPath::element(std::size_t index) const {
    if (used_ == 0 || steps_[used_ - 1].index != kNoIndex)
        return with({{}, index});
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
    std::string text = begin_ ? *begin_ : std::string();
    for (const Step& step : std::span(steps_).first(used_)) {
        if (step.key.data() != nullptr)
            text.append(text.empty() ? "" : ".").append(step.key);
        if (step.index != kNoIndex)
            text += fmt::format("[{}]", step.index);
    }
    return text;
}

template <>
struct JsonAccess<Json> {
    static bool isNull(const Json& value) { return value.is_null(); }
    static bool isObject(const Json& value) { return value.is_object(); }
    static bool isList(const Json& value) { return value.is_array(); }
    static bool isText(const Json& value) { return value.is_string(); }
    static bool isFlag(const Json& value) { return value.is_boolean(); }
    static std::optional<double> number(const Json& value) {
        return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
    }
    static std::optional<std::int64_t> integer(const Json& value) {
        constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
        const bool fits =
            value.is_number_unsigned() ? value.get<std::uint64_t>() <= kLargest : value.is_number_integer();
        return fits ? std::optional(value.get<std::int64_t>()) : std::nullopt;
    }
    static std::string written(const Json& value) { return value.dump(-1, ' ', true, Json::error_handler_t::replace); }
    static std::size_t size(const Json& list) { return list.size(); }
    static const Json& element(const Json& list, std::size_t index) { return list[index]; }
    static std::optional<FoundMember<Json>> member(const Json& object, std::string_view key) {
        const auto member = object.find(key);
        return member != object.end() ? std::optional(FoundMember<Json>{member.key(), &*member}) : std::nullopt;
    }
    static std::vector<std::string> keys(const Json& object) {
        std::vector<std::string> names;
        for (const auto& member : object.items())
            names.push_back(member.key());
        return names;
    }
    static std::string_view text(const Json& text) { return text.get_ref<const std::string&>(); }
    static bool flag(const Json& flag) { return flag.get<bool>(); }
};

template class BasicJsonReader<Json>;

void DerivedMembers::expect(const JsonReader& object, std::string_view key, const Json& actual) {
    if (!object.has(key) || object.at(key).equals(actual))
        return;
    if (++count_ > 1)
        return;
    const JsonReader given = object.at(key);
    place_ = given.place();
    problem_ = actual.is_structured() ? "disagrees with the other values and is recalculated from them"
                                      : fmt::format("is {}; {} is written instead, calculated from the other values",
                                                    given.shown(), JsonReader(actual).shown());
}

void DerivedMembers::report(core::Diagnostics& diagnostics) const {
    if (count_ > 0)
        diagnostics.note(core::Code::recomputed, place_,
                         count_ == 1 ? problem_ : fmt::format("{} (and {} more like it)", problem_, count_ - 1));
}

}  // namespace reanima
