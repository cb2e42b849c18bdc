/// Options that several verbs share.
#pragma once

#include <filesystem>
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
    std::string format;          ///< id; empty: recognised
    std::string skeletonFormat;  ///< of -s
    bool noCompanion = false;
    std::vector<std::string> motion;  ///< paths of inputs, whose clips may show how to read the file named by -s
    OptionValues values;
    core::Limits limits;
    /// Shared by all inputs and copies.
    std::shared_ptr<const archives::OpenArchives> files = std::make_shared<archives::OpenArchives>(inputFiles());

    /// Also searches ids from inputs in the archives among the other inputs. To be called before cast().
    void lookAlsoIn(const std::vector<std::string>& inputs);

    /// The format of that id. @throws UsageError that names the option
    [[nodiscard]] static const Format* formatFor(const std::string& id, std::string_view option = "--format");

    /// Reads the files that the user named besides the inputs. @throws core::DecodeError
    [[nodiscard]] Cast cast() const;
    /// The file named by -s. @throws core::DecodeError
    [[nodiscard]] Input readSkeleton() const;

    /// Only the companions, for verbs that do not bind. @throws UsageError if -s names a rig; core::DecodeError
    [[nodiscard]] Companions givenWithoutRig() const;

    /// A file, or ARCHIVE:ENTRY, with its siblings.
    /// @param as null: the format is recognised
    /// @throws core::DecodeError, also for an archive without the name of an entry
    [[nodiscard]] Input open(const std::string& path, const Format* as) const;

    /// The format of an archive that is a folder of files; null for any other file.
    [[nodiscard]] const archives::ArchiveFormat* folderFormatOf(const std::string& path) const;

    /// True for such an archive, as a file or an entry, unless the format of inputs is given.
    [[nodiscard]] bool isFolderOfFiles(const std::string& path) const;

    /// The inputs among the files of a folder: a folder of one character's clips counts as one, and a list that refers
    /// to an archive beside it is left out.
    [[nodiscard]] std::vector<std::filesystem::path> inputsAmong(std::vector<std::filesystem::path> paths) const;

    /// To be called before outputs are checked. @throws core::DecodeError if there is no such file or entry
    void requireInput(const std::string& path) const;
    /// The same, also for a file that no format claims; folders and archives are not opened.
    void requireKnownInput(const std::string& path) const;
    /// For verbs that need an archive. @throws core::DecodeError that names the kind of any other file
    void requireArchive(const std::string& path) const;

    /// An input, a file or a folder of Memoria's clips; without siblings if companions are disabled.
    /// @throws core::DecodeError
    [[nodiscard]] Input read(const std::string& path) const;

    /// The same for an input to convert, which may be another program's file: see asSource().
    [[nodiscard]] Input readSource(const std::string& path) const;

    /// A file found in a folder, with its format; nothing if no format claims it. Of files above the limit only the
    /// first bytes are read, since other files may have any size. @throws core::DecodeError
    [[nodiscard]] std::optional<Input> readFromFolder(const std::string& path) const;

  private:
    void requireArchiveInside(const std::string& path) const;
};

/// The formats' own options, for all formats or those of a kind.
void addFormatOptions(Arguments& arguments, OptionInfo::Use use, OptionValues& values, std::optional<Kind> kind = {});

/// Some of them, by their keys.
void addFormatOptions(Arguments& arguments, std::span<const std::string_view> keys, OptionValues& values);

/// --limit-samples, --limit-memory.
void addLimits(Arguments& arguments, core::Limits& limits);

/// Options for reading one file: --format, the formats' own options, limits.
void addReadingOptions(Arguments& arguments, InputOptions& options, std::optional<Kind> kind = {});

/// The same, and options for companions: -s, --events, ...
/// @param skeletonHelp help text of -s
void addInputOptions(Arguments& arguments, InputOptions& options,
                     const std::string& skeletonHelp = "the game's skeleton");

/// -q, -v, --strict, --warn. Evaluated after the command line is parsed: see readWarnings().
void addConsoleOptions(Arguments& arguments, Console& console);

/// Applies --warn to the console. @throws UsageError
void readWarnings(Console& console);

}  // namespace reanima::tool
