#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <system_error>

#include <fmt/format.h>

#include "core/decode_error.h"
#include "core/file_system.h"
#include "core/files.h"
#include "core/source.h"
#include "core/text.h"
#include "core/watched_files.h"

namespace reanima::core {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void failToRead(const std::string& path, const std::string& reason) {
    throw DecodeError("can't be read: " + reason).inFile(path);
}

std::string lastSystemError() { return std::generic_category().message(errno); }

/// Reports files that can't be read because of a fault or a change; see watchedDiskFiles().
class Watch {
  public:
    using Refused = std::function<void(const DecodeError&)>;

    Watch() = default;
    explicit Watch(Refused refused) : refused_(std::move(refused)) {}

    void report(const DecodeError& error) const {
        if (refused_)
            refused_(error);
    }

    void reportIfFault(const fs::path& path, const std::error_code& error) const {
        if (isFault(error))
            report(errorFor(path, error.message()));
    }

    /// @throws DecodeError with the system's last error
    [[noreturn]] void fail(const fs::path& path) const {
        const std::error_code error(errno, std::generic_category());
        reportIfFault(path, error);
        throw errorFor(path, error.message());
    }

    [[noreturn]] void failForChange(const fs::path& path) const {
        const DecodeError error = errorFor(path, "it was changed while it was read");
        report(error);
        throw error;
    }

    /// @param before the file's state before it was opened
    /// @throws DecodeError if the file has changed since then. A removed file is allowed: it keeps its content while
    /// open.
    void requireUnchanged(const fs::path& path, const FileState& before) const {
        std::error_code isRemoved;
        if (refused_ && fileState(path, isRemoved).changed != before.changed && !isRemoved)
            failForChange(path);
    }

  private:
    static DecodeError errorFor(const fs::path& path, const std::string& reason) {
        return DecodeError("can't be read: " + reason).inFile(toUtf8(path));
    }

    Refused refused_;
};

class FileSource : public Source {
  public:
    FileSource(const fs::path& path, Watch watch) : path_(path), watch_(std::move(watch)) {
        std::error_code error;  // ignored: if this fails, opening the file fails, too
        before_ = fileState(path, error);
        file_.rdbuf()->pubsetbuf(nullptr, 0);  // unbuffered: callers read whole blocks, which a buffer would read twice
        errno = 0;
        file_.open(systemPath(path), std::ios::binary);
        if (file_)
            file_.seekg(0, std::ios::end);
        const std::streamoff end = file_ ? std::streamoff(file_.tellg()) : -1;
        if (end < 0)
            watch_.fail(path_);
        size_ = static_cast<std::uint64_t>(end);
    }

    [[nodiscard]] std::uint64_t size() const override { return size_; }

  protected:
    bool fill(std::uint64_t offset, std::span<std::uint8_t> into) const override {
        const std::lock_guard lock(mutex_);
        file_.clear();
        errno = 0;
        file_.seekg(static_cast<std::streamoff>(offset));
        file_.read(reinterpret_cast<char*>(into.data()),  // NOLINT: bytes are bytes
                   static_cast<std::streamsize>(into.size()));
        if (!file_)
            errno != 0 ? watch_.fail(path_) : watch_.failForChange(path_);
        watch_.requireUnchanged(path_, before_);
        return true;
    }

  private:
    fs::path path_;
    Watch watch_;
    FileState before_;
    mutable std::mutex mutex_;
    mutable std::ifstream file_;
    std::uint64_t size_ = 0;
};

/// True for a named pipe in a folder. False for a pipe that a shell passes as /dev/fd/63.
bool isNamedPipe(const fs::path& path, const fs::file_status& status) {
    std::error_code error;
    return fs::is_fifo(status) && !fs::canonical(path, error).empty();
}

/// Throws for paths that can't be read. Devices and a shell's pipes have no size but can be read.
void refuseUnreadable(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = statusOf(path, error);
    if (!fs::exists(status))
        failToRead(toUtf8(path), error ? error.message() : "No such file or directory");
    if (fs::is_directory(status))
        failToRead(toUtf8(path), "it is a folder");
    if (isNamedPipe(path, status))
        failToRead(toUtf8(path), "it is a named pipe. To read from a pipe, use - (standard input)");
}

/// Links to folders are not followed.
void collect(const fs::path& folder, std::vector<fs::path>& files, std::error_code& error) {
    for (const fs::path& name : namesIn(folder, error)) {
        const fs::path path = folder / name;
        if (isFile(path))
            files.push_back(path);
        else if (isFolder(path) && !isLink(path))
            collect(path, files, error);
        if (error)
            return;
    }
}

/// Whether the files in a folder may change while the program runs.
enum class Folders { changing, steady };

/// File names by lower-case name. A listing is cached while its folder does not change, since conversions often look
/// for files that do not exist.
class NamesOfFolders {
  public:
    NamesOfFolders(Folders folders, Watch watch) : areSteady_(folders == Folders::steady), watch_(std::move(watch)) {}

    /// The name that differs from `name` only in case; of several, the first in byte order.
    [[nodiscard]] std::optional<fs::path> alike(const fs::path& folder, const std::string& name) {
        const std::lock_guard lock(mutex_);
        const auto& names = listingOf(folder);
        const auto found = names.find(lowerCase(name));
        return found == names.end() ? std::nullopt : std::optional(found->second);
    }

  private:
    using Clock = fs::file_time_type::clock;
    struct Listing {
        fs::file_time_type changed{};
        std::map<std::string, fs::path, std::less<>> names;
    };

    const std::map<std::string, fs::path, std::less<>>& listingOf(const fs::path& folder) {
        constexpr std::size_t kMostFolders = 64;
        constexpr std::chrono::seconds kSettled(3);  // a second change within one step of the clock would go unnoticed
        std::error_code error;
        const auto known = listings_.find(folder);
        if (areSteady_ && known != listings_.end())
            return known->second.names;
        const fs::file_time_type changed = fs::last_write_time(systemPath(folder.empty() ? "." : folder), error);
        if (!error && known != listings_.end() && known->second.changed == changed && Clock::now() - changed > kSettled)
            return known->second.names;
        if (listings_.size() >= kMostFolders)
            listings_.clear();
        Listing& listing = listings_[folder];
        listing = {changed, {}};
        std::vector<fs::path> names = namesIn(folder, error);
        watch_.reportIfFault(folder.empty() ? "." : folder, error);
        std::sort(names.begin(), names.end());
        for (fs::path& name : names) {
            std::string lower = lowerCase(toUtf8(name));
            listing.names.try_emplace(std::move(lower), std::move(name));
        }
        return listing.names;
    }

    bool areSteady_;
    Watch watch_;
    std::mutex mutex_;
    std::map<fs::path, Listing> listings_;
};

class DiskFiles : public Files {
  public:
    explicit DiskFiles(Folders folders, const Watch& watch = {}) : watch_(watch), names_(folders, watch) {}

    [[nodiscard]] bool exists(const std::string& path) const override { return isFile(fromUtf8(path)); }

    [[nodiscard]] File read(const std::string& name, const Limits& limits) const override {
        const fs::path path = fromUtf8(name);
        std::error_code error;
        const FileState before = fileState(path, error);
        if (!error)
            return readFile(name, before, limits);
        refuseUnreadable(path);  // pipes have no size, and always change
        return readStream(name, {}, limits);
    }

    [[nodiscard]] std::optional<File> readIfThere(const std::string& name, const Limits& limits) const override {
        std::error_code error;
        const FileState before = fileState(fromUtf8(name), error);
        return error ? std::nullopt : std::optional(readFile(name, before, limits));
    }

    [[nodiscard]] std::shared_ptr<const Source> open(const std::string& path) const override {
        return exists(path) ? std::make_shared<FileSource>(fromUtf8(path), watch_) : nullptr;
    }

    [[nodiscard]] std::optional<std::vector<std::string>> below(const std::string& path) const override {
        const fs::path folder = fromUtf8(path);
        if (!isFolder(folder))
            return std::nullopt;
        std::error_code error;
        std::vector<fs::path> files;
        collect(folder, files, error);
        watch_.reportIfFault(folder, error);
        if (error)
            failToRead(path, error.message());
        std::sort(files.begin(), files.end());
        std::vector<std::string> paths;
        paths.reserve(files.size());
        for (const fs::path& file : files)
            paths.push_back(toUtf8(file));
        return paths;
    }

    [[nodiscard]] std::string resolved(const std::string& path, const std::string& from) const override {
        return toUtf8(fromUtf8(from).parent_path() / fromUtf8(path));
    }

  protected:
    [[nodiscard]] std::optional<File> readBeside(const std::string& path, std::string_view name,
                                                 const Limits& limits) const override {
        const std::optional<fs::path> file = fileBeside(path, name);
        return file ? std::optional(read(toUtf8(*file), limits)) : std::nullopt;
    }

    [[nodiscard]] std::shared_ptr<const Source> openBeside(const std::string& path,
                                                           std::string_view name) const override {
        const std::optional<fs::path> file = fileBeside(path, name);
        return file ? std::make_shared<FileSource>(*file, watch_) : nullptr;
    }

    [[nodiscard]] bool leadsOut(const std::string& path, std::string_view name) const override {
        const fs::path folder = fromUtf8(path).parent_path();
        return core::leadsOut(folder / fromUtf8(name), folder);
    }

  private:
    [[nodiscard]] File readFile(const std::string& name, const FileState& before, const Limits& limits) const {
        requireRoomForFile(before.size, name, limits);
        File file = readStream(name, before, limits);
        watch_.requireUnchanged(fromUtf8(name), before);
        return file;
    }

    [[nodiscard]] File readStream(const std::string& name, const FileState& expected, const Limits& limits) const {
        const fs::path path = fromUtf8(name);
        errno = 0;
        std::ifstream in(systemPath(path), std::ios::binary);
        if (!in)
            watch_.fail(path);
        try {
            return {toUtf8(path.filename()), readToEnd(in, name, static_cast<std::size_t>(expected.size), limits),
                    false, name};
        } catch (const DecodeError& unread) {
            if (in.bad())
                watch_.report(unread);
            throw;
        }
    }

    [[nodiscard]] std::optional<fs::path> fileBeside(const std::string& path, std::string_view name) const {
        const fs::path folder = fromUtf8(path).parent_path();
        const fs::path sibling = folder / fromUtf8(name);
        if (name.find('/') != std::string_view::npos)
            return isFileOfThatName(sibling) ? std::optional(sibling) : std::nullopt;
        const std::optional<fs::path> alike = names_.alike(folder, std::string(name));
        if (!alike)
            return std::nullopt;
        for (const fs::path& file : {sibling, folder / *alike})
            if (isFileOfThatName(file))
                return file;
        return std::nullopt;
    }

    Watch watch_;
    mutable NamesOfFolders names_;
};

}  // namespace

bool isFault(const std::error_code& error) {
    constexpr std::array kOfPaths = {std::errc::no_such_file_or_directory,
                                     std::errc::not_a_directory,
                                     std::errc::is_a_directory,
                                     std::errc::permission_denied,
                                     std::errc::operation_not_permitted,
                                     std::errc::too_many_symbolic_link_levels,
                                     std::errc::filename_too_long,
                                     std::errc::invalid_argument};
    return error && std::ranges::none_of(kOfPaths, [&error](std::errc ofPath) { return error == ofPath; });
}

std::shared_ptr<const Files> diskFiles() {
    static const std::shared_ptr<const Files> kFiles = std::make_shared<DiskFiles>(Folders::changing);
    return kFiles;
}

std::shared_ptr<const Files> steadyDiskFiles() { return std::make_shared<DiskFiles>(Folders::steady); }

std::shared_ptr<const Files> watchedDiskFiles(std::function<void(const DecodeError&)> refused) {
    return std::make_shared<DiskFiles>(Folders::steady, Watch(std::move(refused)));
}

namespace {

void requireMemory(std::uint64_t bytes, const std::string& path, const Limits& limits) {
    inFile(path, [&] { core::requireMemory(bytes, limits, {}); });
}

}  // namespace

ByteVector readToEnd(std::istream& in, const std::string& path, std::size_t expected, const Limits& limits) {
    ByteVector bytes;
    requireMemory(expected, path, limits);
    bytes.reserve(expected + 1);  // one more byte detects the end
    constexpr std::size_t kBlock = 1U << 20U;
    for (;;) {
        const std::size_t before = bytes.size();
        const std::size_t room = bytes.capacity() - before;
        if (room == 0)  // growing needs the old buffer and one of twice its size
            requireMemory(3 * std::uint64_t{before}, path, limits);
        bytes.resize(before + (room > 0 ? std::min(kBlock, room) : 4096));
        in.read(reinterpret_cast<char*>(bytes.data() + before),  // NOLINT: bytes are bytes
                static_cast<std::streamsize>(bytes.size() - before));
        bytes.resize(before + static_cast<std::size_t>(in.gcount()));
        if (bytes.size() > limits.fileSize)
            throw DecodeError({}, fmt::format("has {} bytes, but the limit is {}", "more", limits.fileSize),
                              DecodeError::Kind::limit)
                .inFile(path);
        if (!in)
            break;
    }
    if (in.bad())
        failToRead(path, lastSystemError());
    return bytes;
}

}  // namespace reanima::core
