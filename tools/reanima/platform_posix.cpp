#include <array>
#include <csignal>
#include <stdexcept>

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include "tools/reanima/platform.h"

namespace reanima::tool {

namespace {

volatile std::sig_atomic_t interruptCount = 0;

extern "C" void rememberInterrupt(int) {
    interruptCount = interruptCount + 1;
    if (interruptCount > 1)  // the second time is meant seriously
        _exit(130);
}

}  // namespace

std::filesystem::path fromUtf8(std::string_view text) { return std::filesystem::path(text); }

std::string toUtf8(const std::filesystem::path& path) { return path.string(); }

bool isTerminal(StandardStream stream) {
    constexpr std::array kDescriptors = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
    return isatty(kDescriptors.at(static_cast<std::size_t>(stream))) != 0;
}

void prepareProcess() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(descriptor, F_GETFD) < 0)  // closed: the next file that is opened would take the messages
            (void)open("/dev/null", O_RDWR);
    struct sigaction action {};
    action.sa_handler = rememberInterrupt;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of the write, not the end of the process
}

bool interrupted() { return interruptCount > 0; }

std::uint64_t processId() { return static_cast<std::uint64_t>(getpid()); }

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
        const char* reason = dlerror();
        throw std::runtime_error(reason != nullptr ? reason : path.string() + " is no module of this program");
    }
    return found;
}

void replaceFile(const std::filesystem::path& from, const std::filesystem::path& to) {
    std::filesystem::rename(from, to);
}

}  // namespace reanima::tool
