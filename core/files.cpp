#include "core/files.h"

#include <fmt/format.h>

#include "core/decode_error.h"
#include "core/source.h"
#include "core/text.h"

namespace reanima::core {

bool staysBelow(std::string_view path) {
    if (path.empty())
        return false;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        if (!isPlainName(path.substr(begin, end - begin)))
            return false;
        begin = end + 1;
    }
    return true;
}

void requireRoomForFile(std::uint64_t size, const std::string& path, const Limits& limits) {
    if (size > limits.fileSize)
        throw DecodeError({}, fmt::format("has {} bytes, but the limit is {}", size, limits.fileSize),
                          DecodeError::Kind::limit)
            .inFile(path);
    inFile(path, [&] { requireMemory(size, limits, {}); });
}

std::optional<File> Files::readIfThere(const std::string& path, const Limits& limits) const {
    return exists(path) ? std::optional(read(path, limits)) : std::nullopt;
}

std::optional<std::vector<std::string>> Files::below(const std::string&) const { return std::nullopt; }

std::string Files::resolved(const std::string& path, const std::string& from) const {
    const bool isAbsolute = path.starts_with('/') || path.starts_with('\\') || path.find(':') == 1;
    return isAbsolute ? path : std::string(folderOf(from)) + path;
}

std::optional<File> Files::readBeside(const std::string& path, std::string_view name, const Limits& limits) const {
    return readIfThere(std::string(folderOf(path)).append(name), limits);
}

std::shared_ptr<const Source> Files::openBeside(const std::string& path, std::string_view name) const {
    return open(std::string(folderOf(path)).append(name));
}

bool Files::leadsOut(const std::string&, std::string_view) const { return false; }

std::optional<File> Siblings::operator()(std::string_view name) const {
    return files_ && isPlainName(name) ? files_->readBeside(path_, name, limits_) : std::nullopt;
}

std::shared_ptr<const Source> Siblings::open(std::string_view name) const {
    return files_ && isPlainName(name) ? files_->openBeside(path_, name) : nullptr;
}

std::optional<File> Siblings::companion(std::string_view name, std::string_view own) const {
    std::string plain(name);
    std::erase_if(plain, [own](char c) { return (c == '\\' || c == ':') && own.find(c) != std::string_view::npos; });
    return files_ && isPlainName(plain) ? files_->readBeside(path_, name, limits_) : std::nullopt;
}

std::optional<File> Siblings::below(std::string_view path) const {
    return files_ && staysBelow(path) && !files_->leadsOut(path_, path) ? files_->readBeside(path_, path, limits_)
                                                                        : std::nullopt;
}

Siblings Siblings::through(
    const std::function<std::shared_ptr<const Files>(std::shared_ptr<const Files>)>& wrap) const {
    return files_ ? Siblings(wrap(files_), path_, limits_) : Siblings();
}

// ---------------------------------------------------------------------------------------------------------------------

File MemoryFiles::read(const std::string& path, const Limits& limits) const {
    const auto found = files_.find(path);
    if (found == files_.end())
        throw DecodeError("can't be read: there is no such file").inFile(path);
    requireRoomForFile(found->second.size(), path, limits);
    return {std::string(fileNameOf(path)), found->second, false, path};
}

std::shared_ptr<const Source> MemoryFiles::open(const std::string& path) const {
    const auto found = files_.find(path);
    return found == files_.end() ? nullptr : inMemory(found->second);
}

std::optional<std::vector<std::string>> MemoryFiles::below(const std::string& folder) const {
    const std::string beginning = folder.ends_with('/') ? folder : folder + '/';
    std::vector<std::string> paths;
    for (const auto& [path, bytes] : files_)
        if (path.starts_with(beginning))
            paths.push_back(path);
    return paths.empty() ? std::nullopt : std::optional(std::move(paths));
}

File RecordedFiles::read(const std::string& path, const Limits& limits) const {
    File file = FilesThrough::read(path, limits);
    use_(file);
    return file;
}

std::optional<File> RecordedFiles::readBeside(const std::string& path, std::string_view name,
                                              const Limits& limits) const {
    std::optional<File> file = FilesThrough::readBeside(path, name, limits);
    if (file)
        use_(*file);
    return file;
}

}  // namespace reanima::core
