/// The one door for files: what a host gives the library to read, be it a folder, an archive, memory, or another
/// program's file system.
///
/// Paths that users name are read as they are. What a file names is found by Siblings alone, and never outside of the
/// folder that the file is in.
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
    /// An archive that does not store how long the file is has filled it up with 0xFF to a multiple of 32 bytes.
    bool padded = false;
    std::string path{};  ///< what it is called among the files that it was read from; empty: it has no place
    /// Options of formats that the place tells where it was found, by their keys: see Input::told.
    std::map<std::string, Variant<double, std::string>, std::less<>> told{};
    std::string toldBy{};  ///< path of another file that some of `told` was read from; empty: there is none
};

/// Files by their paths: UTF-8, with `/` between their parts. Any thread may read.
class Files {
  public:
    Files() = default;
    virtual ~Files() = default;
    Files(const Files&) = delete;
    Files& operator=(const Files&) = delete;

    /// True if there is such a file; a folder is none.
    [[nodiscard]] virtual bool exists(const std::string& path) const = 0;
    /// A whole file.
    /// @throws DecodeError that names the file if there is none or it can't be read; of the kind `limit` if it is
    /// larger than Limits::fileSize or what is left of Limits::memory: before its bytes are held
    [[nodiscard]] virtual File read(const std::string& path, const Limits& limits) const = 0;
    /// A file to be read by ranges; null if there is none. @throws DecodeError that names the file if it can't be
    /// opened
    [[nodiscard]] virtual std::shared_ptr<const Source> open(const std::string& path) const = 0;
    /// The paths of all files below a folder, sorted; nothing if the path is not a folder, or folders can't be listed.
    /// @throws DecodeError that names the folder if it can't be read
    [[nodiscard]] virtual std::optional<std::vector<std::string>> below(const std::string& folder) const;
    /// The path that a user means who writes `path` in the file `from`: a relative one begins in the folder of that.
    /// @param from empty: the current folder
    [[nodiscard]] virtual std::string resolved(const std::string& path, const std::string& from) const;

  protected:
    friend class Siblings;
    friend class FilesThrough;
    /// A file of this name in the folder of another one, or else of one that only upper and lower case tell apart.
    /// @param path of the other one
    /// @param name passed by Siblings: it leads nowhere else
    [[nodiscard]] virtual std::optional<File> readBeside(const std::string& path, std::string_view name,
                                                         const Limits& limits) const;
    /// True if links lead from a name below the folder of another file to what lies elsewhere.
    [[nodiscard]] virtual bool leadsOut(const std::string& path, std::string_view name) const;
};

/// True for a path that leads nowhere but to files below a folder: plain names with `/` between them.
[[nodiscard]] bool staysBelow(std::string_view path);

/// What lies beside a file, found by names that stand in it. Empty for a file that has no folder.
class Siblings {
  public:
    Siblings() = default;
    /// @param path of the file
    Siblings(std::shared_ptr<const Files> files, std::string path, const Limits& limits = {})
        : files_(std::move(files)), path_(std::move(path)), limits_(limits) {}

    explicit operator bool() const { return files_ != nullptr; }

    /// A file of the folder by its exact name, or else in another case; nothing if there is none, or it is not plain:
    /// see isPlainName(). @throws DecodeError that names the file if it can't be read
    [[nodiscard]] std::optional<File> operator()(std::string_view name) const;

    /// The same for a name that is made from the file's own one, such as that of its skeleton: `\` and `:` may be in it
    /// where they are in the file's own name, which a system gave.
    /// @param own the file's own name
    [[nodiscard]] std::optional<File> companion(std::string_view name, std::string_view own) const;

    /// The same for the files of a rig, which may lie in folders below its own: `textures/skin.png`. Links that
    /// lead out of its folder are not followed.
    [[nodiscard]] std::optional<File> below(std::string_view path) const;

    /// The same, where what is read is to be held within these limits.
    [[nodiscard]] Siblings within(const Limits& limits) const { return {files_, path_, limits}; }

    /// The same file seen through other files, such as RecordedFiles.
    [[nodiscard]] Siblings through(
        const std::function<std::shared_ptr<const Files>(std::shared_ptr<const Files>)>& wrap) const;

  private:
    std::shared_ptr<const Files> files_;
    std::string path_;
    Limits limits_;
};

/// To be called by Files before the bytes of a file are held.
/// @throws DecodeError of the kind `limit` that names the file if it is larger than Limits::fileSize or what is left of
/// Limits::memory
void requireRoomForFile(std::uint64_t size, const std::string& path, const Limits& limits);

/// The file system. A named pipe is refused, since nobody may ever write into it.
[[nodiscard]] std::shared_ptr<const Files> diskFiles();
/// The same for folders in which nothing is made or renamed while the object lives: each is listed once.
[[nodiscard]] std::shared_ptr<const Files> steadyDiskFiles();

/// All that comes out of a stream.
/// @param path what errors call it
/// @param expected bytes, if they are known
/// @throws DecodeError that names the path if it can't be read; of the kind `limit` for more than the limits allow
[[nodiscard]] ByteVector readToEnd(std::istream& in, const std::string& path, std::size_t expected,
                                   const Limits& limits);

/// Files in memory.
class MemoryFiles : public Files {
  public:
    /// Another one of the same path is replaced.
    void add(const std::string& path, ByteVector bytes) { files_[path] = std::move(bytes); }

    [[nodiscard]] bool exists(const std::string& path) const override { return files_.contains(path); }
    [[nodiscard]] File read(const std::string& path, const Limits& limits) const override;
    [[nodiscard]] std::shared_ptr<const Source> open(const std::string& path) const override;
    [[nodiscard]] std::optional<std::vector<std::string>> below(const std::string& folder) const override;

  private:
    std::map<std::string, ByteVector, std::less<>> files_;
};

/// Files that are those of others, but for what a derived class changes.
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
    [[nodiscard]] bool leadsOut(const std::string& path, std::string_view name) const override {
        return files_->leadsOut(path, name);
    }
    [[nodiscard]] const Files& files() const { return *files_; }

  private:
    std::shared_ptr<const Files> files_;
};

/// Tells of every file that is read as a whole.
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
