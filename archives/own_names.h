/// Character names from the user's own files, read once per folder.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "../core/called.h"
#include "../core/files.h"
#include "../formats/own_names.h"

namespace reanima::archives {

/// The content of such a file.
struct NamesOfFile {
    OwnNames names;
    std::string file;  ///< its path; empty if there is none
};

/// Finds such files beside characters or their archives and caches their content. Thread-safe.
class KnownNames {
  public:
    /// The names from the file of that kind beside another one, or in the other folders where its kind may be. Empty if
    /// there is none or it can't be read; since the user did not ask for it, that is not an error.
    /// @param file of a character or of its archive
    [[nodiscard]] const NamesOfFile& beside(const std::string& file, const NameFile& kind, const core::Files& files,
                                            const core::Limits& limits);

  private:
    std::mutex mutex_;
    std::map<std::string, NamesOfFile> known_;  ///< by kind and folder
};

/// The character whose file has that name, according to `names`; unknown if it is not listed.
[[nodiscard]] core::Called calledBy(const OwnNames& names, const NameFile& kind, std::string_view fileName);

}  // namespace reanima::archives
