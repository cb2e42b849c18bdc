/// Finds a character's animations in archives.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archives/open_archives.h"
#include "formats/character_links.h"

namespace reanima {

/// The animations of one character in an archive.
struct OwnedAnimations {
    std::vector<std::string> paths;
    bool isTold = false;  ///< true if file names show which character a file belongs to; if not, `paths` is empty
};

/// Finds the animations of characters in archives. Each archive is searched once. Not thread-safe.
class ArchiveAnimations {
  public:
    ArchiveAnimations(std::shared_ptr<const archives::OpenArchives> files, const core::Limits& limits)
        : files_(std::move(files)), limits_(limits) {}

    /// The animations in an archive, at any depth, whose file names show that they belong to a character. Of several
    /// files with one name, only the first is included.
    /// @param character id of a model, or the name of a character's file
    /// @param file path of the character's file; its own animations are left out
    /// @throws core::DecodeError if the archive can't be read; unreadable entries are left out
    [[nodiscard]] OwnedAnimations of(const std::string& archive, std::string_view character, const std::string& file);

  private:
    struct Found {
        std::string path;
        std::string name;  ///< name of the file
        const CharacterLinks* links;
    };

    [[nodiscard]] const std::vector<Found>& listOf(const std::string& archive);
    void addTo(std::vector<Found>& found, const std::string& path) const;

    std::shared_ptr<const archives::OpenArchives> files_;
    core::Limits limits_;
    std::map<std::string, std::vector<Found>> lists_;
};

/// True if the names show that an animation belongs to a character. Empty if the names don't decide. See
/// CharacterLinks::belongs.
/// @param animation path of a file or an entry
[[nodiscard]] std::optional<bool> belongsByName(std::string_view character, std::string_view animation);

}  // namespace reanima
