#include "core/file_system.h"

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

}  // namespace reanima::core
