/// Writes a game's archive with new data for some of its entries.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "archives/archive.h"
#include "core/source.h"
#include "tools/reanima/front/options.h"
#include "tools/reanima/system/console.h"
#include "tools/reanima/system/files.h"

namespace reanima::tool {

/// The files of one character in an archive.
struct CalledFiles {
    std::string title;  ///< the character's title
    std::string files;  ///< names of entries, with commas between them
};

/// The files of the character with this name. Empty if the name is ambiguous.
/// @param path of the archive
[[nodiscard]] std::optional<CalledFiles> filesCalled(const InputOptions& options, const std::string& path,
                                                     const archives::Archive& archive, const std::string& name);

/// The numbers of entries that share a name: `#3, #17`. Empty if the name is unique.
[[nodiscard]] std::string numbersOfNamesakes(const archives::Archive& archive, const archives::Entry& entry);

class ArchiveOutput {
  public:
    /// @param path of the archive
    /// @throws core::DecodeError if it is no archive, can't be read, or is of a kind that can't be written
    ArchiveOutput(const InputOptions& options, std::string path);

    [[nodiscard]] const archives::Archive& archive() const { return *archive_; }
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::uint32_t indexOf(const archives::Entry& entry) const;
    /// Like archives::Archive::find(). Null if the entry does not exist.
    /// @throws core::DecodeError if several entries share the name; `#N` is unique
    [[nodiscard]] const archives::Entry* find(const std::string& name) const;
    /// Like find(), but required. @throws core::DecodeError that names the archive if the entry does not exist
    [[nodiscard]] const archives::Entry& entryNamed(const std::string& name) const;
    /// Throws entryNamed()'s error for an unknown name.
    [[noreturn]] void refuseName(const std::string& name) const;

    /// @param from origin of the data, for messages
    /// @throws UsageError if the entry was already replaced
    void replace(const archives::Entry& entry, std::shared_ptr<const core::Source> data, const std::string& from);

    /// Writes the archive to a file that is added to the list and not yet visible.
    /// @return `wrote new.lgp: 2000 bytes, 1 of 6 entries changed`
    /// @throws core::DecodeError, before writing, if the archive can't store this data
    [[nodiscard]] std::string write(const std::string& output, std::deque<OutputFile>& files) const;
    /// Writes the archive, makes the file visible and reports it.
    void write(const std::string& output, const Console& console) const;

  private:
    const InputOptions& options_;
    std::string path_;
    std::shared_ptr<const archives::Archive> archive_;
    std::vector<archives::Replacement> replacements_;
    std::map<std::uint32_t, std::string> from_;  // origins of the data, by entry number
};

}  // namespace reanima::tool
