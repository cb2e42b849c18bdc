/// The system's own calls, for sources that are built only for Windows.
#pragma once

#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

// The second header needs the first.
// clang-format off
#include <windows.h>
#include <shellapi.h>
// clang-format on

namespace reanima::core {

struct CloseHandleOf {
    using pointer = HANDLE;
    void operator()(HANDLE handle) const { CloseHandle(handle); }
};
using Handle = std::unique_ptr<HANDLE, CloseHandleOf>;

/// The error of the last call, if possible as a portable code, whose text is in English.
[[nodiscard]] std::error_code lastError();

/// Converts text between UTF-8 and UTF-16. Invalid text becomes U+FFFD.
[[nodiscard]] std::wstring wideOf(std::string_view utf8);
[[nodiscard]] std::string utf8Of(std::wstring_view wide);

}  // namespace reanima::core
