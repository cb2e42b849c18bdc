#include "tools/reanima/files.h"

#include <cerrno>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "tools/reanima/console.h"
#include "tools/reanima/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

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

File readFile(const fs::path& path, const core::Limits& limits) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status))
        failToRead(path, error ? error.message() : "No such file or directory");
    if (fs::is_directory(status))
        failToRead(path, "it is a folder");
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in)
        failToRead(path, lastSystemError());
    File file{toUtf8(path.filename()), {}};
    if (fs::is_regular_file(status)) {
        const std::uintmax_t size = fs::file_size(path, error);
        if (!error && size > limits.fileSize)
            throw core::DecodeError({}, fmt::format("has {} bytes, the limit is {}", size, limits.fileSize),
                                    core::DecodeError::Kind::limit)
                .inFile(toUtf8(path));
        file.bytes.reserve(error ? 0 : static_cast<std::size_t>(size) + 1);  // one more shows the end
    }
    constexpr std::size_t kBlock = 1U << 20U;
    for (;;) {
        const std::size_t before = file.bytes.size();
        file.bytes.resize(before + std::min(kBlock, std::max<std::size_t>(file.bytes.capacity() - before, 4096)));
        in.read(reinterpret_cast<char*>(file.bytes.data() + before),  // NOLINT: bytes are bytes
                static_cast<std::streamsize>(file.bytes.size() - before));
        file.bytes.resize(before + static_cast<std::size_t>(in.gcount()));
        if (file.bytes.size() > limits.fileSize)
            throw core::DecodeError({}, fmt::format("has more than {} bytes", limits.fileSize),
                                    core::DecodeError::Kind::limit)
                .inFile(toUtf8(path));
        if (!in)
            break;
    }
    if (in.bad())
        failToRead(path, lastSystemError());
    return file;
}

Input readInput(const fs::path& path, const Format* format, const core::Limits& limits) {
    return {readFile(path, limits), siblingsIn(path.parent_path(), limits), format, toUtf8(path)};
}

bool existsAsFile(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    return fs::is_regular_file(status) || (fs::is_directory(status) && !fs::is_empty(path, error));
}

void checkOutputs(const std::vector<fs::path>& outputs, const std::vector<fs::path>& inputs, bool force) {
    std::set<fs::path> seen;
    for (const fs::path& output : outputs) {
        std::error_code error;
        const fs::path whole = fs::weakly_canonical(output, error);
        if (!seen.insert(error ? output : whole).second)
            throw UsageError(fmt::format("{}: two inputs would be written there", toUtf8(output)));
        for (const fs::path& input : inputs)
            if (fs::equivalent(input, output, error))
                throw UsageError(fmt::format("{}: the output is an input", toUtf8(output)));
        if (fs::is_directory(output, error))
            throw UsageError(fmt::format("{}: is a folder", toUtf8(output)));
        if (!force && existsAsFile(output))
            throw UsageError(fmt::format("{}: exists; --force replaces it", toUtf8(output)));
    }
}

fs::path temporaryBeside(const fs::path& target) {
    return target.parent_path() / fromUtf8(fmt::format(".{}.{}.tmp", toUtf8(target.filename()), processId()));
}

OutputFile::OutputFile(const fs::path& target) : target_(target), place_(target) {
    if (target_ == "-")
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
    if (target_ == "-") {
        printData({text, bytes.size()});
        return;
    }
    errno = 0;
    out_.write(text, static_cast<std::streamsize>(bytes.size()));
    if (!out_)
        fail(lastSystemError());
}

void OutputFile::commit() {
    if (target_ == "-")
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
    writeOutput(target, core::Bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));  // NOLINT
}

}  // namespace reanima::tool
