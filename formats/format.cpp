#include "formats/format.h"

#include <algorithm>
#include <charconv>

#include <nlohmann/json.hpp>

namespace reanima {

core::DecodeError missingSkeleton() {
    return core::DecodeError("needs the skeleton that it was made for").withHint({"skeleton", "FILE"});
}

void refuseIfCancelled(const std::function<bool()>& cancelled) {
    if (cancelled && cancelled())
        throw core::DecodeError({}, "was cancelled", core::DecodeError::Kind::cancelled);
}

Json modelIdToJson(const std::string& id) {
    std::uint32_t number = 0;
    const char* end = id.data() + id.size();
    const auto [last, error] = std::from_chars(id.data(), end, number);
    return error == std::errc() && last == end ? Json(number) : Json(id);
}

std::string inCaseOf(char sample, std::string_view text) {
    std::string result(text);
    if (core::isUpper(sample))
        std::transform(result.begin(), result.end(), result.begin(),
                       [](char c) { return core::isLower(c) ? static_cast<char>(c - 'a' + 'A') : c; });
    return result;
}

std::vector<std::string> companionNames(std::string_view name, std::string_view extension) {
    const std::size_t dot = stemOf(name).size();
    const std::string own = inCaseOf(dot + 1 < name.size() ? name[dot + 1] : 'a', extension);
    const std::string lower(extension);
    const std::string other = own == lower ? inCaseOf('A', extension) : lower;
    std::vector<std::string> names;
    for (const std::string& stem : companionStems(name))
        for (const std::string& spelling : {own, other})
            names.push_back(std::string(stem).append(".").append(spelling));
    return names;
}

std::vector<std::string> companionStems(std::string_view name) {
    const std::string stem(stemOf(name));
    std::vector<std::string> stems = {stem};
    const std::size_t underscore = stem.rfind('_');
    if (underscore != std::string::npos && underscore > 0)
        stems.push_back(stem.substr(0, underscore));
    return stems;
}

}  // namespace reanima
