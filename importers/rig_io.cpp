#include "importers/rig_io.h"

#include <algorithm>

#include "core/file_system.h"
#include "core/files.h"
#include "core/text.h"

namespace reanima {

namespace {

bool isAbsolute(std::string_view path) {
    return path.starts_with('/') || (path.size() > 2 && path[1] == ':' && path[2] == '/');
}

/// The name of a rig's file relative to the rig's folder. Separators of all systems are accepted.
std::string nameBelow(std::string_view path) {
    std::string name(path);
    std::replace(name.begin(), name.end(), '\\', '/');
    if (isAbsolute(name))
        return std::string(core::fileNameOf(name));
    while (name.starts_with("./"))
        name.erase(0, 2);
    return name;
}

}  // namespace

RigIOSystem::RigIOSystem(Assimp::IOSystem& io, std::string rig)
    : io_(io), rig_(std::move(rig)), folder_(core::folderOf(rig_)) {}

std::string RigIOSystem::nameOf(std::string_view path) const {
    return nameBelow(path.starts_with(folder_) ? path.substr(folder_.size()) : path);
}

std::optional<std::string> RigIOSystem::allowed(std::string_view path) const {
    if (path == rig_)
        return rig_;
    const std::string name = nameOf(path);
    std::string found = folder_ + name;
    if (!core::staysBelow(name) || core::leadsOut(core::fromUtf8(found), core::fromUtf8(folder_).parent_path()))
        return std::nullopt;
    return found;
}

std::optional<std::string> RigIOSystem::nameLike(std::string_view name) const {
    std::error_code error;
    const std::string folder = folder_.empty() ? "." : folder_;
    for (const std::filesystem::path& other : core::namesIn(core::fromUtf8(folder), error))
        if (core::lowerCase(core::toUtf8(other)) == core::lowerCase(name))
            return core::toUtf8(other);
    return std::nullopt;
}

bool RigIOSystem::Exists(const char* file) const {
    const std::optional<std::string> path = allowed(file);
    return path && io_.Exists(path->c_str());
}

Assimp::IOStream* RigIOSystem::Open(const char* file, const char* mode) {
    const bool reads = std::string_view(mode).find_first_of("wa+") == std::string_view::npos;
    const std::optional<std::string> path = reads ? allowed(file) : std::nullopt;
    return path ? io_.Open(path->c_str(), mode) : nullptr;
}

}  // namespace reanima
