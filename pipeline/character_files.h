/// Finds animations of a character that are not beside it under its name, by links in the game's own files or in a
/// table of them.
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
#include "pipeline/archive_animations.h"

namespace reanima {

/// An animation that belongs to a skeleton, and how that is known.
struct FoundAnimation {
    std::string path;  ///< of a file or of an entry
    LinkedAnimation link;
    core::LinkedBy linkedBy = core::LinkedBy::nothing;
    core::NamedBy namedBy = core::NamedBy::file;  ///< for the link's name, if it has one
};

struct FoundAnimations {
    std::vector<FoundAnimation> clips;  ///< the first frame of the first one is the skeleton's usual pose
    /// Without linked animations: a file whose first frame serves as a pose. Only its number of bones is known to
    /// match.
    std::string pose{};
    bool mayBeLinked = false;  ///< the game has such links, but their file was not found
    std::string saidBy{};      ///< the game's file with the links; empty: a table, or names
};

/// The names in a folder; empty if it can't be listed.
using FolderNames = std::function<std::vector<std::string>(const std::string& folder)>;

/// Those of a folder on the disk.
[[nodiscard]] std::vector<std::string> namesOnDisk(const std::string& folder);

/// Finds such animations and caches results. Not thread-safe.
class CharacterFiles {
  public:
    /// @param links the file or folder with the links; empty: searched beside the characters
    /// @param names null for files whose folders can't be listed; only usual names are tried there
    CharacterFiles(std::shared_ptr<const archives::OpenArchives> files, const core::Limits& limits, std::string links,
                   FolderNames names = namesOnDisk)
        : files_(std::move(files)),
          limits_(limits),
          given_(std::move(links)),
          names_(std::move(names)),
          inArchives_(files_, limits_) {}

    /// The animations of a skeleton; none for formats whose games have no links, and for an input without siblings.
    /// @throws core::DecodeError if the file that the user named has no links
    [[nodiscard]] FoundAnimations animationsOf(const Input& skeleton);

    /// Animations of a character elsewhere in its archive, in another archive beside it, or beside the character
    /// itself, by their names.
    /// @param path of a file of the character
    /// @param model id, in a file of several
    /// @throws core::DecodeError for more entries than an archive of its size needs
    [[nodiscard]] std::vector<FoundAnimation> furtherAnimationsOf(const std::string& path, const Format& format,
                                                                  const std::string& model = {});

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
        std::size_t measured = 0;                      ///< number of files whose bones were counted
        std::map<std::uint32_t, std::string> byBones;  ///< the first one of each number
    };

    /// The content of a file; null if there is none.
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
    [[nodiscard]] std::vector<FoundAnimation> elsewhereInArchive(const std::string& path, const Format& format,
                                                                 const std::string& model);
    [[nodiscard]] std::optional<std::string> beside(const std::string& path, const std::string& name) const;
    [[nodiscard]] std::string& fileLike(const std::string& folder, std::string_view end);
    [[nodiscard]] Place& placeOf(const std::string& path);

    std::shared_ptr<const archives::OpenArchives> files_;
    core::Limits limits_;
    std::string given_;
    FolderNames names_;
    std::map<std::string, AnimationLinks> links_;  ///< by the paths of their files
    /// By folder and searched name: the file found. Empty: none.
    std::map<std::pair<std::string, std::string>, std::string> filesLike_;
    std::map<std::string, Place> places_;  ///< by folder, with the trailing `/` or `:`
    ArchiveAnimations inArchives_;
};

}  // namespace reanima
