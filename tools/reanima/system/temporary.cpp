#include "tools/reanima/system/temporary.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <set>
#include <system_error>

#include "tools/reanima/system/failure.h"

namespace reanima::tool {

namespace fs = std::filesystem;

/// An entry in the list of files and folders to remove.
struct TemporaryEntry {
    fs::path path;  ///< in the system's form
    bool isFolder = false;
    TemporaryEntry* older = nullptr;
    TemporaryEntry* newer = nullptr;

    void remove() const { isFolder ? removeFolderAtOnce(path) : removeFileAtOnce(path); }
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

constexpr std::string_view kTemporaryEnd = ".reanima-tmp";
constexpr std::string_view kNameDigits = "0123456789abcdefghjkmnpqrstvwxyz";
constexpr std::size_t kRandomSize = 10;

/// 50 bits as letters and digits that file systems and readers can tell apart. The first number is random, and
/// every call uses the next one.
std::string randomText() {
    static std::atomic<std::uint64_t> next = randomNumber();
    std::uint64_t number = next++;
    std::string text(kRandomSize, ' ');
    for (char& c : text) {
        c = kNameDigits[number % kNameDigits.size()];
        number /= kNameDigits.size();
    }
    return text;
}

/// The beginning of UTF-8 text, up to `length` bytes and without a split character.
std::string_view cut(std::string_view text, std::size_t length) {
    constexpr std::size_t kLongestTail = 3;  // continuation bytes of a character
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

namespace {

/// True for names made by temporaryName(), and hardly ever for other names.
bool isOurs(const fs::path& file) {
    const std::string name = toUtf8(file);
    constexpr std::size_t kEnd = 1 + kRandomSize + kTemporaryEnd.size();
    if (!isTemporary(file) || name.size() <= kEnd || name[name.size() - kEnd] != '.')
        return false;
    return name.find_first_not_of(kNameDigits, name.size() - kEnd + 1) == name.size() - kTemporaryEnd.size();
}

/// Removes left-over files in a folder. Done once per folder, since a batch makes many files there.
void removeWhatIsLeftIn(const fs::path& folder) {
    static std::mutex mutex;
    static std::set<fs::path> done;
    const std::lock_guard lock(mutex);
    if (!done.insert(folder).second)
        return;
    std::error_code unreadable;
    for (const fs::path& name : core::namesIn(folder, unreadable))
        if (isOurs(name))
            removeIfLeft(core::systemPath(folder / name));
}

}  // namespace

Temporary::Temporary(Kind kind, const fs::path& path)
    : entry_(std::make_unique<TemporaryEntry>(TemporaryEntry{core::systemPath(path), kind == Kind::folder})) {
    undisturbed([this] {
        writer_ = entry_->isFolder ? makeFolder(entry_->path) : FileWriter::create(entry_->path);
        add(*entry_);
    });
}

Temporary::Temporary(Temporary&&) noexcept = default;

Temporary::~Temporary() {
    if (!entry_)
        return;
    writer_ = {};  // Windows can't move open files
    undisturbed([this] {
        entry_->remove();
        drop(*entry_);
    });
}

Temporary Temporary::beside(const fs::path& target, Kind kind) {
    removeWhatIsLeftIn(target.parent_path());
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

void Temporary::moveToFree(const fs::path& place) {
    tool::moveToFree(path(), place);
    release();
}

void Temporary::release() {
    undisturbed([this] { drop(*entry_); });
    entry_.reset();
    writer_ = {};
}

void endProcess(int status, std::string_view line) {
    printAtOnce(line);
    disturbOthers();
    for (const TemporaryEntry* entry = newest; entry != nullptr; entry = entry->older)
        entry->remove();
    endAtOnce(status);
}

void endOutOfMemory() {
    try {
        if (std::current_exception())
            throw;
    } catch (const std::bad_alloc&) {
    } catch (...) {
        std::abort();  // an error in this program
    }
    endProcess(kLimitExceeded, "reanima: out of memory\n");
}

}  // namespace reanima::tool
