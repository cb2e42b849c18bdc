/// Records of plain fields. Each record is described once. `describe(f, record)` calls `f(name, member)` in the order
/// of the file; `f` reads, writes, measures or lists the members.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace reanima::fields {

template <typename T>
concept Number = std::integral<T> || std::floating_point<T>;

/// The parameter type of a describe() that accepts const and non-const records.
template <typename Record, typename Plain>
concept RecordOf = std::same_as<std::remove_const_t<Record>, Plain>;

/// Marks a member that a dump may omit. Reading a dump without the member leaves it unchanged.
struct MayLack {};
inline constexpr MayLack kMayLack;

/// Marks a member that follows from the rest of the record, such as a count. Dumps omit it.
struct Derived {};
inline constexpr Derived kDerived;

/// Reads whole numbers, and lists of them, with a ByteReader. Each game's visitor adds other types.
template <typename Reader>
struct Read {
    Reader& file;
    template <std::integral T>
    void operator()(std::string_view name, T& value, auto...) const {
        value = file.template read<T>(name);
    }
    template <std::integral T, std::size_t count>
    void operator()(std::string_view name, std::array<T, count>& values, auto...) const {
        for (T& value : values)
            value = file.template read<T>(name);
    }
};

/// Writes numbers, and lists of them, with a ByteWriter.
template <typename Writer>
struct Write {
    Writer& out;
    void operator()(std::string_view, const Number auto& value, auto...) const { out.write(value); }
    template <Number T, std::size_t count>
    void operator()(std::string_view, const std::array<T, count>& values, auto...) const {
        for (const T& value : values)
            out.write(value);
    }
};

/// True for a valid parent. Joint 0 is the only root; its parent is the largest number of T. The parent of any other
/// joint is an earlier joint.
template <std::unsigned_integral T>
[[nodiscard]] constexpr bool isParentOf(T parent, std::size_t joint) {
    return joint == 0 ? parent == std::numeric_limits<T>::max() : parent < joint;
}

/// The size of a record with empty texts, in bytes.
class LeastSize {
  public:
    void operator()(std::string_view, const Number auto& value, auto...) { bytes_ += sizeof(value); }
    template <Number T, std::size_t count>
    void operator()(std::string_view, const std::array<T, count>&, auto...) {
        bytes_ += count * sizeof(T);
    }
    void operator()(std::string_view, const std::string&, auto...) { ++bytes_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

  private:
    std::size_t bytes_ = 0;
};

/// The name of a type as in the format pages: `u16`, `s32`, `f32`.
template <Number T>
[[nodiscard]] std::string typeName() {
    const char* const kind = std::floating_point<T> ? "f" : std::signed_integral<T> ? "s" : "u";
    return kind + std::to_string(8 * sizeof(T));
}

/// Lists the type and name of each field, in the order of the file.
class Listing {
  public:
    struct Row {
        std::string type;
        std::string name;
        bool operator==(const Row&) const = default;
    };

    template <Number T>
    void operator()(std::string_view name, const T&, auto...) {
        rows_.push_back({typeName<T>(), std::string(name)});
    }
    void operator()(std::string_view name, const std::string&, auto...) {
        rows_.push_back({"string", std::string(name)});
    }
    [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

  private:
    std::vector<Row> rows_;
};

}  // namespace reanima::fields
