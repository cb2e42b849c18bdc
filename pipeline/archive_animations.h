/// The animations of archives that belong to a character.
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

/// The animations in an archive that are a character's.
struct OwnedAnimations {
    std::vector<std::string> paths;
    bool isTold = false;  ///< names show whose they are; otherwise there are none
};

/// Finds animations for characters in archives; each archive is searched once. Not thread-safe.
class ArchiveAnimations {
  public:
    ArchiveAnimations(std::shared_ptr<const archives::OpenArchives> files, const core::Limits& limits)
        : files_(std::move(files)), limits_(limits) {}

    /// The animations in an archive, at any depth, that belong to a character by the names of their files; of several
    /// with one name, the first.
    /// @param character id of a model, or the name of a character's file
    /// @param file path of the file of the character, whose own animations are left out
    /// @throws core::DecodeError if the archive can't be read; entries that can't are left out
    [[nodiscard]] OwnedAnimations of(const std::string& archive, std::string_view character, const std::string& file);

  private:
    struct Found {
        std::string path;
        std::string name;  ///< of the file
        const CharacterLinks* links;
    };

    [[nodiscard]] const std::vector<Found>& listOf(const std::string& archive);
    void addTo(std::vector<Found>& found, const std::string& path) const;

    std::shared_ptr<const archives::OpenArchives> files_;
    core::Limits limits_;
    std::map<std::string, std::vector<Found>> lists_;
};

/// Whether an animation belongs to a character by their names; nothing if they don't show it. See
/// CharacterLinks::belongs.
/// @param animation path of a file or an entry
[[nodiscard]] std::optional<bool> belongsByName(std::string_view character, std::string_view animation);

}  // namespace reanima
