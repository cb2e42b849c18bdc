#include "core/windows_api.h"

#include <algorithm>
#include <array>
#include <utility>

namespace reanima::core {

std::wstring wideOf(std::string_view utf8) {
    const auto size = static_cast<int>(utf8.size());
    if (size == 0)
        return {};
    std::wstring wide(static_cast<std::size_t>(MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, nullptr, 0)), L'\0');
    MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, wide.data(), static_cast<int>(wide.size()));
    return wide;
}

std::string utf8Of(std::wstring_view wide) {
    const auto size = static_cast<int>(wide.size());
    if (size == 0)
        return {};
    const int bytes = WideCharToMultiByte(CP_UTF8, 0, wide.data(), size, nullptr, 0, nullptr, nullptr);
    std::string utf8(static_cast<std::size_t>(bytes), '\0');
    WideCharToMultiByte(CP_UTF8, 0, wide.data(), size, utf8.data(), bytes, nullptr, nullptr);
    return utf8;
}

std::error_code lastError() {
    constexpr std::array kKnown = {
        std::pair{ERROR_FILE_NOT_FOUND, std::errc::no_such_file_or_directory},
        std::pair{ERROR_PATH_NOT_FOUND, std::errc::no_such_file_or_directory},
        std::pair{ERROR_INVALID_NAME, std::errc::no_such_file_or_directory},
        std::pair{ERROR_BAD_NETPATH, std::errc::no_such_file_or_directory},
        std::pair{ERROR_ACCESS_DENIED, std::errc::permission_denied},
        std::pair{ERROR_SHARING_VIOLATION, std::errc::device_or_resource_busy},
        std::pair{ERROR_LOCK_VIOLATION, std::errc::device_or_resource_busy},
        std::pair{ERROR_FILE_EXISTS, std::errc::file_exists},
        std::pair{ERROR_ALREADY_EXISTS, std::errc::file_exists},
        std::pair{ERROR_DIRECTORY, std::errc::not_a_directory},
        std::pair{ERROR_DIR_NOT_EMPTY, std::errc::directory_not_empty},
        std::pair{ERROR_DISK_FULL, std::errc::no_space_on_device},
        std::pair{ERROR_HANDLE_DISK_FULL, std::errc::no_space_on_device},
        std::pair{ERROR_WRITE_PROTECT, std::errc::read_only_file_system},
        std::pair{ERROR_FILENAME_EXCED_RANGE, std::errc::filename_too_long},
        std::pair{ERROR_NO_DATA, std::errc::broken_pipe},
        std::pair{ERROR_BROKEN_PIPE, std::errc::broken_pipe},
    };
    const DWORD error = GetLastError();
    const auto* const known =
        std::ranges::find(kKnown, static_cast<long>(error), [](const auto& row) { return row.first; });
    return known == kKnown.end() ? std::error_code(static_cast<int>(error), std::system_category())
                                 : std::make_error_code(known->second);
}

}  // namespace reanima::core
