/// JSON in the form that `dump` writes and `encode` reads.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/bytes.h"
#include "core/decode_error.h"
#include "core/diagnostics.h"

namespace reanima {

/// Keys keep their order, so a dump has the order of the file. Code that builds or walks values includes
/// <nlohmann/json.hpp>.
using Json = nlohmann::ordered_json;

/// Bytes as lower-case hexadecimal digits.
[[nodiscard]] std::string toHex(core::Bytes bytes);

/// The warnings, without notes, as texts `field: what is wrong`. A warning about a file other than the diagnostics'
/// current one begins with that file's name.
/// @param concerns selects warnings by their field
[[nodiscard]] Json warningsToJson(
    const core::Diagnostics& diagnostics,
    const std::function<bool(const std::string& field)>& concerns = [](const std::string&) { return true; });

/// @throws DecodeError with path, line and column if the JSON is invalid or a number exceeds the range of `double`
[[nodiscard]] Json parseJson(core::Bytes text);

/// JSON for people: one member per line. Lists of numbers, and lists of such lists, are on one line.
[[nodiscard]] std::string toText(const Json& json);
/// JSON on one line, without a line end. As in toText(), bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string toLine(const Json& json);

/// The path of a value in a JSON text, for errors: `clips[3].tracks[0].joint`. Its text is only built on request, since
/// most values have no error.
class JsonPath {
  public:
    explicit JsonPath(std::string begin = {})
        : begin_(begin.empty() ? nullptr : std::make_shared<const std::string>(std::move(begin))) {}

    /// @param key must outlive the path
    [[nodiscard]] JsonPath member(std::string_view key) const;
    [[nodiscard]] JsonPath element(std::size_t index) const;
    [[nodiscard]] std::string text() const;

  private:
    static constexpr std::size_t kNoIndex = std::numeric_limits<std::size_t>::max();

    /// `.key`, `.key[index]` or `[index]`
    struct Step {
        std::string_view key{};  ///< a view without data: the step is only an index
        std::size_t index = kNoIndex;
    };
    /// The path with one more step. If no step is free, the path so far is converted to text.
    [[nodiscard]] JsonPath with(Step step) const;

    std::shared_ptr<const std::string> begin_;  // shared, since readers copy their paths; null: empty
    std::array<Step, 4> steps_{};
    std::size_t used_ = 0;
};

/// The names of members that readers asked for. Members with other names are unread, perhaps mistyped.
class AskedNames {
  public:
    void add(std::string_view name);
    /// Warns about one member that no reader asked for, and states how many more there are.
    void warnOfOthers(const Json& json, core::Diagnostics& diagnostics) const;

  private:
    std::set<std::string, std::less<>> names_;
};

template <typename Value>
struct JsonAccess;  // json_reader.h

/// Reads values from JSON that may have been edited by a person or written by another program. Errors name the path of
/// the value.
/// @tparam Value a JSON library's value, which JsonAccess is specialized for
template <typename Value>
class BasicJsonReader {
    using Access = JsonAccess<Value>;

  public:
    /// @param value must not change while it is read
    explicit BasicJsonReader(const Value& value, std::string path = {}) : value_(&value), path_(std::move(path)) {}
    /// @param asked receives the names that this reader and the readers of its members ask for; must outlive them
    BasicJsonReader(const Value& value, AskedNames& asked) : value_(&value), asked_(&asked) {}

    /// The member of that name. @throws DecodeError if this is not an object or lacks it
    [[nodiscard]] BasicJsonReader at(std::string_view key) const;
    /// The element of that index. @throws DecodeError if this is not a list or is shorter
    [[nodiscard]] BasicJsonReader at(std::size_t index) const;
    /// The member of that name, if there is one. @throws DecodeError if this is not an object
    [[nodiscard]] std::optional<BasicJsonReader> find(std::string_view key) const;
    /// The elements of the list of that name. Empty if there is no such list.
    [[nodiscard]] std::vector<BasicJsonReader> list(std::string_view key) const;
    /// True if this is an object with a member of that name that is not null.
    [[nodiscard]] bool has(std::string_view key) const;
    /// True if this is an object with a member of that name, even if the member is null.
    [[nodiscard]] bool contains(std::string_view key) const;
    /// @throws core::DecodeError for any other value
    void requireObject() const;
    [[nodiscard]] bool isText() const;
    [[nodiscard]] bool isFlag() const;
    [[nodiscard]] bool isList() const;
    /// The names of the members. @throws DecodeError if this is not an object
    [[nodiscard]] std::vector<std::string> keys() const;
    /// Number of elements. @throws DecodeError if this is not a list
    [[nodiscard]] std::size_t size() const;
    /// @throws DecodeError if this is not a list with this number of elements
    void requireSize(std::size_t elements) const;
    /// @throws DecodeError if this is not a list of `least` to `most` elements
    void requireSize(std::size_t least, std::size_t most) const;

    /// A whole number within the bounds. @throws DecodeError for anything else
    [[nodiscard]] std::int64_t integer(std::int64_t minimum, std::int64_t maximum) const;
    /// A whole number that fits T.
    template <typename T>
    [[nodiscard]] T integer() const {
        return static_cast<T>(integer(std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    }
    /// The member of that name as a whole number that fits T, or `otherwise` if has() is false.
    template <typename T>
    [[nodiscard]] T integerOr(std::string_view key, T otherwise) const {
        return has(key) ? at(key).template integer<T>() : otherwise;
    }
    /// A list of whole numbers that fit T.
    template <typename T>
    [[nodiscard]] std::vector<T> integers() const {
        std::vector<T> list;
        for (std::size_t i = 0; i < size(); ++i)
            list.push_back(at(i).template integer<T>());
        return list;
    }
    /// A whole number from 0 to 2^53, the range that every JSON reader supports. It may be written as 3.0.
    [[nodiscard]] std::uint64_t whole() const;
    [[nodiscard]] std::optional<std::uint64_t> wholeOrNone() const;  ///< nothing for other values
    /// The member of that name, read like whole(), or `otherwise` if there is no such member.
    [[nodiscard]] std::uint64_t wholeOr(std::string_view key, std::uint64_t otherwise) const;
    /// A whole number below `count`.
    [[nodiscard]] std::uint32_t index(std::size_t count) const;
    [[nodiscard]] double number() const;
    /// A number, rounded to a 32-bit float. @throws DecodeError if it is out of range
    [[nodiscard]] float single() const;
    /// @return valid as long as the value
    [[nodiscard]] std::string_view text() const;
    /// The member of that name as text. Empty if there is no such member or it is not text.
    [[nodiscard]] std::string textOrNone(std::string_view key) const;
    [[nodiscard]] bool flag() const;
    /// Bytes written as hexadecimal digits.
    [[nodiscard]] core::ByteVector hex() const;
    /// The member of that name, read like hex(). Empty if has() is false.
    [[nodiscard]] core::ByteVector hexOrNone(std::string_view key) const;

    [[nodiscard]] core::Place place() const { return {path_.text(), std::nullopt}; }
    [[noreturn]] void fail(std::string_view expected) const;
    [[nodiscard]] bool equals(const Value& other) const;
    /// Formats the value for an error message.
    [[nodiscard]] std::string shown() const;

  private:
    BasicJsonReader(const Value& value, JsonPath path, AskedNames* asked)
        : value_(&value), path_(std::move(path)), asked_(asked) {}

    void ask(std::string_view key) const {
        if (asked_ != nullptr)
            asked_->add(key);
    }

    const Value* value_;
    JsonPath path_;
    AskedNames* asked_ = nullptr;
};

extern template class BasicJsonReader<Json>;

using JsonReader = BasicJsonReader<Json>;

/// Checks derived members of a dump, such as the index of an element. Their values are not used. One note names the
/// first member whose value differs from a dump of the written file.
class DerivedMembers {
  public:
    /// @param actual the value in a dump of the written file
    void expect(const JsonReader& object, std::string_view key, const Json& actual);
    void report(core::Diagnostics& diagnostics) const;

  private:
    core::Place place_;
    std::string problem_;
    std::size_t count_ = 0;
};

}  // namespace reanima
