#include "tools/reanima/files.h"

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <map>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "tools/reanima/console.h"
#include "tools/reanima/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

constexpr const char* kShownStandardInput = "standard input";

[[noreturn]] void failToRead(const fs::path& path, const std::string& reason) {
    throw core::DecodeError("can't be read: " + reason).inFile(toUtf8(path));
}

std::string lastSystemError() { return std::generic_category().message(errno); }

Siblings siblingsIn(const fs::path& folder, const core::Limits& limits) {
    return [folder, limits](std::string_view name) -> std::optional<File> {
        const fs::path path = folder / fromUtf8(name);
        std::error_code error;
        if (!fs::is_regular_file(path, error))
            return std::nullopt;
        return readFile(path, limits);
    };
}

[[noreturn]] void failToWrite(const fs::path& path, const std::string& reason) {
    throw OutputError(fmt::format("{}: can't be written: {}", toUtf8(path), reason));
}

void makeFolderOf(const fs::path& target) {
    const fs::path folder = target.parent_path();
    std::error_code error;
    if (!folder.empty())
        fs::create_directories(folder, error);
    if (error)
        failToWrite(target, error.message());
}

}  // namespace

namespace {

/// A pipe that has a name in a folder, unlike those that a shell passes as /dev/fd/63.
bool isNamedPipe(const fs::path& path, const fs::file_status& status) {
    std::error_code error;
    return fs::is_fifo(status) && !fs::canonical(path, error).empty();
}

[[noreturn]] void failForSize(const fs::path& path, const std::string& size, const core::Limits& limits) {
    throw core::DecodeError({}, fmt::format("has {} bytes, the limit is {}", size, limits.fileSize),
                            core::DecodeError::Kind::limit)
        .inFile(toUtf8(path));
}

core::ByteVector readAll(std::istream& in, const fs::path& path, std::size_t expected, const core::Limits& limits) {
    core::ByteVector bytes;
    bytes.reserve(expected + 1);  // one more shows the end
    constexpr std::size_t kBlock = 1U << 20U;
    for (;;) {
        const std::size_t before = bytes.size();
        bytes.resize(before + std::min(kBlock, std::max<std::size_t>(bytes.capacity() - before, 4096)));
        in.read(reinterpret_cast<char*>(bytes.data() + before),  // NOLINT: bytes are bytes
                static_cast<std::streamsize>(bytes.size() - before));
        bytes.resize(before + static_cast<std::size_t>(in.gcount()));
        if (bytes.size() > limits.fileSize)
            failForSize(path, "more", limits);
        if (!in)
            break;
    }
    if (in.bad())
        failToRead(path, lastSystemError());
    return bytes;
}

}  // namespace

File readFile(const fs::path& path, const core::Limits& limits) {
    if (path == kStandardStream)
        return {"stdin", readAll(std::cin, kShownStandardInput, 0, limits)};
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status))
        failToRead(path, error ? error.message() : "No such file or directory");
    if (fs::is_directory(status))
        failToRead(path, "it is a folder");
    if (isNamedPipe(path, status))
        failToRead(path, "it is a named pipe; - reads standard input");
    const std::uintmax_t size = fs::is_regular_file(status) ? fs::file_size(path, error) : 0;
    if (!error && size > limits.fileSize)
        failForSize(path, std::to_string(size), limits);
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in)
        failToRead(path, lastSystemError());
    return {toUtf8(path.filename()), readAll(in, path, error ? 0 : static_cast<std::size_t>(size), limits)};
}

Input readInput(const fs::path& path, const Format* format, const core::Limits& limits) {
    if (path == kStandardStream)
        return {readFile(path, limits), {}, format, kShownStandardInput};
    return {readFile(path, limits), siblingsIn(path.parent_path(), limits), format, toUtf8(path)};
}

bool existsAsFile(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    return fs::is_regular_file(status) || (fs::is_directory(status) && !fs::is_empty(path, error));
}

namespace {

/// Makes paths comparable; a folder that many paths share is looked up once.
class ComparablePaths {
  public:
    fs::path of(const fs::path& path) {
        std::error_code error;
        if (fs::is_symlink(path, error) || !path.has_filename() || path.filename() == "." || path.filename() == "..")
            return canonical(path);
        const auto [folder, isNew] = folders_.try_emplace(path.parent_path());
        if (isNew)
            folder->second = canonical(path.has_parent_path() ? path.parent_path() : ".");
        return folder->second / path.filename();
    }

  private:
    static fs::path canonical(const fs::path& path) {
        std::error_code error;
        const fs::path found = fs::weakly_canonical(fs::absolute(path, error), error);
        return error ? path : found;
    }

    std::map<fs::path, fs::path> folders_;
};

}  // namespace

void checkOutputs(const std::vector<fs::path>& outputs, const std::vector<fs::path>& inputs, bool force) {
    ComparablePaths comparable;
    std::set<fs::path> read;
    for (const fs::path& input : inputs)
        read.insert(comparable.of(input));
    std::set<fs::path> written;
    for (const fs::path& output : outputs) {
        const fs::path place = output == kStandardStream ? output : comparable.of(output);
        if (!written.insert(place).second)
            throw UsageError(fmt::format("{}: two inputs would be written there", toUtf8(output)));
        if (output == kStandardStream)
            continue;
        if (read.contains(place))
            throw UsageError(fmt::format("{}: the output is an input", toUtf8(output)));
        std::error_code error;
        if (fs::is_directory(output, error))
            throw UsageError(fmt::format("{}: is a folder", toUtf8(output)));
        if (!force && existsAsFile(output))
            throw UsageError(fmt::format("{}: exists; --force replaces it", toUtf8(output)));
    }
}

namespace {

constexpr std::string_view kTemporaryEnd = ".reanima-tmp";

bool isTemporary(const fs::path& path) {
    const std::string name = toUtf8(path.filename());
    return name.starts_with('.') && name.ends_with(kTemporaryEnd);
}

void collect(const fs::path& folder, FolderContent& content) {
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        std::error_code unknown;  // a link that leads nowhere: reading it tells why
        if (isTemporary(entry->path()))
            continue;
        if (!entry->is_directory(unknown))
            content.files.push_back(entry->path());
        else if (entry->is_symlink(unknown))
            content.links.push_back(entry->path());
        else
            collect(entry->path(), content);
    }
    if (error)
        content.errors.push_back(core::DecodeError("can't be read: " + error.message()).inFile(toUtf8(folder)));
}

}  // namespace

FolderContent contentOf(const fs::path& folder) {
    FolderContent content;
    collect(folder, content);
    std::sort(content.files.begin(), content.files.end());
    std::sort(content.links.begin(), content.links.end());
    return content;
}

fs::path pathOf(const Input& input) { return fromUtf8(input.shownName()); }

std::vector<fs::path> pathsOf(const Input& input, const Companions& companions) {
    std::vector<fs::path> paths;
    if (input.shownName() != kShownStandardInput)
        paths.push_back(pathOf(input));
    for (const auto& [role, companion] : companions)
        paths.push_back(companion.given ? pathOf(companion.input)
                                        : pathOf(input).parent_path() / fromUtf8(companion.input.file.name));
    return paths;
}

fs::path temporaryBeside(const fs::path& target) {
    return target.parent_path() /
           fromUtf8(fmt::format(".{}.{}{}", toUtf8(target.filename()), processId(), kTemporaryEnd));
}

OutputFile::OutputFile(const fs::path& target) : target_(target), place_(target) {
    if (target_ == kStandardStream)
        return;
    std::error_code error;
    if (fs::is_symlink(target_, error))
        place_ = fs::weakly_canonical(target_, error);
    const fs::file_status status = fs::status(place_, error);
    if (!fs::exists(status) || fs::is_regular_file(status)) {
        makeFolderOf(place_);
        temporary_ = temporaryBeside(place_);
    }
    errno = 0;
    out_.open(temporary_.empty() ? place_ : temporary_, std::ios::binary | std::ios::trunc);
    if (!out_)
        fail(lastSystemError());
}

OutputFile::~OutputFile() {
    std::error_code error;
    out_.close();
    if (!temporary_.empty())
        fs::remove(temporary_, error);
}

void OutputFile::fail(const std::string& reason) {
    std::error_code error;
    out_.close();
    if (!temporary_.empty())
        fs::remove(temporary_, error);
    temporary_.clear();
    failToWrite(target_, reason);
}

void OutputFile::append(core::Bytes bytes) {
    const auto* text = reinterpret_cast<const char*>(bytes.data());  // NOLINT: bytes are bytes
    if (target_ == kStandardStream) {
        printData({text, bytes.size()});
        return;
    }
    errno = 0;
    out_.write(text, static_cast<std::streamsize>(bytes.size()));
    if (!out_)
        fail(lastSystemError());
}

void OutputFile::append(std::string_view text) {
    append(core::Bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));  // NOLINT: bytes are bytes
}

void OutputFile::withdraw() {
    std::error_code error;
    if (!temporary_.empty())
        fs::remove(place_, error);
    if (error)
        fail(error.message());
}

void OutputFile::commit() {
    if (target_ == kStandardStream)
        return;
    errno = 0;
    out_.close();
    if (!out_)
        fail(lastSystemError());
    if (temporary_.empty())
        return;
    try {
        replaceFile(temporary_, place_);
    } catch (const fs::filesystem_error& failure) {
        fail(failure.code().message());
    }
    temporary_.clear();
}

void writeOutput(const fs::path& target, core::Bytes bytes) {
    OutputFile file(target);
    file.append(bytes);
    file.commit();
}

void writeOutput(const fs::path& target, const std::string& text) {
    OutputFile file(target);
    file.append(text);
    file.commit();
}

}  // namespace reanima::tool
