#include <cerrno>
#include <memory>

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file_system.h"

namespace reanima::core {

namespace fs = std::filesystem;

std::string toUtf8(const fs::path& path) { return path.string(); }

fs::path fromUtf8(std::string_view text) { return text; }

fs::path systemPath(const fs::path& path) { return path; }

fs::file_status statusOf(const fs::path& path, std::error_code& error) { return fs::status(path, error); }

bool isFileOfThatName(const fs::path& path) { return isFile(path); }

fs::file_status ownStatusOf(const fs::path& path, std::error_code& error) { return fs::symlink_status(path, error); }

fs::path linkTarget(const fs::path& link, std::error_code& error) { return fs::weakly_canonical(link, error); }

FileState fileState(const fs::path& path, std::error_code& error) {
    constexpr std::int64_t kNanoseconds = 1'000'000'000;
    error.clear();
    struct ::stat found {};
    if (::stat(path.c_str(), &found) != 0)
        error.assign(errno, std::generic_category());
    else if (S_ISDIR(found.st_mode))
        error = std::make_error_code(std::errc::is_a_directory);
    else if (!S_ISREG(found.st_mode))
        error = std::make_error_code(std::errc::not_supported);
    if (error)
        return {};
    return {static_cast<std::uintmax_t>(found.st_size),
            std::int64_t{found.st_mtim.tv_sec} * kNanoseconds + found.st_mtim.tv_nsec};
}

std::uintmax_t freeSpace(const fs::path& folder, std::error_code& error) {
    return fs::space(folder.empty() ? "." : folder, error).available;
}

std::vector<fs::path> namesIn(const fs::path& folder, std::error_code& error) {
    // Not fs::directory_iterator: libstdc++'s ends the program if memory runs out.
    struct Close {
        void operator()(DIR* opened) const { ::closedir(opened); }
    };
    std::vector<fs::path> names;
    error.clear();
    const std::unique_ptr<DIR, Close> opened(::opendir(folder.empty() ? "." : folder.c_str()));
    errno = opened ? 0 : errno;
    while (const dirent* entry = opened ? ::readdir(opened.get()) : nullptr) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..")
            names.emplace_back(name);
        errno = 0;
    }
    if (errno != 0)
        error.assign(errno, std::generic_category());
    return names;
}

fs::path comparable(const fs::path& path) {
    std::error_code error;
    const fs::path found = fs::weakly_canonical(fs::absolute(path, error), error);
    return error ? path : found;
}

fs::path comparableName(const fs::path& name) { return name; }

void makeFolders(const fs::path& folder, std::error_code& error) { fs::create_directories(folder, error); }

void removeFile(const fs::path& path, std::error_code& error) { fs::remove(path, error); }
bool removeEmptyFolder(const fs::path& path) { return rmdir(path.c_str()) == 0; }

}  // namespace reanima::core
