#include "formats/own_names.h"

#include <algorithm>
#include <array>

namespace reanima {

namespace ff7 {
extern const NameFile kScenes;
}

namespace {

/// All name files; see the table in registry.cpp.
constexpr std::array kNameFiles = {&ff7::kScenes};

}  // namespace

const NameFile* nameFileFor(std::string_view fileName) {
    const auto found =
        std::ranges::find_if(kNameFiles, [&](const NameFile* file) { return !file->keyOf(fileName).empty(); });
    return found == kNameFiles.end() ? nullptr : *found;
}

}  // namespace reanima
