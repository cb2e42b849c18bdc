#include "formats/aliases.h"

#include <algorithm>

#include "core/text.h"

namespace reanima {

std::string withoutAlias(std::string_view path) {
    const std::string extension = core::extensionOf(core::fileNameOf(path));
    if (std::ranges::find(kAliases, extension) != kAliases.end())
        path.remove_suffix(extension.size() + 1);
    return std::string(path);
}

}  // namespace reanima
