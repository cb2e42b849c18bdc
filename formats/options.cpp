#include "formats/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace reanima {

namespace {

using Type = OptionInfo::Type;

template <typename T>
std::optional<T> valueAs(const OptionValues::Map& values, std::string_view key) {
    const auto value = values.find(key);
    if (value == values.end() || !std::holds_alternative<T>(value->second))
        return std::nullopt;
    return std::get<T>(value->second);
}

/// The number in a text. Empty if the whole text is not a number.
template <typename T, typename... Format>
std::optional<T> parsed(std::string_view text, Format... format) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, format...);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::optional<double> numberFrom(Type type, std::string_view text) {
    if (type != Type::color)
        return parsed<double>(text);
    constexpr int kHexadecimal = 16;
    const std::optional<std::uint32_t> color = parsed<std::uint32_t>(text, kHexadecimal);
    return color ? std::optional<double>(*color) : std::nullopt;
}

bool isAllowed(const OptionInfo& option, double number) {
    if (option.type == Type::flag)
        return number == 0 || number == 1;
    const bool mayBeBroken = option.type == Type::number;
    return number >= option.minimum && number <= option.maximum && (mayBeBroken || number == std::trunc(number));
}

std::string expectation(const OptionInfo& option) {
    switch (option.type) {
        case Type::number:
            return fmt::format("a number from {} to {}", option.minimum, option.maximum);
        case Type::count:
            return fmt::format("a whole number from {} to {}", option.minimum, option.maximum);
        case Type::counts:
            return fmt::format("whole numbers from {} to {}, with commas between them", option.minimum, option.maximum);
        case Type::color:
            return fmt::format("hexadecimal digits up to {:X}", static_cast<std::uint32_t>(option.maximum));
        case Type::flag:
            return "1 or 0";
        case Type::text:
            break;
    }
    return option.choices.empty() ? "a text" : fmt::format("{}", fmt::join(option.choices, ", "));
}

std::string problem(const OptionInfo& option, std::string_view found) {
    const bool isText = option.type == Type::text || option.type == Type::counts;
    return fmt::format("is {}{}{}, expected {}", isText ? "\"" : "", found, isText ? "\"" : "", expectation(option));
}

/// The numbers of a text. Empty if a part is not a number or not allowed.
std::optional<std::set<std::uint32_t>> countsFrom(const OptionInfo& option, std::string_view text) {
    std::set<std::uint32_t> counts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::optional<double> number = numberFrom(Type::count, text.substr(begin, end - begin));
        if (!number || !isAllowed(option, *number))
            return std::nullopt;
        counts.insert(static_cast<std::uint32_t>(*number));
        begin = end + 1;
    }
    return counts;
}

std::optional<std::string> addCounts(OptionValues& values, const OptionInfo& option, std::string_view text) {
    std::optional<std::set<std::uint32_t>> counts = countsFrom(option, text);
    if (!counts)
        return problem(option, text);
    counts->merge(values.counts(option.key));
    values.set(option.key, fmt::format("{}", fmt::join(*counts, ",")));
    return std::nullopt;
}

}  // namespace

std::optional<double> OptionValues::number(std::string_view key) const { return valueAs<double>(values_, key); }

std::optional<std::uint32_t> OptionValues::count(std::string_view key) const {
    const std::optional<double> value = number(key);
    return value ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
}

std::optional<std::string> OptionValues::text(std::string_view key) const { return valueAs<std::string>(values_, key); }

std::set<std::uint32_t> OptionValues::counts(std::string_view key) const {
    constexpr OptionInfo kAny{"", Type::counts, "", "", 0, std::numeric_limits<std::uint32_t>::max()};
    return countsFrom(kAny, text(key).value_or("")).value_or(std::set<std::uint32_t>());
}

bool OptionValues::flag(std::string_view key) const { return number(key).value_or(0) != 0; }

std::optional<std::string> setOption(OptionValues& values, const OptionInfo& option, std::string_view text) {
    if (option.type == Type::text) {
        if (!option.choices.empty() && std::ranges::find(option.choices, text) == option.choices.end())
            return problem(option, text);
        values.set(option.key, std::string(text));
        return std::nullopt;
    }
    if (option.type == Type::counts)
        return addCounts(values, option, text);
    const std::optional<double> number = numberFrom(option.type, text);
    if (!number || !isAllowed(option, *number))
        return problem(option, text);
    values.set(option.key, *number);
    return std::nullopt;
}

std::optional<std::string> setOption(OptionValues& values, const OptionInfo& option, double number) {
    if (option.type == Type::text && option.choices.empty()) {
        values.set(option.key, fmt::format("{}", number));
        return std::nullopt;
    }
    if (option.type == Type::counts)
        return addCounts(values, option, fmt::format("{}", number));
    if (option.type == Type::text || !isAllowed(option, number))
        return problem(option, fmt::format("{}", number));
    values.set(option.key, number);
    return std::nullopt;
}

const SecondName* findSecondName(std::string_view name) {
    const auto row = std::ranges::find(kSecondNames, name, &SecondName::name);
    return row == kSecondNames.end() ? nullptr : &*row;
}

std::optional<OptionText> byFirstName(std::string_view name, const std::string& text) {
    const SecondName* second = findSecondName(name);
    if (second == nullptr)
        return OptionText{std::string(name), text};
    if (second->value.empty())
        return OptionText{std::string(second->key), text};
    OptionValues flag;
    if (const auto problem = setOption(flag, OptionInfo{name, Type::flag, {}, {}}, std::string_view(text)))
        throw core::optionError({std::string(name), text}, *problem);
    return flag.flag(name) ? std::optional(OptionText{std::string(second->key), std::string(second->value)})
                           : std::nullopt;
}

}  // namespace reanima
