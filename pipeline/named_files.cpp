#include "pipeline/named_files.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "archives/archive.h"
#include "formats/format.h"
#include "formats/load.h"
#include "formats/registry.h"

namespace reanima {

namespace {

/// The texture format for files of this name. Null for other files.
const Format* textureFormat(std::string_view name) {
    const auto isOne = [extension = extensionOf(name)](const Format* format) {
        return format->companion == Role::textures &&
               std::ranges::find(format->extensions, extension) != format->extensions.end();
    };
    const auto found = std::ranges::find_if(formats(), isOne);
    return found == formats().end() ? nullptr : *found;
}

}  // namespace

FoundTextures texturesAt(const std::string& path, const std::shared_ptr<const archives::OpenArchives>& files,
                         const core::Limits& limits) {
    FoundTextures found;
    core::Limits left = limits;
    const auto open = [&](const std::string& name) {
        Input input = readInput(files, name, left);
        left = left.holding(input.file.bytes.size());
        return input;
    };
    std::set<std::string> places;
    const auto addPlace = [&](const std::string& name, std::string_view folder) {
        if (places.emplace(folder).second)
            found.places.push_back({File{name, {}}, Siblings(files, name, limits), nullptr, name});
    };
    if (const auto below = files->below(path)) {
        for (const std::string& file : *below)
            if (const Format* format = textureFormat(file); format != nullptr && format->traits.isKnownById)
                addPlace(file, core::folderOf(file));
            else if (format != nullptr)
                found.textures.push_back(open(file));
    } else if (const auto archive = files->openIfArchive(path, limits)) {
        for (const archives::Entry& entry : archive->entries()) {
            const std::string name = fmt::format("{}:{}", path, entry.name);
            const Format* format = textureFormat(entry.name);
            if (format != nullptr && format->traits.isKnownById)
                addPlace(name, path);
            else if (format != nullptr)
                found.textures.push_back(entry.damaged ? Input{{name, {}}, {}, format, name} : open(name));
        }
    } else {
        Input file = open(path);
        const Format* format = textureFormat(file.file.name);
        if (format != nullptr && format->traits.isKnownById)
            found.places.push_back({std::move(file.file), {}, format, path});
        else
            found.textures.push_back(std::move(file));
    }
    if (found.textures.empty() && found.places.empty())
        throw core::DecodeError("contains no textures").inFile(path);
    return found;
}

}  // namespace reanima
