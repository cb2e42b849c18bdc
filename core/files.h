/// The only access to input files: from a folder, an archive, memory, or a host's own file system.
///
/// Paths from users are read unchanged. Names that are stored in files are resolved only by Siblings, never outside the
/// folder of that file.
#pragma once

#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bytes.h"
#include "limits.h"
#include "properties.h"

namespace reanima::core {

class Source;

/// A file that was read.
struct File {
    std::string name;  ///< without folder
    ByteVector bytes;
    /// The archive padded the file with 0xFF to a multiple of 32 bytes, and does not store its size.
    bool padded = false;
    std::string path{};  ///< path within the Files object that read it; empty if it has none
    /// Format options that follow from where the file was found, by their keys. See Input::told.
    std::map<std::string, Variant<double, std::string>, std::less<>> told{};
    std::string toldBy{};  ///< path of another file from which part of `told` was read; empty if there is none
};

/// Files by their paths: UTF-8, with `/` between their parts. Any thread may read.
class Files {
  public:
    Files() = default;
    virtual ~Files() = default;
    Files(const Files&) = delete;
    Files& operator=(const Files&) = delete;

    /// True if there is a file of this path; false for a folder.
    [[nodiscard]] virtual bool exists(const std::string& path) const = 0;
    /// A whole file.
    /// @throws DecodeError that names the file, if it is missing or can't be read; of the kind `limit`, before memory
    /// is reserved, if it is larger than Limits::fileSize or the rest of Limits::memory
    [[nodiscard]] virtual File read(const std::string& path, const Limits& limits) const = 0;
    /// Like read(); empty if there is no such file.
    [[nodiscard]] virtual std::optional<File> readIfThere(const std::string& path, const Limits& limits) const;
    /// A file to be read by ranges; null if there is none. @throws DecodeError that names a file that can't be opened
    [[nodiscard]] virtual std::shared_ptr<const Source> open(const std::string& path) const = 0;
    /// The paths of all files below a folder, sorted. Empty if the path is not a folder, or folders can't be listed.
    /// @throws DecodeError that names the folder if it can't be read
    [[nodiscard]] virtual std::optional<std::vector<std::string>> below(const std::string& folder) const;
    /// Resolves a path that the file `from` contains: relative paths start in the folder of `from`.
    /// @param from if empty, relative paths start in the current folder
    [[nodiscard]] virtual std::string resolved(const std::string& path, const std::string& from) const;

  protected:
    friend class Siblings;
    friend class FilesThrough;
    /// The file of this name beside another file, or a file whose name differs only in case. Empty if none exists.
    /// @param path the other file's path
    /// @param name a name that stays in the folder, as checked by Siblings
    [[nodiscard]] virtual std::optional<File> readBeside(const std::string& path, std::string_view name,
                                                         const Limits& limits) const;
    /// Like readBeside(), but to be read by ranges; null if there is no such file.
    [[nodiscard]] virtual std::shared_ptr<const Source> openBeside(const std::string& path,
                                                                   std::string_view name) const;
    /// True if a link on the way to `name`, which is relative to the folder of `path`, leads out of that folder.
    [[nodiscard]] virtual bool leadsOut(const std::string& path, std::string_view name) const;
};

/// True for a path that can't leave its folder: plain names with `/` between them.
[[nodiscard]] bool staysBelow(std::string_view path);

/// The files beside a file, found by names that the file contains. Empty for a file without a folder.
class Siblings {
  public:
    Siblings() = default;
    /// @param path the file's path
    Siblings(std::shared_ptr<const Files> files, std::string path, const Limits& limits = {})
        : files_(std::move(files)), path_(std::move(path)), limits_(limits) {}

    explicit operator bool() const { return files_ != nullptr; }

    /// A file of the folder by its exact name, or by a name that differs only in case. Empty if there is none or the
    /// name is not plain (isPlainName()). @throws DecodeError that names the file if it can't be read
    [[nodiscard]] std::optional<File> operator()(std::string_view name) const;

    /// Like operator(), for a name derived from the file's own name, such as the skeleton's. The name may contain `\`
    /// and `:` if the file's own name does: then the file system allows them.
    /// @param own the file's own name
    [[nodiscard]] std::optional<File> companion(std::string_view name, std::string_view own) const;

    /// Like operator(), for the files of a rig, which may be in folders below the rig's: `textures/skin.png`. Links
    /// that lead out of the rig's folder are not followed.
    [[nodiscard]] std::optional<File> below(std::string_view path) const;

    /// Like operator(), but to be read by ranges; null if there is no such file.
    [[nodiscard]] std::shared_ptr<const Source> open(std::string_view name) const;

    /// The same files, read within these limits.
    [[nodiscard]] Siblings within(const Limits& limits) const { return {files_, path_, limits}; }

    /// The same file, accessed through other Files such as RecordedFiles.
    [[nodiscard]] Siblings through(
        const std::function<std::shared_ptr<const Files>(std::shared_ptr<const Files>)>& wrap) const;

  private:
    std::shared_ptr<const Files> files_;
    std::string path_;
    Limits limits_;
};

/// Implementations of Files call this before they reserve memory for a file.
/// @throws DecodeError of the kind `limit` that names the file if it exceeds Limits::fileSize or the rest of
/// Limits::memory
void requireRoomForFile(std::uint64_t size, const std::string& path, const Limits& limits);

/// The file system. Named pipes are refused, since reading a pipe may never end.
[[nodiscard]] std::shared_ptr<const Files> diskFiles();
/// The file system, for folders that do not change while the object lives. Each folder is listed once.
[[nodiscard]] std::shared_ptr<const Files> steadyDiskFiles();

/// Reads the whole content of a stream.
/// @param path names the stream in errors
/// @param expected bytes, if they are known
/// @throws DecodeError that names the path if it can't be read; of the kind `limit` for more than the limits allow
[[nodiscard]] ByteVector readToEnd(std::istream& in, const std::string& path, std::size_t expected,
                                   const Limits& limits);

/// Files in memory.
class MemoryFiles : public Files {
  public:
    /// Replaces a file with the same path.
    void add(const std::string& path, ByteVector bytes) { files_[path] = std::move(bytes); }

    [[nodiscard]] bool exists(const std::string& path) const override { return files_.contains(path); }
    [[nodiscard]] File read(const std::string& path, const Limits& limits) const override;
    [[nodiscard]] std::shared_ptr<const Source> open(const std::string& path) const override;
    [[nodiscard]] std::optional<std::vector<std::string>> below(const std::string& folder) const override;

  private:
    std::map<std::string, ByteVector, std::less<>> files_;
};

/// Forwards to other files; derived classes override parts.
class FilesThrough : public Files {
  public:
    explicit FilesThrough(std::shared_ptr<const Files> files) : files_(std::move(files)) {}

    [[nodiscard]] bool exists(const std::string& path) const override { return files_->exists(path); }
    [[nodiscard]] File read(const std::string& path, const Limits& limits) const override {
        return files_->read(path, limits);
    }
    [[nodiscard]] std::shared_ptr<const Source> open(const std::string& path) const override {
        return files_->open(path);
    }
    [[nodiscard]] std::optional<std::vector<std::string>> below(const std::string& folder) const override {
        return files_->below(folder);
    }
    [[nodiscard]] std::string resolved(const std::string& path, const std::string& from) const override {
        return files_->resolved(path, from);
    }

  protected:
    [[nodiscard]] std::optional<File> readBeside(const std::string& path, std::string_view name,
                                                 const Limits& limits) const override {
        return files_->readBeside(path, name, limits);
    }
    [[nodiscard]] std::shared_ptr<const Source> openBeside(const std::string& path,
                                                           std::string_view name) const override {
        return files_->openBeside(path, name);
    }
    [[nodiscard]] bool leadsOut(const std::string& path, std::string_view name) const override {
        return files_->leadsOut(path, name);
    }
    [[nodiscard]] const Files& files() const { return *files_; }
    [[nodiscard]] const std::shared_ptr<const Files>& sharedFiles() const { return files_; }

  private:
    std::shared_ptr<const Files> files_;
};

/// Reports every file that is read as a whole.
class RecordedFiles : public FilesThrough {
  public:
    using Use = std::function<void(const File& file)>;
    RecordedFiles(std::shared_ptr<const Files> files, Use use) : FilesThrough(std::move(files)), use_(std::move(use)) {}

    [[nodiscard]] File read(const std::string& path, const Limits& limits) const override;

  protected:
    [[nodiscard]] std::optional<File> readBeside(const std::string& path, std::string_view name,
                                                 const Limits& limits) const override;

  private:
    Use use_;
};

}  // namespace reanima::core
