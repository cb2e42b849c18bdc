#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>
#include <system_error>

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/reanima/console.h"
#include "tools/reanima/platform.h"
#include "tools/reanima/temporary.h"

namespace reanima::tool {

namespace {

constinit std::atomic<bool> endIsAskedFor = false;
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers use it");

/// Prints a line if that makes nobody wait.
void printAtOnce(std::string_view line) {
    pollfd stream{STDERR_FILENO, POLLOUT, 0};
    if (poll(&stream, 1, 0) == 1)
        (void)!write(STDERR_FILENO, line.data(), line.size());
}

[[noreturn]] void endWithLine(std::string_view line, int status) {
    printAtOnce(line);
    endProcess(status);
}

/// The first request leaves a second for what is being written and for the summary: a computation may be too long to
/// wait for, and none of them has to ask. The alarm, or a second request, ends the process.
extern "C" void onRequestToEnd(int signal) {
    constexpr unsigned kSeconds = 1;
    if (endIsAskedFor.exchange(true) || signal == SIGALRM)
        endWithLine("reanima: interrupted\n", kInterrupted);
    (void)alarm(kSeconds);
}

void catchRequestsToEnd() {
    struct sigaction action {};
    action.sa_handler = onRequestToEnd;
    sigset_t requests;
    sigemptyset(&requests);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM})
        sigaddset(&requests, signal);
    action.sa_mask = requests;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM}) {
        struct sigaction before {};
        sigaction(signal, nullptr, &before);
        if (signal != SIGHUP || before.sa_handler != SIG_IGN)  // nohup
            sigaction(signal, &action, nullptr);
    }
    pthread_sigmask(SIG_UNBLOCK, &requests, nullptr);
}

/// Ends the process where an exception found no memory, or none that a handler could be called with.
[[noreturn]] void onTerminate() {
    try {
        if (std::current_exception())
            throw;
    } catch (const std::bad_alloc&) {
    } catch (...) {
        std::abort();  // a mistake of ours
    }
    endWithLine("reanima: out of memory\n", kLimitExceeded);
}

}  // namespace

std::filesystem::path fromUtf8(std::string_view text) { return std::filesystem::path(text); }

std::string toUtf8(const std::filesystem::path& path) { return path.string(); }

bool isTerminal(StandardStream stream) {
    constexpr std::array kDescriptors = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
    return isatty(kDescriptors.at(static_cast<std::size_t>(stream))) != 0;
}

void prepareProcess() {
    // Closed ones: the next files that are opened would take their place. Nothing can be read from the one that stands
    // for standard input nor written to the one that stands for standard output, so that both are still errors.
    constexpr std::array kModes = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor)
        if (fcntl(descriptor, F_GETFD) < 0)
            (void)open("/dev/null", kModes.at(static_cast<std::size_t>(descriptor)));
    for (const int signal : {SIGPIPE, SIGXFSZ})
        std::signal(signal, SIG_IGN);
    catchRequestsToEnd();
    std::set_terminate(onTerminate);
}

bool interrupted() { return endIsAskedFor; }

namespace {

[[noreturn]] void failWithLastError() { throw std::system_error(errno, std::generic_category()); }

}  // namespace

std::uint64_t randomNumber() {
    std::uint64_t number = 0;
    if (getentropy(&number, sizeof number) != 0)
        failWithLastError();
    return number;
}

FileWriter::FileWriter(const std::filesystem::path& path)
    : descriptor_(open(path.c_str(), O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC)) {
    if (descriptor_ < 0)
        failWithLastError();
}

FileWriter& FileWriter::operator=(FileWriter&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

FileWriter::~FileWriter() {
    if (descriptor_ >= 0)
        (void)::close(descriptor_);
}

void FileWriter::append(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR)
            failWithLastError();
        bytes.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
}

void FileWriter::setPermissions(std::filesystem::perms permissions) {
    if (fchmod(descriptor_, static_cast<mode_t>(permissions)) != 0)
        failWithLastError();
}

void FileWriter::close() {
    if (::close(std::exchange(descriptor_, kClosed)) != 0 && errno != EINTR)  // closed it is in any case
        failWithLastError();
}

void* moduleFunction(const std::string& module, const char* function) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    const std::string name = module + ".so";
    const fs::path beside = folder / name;
    const fs::path installed = folder.parent_path() / "lib" / "reanima" / name;
    const fs::path& path = fs::exists(beside, error) ? beside : installed;
    if (!fs::exists(path, error))
        throw std::runtime_error("neither " + beside.string() + " nor " + installed.string() + " is there");
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* found = library != nullptr ? dlsym(library, function) : nullptr;
    if (found == nullptr) {
        const char* reason = dlerror();  // none for a function at the address 0
        throw std::runtime_error(path.string() +
                                 " is not a module of this program: " + (reason != nullptr ? reason : function));
    }
    return found;
}

void replaceFile(const std::filesystem::path& from, const std::filesystem::path& to) {
    std::filesystem::rename(from, to);
}

}  // namespace reanima::tool
