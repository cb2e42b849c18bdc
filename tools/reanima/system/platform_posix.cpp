#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <new>
#include <stdexcept>
#include <system_error>

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "tools/reanima/system/console.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/system/temporary.h"

namespace reanima::tool {

namespace {

constinit std::atomic<bool> endIsAskedFor = false;
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers use it");

/// After the first request, one second is left to finish writing and print the summary. Long computations need not
/// check for requests: the alarm or a second request ends the process.
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
        if (signal != SIGHUP || before.sa_handler != SIG_IGN)  // nohup ignores it
            sigaction(signal, &action, nullptr);
    }
    pthread_sigmask(SIG_UNBLOCK, &requests, nullptr);
}

/// Sets a limit, but never raises an existing one.
void limitTo(rlim_t most, decltype(RLIMIT_CPU) resource) {
    rlimit limit{};
    if (getrlimit(resource, &limit) == 0) {
        limit.rlim_cur = std::min({limit.rlim_cur, limit.rlim_max, most});
        setrlimit(resource, &limit);
    }
}

rlim_t addressesOfProcess() {
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

/// The memory limit of the container. The largest number if it is unlimited or unknown.
std::uint64_t memoryOfContainer() {
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    for (const char* place : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        std::uint64_t bytes = 0;  // fails for `max`
        if (std::ifstream(place) >> bytes)
            least = std::min(least, bytes);
    }
    return least;
}

constexpr int kOutOfMemory = 3;  // exit status of a copy

/// The work of the copy. Signals end the copy only, and its output is discarded.
[[noreturn]] void workInCopy(const TrialLimits& limits, const std::function<void()>& work) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGXCPU})
        (void)std::signal(signal, SIG_DFL);
    constexpr unsigned kPatience = 20;  // factor for a copy that waits for files or shares a processor
    (void)alarm(kPatience * limits.seconds);
    limitTo(0, RLIMIT_CORE);
    limitTo(limits.seconds, RLIMIT_CPU);
    if (const rlim_t addresses = addressesOfProcess(); addresses > 0)
        limitTo(addresses + limits.memory, RLIMIT_AS);
    const int nowhere = open("/dev/null", O_WRONLY);
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO})
        (void)dup2(nowhere, descriptor);
    int status = 0;
    try {
        work();
    } catch (const std::bad_alloc&) {
        status = kOutOfMemory;
    } catch (...) {
        status = 0;  // the process itself will meet the same error
    }
    _exit(status);
}

int descriptorOf(StandardStream stream) {
    constexpr std::array kDescriptors = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
    return kDescriptors.at(static_cast<std::size_t>(stream));
}

}  // namespace

bool isTerminal(StandardStream stream) { return isatty(descriptorOf(stream)) != 0; }

std::size_t terminalColumns(StandardStream stream) {
    winsize size{};
    return ioctl(descriptorOf(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool hasColours(StandardStream stream) { return isTerminal(stream); }

#if defined(__EMSCRIPTEN__)
unsigned processorsOfProcess() { return 1; }  // browsers allow threads only if a page is served with special headers
#else
unsigned processorsOfProcess() {
    cpu_set_t processors;
    CPU_ZERO(&processors);
    if (sched_getaffinity(0, sizeof processors, &processors) == 0)
        return static_cast<unsigned>(std::max(1, CPU_COUNT(&processors)));
    return static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}
#endif

std::uint64_t memoryOfMachine() {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0)
        return 0;
    return std::min(static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page), memoryOfContainer());
}

bool writeTo(StandardStream stream, std::string_view text) {
    std::FILE* file = stream == StandardStream::error ? stderr : stdout;
    return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
}

void printAtOnce(std::string_view line) {
    pollfd stream{STDERR_FILENO, POLLOUT, 0};
    if (poll(&stream, 1, 0) == 1)
        (void)!::write(STDERR_FILENO, line.data(), line.size());
}

namespace {

/// Without this, the C library would return memory between two files of a batch and then request it again page by page.
/// Blocks larger than most files need are still returned immediately.
void keepMemoryBetweenFiles() {
#if defined(__GLIBC__)
    constexpr int kKept = 8 << 20;
    constexpr int kLarge = 4 << 20;
    mallopt(M_TRIM_THRESHOLD, kKept);
    mallopt(M_MMAP_THRESHOLD, kLarge);
#endif
}

}  // namespace

void giveBackFreeMemory() {
#if defined(__GLIBC__)
    (void)malloc_trim(0);
#endif
}

void prepareProcess() {
    keepMemoryBetweenFiles();
    // Replaces closed standard streams, since the next opened files would get their numbers. The replacements make
    // reading standard input and writing standard output fail, as on closed streams.
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

/// Blocks signal handlers in this thread, so that a handler may wait for other threads.
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

void removeFileAtOnce(const std::filesystem::path& path) noexcept { (void)unlink(path.c_str()); }

void removeFolderAtOnce(const std::filesystem::path& path) noexcept { (void)rmdir(path.c_str()); }

namespace {

/// Locks a file or folder to show other processes that it is in use. The system releases the lock when the process
/// ends. The lock also works across containers that share the folder.
bool takeLock(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB) == 0; }

/// False if another process has removed or moved the opened file or folder. Also false, with `errno` set, if this can't
/// be checked.
bool isStillAt(const std::filesystem::path& path, int descriptor) {
    struct stat opened {};
    struct stat found {};
    errno = 0;
    return fstat(descriptor, &opened) == 0 && lstat(path.c_str(), &found) == 0 && opened.st_dev == found.st_dev &&
           opened.st_ino == found.st_ino;
}

/// Locks a new file or folder. Some file systems have no locks: removeIfLeft() removes nothing there.
/// @param remove called if the system fails
/// @throws std::system_error, `file_exists`, if another process considers it left over and removes it
void holdOrFail(const std::filesystem::path& path, int descriptor,
                void (*remove)(const std::filesystem::path&) noexcept) {
    if (!takeLock(descriptor) && errno == EWOULDBLOCK)
        throw std::system_error(EEXIST, std::generic_category());
    if (isStillAt(path, descriptor))
        return;
    const int error = errno;
    if (error != 0 && error != ENOENT)
        remove(path);
    throw std::system_error(error == 0 || error == ENOENT ? EEXIST : error, std::generic_category());
}

}  // namespace

FileWriter makeFolder(const std::filesystem::path& path) {
    constexpr mode_t kForAll = 0777;  // reduced by the user's mask
    if (mkdir(path.c_str(), kForAll) != 0)
        failWithLastError();
    const int opened = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (opened < 0) {
        const int error = errno;
        removeFolderAtOnce(path);
        throw std::system_error(error == ENOENT ? EEXIST : error, std::generic_category());
    }
    FileWriter folder(opened);
    holdOrFail(path, opened, removeFolderAtOnce);
    return folder;
}

void removeIfLeft(const std::filesystem::path& path) {
    constexpr int kHow = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    int descriptor = open(path.c_str(), O_RDWR | kHow);  // NFS can't lock files that are opened read-only
    if (descriptor < 0)
        descriptor = open(path.c_str(), O_RDONLY | kHow);
    const FileWriter closed(descriptor);
    struct stat status {};
    if (descriptor < 0 || fstat(descriptor, &status) != 0 || !takeLock(descriptor) || !isStillAt(path, descriptor))
        return;
    if (S_ISREG(status.st_mode))
        (void)unlink(path.c_str());
    if (!S_ISDIR(status.st_mode))
        return;
    std::error_code error;
    for (const std::filesystem::path& name : core::namesIn(path, error))
        (void)unlink((path / name).c_str());
    (void)rmdir(path.c_str());
}

FileWriter FileWriter::create(const std::filesystem::path& path) {
    constexpr mode_t kNotExecutable = 0666;
    const int made = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kNotExecutable);
    if (made < 0)
        failWithLastError();
    FileWriter file(made);
    holdOrFail(path, made, removeFileAtOnce);
    return file;
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
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR)
            failWithLastError();
        bytes.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
}

void FileWriter::setPermissions(std::filesystem::perms permissions) {
    if (fchmod(descriptor_, static_cast<mode_t>(permissions)) != 0)
        failWithLastError();
}

/// File systems that write later, such as NFS, report errors when any descriptor is closed.
void FileWriter::finish() {
    const int other = dup(descriptor_);
    if (other < 0 || (::close(other) != 0 && errno != EINTR))
        failWithLastError();
}

void FileWriter::close() {
    if (::close(std::exchange(descriptor_, kClosed)) != 0 && errno != EINTR)  // EINTR: it is closed nevertheless
        failWithLastError();
}

TrialEnd tryInCopy(const TrialLimits& limits, const std::function<void()>& work) {
    const pid_t copy = fork();
    if (copy < 0)
        return TrialEnd::own;
    if (copy == 0)
        workInCopy(limits, work);
    int status = 0;
    while (waitpid(copy, &status, 0) < 0)
        if (errno != EINTR)
            return TrialEnd::own;
    if (WIFEXITED(status))
        return WEXITSTATUS(status) == 0              ? TrialEnd::own
               : WEXITSTATUS(status) == kOutOfMemory ? TrialEnd::outOfMemory
                                                     : TrialEnd::crash;
    const int signal = WTERMSIG(status);
    return signal == SIGXCPU || signal == SIGALRM ? TrialEnd::outOfTime
           : signal == SIGKILL                    ? TrialEnd::outOfMemory  // by the system, if memory runs out
                                                  : TrialEnd::crash;
}

std::filesystem::path folderToShowFrom() {
    std::filesystem::path folder = std::filesystem::temp_directory_path() / ("reanima-" + std::to_string(geteuid()));
    constexpr mode_t kOwnerAlone = 0700;
    if (mkdir(folder.c_str(), kOwnerAlone) != 0 && errno != EEXIST)
        throw std::system_error(errno, std::generic_category());
    struct stat status {};
    if (lstat(folder.c_str(), &status) != 0)
        throw std::system_error(errno, std::generic_category());
    if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid())
        throw std::system_error(EPERM, std::generic_category());
    return folder;
}

bool openWithDesktop(const std::filesystem::path& path) {
    const auto isSet = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    if (!isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY"))
        return false;
    const pid_t child = fork();
    if (child == 0) {
        const int nowhere = open("/dev/null", O_RDWR);
        for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
            (void)dup2(nowhere, descriptor);
        execlp("xdg-open", "xdg-open", path.c_str(), nullptr);
        constexpr int kNoSuchCommand = 127;
        _exit(kNoSuchCommand);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void waitInOwnWindow() {}  // the terminal stays open

#if defined(__EMSCRIPTEN__)
void* moduleFunction(const std::string&, const char*) { throw std::runtime_error("there is none for browsers"); }
#else
void* moduleFunction(const std::string& module, const char* function) {
    namespace fs = std::filesystem;
    std::error_code error;
    fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    const std::string name = module + ".so";
    const fs::path beside = folder / name;
    const fs::path installed = folder.parent_path() / "lib" / "reanima" / name;
    const fs::path& path = fs::exists(beside, error) ? beside : installed;
    if (!fs::exists(path, error))
        throw std::runtime_error("neither " + beside.string() + " nor " + installed.string() + " is there");
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* found = library != nullptr ? dlsym(library, function) : nullptr;
    if (found == nullptr) {
        const char* reason = dlerror();  // null for a function at the address 0
        throw std::runtime_error(path.string() +
                                 " is not a module of this program: " + (reason != nullptr ? reason : function));
    }
    return found;
}
#endif

void replaceFile(const std::filesystem::path& from, const std::filesystem::path& to) {
    std::filesystem::rename(from, to);
}

void moveToFree(const std::filesystem::path& from, const std::filesystem::path& to) {
#if defined(RENAME_NOREPLACE) && !defined(__EMSCRIPTEN__)  // emscripten declares this function but does not define it
    if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0)
        return;
    if (errno == EEXIST)
        failWithLastError();
#endif
    if (link(from.c_str(), to.c_str()) == 0) {  // the only way on NFS
        (void)unlink(from.c_str());
        return;
    }
    if (errno == EEXIST)
        failWithLastError();
    // Fallback for file systems that support neither call.
    struct stat found {};
    if (lstat(to.c_str(), &found) == 0)
        throw std::system_error(EEXIST, std::generic_category());
    std::filesystem::rename(from, to);
}

}  // namespace reanima::tool
