/// The animations of a character that do not lie beside it under its name: as the game's own files, or a table of what
/// they say, link them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "archives/open_archives.h"
#include "core/called.h"
#include "formats/animation_links.h"
#include "formats/input.h"

namespace reanima {

/// An animation that belongs to a skeleton, and how that is known.
struct FoundAnimation {
    std::string path;  ///< of a file or of an entry
    LinkedAnimation link;
    core::LinkedBy linkedBy = core::LinkedBy::nothing;
    core::NamedBy namedBy = core::NamedBy::file;  ///< of the link's name, if it has one
};

struct FoundAnimations {
    std::vector<FoundAnimation> clips;  ///< the first frame of the first one is the skeleton's usual pose
    /// Where there are none: a file whose first frame is a pose of the skeleton. It moves as many bones, and that is
    /// all that is known.
    std::string pose{};
    bool mayBeLinked = false;  ///< the game says such things somewhere, but not here
    std::string saidBy{};      ///< the file of the game that says so; empty: a table, or names
};

/// The names of what is in a folder; none if it can't be listed.
using FolderNames = std::function<std::vector<std::string>(const std::string& folder)>;

/// Those of a folder on the disk.
[[nodiscard]] std::vector<std::string> namesOnDisk(const std::string& folder);

/// Looks for them, and keeps what is asked for again. For one thread.
class CharacterFiles {
  public:
    /// @param links the file or folder that says which animations belong together; empty: it is looked for beside the
    /// characters
    /// @param names null for files whose folders can't be listed: what is looked for there has its usual name
    CharacterFiles(std::shared_ptr<const archives::OpenArchives> files, const core::Limits& limits, std::string links,
                   FolderNames names = namesOnDisk)
        : files_(std::move(files)), limits_(limits), given_(std::move(links)), names_(std::move(names)) {}

    /// The animations of a skeleton; none for formats whose games say nothing of it, and for an input without siblings.
    /// @throws core::DecodeError if what the user named says nothing
    [[nodiscard]] FoundAnimations animationsOf(const Input& skeleton);

    /// Animations of a character that lie in another archive beside it, or beside the character itself, by their names.
    /// @param path of a file of the character
    /// @throws core::DecodeError for more entries than an archive of its size needs
    [[nodiscard]] std::vector<FoundAnimation> furtherAnimationsOf(const std::string& path, const Format& format);

    /// A file or an entry. @throws core::DecodeError that names it if it can't be read
    [[nodiscard]] Input open(const std::string& path, const core::Limits& limits) const {
        return readInput(files_, path, limits);
    }
    /// True for the path of an entry of an archive.
    [[nodiscard]] bool isEntry(const std::string& path) const { return files_->namesEntry(path); }

  private:
    /// Files of a folder, or entries of an archive.
    struct Place {
        std::vector<std::string> paths;                ///< sorted by their names
        std::size_t measured = 0;                      ///< of how many the bones were counted
        std::map<std::uint32_t, std::string> byBones;  ///< the first one of each number
    };

    /// What a file says; null: there is none.
    struct Said {
        const AnimationLinks* links = nullptr;
        std::string file{};
    };

    [[nodiscard]] Said linksFor(const std::string& path, const LinkSource& source);
    [[nodiscard]] const AnimationLinks& linksIn(const std::string& path, const LinkSource& source);
    [[nodiscard]] std::vector<FoundAnimation> linked(const AnimationLinks& links, const Input& skeleton,
                                                     core::NamedBy namedBy);
    [[nodiscard]] std::optional<FoundAnimation> namesake(const Input& skeleton, std::uint32_t bones) const;
    [[nodiscard]] std::string firstThatFits(const Input& skeleton, std::uint32_t bones);
    [[nodiscard]] std::optional<std::string> beside(const std::string& path, const std::string& name) const;
    [[nodiscard]] std::string& fileLike(const std::string& folder, std::string_view end);
    [[nodiscard]] Place& placeOf(const std::string& path);

    std::shared_ptr<const archives::OpenArchives> files_;
    core::Limits limits_;
    std::string given_;
    FolderNames names_;
    std::map<std::string, AnimationLinks> links_;  ///< by the paths of what they were read from
    /// By folders, and what is sought there: what lies in them. Empty: nothing.
    std::map<std::pair<std::string, std::string>, std::string> filesLike_;
    std::map<std::string, Place> places_;  ///< by folders, with the `/` or `:` after them
};

}  // namespace reanima
