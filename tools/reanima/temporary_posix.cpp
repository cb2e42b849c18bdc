#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <system_error>

#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/reanima/temporary.h"

namespace reanima::tool {

namespace fs = std::filesystem;

/// A link of the list of what is to be removed.
struct TemporaryEntry {
    std::string path;
    bool isFolder = false;
    TemporaryEntry* older = nullptr;
    TemporaryEntry* newer = nullptr;

    void remove() const { (void)(isFolder ? rmdir(path.c_str()) : unlink(path.c_str())); }
};

namespace {

constinit TemporaryEntry* newest = nullptr;

void add(TemporaryEntry& entry) {
    entry.older = newest;
    if (newest != nullptr)
        newest->newer = &entry;
    newest = &entry;
}

void drop(const TemporaryEntry& entry) {
    (entry.newer != nullptr ? entry.newer->older : newest) = entry.older;
    if (entry.older != nullptr)
        entry.older->newer = entry.newer;
}

std::atomic_flag isLocked = ATOMIC_FLAG_INIT;

void lock() {
    while (isLocked.test_and_set(std::memory_order_acquire))
        sched_yield();
}

/// Nothing is made or removed meanwhile, and no signal handler runs in this thread, so that a handler may wait for the
/// others.
class Locked {
  public:
    Locked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
        lock();
    }
    ~Locked() {
        isLocked.clear(std::memory_order_release);
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

  private:
    sigset_t before_;
};

constexpr std::string_view kTemporaryEnd = ".reanima-tmp";

/// 50 bits in letters and digits that no file system and no reader mixes up.
std::string randomText() {
    constexpr std::string_view kDigits = "0123456789abcdefghjkmnpqrstvwxyz";
    std::uint64_t number = randomNumber();
    std::string text(10, ' ');
    for (char& c : text) {
        c = kDigits[number % kDigits.size()];
        number /= kDigits.size();
    }
    return text;
}

/// At most `length` bytes from the beginning of UTF-8.
std::string_view cut(std::string_view text, std::size_t length) {
    constexpr std::size_t kLongestTail = 3;  // bytes that continue a character
    const auto continues = [text](std::size_t i) { return (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80; };
    if (text.size() <= length)
        return text;
    std::size_t end = length;
    while (end > 0 && length - end < kLongestTail && continues(end))
        --end;
    return text.substr(0, end);
}

}  // namespace

std::string temporaryName(std::string_view name) {
    constexpr std::size_t kShort = 64;
    const std::string end = '.' + randomText() + std::string(kTemporaryEnd);
    const std::size_t longest = std::max(name.size(), kShort) - 1 - end.size();
    return '.' + std::string(cut(name, longest)) + end;
}

bool isTemporary(const fs::path& path) {
    const std::string name = toUtf8(path.filename());
    return name.starts_with('.') && name.ends_with(kTemporaryEnd);
}

Temporary::Temporary(Kind kind, const fs::path& path)
    : entry_(std::make_unique<TemporaryEntry>(TemporaryEntry{path.string(), kind == Kind::folder})) {
    const char* name = entry_->path.c_str();
    constexpr mode_t kForAll = 0777;  // less what the user's mask takes away
    constexpr mode_t kNotExecutable = 0666;
    constexpr int kNew = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int made = 0;
    int error = 0;
    {
        const Locked locked;
        made = kind == Kind::folder ? mkdir(name, kForAll) : open(name, kNew, kNotExecutable);
        error = errno;
        if (made >= 0)
            add(*entry_);
    }
    if (made < 0)
        throw std::system_error(error, std::generic_category());
    if (kind == Kind::file)
        writer_ = FileWriter(made);
}

Temporary::Temporary(Temporary&&) noexcept = default;

Temporary::~Temporary() {
    if (!entry_)
        return;
    const Locked locked;
    entry_->remove();
    drop(*entry_);
}

Temporary Temporary::beside(const fs::path& target, Kind kind) {
    for (;;) {
        try {
            return {kind, target.parent_path() / fromUtf8(temporaryName(toUtf8(target.filename())))};
        } catch (const std::system_error& error) {
            if (error.code() != std::errc::file_exists)
                throw;
        }
    }
}

Temporary Temporary::fileBeside(const fs::path& target) { return beside(target, Kind::file); }

Temporary Temporary::folderBeside(const fs::path& target) { return beside(target, Kind::folder); }

Temporary Temporary::file(const fs::path& path) { return {Kind::file, path}; }

fs::path Temporary::path() const { return entry_->path; }

void Temporary::moveTo(const fs::path& place) {
    replaceFile(path(), place);
    release();
}

void Temporary::release() {
    const Locked locked;
    drop(*entry_);
    entry_.reset();
}

void endProcess(int status) {
    lock();
    for (const TemporaryEntry* entry = newest; entry != nullptr; entry = entry->older)
        entry->remove();
    _exit(status);
}

}  // namespace reanima::tool
