#include "tools/reanima/system/files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "archives/open_archives.h"
#include "core/near_names.h"
#include "core/read_once.h"
#include "core/source.h"
#include "core/text.h"
#include "core/watched_files.h"
#include "tools/reanima/system/console.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

void failToWrite(const fs::path& path, const std::error_code& error) {
    const std::string message = fmt::format("{}: can't be written: {}", toUtf8(path), error.message());
    if (error == std::errc::no_space_on_device || error == std::errc::read_only_file_system)
        throw UnwritableDisk(message);
    throw OutputError(message);
}

void makeFolderOf(const fs::path& target) {
    const fs::path folder = target.parent_path();
    std::error_code error;
    if (!folder.empty())
        core::makeFolders(folder, error);
    if (error)
        failToWrite(target, error);
}

namespace {

[[noreturn]] void failToRead(const fs::path& path, const std::string& reason) {
    throw core::DecodeError("can't be read: " + reason).inFile(toUtf8(path));
}

std::string lastSystemError() { return std::generic_category().message(errno); }

/// The name in a folder that the user probably meant. Empty if no name is close. A name of up to four letters may
/// differ only in case: games have many files such as `rtda` and `rtaa`, so another name is probably another file.
std::string nameNear(const fs::path& folder, const std::string& wanted) {
    constexpr std::size_t kShort = 4;
    std::error_code error;
    core::NearestName nearest(wanted);
    for (const fs::path& name : core::namesIn(folder.empty() ? "." : folder, error))
        nearest.offer(toUtf8(name));
    const std::string& found = nearest.found();
    return wanted.size() > kShort || core::lowerCase(found) == core::lowerCase(wanted) ? found : "";
}

/// An existing path close to a missing one. Empty if none is close.
std::string pathNear(const std::string& path) {
    std::string slashes = path;
    std::ranges::replace(slashes, '\\', '/');
    if (slashes != path && core::exists(fromUtf8(slashes.substr(0, slashes.find(':', 2)))))
        return slashes;
    for (std::size_t end = path.size(); end != std::string::npos; end = path.find(':', end + 1)) {
        const fs::path file = fromUtf8(path.substr(0, end));
        const std::string name = toUtf8(file.filename());
        const std::string found = end > 1 ? nameNear(file.parent_path(), name) : std::string();
        if (!found.empty() && found != name)
            return toUtf8(file.parent_path() / fromUtf8(found)) + path.substr(end);
        if (end == path.size())
            end = 1;  // continue with the parts of the path that end before a colon
    }
    return {};
}

/// A hint about the path of a missing file: `; did you mean 'Battle.lgp:rtda'?`, or an explanation of the colon. Empty:
/// no hint.
std::string questionFor(const std::string& path) {
    const fs::path whole = fromUtf8(path);
    for (fs::path above = whole.parent_path(); above.has_filename(); above = above.parent_path())
        if (isFile(above))
            return fmt::format("; {} is a file. If it is an archive, name the entry with {}:{}", toUtf8(above),
                               toUtf8(above), toUtf8(whole.lexically_relative(above)));
    const std::size_t colon = path.find(':', 2);
    if (colon != std::string::npos && isFolder(fromUtf8(path.substr(0, colon))))
        return fmt::format("; {} is a folder, but a colon can only follow an archive", path.substr(0, colon));
    const std::string near = pathNear(path);
    return near.empty() ? near : fmt::format("; did you mean '{}'?", near);
}

class CommandFiles : public core::FilesThrough {
  public:
    using FilesThrough::FilesThrough;

    [[nodiscard]] core::File read(const std::string& path, const core::Limits& limits) const override {
        if (path != kStandardStream)
            return readFile(path, limits);
        errno = 0;
        core::File file{"stdin", core::readToEnd(std::cin, kShownStandardInput, 0, limits)};
        if (std::ferror(stdin) != 0)  // std::cin mistakes errors for the end
            failToRead(kShownStandardInput, lastSystemError());
        return file;
    }

    [[nodiscard]] std::optional<core::File> readIfThere(const std::string& path,
                                                        const core::Limits& limits) const override {
        return files().readIfThere(path, limits);
    }

  private:
    [[nodiscard]] core::File readFile(const std::string& path, const core::Limits& limits) const {
        try {
            return FilesThrough::read(path, limits);
        } catch (const core::DecodeError&) {
            const std::string question = core::exists(fromUtf8(path)) ? std::string() : questionFor(path);
            if (question.empty())
                throw;
            failToRead(fromUtf8(path), "there is no such file" + question);
        }
    }
};

class Unread {
  public:
    void add(const core::DecodeError& error) {
        const std::lock_guard lock(mutex_);
        if (std::ranges::find(messages_, error.what()) == messages_.end())
            messages_.emplace_back(error.what());
    }

    [[nodiscard]] std::vector<std::string> messages() {
        const std::lock_guard lock(mutex_);
        return messages_;
    }

  private:
    std::mutex mutex_;
    std::vector<std::string> messages_;
};

Unread& unread() {
    static Unread files;
    return files;
}

}  // namespace

std::vector<std::string> unreadFiles() { return unread().messages(); }

void noteUnread(const fs::path& path, const std::error_code& error) {
    if (core::isFault(error))
        unread().add(core::DecodeError("can't be read: " + error.message()).inFile(toUtf8(path)));
}

std::shared_ptr<const core::Files> inputFiles() {
    return std::make_shared<core::ReadOnceFiles>(std::make_shared<CommandFiles>(
        core::watchedDiskFiles([](const core::DecodeError& error) { unread().add(error); })));
}

std::shared_ptr<const core::Files> commandFiles() {
    static const std::shared_ptr<const core::Files> kFiles = std::make_shared<CommandFiles>(core::diskFiles());
    return kFiles;
}

core::ByteVector readHead(const fs::path& path, std::size_t size) {
    const std::shared_ptr<const core::Source> file = core::diskFiles()->open(toUtf8(path));
    if (!file)
        failToRead(path, "there is no such file");
    return file->read(0, std::min<std::uint64_t>(size, file->size()), {});
}

File HeldFile::take() {
    const std::lock_guard lock(mutex_);
    return --users_ == 0 ? std::move(file_) : file_;
}

bool existsAsFile(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = core::statusOf(path, error);
    return fs::is_regular_file(status) || (fs::is_directory(status) && !core::namesIn(path, error).empty());
}

namespace {

/// A cache for the targets of paths. Only for outputs, and for files and folders that do not move during a command.
class KnownPlaces {
  public:
    fs::path of(const fs::path& path) {
        const std::lock_guard lock(mutex_);
        const auto known = places_.find(path);
        return known != places_.end() ? known->second : places_.emplace(path, find(path)).first->second;
    }

  private:
    fs::path find(const fs::path& path) {
        if (core::isLink(path) || !path.has_filename() || path.filename() == "." || path.filename() == "..")
            return core::comparable(path);
        const auto [folder, isNew] = folders_.try_emplace(path.parent_path());
        if (isNew)
            folder->second = core::comparable(path.has_parent_path() ? path.parent_path() : ".");
        return folder->second / core::comparableName(path.filename());
    }

    std::mutex mutex_;
    std::map<fs::path, fs::path> places_;
    std::map<fs::path, fs::path> folders_;  ///< targets of folders, shared by many paths
};

}  // namespace

fs::path comparablePath(const fs::path& path) {
    static KnownPlaces places;
    return places.of(path);
}

bool isSamePlace(const fs::path& a, const fs::path& b) { return comparablePath(a) == comparablePath(b); }

std::string UniqueFileNames::unique(const std::string& wanted) {
    std::string name = wanted;
    for (int next = 2; !taken_.insert(core::lowerCase(name)).second; ++next)
        name = fmt::format("{}_{}", wanted, next);
    return name;
}

bool namesFolder(const std::string& output) {
    return !output.empty() && output != kStandardStream &&
           (output.back() == '/' || output.back() == '\\' || isFolder(fromUtf8(output)));
}

namespace {

/// The archive in `battle.lgp:rtda`. Empty if a file has this whole name, or if there is no archive.
std::string archiveBefore(const std::string& path) {
    if (path.find(':') == std::string::npos || core::exists(fromUtf8(path)))
        return {};
    const archives::OpenArchives files(commandFiles());
    for (std::size_t colon = path.find(':'); colon != std::string::npos; colon = path.find(':', colon + 1))
        if (colon > 1 && isFile(fromUtf8(path.substr(0, colon))) && files.formatOf(path.substr(0, colon)) != nullptr)
            return path.substr(0, colon);
    return {};
}

}  // namespace

void refuseClashes(const std::vector<fs::path>& outputs, const std::vector<fs::path>& inputs) {
    std::set<fs::path> read;
    for (const fs::path& input : inputs)
        read.insert(comparablePath(input));
    std::set<fs::path> written;
    for (const fs::path& output : outputs) {
        const fs::path place = output == kStandardStream ? output : comparablePath(output);
        if (!written.insert(place).second)
            throw UsageError(fmt::format("{}: two outputs would be written there", toUtf8(output)));
        if (output == kStandardStream)
            continue;
        if (const std::string archive = archiveBefore(toUtf8(output)); !archive.empty())
            throw UsageError(
                fmt::format("{}: is an entry of {}, expected a file; `reanima pack` puts files into an archive",
                            toUtf8(output), archive));
        if (read.contains(place))
            throw UsageError(fmt::format("{}: the output is an input", toUtf8(output)));
        if (isFolder(output) || output.filename().empty())
            throw UsageError(fmt::format("{}: is a folder, expected a file", toUtf8(output)));
    }
}

std::string twoOutputsAt(const fs::path& output, const std::string& first, const std::string& second) {
    return fmt::format("{}: two outputs would be written there, from {} and from {}", toUtf8(output), first, second);
}

void refuseTerminal(const std::string& output, std::string_view what) {
    if (output == kStandardStream && isTerminal(StandardStream::output))
        throw UsageError(fmt::format("-o -: {} not printed on a terminal. Name a file, or redirect the output", what));
}

void refuseOthersName(const std::string& output, const std::string& input) {
    constexpr std::array<std::string_view, 21> kOthers = {"glb",   "gltf", "vrm",  "vrma", "bvh", "fbx", "dae",
                                                          "blend", "obj",  "html", "png",  "jpg", "bmp", "tga",
                                                          "gif",   "mp4",  "avi",  "zip",  "7z",  "rar", "json"};
    const std::string extension = core::extensionOf(core::fileNameOf(output));
    if (std::ranges::find(kOthers, extension) != kOthers.end() &&
        extension != core::extensionOf(core::fileNameOf(input)))
        throw UsageError(fmt::format("-o {}: the output is a game file, not a .{}; {}", output, extension,
                                     extension == "glb" || extension == "gltf" ? "`reanima convert` makes such a file"
                                                                               : "use the name of the game's file"));
}

namespace {

/// Outputs that did not exist when this process first checked them.
class NewPlaces {
  public:
    void add(const fs::path& path) {
        const std::lock_guard lock(mutex_);
        places_.insert(placeOf(path));
    }

    [[nodiscard]] bool contains(const fs::path& path) {
        const std::lock_guard lock(mutex_);
        return places_.contains(placeOf(path));
    }

  private:
    static fs::path placeOf(const fs::path& path) {
        return comparablePath(path.has_filename() ? path : path.parent_path());
    }

    std::mutex mutex_;
    std::set<fs::path> places_;
};

NewPlaces& newPlaces() {
    static NewPlaces places;
    return places;
}

[[noreturn]] void failForAnother(const fs::path& path) {
    throw OutputError(
        fmt::format("{}: can't be written, because another process has made it in the meantime; --force replaces it",
                    toUtf8(path)));
}

/// Also true for a broken link, since it would be replaced.
bool isTaken(const fs::path& output) {
    std::error_code error;
    if (output == kStandardStream)
        return false;
    const fs::file_status own = core::ownStatusOf(output, error);
    return fs::exists(own) && (existsAsFile(output) || (fs::is_symlink(own) && !core::exists(output)));
}

}  // namespace

void refuseExisting(const std::vector<fs::path>& outputs) {
    const auto taken = std::ranges::find_if(outputs, isTaken);
    if (taken == outputs.end()) {
        for (const fs::path& output : outputs)
            if (output != kStandardStream)
                newPlaces().add(output);
        return;
    }
    for (const fs::path& output : outputs)  // another process may have made any of them
        if (newPlaces().contains(output) && isTaken(output))
            failForAnother(output);
    throw UsageError(fmt::format(
        "{}: {}", toUtf8(*taken),
        isFolder(*taken) ? "exists and is not empty; --force writes into it" : "exists; --force replaces it"));
}

void refuseUnlike(const fs::path& path, std::string_view option, bool (*isLike)(const std::string& content)) {
    constexpr std::size_t kMost = 16U << 20U;
    if (path == kStandardStream || !isFile(path))
        return;
    const core::ByteVector head = readHead(path, kMost);
    if (!head.empty() && !isLike({head.begin(), head.end()}))
        throw UsageError(
            fmt::format("{0}: exists and is not a {1}. --{1} can only replace an earlier {1}", toUtf8(path), option));
}

namespace {

void collect(const fs::path& folder, FolderContent& content) {
    std::error_code error;
    for (const fs::path& name : core::namesIn(folder, error)) {
        if (isTemporary(name))
            continue;
        const fs::path path = folder / name;
        std::error_code unknown;  // set for a broken link
        const fs::file_status status = core::statusOf(path, unknown);
        if (fs::is_directory(status) && core::isLink(path))
            content.links.push_back(path);
        else if (fs::is_directory(status))
            collect(path, content);
        else if (fs::is_regular_file(status) || !fs::exists(status))
            content.files.push_back(path);
        else
            content.devices.push_back(path);
    }
    if (error) {
        content.errors.push_back(core::DecodeError("can't be read: " + error.message()).inFile(toUtf8(folder)));
        unread().add(content.errors.back());
    }
}

}  // namespace

FolderContent contentOf(const fs::path& folder) {
    FolderContent content;
    collect(folder, content);
    std::sort(content.files.begin(), content.files.end());
    std::sort(content.devices.begin(), content.devices.end());
    std::sort(content.links.begin(), content.links.end());
    return content;
}

bool hasLineEnd(const fs::path& path) { return toUtf8(path).find('\n') != std::string::npos; }

namespace {

archives::EntryPath parseInput(const fs::path& input) {
    return archives::parseEntryPath(toUtf8(input),
                                    [](const std::string& file) { return core::diskFiles()->exists(file); });
}

}  // namespace

fs::path fileOf(const fs::path& input) { return fromUtf8(parseInput(input).file); }

std::string nameOf(const fs::path& input) {
    const archives::EntryPath path = parseInput(input);
    return path.entries.empty() ? toUtf8(input.filename()) : std::string(core::fileNameOf(path.entries.back()));
}

std::string stemOfOutput(const std::string& input) {
    if (input == kStandardStream)
        return "stdin";
    fs::path path = fromUtf8(input);
    if (!isFolder(path))
        return core::portableName(core::stemOf(nameOf(path)));
    if (path.filename().empty() || path.filename() == "." || path.filename() == "..")
        path = core::comparable(path);
    return core::portableName(toUtf8(path.filename()));
}

fs::path pathOf(const Input& input) { return fileOf(fromUtf8(input.shownName())); }

std::vector<fs::path> pathsOf(const Input& input, const Companions& companions) {
    std::vector<fs::path> paths;
    if (input.shownName() != kShownStandardInput)
        paths.push_back(pathOf(input));
    for (const auto& [role, companion] : companions)
        paths.push_back(pathOf(companion.input));
    return paths;
}

namespace {

std::string_view asText(core::Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};  // NOLINT: bytes are bytes
}

/// Runs an operation that the system may refuse. @throws OutputError that names `target`
void orFailToWrite(const fs::path& target, const std::function<void()>& work) {
    try {
        work();
    } catch (const std::system_error& error) {
        failToWrite(target, error.code());
    }
}

}  // namespace

OutputFile::OutputFile(const fs::path& target) : target_(target), place_(target), isNew_(newPlaces().contains(target)) {
    if (target_ != kStandardStream)
        orFailToWrite(target_, [this] { open(); });
}

void OutputFile::open() {
    std::error_code error;
    fs::file_status status = core::ownStatusOf(target_, error);
    if (fs::is_symlink(status)) {
        place_ = core::linkTarget(target_, error);
        status = core::statusOf(place_, error);
    }
    const bool isThere = fs::exists(status);
    if (isThere && !fs::is_regular_file(status)) {
        direct_ = FileWriter(place_);
        return;
    }
    makeFolderOf(place_);
    temporary_.emplace(Temporary::fileBeside(place_));
    if (isThere)  // so that users who could not read the old file can't read the new one
        temporary_->writer().setPermissions(status.permissions() & fs::perms::all);
}

void OutputFile::append(core::Bytes bytes) { append(asText(bytes)); }

void OutputFile::append(std::string_view text) {
    constexpr std::size_t kBlock = 64U << 10U;
    if (target_ == kStandardStream)
        return printData(text);
    orFailToWrite(target_, [&] {
        if (!temporary_)
            return direct_.append(text);
        if (pending_.size() + text.size() < kBlock) {
            pending_ += text;
            return;
        }
        writePending();
        temporary_->writer().append(text);
    });
}

void OutputFile::writePending() {
    temporary_->writer().append(pending_);
    pending_.clear();
}

void OutputFile::withdraw() {
    std::error_code error;
    if (temporary_ && !isNew_)
        core::removeFile(place_, error);
    if (error)
        failToWrite(target_, error);
}

void OutputFile::commit() {
    if (target_ == kStandardStream)
        return;
    try {
        if (!temporary_)
            return direct_.close();
        writePending();
        temporary_->writer().finish();
        isNew_ ? temporary_->moveToFree(place_) : temporary_->moveTo(place_);
    } catch (const std::system_error& error) {
        if (isNew_ && error.code() == std::errc::file_exists)
            failForAnother(target_);
        failToWrite(target_, error.code());
    }
}

void writeOutput(const fs::path& target, core::Bytes bytes) { writeOutput(target, asText(bytes)); }

void writeOutput(const fs::path& target, std::string_view text) {
    OutputFile file(target);
    file.append(text);
    file.commit();
}

OutputFolder::OutputFolder(const fs::path& target)
    : target_(target.filename().empty() ? target.parent_path() : target), isNew_(newPlaces().contains(target_)) {
    if (isFolder(target_) && existsAsFile(target_)) {
        if (isNew_)
            failForAnother(target_);
        return;
    }
    makeFolderOf(target_);
    orFailToWrite(target_, [this] { temporary_.emplace(Temporary::folderBeside(target_)); });
}

void OutputFolder::write(const std::string& name, core::Bytes bytes) { write(name, asText(bytes)); }

void OutputFolder::write(const std::string& name, std::string_view text) {
    const fs::path place = target_ / fromUtf8(name);
    if (!temporary_) {
        writeOutput(place, text);
        return;
    }
    orFailToWrite(place, [&] {
        Temporary file = Temporary::file(temporary_->path() / fromUtf8(name));
        file.writer().append(text);
        file.writer().close();
        const std::lock_guard lock(mutex_);
        files_.push_back(std::move(file));
    });
}

void OutputFolder::commit() {
    if (!temporary_)
        return;
    try {
        temporary_->moveTo(target_);
        for (Temporary& file : files_)
            file.release();
    } catch (const std::system_error& error) {
        if (!isFolder(target_) || !existsAsFile(target_))
            failToWrite(target_, error.code());
        if (isNew_)
            failForAnother(target_);
        orFailToWrite(target_, [this] {
            for (Temporary& file : files_)
                file.moveTo(target_ / file.path().filename());
        });
    }
}

}  // namespace reanima::tool
