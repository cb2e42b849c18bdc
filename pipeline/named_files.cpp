#include "pipeline/named_files.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "archives/archive.h"
#include "formats/format.h"
#include "formats/load.h"
#include "formats/registry.h"

namespace reanima {

namespace {

/// The format of the textures that files of this name are, null if they are none.
const Format* textureFormat(std::string_view name) {
    const auto isOne = [extension = extensionOf(name)](const Format* format) {
        return format->companion == Role::textures &&
               std::ranges::find(format->extensions, extension) != format->extensions.end();
    };
    const auto found = std::ranges::find_if(formats(), isOne);
    return found == formats().end() ? nullptr : *found;
}

}  // namespace

std::vector<Input> texturesAt(const std::string& path, const std::shared_ptr<const archives::OpenArchives>& files,
                              const core::Limits& limits) {
    std::vector<Input> textures;
    core::Limits left = limits;
    const auto open = [&](const std::string& name) {
        Input input = readInput(files, name, left);
        left = left.holding(input.file.bytes.size());
        return input;
    };
    if (const auto below = files->below(path)) {
        for (const std::string& file : *below)
            if (textureFormat(file) != nullptr)
                textures.push_back(open(file));
    } else if (const auto archive = files->openIfArchive(path, limits)) {
        for (const archives::Entry& entry : archive->entries()) {
            const std::string name = fmt::format("{}:{}", path, entry.name);
            if (const Format* format = textureFormat(entry.name))
                textures.push_back(entry.damaged ? Input{{name, {}}, {}, format, name} : open(name));
        }
    } else {
        textures.push_back(open(path));
    }
    if (textures.empty())
        throw core::DecodeError("holds no textures").inFile(path);
    return textures;
}

}  // namespace reanima
