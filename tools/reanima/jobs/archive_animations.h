/// The animations of archives that belong to a character.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/character_links.h"
#include "plan.h"
#include "tools/reanima/front/options.h"

namespace reanima::tool {

/// Finds what archives hold for characters; each archive is looked through once.
class ArchiveAnimations {
  public:
    explicit ArchiveAnimations(const InputOptions& options) : options_(options) {}

    /// True for an archive, or an entry of one that is an archive itself.
    [[nodiscard]] bool isArchive(const std::string& path) const;

    /// The animations in an archive, at any depth, that belong to a character by the names of their files; of several
    /// of one name the first.
    /// @param character the file of the character and, if it holds several, the id of the model
    /// Where names do not tell, a DB or chunk is an input as a whole.
    /// @throws UsageError if names do not tell which animations are the character's
    [[nodiscard]] std::vector<JobInput> of(const std::string& archive, const JobInput& character);

  private:
    struct Found {
        std::string path;
        std::string name;  ///< of the file
        const CharacterLinks* links;
    };

    [[nodiscard]] const std::vector<Found>& listOf(const std::string& archive);
    void addTo(std::vector<Found>& found, const std::string& path) const;

    const InputOptions& options_;
    std::map<std::string, std::vector<Found>> lists_;
};

/// Whether an animation belongs to a character by their names; nothing where they don't tell. See
/// CharacterLinks::belongs.
/// @param animation path of a file or an entry
[[nodiscard]] std::optional<bool> belongsByName(const JobInput& character, std::string_view animation);

}  // namespace reanima::tool
