#include "core/file_system.h"

#include <algorithm>

namespace reanima::core {

namespace fs = std::filesystem;

bool exists(const fs::path& path) {
    std::error_code error;
    return fs::exists(statusOf(path, error));
}

bool isFile(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(statusOf(path, error));
}

bool isFolder(const fs::path& path) {
    std::error_code error;
    return fs::is_directory(statusOf(path, error));
}

bool isLink(const fs::path& path) {
    std::error_code error;
    return fs::is_symlink(ownStatusOf(path, error));
}

std::uintmax_t fileSize(const fs::path& path, std::error_code& error) {
    const FileState state = fileState(path, error);
    return error ? static_cast<std::uintmax_t>(-1) : state.size;
}

bool leadsOut(const fs::path& path, const fs::path& folder) {
    if (!core::exists(path))
        return false;
    std::error_code error;
    const fs::path target = linkTarget(path, error);
    if (error)
        return true;
    const fs::path home = linkTarget(folder.empty() ? "." : folder, error);
    return error || std::mismatch(home.begin(), home.end(), target.begin(), target.end()).first != home.end();
}

}  // namespace reanima::core
