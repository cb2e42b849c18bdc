/// An archive of a game that is written with other data for some of its entries.
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

/// The files of an archive that belong to one character.
struct CalledFiles {
    std::string title;  ///< what the character is called
    std::string files;  ///< names of entries, with commas
};

/// Those of the character that a name stands for, if it is one's.
/// @param path of the archive
[[nodiscard]] std::optional<CalledFiles> filesCalled(const InputOptions& options, const std::string& path,
                                                     const archives::Archive& archive, const std::string& name);

/// The numbers of entries that have one name: `#3, #17`; empty if no other has that of this one.
[[nodiscard]] std::string numbersOfNamesakes(const archives::Archive& archive, const archives::Entry& entry);

class ArchiveOutput {
  public:
    /// @param path of the archive
    /// @throws core::DecodeError if it is none, can't be read, or is of a kind that is not written
    ArchiveOutput(const InputOptions& options, std::string path);

    [[nodiscard]] const archives::Archive& archive() const { return *archive_; }
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::uint32_t indexOf(const archives::Entry& entry) const;
    /// As archives::Archive::find() finds it; null if there is none.
    /// @throws core::DecodeError for a name that several entries have; `#N` is one's alone
    [[nodiscard]] const archives::Entry* find(const std::string& name) const;
    /// The same. @throws core::DecodeError that names the archive if it has no such entry
    [[nodiscard]] const archives::Entry& entryNamed(const std::string& name) const;
    /// Throws the same for a name that no entry has.
    [[noreturn]] void refuseName(const std::string& name) const;

    /// @param from where the data comes from, for messages
    /// @throws UsageError if the entry has other data already
    void replace(const archives::Entry& entry, std::shared_ptr<const core::Source> data, const std::string& from);

    /// Writes all of it, into a file that is not shown yet: it is added to the list.
    /// @return `wrote new.lgp: 2000 bytes, 1 of 6 entries changed`
    /// @throws core::DecodeError, before anything is written, if the archive can't be written with this data
    [[nodiscard]] std::string write(const std::string& output, std::deque<OutputFile>& files) const;
    /// The same, which shows the file and says so.
    void write(const std::string& output, const Console& console) const;

  private:
    const InputOptions& options_;
    std::string path_;
    std::shared_ptr<const archives::Archive> archive_;
    std::vector<archives::Replacement> replacements_;
    std::map<std::uint32_t, std::string> from_;  // by entries
};

}  // namespace reanima::tool
