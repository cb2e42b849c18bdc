/// Finds animations of a character in files with other names or in other places. Links in the game's files or in a
/// table name these files.
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

/// An animation that belongs to a skeleton, and the evidence for that.
struct FoundAnimation {
    std::string path;  ///< path of a file or an entry
    LinkedAnimation link;
    core::LinkedBy linkedBy = core::LinkedBy::nothing;
    core::NamedBy namedBy = core::NamedBy::file;  ///< source of the link's name, if the link has a name
};

struct FoundAnimations {
    std::vector<FoundAnimation> clips;  ///< the first frame of the first clip is the skeleton's usual pose
    /// If no animation is linked: a file with a fitting number of bones. Its first frame serves as the rest pose.
    std::string pose{};
    bool mayBeLinked = false;  ///< the game has such links, but the file with them was not found
    std::string saidBy{};      ///< the game's file with the links; empty: they come from a table or from names
};

/// The names in a folder; empty if it can't be listed.
using FolderNames = std::function<std::vector<std::string>(const std::string& folder)>;

/// The names in a folder on the disk.
[[nodiscard]] std::vector<std::string> namesOnDisk(const std::string& folder);

/// Finds animations of characters, and caches results. Not thread-safe.
class CharacterFiles {
  public:
    /// @param links the file or folder with the links; empty: searched for beside the characters
    /// @param names null if folders can't be listed; then only usual names are tried
    CharacterFiles(std::shared_ptr<const archives::OpenArchives> files, const core::Limits& limits, std::string links,
                   FolderNames names = namesOnDisk)
        : files_(std::move(files)),
          limits_(limits),
          given_(std::move(links)),
          names_(std::move(names)),
          inArchives_(files_, limits_) {}

    /// The animations of a skeleton. Empty for games without links, and for an input without siblings.
    /// @throws core::DecodeError if the user named a file without links
    [[nodiscard]] FoundAnimations animationsOf(const Input& skeleton);

    /// Animations of a character, found by their names: in its archive, in another archive beside it, or beside the
    /// character.
    /// @param path path of the character's file
    /// @param model id of the model, in a file with several
    /// @throws core::DecodeError if an archive lists too many entries for its size
    [[nodiscard]] std::vector<FoundAnimation> furtherAnimationsOf(const std::string& path, const Format& format,
                                                                  const std::string& model = {});

    /// Reads a file or an entry. @throws core::DecodeError that names it if it can't be read
    [[nodiscard]] Input open(const std::string& path, const core::Limits& limits) const {
        return readInput(files_, path, limits);
    }
    /// True for the path of an entry of an archive.
    [[nodiscard]] bool isEntry(const std::string& path) const { return files_->namesEntry(path); }

  private:
    /// Files of a folder, or entries of an archive.
    struct Place {
        std::size_t nameSize = 0;  ///< length of the beginning of all paths: `battle/` or `battle.lgp:`
        bool isArchive = false;
        std::vector<std::string> paths;                ///< sorted by their names
        std::size_t measured = 0;                      ///< number of files whose bones were counted
        std::map<std::uint32_t, std::string> byBones;  ///< the first file for each number of bones
    };

    /// The links in a file. Null if there are none.
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
    /// The file found for a folder and a searched name. Empty: not found.
    std::map<std::pair<std::string, std::string>, std::string> filesLike_;
    std::map<std::string, Place> places_;  ///< by folder, with the trailing `/` or `:`
    ArchiveAnimations inArchives_;
};

}  // namespace reanima
