/// Options that several verbs share.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "archives/open_archives.h"
#include "arguments.h"
#include "formats/format.h"
#include "pipeline/cast.h"
#include "tools/reanima/system/files.h"

namespace reanima::tool {

/// How inputs are read.
struct InputOptions : NamedPaths {
    std::string format;          ///< id; empty: found out
    std::string skeletonFormat;  ///< of -s
    bool noCompanion = false;
    std::vector<std::string> motion;  ///< paths of inputs, whose clips may tell how the file that -s names is meant
    OptionValues values;
    core::Limits limits;
    /// Of all inputs: copies share it.
    std::shared_ptr<const archives::OpenArchives> files = std::make_shared<archives::OpenArchives>(inputFiles());

    /// What an input names by an id is looked for in the archives among the others, too: to be called before cast().
    void lookAlsoIn(const std::vector<std::string>& inputs);

    /// The format of that id. @throws UsageError that names the option
    [[nodiscard]] static const Format* formatFor(const std::string& id, std::string_view option = "--format");

    /// Reads what the user named besides the inputs. @throws core::DecodeError
    [[nodiscard]] Cast cast() const;
    /// What -s names. @throws core::DecodeError
    [[nodiscard]] Input readSkeleton() const;

    /// The companions alone, for verbs that bind nothing. @throws UsageError if -s names a rig; core::DecodeError
    [[nodiscard]] Companions givenWithoutRig() const;

    /// A file, or ARCHIVE:ENTRY, with what lies beside it.
    /// @param as null: its format is to be found out
    /// @throws core::DecodeError, also for an archive without the name of an entry
    [[nodiscard]] Input open(const std::string& path, const Format* as) const;

    /// The format of an archive that is a folder of files; null for any other file.
    [[nodiscard]] const archives::ArchiveFormat* folderFormatOf(const std::string& path) const;

    /// To be called before outputs are looked at. @throws core::DecodeError if there is no such file or entry
    void requireInput(const std::string& path) const;
    /// The same, also for a file that no format claims; folders and archives are not looked into.
    void requireKnownInput(const std::string& path) const;
    /// For verbs that want an archive. @throws core::DecodeError that says what a file is that is none
    void requireArchive(const std::string& path) const;

    /// An input, a file or a folder of Memoria's clips; without siblings if companions are not wanted.
    /// @throws core::DecodeError
    [[nodiscard]] Input read(const std::string& path) const;

    /// The same for an input that is to be converted: it may be another program's, see asSource().
    [[nodiscard]] Input readSource(const std::string& path) const;

    /// A file that was met in a folder, with its format; nothing if no format claims it. One above the limit is looked
    /// at by its first bytes: what is not ours may be of any size. @throws core::DecodeError
    [[nodiscard]] std::optional<Input> readFromFolder(const std::string& path) const;

  private:
    void requireArchiveInside(const std::string& path) const;
};

/// The formats' own options; of all formats or of those of a kind.
void addFormatOptions(Arguments& arguments, OptionInfo::Use use, OptionValues& values, std::optional<Kind> kind = {});

/// Some of them, by their keys.
void addFormatOptions(Arguments& arguments, std::span<const std::string_view> keys, OptionValues& values);

/// --limit-samples, --limit-memory.
void addLimits(Arguments& arguments, core::Limits& limits);

/// What one file needs to be read: --format, the formats' own options, limits.
void addReadingOptions(Arguments& arguments, InputOptions& options, std::optional<Kind> kind = {});

/// These, and what names companions: -s, --events, ...
/// @param skeletonHelp what -s names, for the verb's help
void addInputOptions(Arguments& arguments, InputOptions& options,
                     const std::string& skeletonHelp = "the game's skeleton");

/// -q, -v, --strict, --warn. To be understood once the command line is parsed: see readWarnings().
void addConsoleOptions(Arguments& arguments, Console& console);

/// Applies what --warn said to the console. @throws UsageError
void readWarnings(Console& console);

}  // namespace reanima::tool
