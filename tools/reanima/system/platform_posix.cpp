#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <system_error>

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/reanima/system/console.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/system/temporary.h"

namespace reanima::tool {

namespace {

constinit std::atomic<bool> endIsAskedFor = false;
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers use it");

/// The first request leaves a second for what is being written and for the summary: a computation may be too long to
/// wait for, and none of them has to ask. The alarm, or a second request, ends the process.
extern "C" void onRequestToEnd(int signal) {
    constexpr unsigned kSeconds = 1;
    if (endIsAskedFor.exchange(true) || signal == SIGALRM)
        endProcess(kInterrupted, "reanima: interrupted\n");
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

}  // namespace

bool isTerminal(StandardStream stream) {
    constexpr std::array kDescriptors = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
    return isatty(kDescriptors.at(static_cast<std::size_t>(stream))) != 0;
}

bool hasColours(StandardStream stream) { return isTerminal(stream); }

bool writeTo(StandardStream stream, std::string_view text) {
    std::FILE* file = stream == StandardStream::error ? stderr : stdout;
    return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
}

void printAtOnce(std::string_view line) {
    pollfd stream{STDERR_FILENO, POLLOUT, 0};
    if (poll(&stream, 1, 0) == 1)
        (void)!write(STDERR_FILENO, line.data(), line.size());
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

namespace {

std::atomic_flag isLocked = ATOMIC_FLAG_INIT;

/// No signal handler runs in this thread meanwhile, so that a handler may wait for the others.
class Undisturbed {
  public:
    Undisturbed() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
        disturbOthers();
    }
    ~Undisturbed() {
        isLocked.clear(std::memory_order_release);
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    Undisturbed(const Undisturbed&) = delete;
    Undisturbed& operator=(const Undisturbed&) = delete;

  private:
    sigset_t before_;
};

}  // namespace

void undisturbed(const std::function<void()>& work) {
    const Undisturbed here;
    work();
}

void disturbOthers() {
    while (isLocked.test_and_set(std::memory_order_acquire))
        sched_yield();
}

void endAtOnce(int status) { _exit(status); }

void makeFolder(const std::filesystem::path& path) {
    constexpr mode_t kForAll = 0777;  // less what the user's mask takes away
    if (mkdir(path.c_str(), kForAll) != 0)
        failWithLastError();
}

void removeFileAtOnce(const std::filesystem::path& path) noexcept { (void)unlink(path.c_str()); }

void removeFolderAtOnce(const std::filesystem::path& path) noexcept { (void)rmdir(path.c_str()); }

FileWriter FileWriter::create(const std::filesystem::path& path) {
    constexpr mode_t kNotExecutable = 0666;
    const int made = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kNotExecutable);
    if (made < 0)
        failWithLastError();
    return FileWriter(made);
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
