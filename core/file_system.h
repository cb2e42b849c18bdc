/// The file system. Nothing else asks it for more than bytes: these functions hide what differs between operating
/// systems, and take names in any script and paths of any length.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace reanima::core {

/// Paths are UTF-8 wherever they are text, on Windows with `/` between their parts.
[[nodiscard]] std::string toUtf8(const std::filesystem::path& path);
[[nodiscard]] std::filesystem::path fromUtf8(std::string_view text);

/// A path as the system's own calls take it: on Windows longer ones than 260 characters need another form.
[[nodiscard]] std::filesystem::path systemPath(const std::filesystem::path& path);

/// What a path leads to; links are followed.
/// @param error says why, where nothing is found or that can't be found out
[[nodiscard]] std::filesystem::file_status statusOf(const std::filesystem::path& path, std::error_code& error);
[[nodiscard]] bool exists(const std::filesystem::path& path);
/// True for a regular file.
[[nodiscard]] bool isFile(const std::filesystem::path& path);
/// True for a regular file that has exactly this name in its folder; where case does not count, isFile() finds others,
/// too.
[[nodiscard]] bool isFileOfThatName(const std::filesystem::path& path);
[[nodiscard]] bool isFolder(const std::filesystem::path& path);
/// True for a link to a file or a folder, wherever it leads.
[[nodiscard]] bool isLink(const std::filesystem::path& path);
/// Where a link leads, in the end. @param error is set if that can't be found out
[[nodiscard]] std::filesystem::path linkTarget(const std::filesystem::path& link, std::error_code& error);

/// True if links on the way to something that exists lead out of a folder that it is named below, or can't be followed.
[[nodiscard]] bool leadsOut(const std::filesystem::path& path, const std::filesystem::path& folder);

/// Bytes of a regular file.
/// @param error is set if there is none
[[nodiscard]] std::uintmax_t fileSize(const std::filesystem::path& path, std::error_code& error);

/// Bytes that may still be written to the disk of a folder that exists.
[[nodiscard]] std::uintmax_t freeSpace(const std::filesystem::path& folder, std::error_code& error);

/// The names of what lies in a folder, in no order.
/// @param folder empty: the current one
/// @param error is set if not all of it can be read
[[nodiscard]] std::vector<std::filesystem::path> namesIn(const std::filesystem::path& folder, std::error_code& error);

/// The same text for every path that leads to the same place, whether something is there or not.
[[nodiscard]] std::filesystem::path comparable(const std::filesystem::path& path);
/// A name so that names which the file system takes for the same one are equal: on Windows in upper case.
[[nodiscard]] std::filesystem::path comparableName(const std::filesystem::path& name);

/// Makes a folder and those above it, where they are missing.
void makeFolders(const std::filesystem::path& folder, std::error_code& error);
/// Removes a file; that none is there is no error.
void removeFile(const std::filesystem::path& path, std::error_code& error);
/// Removes a folder. @return false if something is in it, or it is none, or can't be removed
bool removeEmptyFolder(const std::filesystem::path& path);

}  // namespace reanima::core
