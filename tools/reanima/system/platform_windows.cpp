#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <random>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <io.h>

#include "core/windows_api.h"
#include "tools/reanima/system/console.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/system/temporary.h"

namespace reanima::tool {

namespace {

constinit std::atomic<bool> endIsAskedFor = false;

/// Null for a closed stream.
HANDLE handleOf(StandardStream stream) {
    constexpr std::array kHandles = {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
    HANDLE handle = GetStdHandle(kHandles.at(static_cast<std::size_t>(stream)));
    return handle == INVALID_HANDLE_VALUE ? nullptr : handle;
}

/// The system calls this on a separate thread. One second is left to finish writing and print the summary.
BOOL WINAPI onRequestToEnd(DWORD) {
    constexpr std::chrono::seconds kToFinish(1);
    if (!endIsAskedFor.exchange(true))
        std::this_thread::sleep_for(kToFinish);
    endProcess(kInterrupted, "reanima: interrupted\n");
}

[[noreturn]] void failWithLastError() { throw std::system_error(core::lastError()); }

constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

/// Opens a file for writing. Other processes may remove it meanwhile.
/// @param how CREATE_NEW, TRUNCATE_EXISTING, OPEN_EXISTING
/// @return a descriptor
int openToWrite(const std::filesystem::path& path, DWORD how) {
    HANDLE handle = CreateFileW(core::systemPath(path).c_str(), GENERIC_WRITE, kShareAll, nullptr, how,
                                FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle == INVALID_HANDLE_VALUE)
        failWithLastError();
    return _open_osfhandle(reinterpret_cast<std::intptr_t>(handle), _O_BINARY | _O_WRONLY);  // NOLINT: it is a number
}

std::mutex& oneAtATime() {
    static std::mutex mutex;
    return mutex;
}

}  // namespace

bool isTerminal(StandardStream stream) {
    DWORD mode = 0;
    return GetConsoleMode(handleOf(stream), &mode) != 0;
}

std::size_t terminalColumns(StandardStream stream) {
    CONSOLE_SCREEN_BUFFER_INFO info{};
    if (GetConsoleScreenBufferInfo(handleOf(stream), &info) == 0)
        return 0;
    return static_cast<std::size_t>(info.srWindow.Right - info.srWindow.Left) + 1;
}

unsigned processorsOfProcess() { return std::max(1U, std::thread::hardware_concurrency()); }

std::uint64_t memoryOfMachine() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    return GlobalMemoryStatusEx(&status) != 0 ? status.ullTotalPhys : 0;
}

bool hasColours(StandardStream stream) {
    DWORD mode = 0;
    HANDLE console = handleOf(stream);
    return GetConsoleMode(console, &mode) != 0 &&
           SetConsoleMode(console, mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

bool writeTo(StandardStream stream, std::string_view text) {
    if (isTerminal(stream)) {
        const std::wstring wide = core::wideOf(text);
        constexpr std::size_t kBlock = 8192;  // older consoles accept 64 KiB per call
        for (std::wstring_view left = wide; !left.empty(); left.remove_prefix(std::min(kBlock, left.size()))) {
            DWORD written = 0;
            const auto count = static_cast<DWORD>(std::min(kBlock, left.size()));
            if (WriteConsoleW(handleOf(stream), left.data(), count, &written, nullptr) == 0) {
                errno = EIO;
                return false;
            }
        }
        return true;
    }
    std::FILE* file = stream == StandardStream::error ? stderr : stdout;
    return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
}

void printAtOnce(std::string_view line) { (void)writeTo(StandardStream::error, line); }

void giveBackFreeMemory() {}  // the heap does this itself

void prepareProcess() {
    for (const int descriptor : {0, 1, 2})
        (void)_setmode(descriptor, _O_BINARY);
    SetErrorMode(SEM_FAILCRITICALERRORS |
                 SEM_NOOPENFILEERRORBOX);  // report a drive without a disk as an error, not in a dialog
    SetConsoleCtrlHandler(onRequestToEnd, TRUE);
}

bool interrupted() { return endIsAskedFor; }

std::uint64_t randomNumber() {
    std::random_device device;
    const std::uint64_t high = device();
    return high << 32U | device();
}

void undisturbed(const std::function<void()>& work) {
    const std::lock_guard lock(oneAtATime());
    work();
}

void disturbOthers() { oneAtATime().lock(); }

void endAtOnce(int status) {
    TerminateProcess(GetCurrentProcess(), static_cast<UINT>(status));
    std::abort();  // never reached
}

FileWriter makeFolder(const std::filesystem::path& path) {
    const std::filesystem::path place = core::systemPath(path);
    if (CreateDirectoryW(place.c_str(), nullptr) == 0)
        failWithLastError();
    HANDLE handle = CreateFileW(place.c_str(), FILE_ADD_FILE, kShareAll, nullptr, OPEN_EXISTING,
                                FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    if (handle == INVALID_HANDLE_VALUE) {
        const DWORD error = GetLastError();
        const std::error_code reason = core::lastError();
        removeFolderAtOnce(place);
        const bool isTakenForLeft = error == ERROR_FILE_NOT_FOUND || error == ERROR_SHARING_VIOLATION;
        throw std::system_error(isTakenForLeft ? std::make_error_code(std::errc::file_exists) : reason);
    }
    return FileWriter(_open_osfhandle(reinterpret_cast<std::intptr_t>(handle), _O_BINARY));  // NOLINT: it is a number
}

/// On Windows an open file can't be opened again, so files in use are kept.
void removeIfLeft(const std::filesystem::path& path) {
    constexpr DWORD kShareButWriting = FILE_SHARE_READ | FILE_SHARE_DELETE;
    HANDLE handle = CreateFileW(path.c_str(), DELETE, kShareButWriting, nullptr, OPEN_EXISTING,
                                FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, nullptr);
    if (handle == INVALID_HANDLE_VALUE)
        return;
    const core::Handle held(handle);
    const DWORD attributes = GetFileAttributesW(path.c_str());
    if ((attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0)
        return;
    if ((attributes & FILE_ATTRIBUTE_DIRECTORY) == 0) {
        removeFileAtOnce(path);
        return;
    }
    std::error_code error;
    for (const std::filesystem::path& name : core::namesIn(path, error))
        removeFileAtOnce(core::systemPath(path / name));
    removeFolderAtOnce(path);
}

void removeFileAtOnce(const std::filesystem::path& path) noexcept { (void)DeleteFileW(path.c_str()); }

void removeFolderAtOnce(const std::filesystem::path& path) noexcept { (void)RemoveDirectoryW(path.c_str()); }

FileWriter FileWriter::create(const std::filesystem::path& path) { return FileWriter(openToWrite(path, CREATE_NEW)); }

FileWriter::FileWriter(const std::filesystem::path& path)
    : descriptor_(openToWrite(path, core::isFile(path) ? TRUNCATE_EXISTING : OPEN_EXISTING)) {}

FileWriter& FileWriter::operator=(FileWriter&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

FileWriter::~FileWriter() {
    if (descriptor_ >= 0)
        (void)_close(descriptor_);
}

void FileWriter::append(std::string_view bytes) {
    constexpr std::size_t kBlock = 1U << 28U;
    while (!bytes.empty()) {
        const int written = _write(descriptor_, bytes.data(), static_cast<unsigned>(std::min(kBlock, bytes.size())));
        if (written < 0)
            throw std::system_error(errno, std::generic_category());
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

/// Does nothing: files inherit their folder's permissions.
void FileWriter::setPermissions(std::filesystem::perms) {}

/// Does nothing: writes are immediate, or the system reports errors later.
void FileWriter::finish() {}

void FileWriter::close() {
    if (_close(std::exchange(descriptor_, kClosed)) != 0)
        throw std::system_error(errno, std::generic_category());
}

namespace {

/// Retries, since indexers and virus scanners briefly open new files.
void moveOrFail(const std::filesystem::path& source, const std::filesystem::path& target, DWORD how) {
    constexpr int kAttempts = 20;
    constexpr std::chrono::milliseconds kBetween(50);
    for (int attempt = 1; MoveFileExW(source.c_str(), target.c_str(), how) == 0; ++attempt) {
        const DWORD error = GetLastError();
        if (attempt == kAttempts || (error != ERROR_SHARING_VIOLATION && error != ERROR_ACCESS_DENIED))
            failWithLastError();
        std::this_thread::sleep_for(kBetween);
    }
}

}  // namespace

void moveToFree(const std::filesystem::path& from, const std::filesystem::path& to) {
    moveOrFail(core::systemPath(from), core::systemPath(to), 0);
}

void replaceFile(const std::filesystem::path& from, const std::filesystem::path& to) {
    const std::filesystem::path source = core::systemPath(from);
    const std::filesystem::path target = core::systemPath(to);
    const DWORD attributes = GetFileAttributesW(target.c_str());
    const bool isThere = attributes != INVALID_FILE_ATTRIBUTES;
    if (isThere && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0)
        RemoveDirectoryW(target.c_str());  // fails unless it is empty
    else if (isThere && (attributes & FILE_ATTRIBUTE_READONLY) != 0)
        SetFileAttributesW(target.c_str(), attributes & ~static_cast<DWORD>(FILE_ATTRIBUTE_READONLY));
    moveOrFail(source, target, MOVEFILE_REPLACE_EXISTING);
}

TrialEnd tryInCopy(const TrialLimits&, const std::function<void()>&) { return TrialEnd::own; }

std::filesystem::path folderToShowFrom() {
    std::filesystem::path folder = std::filesystem::temp_directory_path() / "reanima";  // each user has a separate one
    std::error_code error;
    core::makeFolders(folder, error);
    if (error)
        throw std::system_error(error);
    return folder;
}

bool openWithDesktop(const std::filesystem::path& path) {
    constexpr std::intptr_t kWorst = 32;  // values up to this one are errors
    const HINSTANCE result = ShellExecuteW(nullptr, L"open", path.c_str(), nullptr, nullptr, SW_SHOWNORMAL);
    return reinterpret_cast<std::intptr_t>(result) > kWorst;  // NOLINT: it is a number
}

void waitInOwnWindow() {
    DWORD process = 0;
    if (GetConsoleProcessList(&process, 1) != 1 || !isTerminal(StandardStream::input))
        return;
    (void)writeTo(StandardStream::error, "Press Enter to close this window.\n");
    (void)std::getchar();
}

void* moduleFunction(const std::string&, const char*) { throw std::runtime_error("there is none for Windows"); }

}  // namespace reanima::tool
