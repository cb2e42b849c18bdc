#include "pipeline/named_files.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "archives/archive.h"
#include "core/read_file.h"
#include "formats/format.h"
#include "formats/load.h"
#include "formats/registry.h"

namespace reanima {

namespace fs = std::filesystem;

namespace {

/// Links to folders are not followed.
void collect(const fs::path& folder, std::vector<fs::path>& files, std::error_code& error) {
    for (const fs::path& name : core::namesIn(folder, error)) {
        const fs::path path = folder / name;
        if (core::isFile(path))
            files.push_back(path);
        else if (core::isFolder(path) && !core::isLink(path))
            collect(path, files, error);
        if (error)
            return;
    }
}

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

std::optional<std::vector<std::string>> filesBelow(const std::string& path) {
    const fs::path folder = core::fromUtf8(path);
    if (!core::isFolder(folder))
        return std::nullopt;
    std::error_code error;
    std::vector<fs::path> files;
    collect(folder, files, error);
    if (error)
        throw core::DecodeError("can't be read: " + error.message()).inFile(path);
    std::sort(files.begin(), files.end());
    std::vector<std::string> paths;
    paths.reserve(files.size());
    for (const fs::path& file : files)
        paths.push_back(core::toUtf8(file));
    return paths;
}

std::vector<Input> texturesAt(const std::string& path, archives::OpenArchives& archives, const core::Limits& limits,
                              const FilesBelow& files, const std::function<Input(const std::string& path)>& open) {
    std::vector<Input> textures;
    if (const auto below = files ? files(path) : std::nullopt) {
        for (const std::string& file : *below)
            if (textureFormat(file) != nullptr)
                textures.push_back(open(file));
    } else if (const auto archive = archives.openIfArchive(path, limits)) {
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

void addNamedCompanions(Companions& companions, const Settings& settings, archives::OpenArchives& archives,
                        const FilesBelow& files, const std::function<Input(const std::string& path)>& open) {
    const auto add = [&](Role role, Input input, Kind kind, const char* key) {
        const Format& found = formatOf(input);
        if (found.kind != kind)
            throw core::optionError({key, input.shownName()}, fmt::format("is {}", found.label));
        input.format = &found;
        companions.emplace(role, Companion{std::move(input), true});
    };
    if (!settings.events.empty())
        add(Role::events, open(settings.events), Kind::events, "events");
    if (!settings.materials.empty())
        add(Role::materials, open(settings.materials), Kind::materials, "materials");
    for (const std::string& path : settings.textures)
        for (Input& texture : texturesAt(path, archives, settings.limits, files, open))
            add(Role::textures, std::move(texture), Kind::picture, "textures");
}

}  // namespace reanima
