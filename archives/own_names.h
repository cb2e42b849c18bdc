/// What the user's own files call characters: read once for every folder in which characters are looked at.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "../core/called.h"
#include "../core/files.h"
#include "../formats/own_names.h"

namespace reanima::archives {

/// What such a file says.
struct NamesOfFile {
    OwnNames names;
    std::string file;  ///< its path; empty: there is none
};

/// Finds such files beside characters or their archives, and keeps what they say. Any thread may ask.
class KnownNames {
  public:
    /// The names in the file of that kind that lies beside another one, or where else its kind may; none if there is
    /// none or it can't be read: nobody asked for it.
    /// @param file of a character or of its archive
    [[nodiscard]] const NamesOfFile& beside(const std::string& file, const NameFile& kind, const core::Files& files,
                                            const core::Limits& limits);

  private:
    std::mutex mutex_;
    std::map<std::string, NamesOfFile> known_;  ///< by the kinds and folders
};

/// The character whose file has that name, as names call it; unknown if they don't.
[[nodiscard]] core::Called calledBy(const OwnNames& names, const NameFile& kind, std::string_view fileName);

}  // namespace reanima::archives
