/// Options of the formats, independent of how users set them: by flags of the command, properties and environment
/// variables of the Assimp loaders, or job files.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "../core/properties.h"

namespace reanima {

/// An option of one or several formats. It is a flag of the command, a property of the Assimp importers
/// (IMPORT_REANIMA_<KEY>), and a line of the documentation.
struct OptionInfo {
    enum class Type {
        number,
        count,   ///< a whole number
        counts,  ///< several numbers in a text, separated by commas; later texts add to earlier ones
        text,
        color,  ///< a 555 pixel, as a text in hexadecimal
        flag,
    };
    std::string_view key;  ///< lower case
    Type type;
    std::string_view argument;  ///< placeholder for the value in help texts
    std::string_view help;
    double minimum = 0;  ///< smallest number, count, element of counts, or color
    double maximum = 0;
    std::span<const std::string_view> choices{};  ///< allowed texts; any if empty
    enum class Use {
        reading,
        writing,
        selecting,  ///< selects a part of a file
        looks,      ///< changes how materials are written
    };
    Use use = Use::reading;
    std::string_view byDefault{};  ///< default
};

/// Another name of an option: a synonym, or a flag for one of its values.
struct SecondName {
    std::string_view name;
    std::string_view key;      ///< the option
    std::string_view value{};  ///< empty: the option's own value follows
};
inline constexpr std::array kSecondNames = {
    SecondName{"fps", "rate"},
    SecondName{"lit", "lighting", "lit"},
    SecondName{"unlit", "lighting", "unlit"},
    SecondName{"keep-mesh", "rig-mesh", "keep"},
    SecondName{"no-keep-mesh", "rig-mesh", "omit"},
};
/// Null if `name` is not a second name.
[[nodiscard]] const SecondName* findSecondName(std::string_view name);

/// An option's key and its text.
struct OptionText {
    std::string key;
    std::string text;
};
/// Replaces a second name and its text by the option that they stand for. Other names are returned unchanged. Empty for
/// a flag that is off.
/// @throws core::DecodeError of the kind `option` for a flag with a text other than 1 or 0
[[nodiscard]] std::optional<OptionText> byFirstName(std::string_view name, const std::string& text);

/// Options that the user set. Each format has its own defaults.
class OptionValues {
  public:
    void set(std::string_view key, double number) { values_[std::string(key)] = number; }
    void set(std::string_view key, std::string text) { values_[std::string(key)] = std::move(text); }

    [[nodiscard]] std::optional<double> number(std::string_view key) const;
    [[nodiscard]] std::optional<std::uint32_t> count(std::string_view key) const;
    [[nodiscard]] std::optional<std::string> text(std::string_view key) const;
    /// The whole numbers without duplicates, ascending.
    [[nodiscard]] std::set<std::uint32_t> counts(std::string_view key) const;
    /// True if a flag was set.
    [[nodiscard]] bool flag(std::string_view key) const;
    [[nodiscard]] bool has(std::string_view key) const { return values_.find(key) != values_.end(); }

    using Map = std::map<std::string, core::Variant<double, std::string>, std::less<>>;
    [[nodiscard]] const Map& all() const { return values_; }

  private:
    Map values_;
};

/// Sets an option from a user's text: numbers with a point in every locale, colors in hexadecimal, flags as 1 or 0.
/// @return the problem, if the option was not set: `is "x", expected a number from 0.001 to 1000`
[[nodiscard]] std::optional<std::string> setOption(OptionValues& values, const OptionInfo& option,
                                                   std::string_view text);
/// Sets an option from a number, which may also be a color or a flag. A text option gets the number as text.
[[nodiscard]] std::optional<std::string> setOption(OptionValues& values, const OptionInfo& option, double number);

}  // namespace reanima
