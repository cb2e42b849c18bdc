#include <algorithm>
#include <optional>

#include "core/file_system.h"
#include "core/windows_api.h"

namespace reanima::core {

namespace fs = std::filesystem;

std::string toUtf8(const fs::path& path) { return utf8Of(path.generic_wstring()); }

fs::path fromUtf8(std::string_view text) { return wideOf(text); }

namespace {

/// Makes a path absolute, with backslashes. Returns the path unchanged if the system call fails.
std::wstring fullPath(const fs::path& path) {
    const DWORD room = GetFullPathNameW(path.c_str(), 0, nullptr, nullptr);
    std::wstring full(room, L'\0');
    full.resize(GetFullPathNameW(path.c_str(), room, full.data(), nullptr));
    return room == 0 || full.empty() ? path.native() : full;
}

constexpr std::wstring_view kLongForm = LR"(\\?\)";

/// Opens the target of a path to query it.
Handle opened(const fs::path& path) {
    constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    HANDLE handle = CreateFileW(systemPath(path).c_str(), FILE_READ_ATTRIBUTES, kShareAll, nullptr, OPEN_EXISTING,
                                FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    return Handle(handle == INVALID_HANDLE_VALUE ? nullptr : handle);
}

struct Attributes {
    DWORD flags = 0;
    FileState state;
};

/// @tparam Information a structure of the system: several have these members
template <typename Information>
Attributes attributesIn(const Information& found) {
    return {found.dwFileAttributes,
            {std::uintmax_t{found.nFileSizeHigh} << 32U | found.nFileSizeLow,
             std::int64_t{found.ftLastWriteTime.dwHighDateTime} << 32U | found.ftLastWriteTime.dwLowDateTime}};
}

/// Follows links. Empty if nothing is there; lastError() has the reason.
std::optional<Attributes> attributesOf(const fs::path& path) {
    WIN32_FILE_ATTRIBUTE_DATA data{};
    if (GetFileAttributesExW(systemPath(path).c_str(), GetFileExInfoStandard, &data) == 0)
        return std::nullopt;
    if ((data.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0)
        return attributesIn(data);
    BY_HANDLE_FILE_INFORMATION target{};
    const Handle handle = opened(path);
    if (!handle || GetFileInformationByHandle(handle.get(), &target) == 0)
        return std::nullopt;
    return attributesIn(target);
}

/// Where a path leads when all links are followed; empty if nothing is there.
fs::path finalPath(const fs::path& path) {
    const Handle handle = opened(path);
    if (!handle)
        return {};
    const DWORD room = GetFinalPathNameByHandleW(handle.get(), nullptr, 0, 0);
    std::wstring found(room, L'\0');
    found.resize(GetFinalPathNameByHandleW(handle.get(), found.data(), room, 0));
    return found;
}

bool isNul(const fs::path& path) { return comparableName(path.filename()) == L"NUL"; }

}  // namespace

fs::path systemPath(const fs::path& path) {
    constexpr std::size_t kShort = 240;  // folders may have 248 characters, and a name may be added to this path
    std::wstring text = path.native();
    std::ranges::replace(text, L'/', L'\\');
    if (text.starts_with(kLongForm) || text.starts_with(LR"(\\.\)"))
        return text;
    const std::wstring full = fullPath(text);
    if (full.size() < kShort || full.starts_with(LR"(\\.\)"))
        return text;
    const bool isShare = full.starts_with(LR"(\\)");
    return std::wstring(kLongForm) + (isShare ? L"UNC" + full.substr(1) : full);
}

fs::file_status statusOf(const fs::path& path, std::error_code& error) {
    error.clear();
    if (isNul(path))
        return fs::file_status(fs::file_type::character);
    if (const std::optional<Attributes> attributes = attributesOf(path)) {
        const bool isFolder = (attributes->flags & FILE_ATTRIBUTE_DIRECTORY) != 0;
        return fs::file_status(isFolder ? fs::file_type::directory : fs::file_type::regular, fs::perms::all);
    }
    error = lastError();
    const bool isMissing = error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
    return fs::file_status(isMissing ? fs::file_type::not_found : fs::file_type::none);
}

bool isFileOfThatName(const fs::path& path) {
    WIN32_FIND_DATAW data{};
    HANDLE search = FindFirstFileW(systemPath(path).c_str(), &data);
    if (search == INVALID_HANDLE_VALUE)
        return false;
    FindClose(search);
    return path.filename() == data.cFileName && isFile(path);
}

fs::file_status ownStatusOf(const fs::path& path, std::error_code& error) {
    WIN32_FIND_DATAW data{};
    HANDLE search = FindFirstFileW(systemPath(path).c_str(), &data);
    if (search == INVALID_HANDLE_VALUE)
        return statusOf(path, error);
    FindClose(search);
    // Placeholders of files on a server are reparse points, too, but not links.
    const bool isLink = (data.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
                        (data.dwReserved0 == IO_REPARSE_TAG_SYMLINK || data.dwReserved0 == IO_REPARSE_TAG_MOUNT_POINT);
    return isLink ? fs::file_status(fs::file_type::symlink, fs::perms::all) : statusOf(path, error);
}

fs::path linkTarget(const fs::path& link, std::error_code& error) {
    error.clear();
    const fs::path found = finalPath(link);
    if (found.empty())
        error = lastError();
    return found;
}

FileState fileState(const fs::path& path, std::error_code& error) {
    error.clear();
    const std::optional<Attributes> attributes = attributesOf(path);
    if (!attributes)
        error = lastError();
    else if ((attributes->flags & FILE_ATTRIBUTE_DIRECTORY) != 0)
        error = std::make_error_code(std::errc::is_a_directory);
    return error ? FileState{} : attributes->state;
}

std::uintmax_t freeSpace(const fs::path& folder, std::error_code& error) {
    error.clear();
    ULARGE_INTEGER available{};
    if (GetDiskFreeSpaceExW(systemPath(folder.empty() ? "." : folder).c_str(), &available, nullptr, nullptr) == 0)
        error = lastError();
    return available.QuadPart;
}

std::vector<fs::path> namesIn(const fs::path& folder, std::error_code& error) {
    error.clear();
    std::vector<fs::path> names;
    WIN32_FIND_DATAW data{};
    HANDLE search = FindFirstFileW((systemPath(folder.empty() ? "." : folder) / L"*").c_str(), &data);
    if (search == INVALID_HANDLE_VALUE) {
        error = lastError();
        return names;
    }
    do {
        const std::wstring_view name = data.cFileName;
        if (name != L"." && name != L"..")
            names.emplace_back(name);
    } while (FindNextFileW(search, &data) != 0);
    if (GetLastError() != ERROR_NO_MORE_FILES)
        error = lastError();
    FindClose(search);
    return names;
}

fs::path comparableName(const fs::path& name) {
    const std::wstring& text = name.native();
    std::wstring upper(text.size(), L'\0');
    const auto size = static_cast<int>(text.size());
    LCMapStringEx(LOCALE_NAME_INVARIANT, LCMAP_UPPERCASE, text.data(), size, upper.data(), size, nullptr, nullptr, 0);
    return upper;
}

fs::path comparable(const fs::path& path) {
    const fs::path full = fullPath(path);
    if (!full.has_filename() && full.has_relative_path())
        return comparable(full.parent_path());
    const fs::path found = finalPath(full);
    if (!found.empty())
        return comparableName(found);
    return full.has_relative_path() ? comparable(full.parent_path()) / comparableName(full.filename())
                                    : comparableName(full);
}

void makeFolders(const fs::path& folder, std::error_code& error) {
    error.clear();
    if (folder.empty() || isFolder(folder))
        return;
    if (folder.has_relative_path())
        makeFolders(folder.parent_path(), error);
    if (!error && CreateDirectoryW(systemPath(folder).c_str(), nullptr) == 0 && !isFolder(folder))
        error = lastError();
}

void removeFile(const fs::path& path, std::error_code& error) {
    error.clear();
    if (DeleteFileW(systemPath(path).c_str()) == 0)
        error = lastError();
    if (error == std::errc::no_such_file_or_directory)
        error.clear();
}

bool removeEmptyFolder(const fs::path& path) { return RemoveDirectoryW(systemPath(path).c_str()) != 0; }

}  // namespace reanima::core
