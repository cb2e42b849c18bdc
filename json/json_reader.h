/// The member functions of BasicJsonReader. Only sources that instantiate it for a JSON library include this header.
#pragma once

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "json.h"

namespace reanima {

/// A member of an object.
template <typename Value>
struct FoundMember {
    std::string_view key;  ///< a text that lives as long as the object
    const Value* value = nullptr;
};

/// How BasicJsonReader accesses the values of a JSON library. A specialization has these static functions. `size` and
/// the functions after it are only called for values of the matching kind.
///
///     bool isNull(value), isObject(value), isList(value), isText(value), isFlag(value)
///     std::optional<double> number(value)            a number; nothing for other values
///     std::optional<std::int64_t> integer(value)     a number that was written as a whole number and fits
///     std::string written(value)                     a null, flag, number or text as ASCII JSON
///     std::size_t size(list)
///     const Value& element(list, index)
///     std::optional<FoundMember<Value>> member(object, key)    the last one of that name
///     std::vector<std::string> keys(object)          each once
///     std::string_view text(text)
///     bool flag(flag)
template <typename Value>
struct JsonAccess;

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
    if (Access::isObject(*value_))
        return "an object";
    if (Access::isList(*value_))
        return "a list";
    std::string text = Access::written(*value_);
    return text.size() > 40 ? text.substr(0, 37) + "..." : text;
}

template <typename Value>
std::optional<BasicJsonReader<Value>> BasicJsonReader<Value>::find(std::string_view key) const {
    if (!Access::isObject(*value_))
        fail("an object");
    ask(key);
    const std::optional<FoundMember<Value>> member = Access::member(*value_, key);
    return member ? std::optional(BasicJsonReader(*member->value, path_.member(member->key), asked_)) : std::nullopt;
}

template <typename Value>
BasicJsonReader<Value> BasicJsonReader<Value>::at(std::string_view key) const {
    std::optional<BasicJsonReader> member = find(key);
    if (!member)
        throw core::DecodeError({path_.member(key).text(), std::nullopt}, "is missing");
    return *std::move(member);
}

template <typename Value>
BasicJsonReader<Value> BasicJsonReader<Value>::at(std::size_t index) const {
    if (index >= size())
        throw core::DecodeError(place(), fmt::format("has {} elements, expected more than {}", size(), index));
    return BasicJsonReader(Access::element(*value_, index), path_.element(index), asked_);
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
    ask(key);
    const auto member = Access::isObject(*value_) ? Access::member(*value_, key) : std::nullopt;
    return member && !Access::isNull(*member->value);
}

template <typename Value>
void BasicJsonReader<Value>::requireObject() const {
    if (!Access::isObject(*value_))
        fail("an object");
}

template <typename Value>
bool BasicJsonReader<Value>::contains(std::string_view key) const {
    ask(key);
    return Access::isObject(*value_) && Access::member(*value_, key);
}

template <typename Value>
std::vector<std::string> BasicJsonReader<Value>::keys() const {
    if (!Access::isObject(*value_))
        fail("an object");
    std::vector<std::string> names = Access::keys(*value_);
    for (const std::string& name : names)
        ask(name);
    return names;
}

template <typename Value>
std::size_t BasicJsonReader<Value>::size() const {
    if (!Access::isList(*value_))
        fail("a list");
    return Access::size(*value_);
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
    const std::optional<std::int64_t> number = Access::integer(*value_);
    if (!number || *number < minimum || *number > maximum)
        fail(fmt::format("a whole number from {} to {}", minimum, maximum));
    return *number;
}

template <typename Value>
std::optional<std::uint64_t> BasicJsonReader<Value>::wholeOrNone() const {
    constexpr double kLargest = 9007199254740992;  // 2^53
    const double number = Access::number(*value_).value_or(-1);
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
    const std::optional<double> number = Access::number(*value_);
    if (!number || !std::isfinite(*number))
        fail("a number");
    return *number;
}

template <typename Value>
float BasicJsonReader<Value>::single() const {
    const auto value = static_cast<float>(number());
    if (!std::isfinite(value))
        fail("a number that fits 32 bits");
    return value;
}

template <typename Value>
std::string_view BasicJsonReader<Value>::text() const {
    if (!Access::isText(*value_))
        fail("a text");
    return Access::text(*value_);
}

template <typename Value>
std::string BasicJsonReader<Value>::textOrNone(std::string_view key) const {
    const std::optional<BasicJsonReader> member = find(key);
    return std::string(member && member->isText() ? member->text() : "");
}

template <typename Value>
bool BasicJsonReader<Value>::isText() const {
    return Access::isText(*value_);
}

template <typename Value>
bool BasicJsonReader<Value>::isFlag() const {
    return Access::isFlag(*value_);
}

template <typename Value>
bool BasicJsonReader<Value>::isList() const {
    return Access::isList(*value_);
}

template <typename Value>
bool BasicJsonReader<Value>::flag() const {
    if (!Access::isFlag(*value_))
        fail("true or false");
    return Access::flag(*value_);
}

template <typename Value>
core::ByteVector BasicJsonReader<Value>::hex() const {
    const std::string_view digits = text();
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

}  // namespace reanima
