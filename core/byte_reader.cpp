#include "core/byte_reader.h"

#include <fmt/format.h>

namespace reanima::core::detail {

void throwTooShort(Place place, std::uint64_t needed, std::uint64_t left) {
    throw DecodeError(std::move(place), fmt::format("needs {} byte{}, but only {} {} left", needed,
                                                    needed == 1 ? "" : "s", left, left == 1 ? "is" : "are"));
}

std::string joinPath(std::string_view path, std::string_view field) {
    std::string joined(path);
    if (!path.empty() && !field.empty())
        joined += '.';
    return joined += field;
}

}  // namespace reanima::core::detail
