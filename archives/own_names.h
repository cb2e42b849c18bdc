/// Character names from the user's own files, read once per folder.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "../core/called.h"
#include "../core/files.h"
#include "../formats/own_names.h"

namespace reanima::archives {

/// The names from one of the user's files.
struct NamesOfFile {
    OwnNames names;
    std::string file;  ///< its path; empty if there is none
};

/// Finds the user's files of names, which are beside characters or their archives. Caches their content. Thread-safe.
class KnownNames {
  public:
    /// The names from the name file of this kind. It is in one of NameFile::folders, relative to the folder of `file`.
    /// Empty if there is none or it can't be read. Neither is an error, since the user did not ask for the name file.
    /// @param file path of a character's file or archive
    [[nodiscard]] const NamesOfFile& beside(const std::string& file, const NameFile& kind, const core::Files& files,
                                            const core::Limits& limits);

  private:
    std::mutex mutex_;
    std::map<std::string, NamesOfFile> known_;  ///< names by kind and folder
};

/// The character with this file name, according to `names`. Unknown if it is not listed.
[[nodiscard]] core::Called calledBy(const OwnNames& names, const NameFile& kind, std::string_view fileName);

}  // namespace reanima::archives
