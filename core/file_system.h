/// Access to the file system. These functions hide the differences between operating systems, and accept names in any
/// script and paths of any length. Other code only reads and writes bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace reanima::core {

/// Converts paths to text: UTF-8, on Windows with `/` between their parts.
[[nodiscard]] std::string toUtf8(const std::filesystem::path& path);
[[nodiscard]] std::filesystem::path fromUtf8(std::string_view text);

/// A path for the system's own calls: Windows needs another form for paths above 260 characters.
[[nodiscard]] std::filesystem::path systemPath(const std::filesystem::path& path);

/// The status of a path. Links are followed.
/// @param error the reason, if nothing is found or the status can't be read
[[nodiscard]] std::filesystem::file_status statusOf(const std::filesystem::path& path, std::error_code& error);
[[nodiscard]] bool exists(const std::filesystem::path& path);
/// True for a regular file.
[[nodiscard]] bool isFile(const std::filesystem::path& path);
/// True for a regular file with exactly this name. On file systems that ignore case, isFile() also finds other names.
[[nodiscard]] bool isFileOfThatName(const std::filesystem::path& path);
[[nodiscard]] bool isFolder(const std::filesystem::path& path);
/// The status of a path itself: links are not followed.
[[nodiscard]] std::filesystem::file_status ownStatusOf(const std::filesystem::path& path, std::error_code& error);
/// True for a link to a file or a folder, wherever it leads.
[[nodiscard]] bool isLink(const std::filesystem::path& path);
/// The final target of a link. @param error is set if the target can't be read
[[nodiscard]] std::filesystem::path linkTarget(const std::filesystem::path& link, std::error_code& error);

/// True if an existing path below the folder contains links that lead out of the folder, or that can't be followed.
[[nodiscard]] bool leadsOut(const std::filesystem::path& path, const std::filesystem::path& folder);

/// What one system call reports about a regular file.
struct FileState {
    std::uintmax_t size = 0;   ///< in bytes
    std::int64_t changed = 0;  ///< time of the last change, in units of the system: only for comparison
};
/// @param error is set if there is no such file
[[nodiscard]] FileState fileState(const std::filesystem::path& path, std::error_code& error);
/// The size of a regular file in bytes.
/// @param error is set if there is no such file
[[nodiscard]] std::uintmax_t fileSize(const std::filesystem::path& path, std::error_code& error);

/// The free space, in bytes, on the disk of an existing folder.
[[nodiscard]] std::uintmax_t freeSpace(const std::filesystem::path& folder, std::error_code& error);

/// The names in a folder, in no particular order.
/// @param folder empty: the current one
/// @param error is set if a part of the folder can't be read
[[nodiscard]] std::vector<std::filesystem::path> namesIn(const std::filesystem::path& folder, std::error_code& error);

/// A form in which all paths to the same place are equal. The place need not exist.
[[nodiscard]] std::filesystem::path comparable(const std::filesystem::path& path);
/// A name in a form for comparison. Names that the file system treats as the same become equal: upper case on Windows.
[[nodiscard]] std::filesystem::path comparableName(const std::filesystem::path& name);

/// Creates a folder and its missing parents.
void makeFolders(const std::filesystem::path& folder, std::error_code& error);
/// Removes a file; a missing file is not an error.
void removeFile(const std::filesystem::path& path, std::error_code& error);
/// Removes a folder. @return false if it is not empty, not a folder, or can't be removed
bool removeEmptyFolder(const std::filesystem::path& path);

}  // namespace reanima::core
