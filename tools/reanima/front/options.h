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

/// Options for reading inputs.
struct InputOptions : NamedPaths {
    std::string format;          ///< id; empty: recognised
    std::string skeletonFormat;  ///< format of the file named by -s
    bool noCompanion = false;
    std::vector<std::string> motion;  ///< paths of inputs; their clips may show how to read the file named by -s
    OptionValues values;
    core::Limits limits;
    /// Shared by all inputs and copies of the options.
    std::shared_ptr<const archives::OpenArchives> files = std::make_shared<archives::OpenArchives>(inputFiles());

    /// From now on, ids are also looked up in the archives among the inputs. Call it before cast().
    void lookAlsoIn(const std::vector<std::string>& inputs);

    /// The format with this id. @throws UsageError that names the option
    [[nodiscard]] static const Format* formatFor(const std::string& id, std::string_view option = "--format");

    /// Reads the files that the user named besides the inputs. @throws core::DecodeError
    [[nodiscard]] Cast cast() const;
    /// The file named by -s. @throws core::DecodeError
    [[nodiscard]] Input readSkeleton() const;

    /// The companions without a rig, for verbs that do not bind. @throws UsageError if -s names a rig;
    /// core::DecodeError
    [[nodiscard]] Companions givenWithoutRig() const;

    /// Reads a file, or ARCHIVE:ENTRY, with its siblings.
    /// @param as its format; null: recognised
    /// @throws core::DecodeError, also for an archive without an entry name
    [[nodiscard]] Input open(const std::string& path, const Format* as) const;

    /// The format of an archive that is a folder of files. Null for other files.
    [[nodiscard]] const archives::ArchiveFormat* folderFormatOf(const std::string& path) const;

    /// True for an archive, or an entry, that is a folder of files. False if the user named the format of inputs.
    [[nodiscard]] bool isFolderOfFiles(const std::string& path) const;

    /// The inputs among the files of a folder. A folder with one character's clips is one input. A list file is left
    /// out if its archive is beside it.
    [[nodiscard]] std::vector<std::filesystem::path> inputsAmong(std::vector<std::filesystem::path> paths) const;
    /// True for an archive's list file: in a folder, the archive beside it is used.
    [[nodiscard]] bool namesAnother(const std::filesystem::path& path) const;

    /// Call it before outputs are checked. @throws core::DecodeError if the file or entry does not exist
    void requireInput(const std::string& path) const;
    /// Like requireInput(), but also rejects files that no format claims. Folders and archives are not opened.
    void requireKnownInput(const std::string& path) const;
    /// Rejects files that are not archives. @throws core::DecodeError that names the kind of file
    void requireArchive(const std::string& path) const;

    /// Reads an input: a file, or a folder of Memoria's clips. The input has no siblings if companions are disabled.
    /// @throws core::DecodeError
    [[nodiscard]] Input read(const std::string& path) const;

    /// Reads an input to convert, which may be another program's file: see asSource().
    [[nodiscard]] Input readSource(const std::string& path) const;

    /// Reads a file found in a folder, with its format. Empty if no format claims the file. It may be of any size:
    /// above the limit only the first bytes are read. @throws core::DecodeError, also as refuseBlankArchive() does
    [[nodiscard]] std::optional<Input> readFromFolder(const std::string& path) const;

    /// Rejects a file of no known format whose name shows that it was an archive: see archives::refuseBlank().
    /// @throws core::DecodeError
    void refuseBlankArchive(const std::string& path) const;

  private:
    void requireArchiveInside(const std::string& path) const;
};

/// Adds the options of all formats, or of the formats of one kind.
void addFormatOptions(Arguments& arguments, OptionInfo::Use use, OptionValues& values, std::optional<Kind> kind = {});

/// Adds the formats' options with these keys.
void addFormatOptions(Arguments& arguments, std::span<const std::string_view> keys, OptionValues& values);

/// Adds --limit-samples, --limit-memory.
void addLimits(Arguments& arguments, core::Limits& limits);

/// Adds options for reading one file: --format, the formats' options, limits.
void addReadingOptions(Arguments& arguments, InputOptions& options, std::optional<Kind> kind = {});

/// Adds -s, --skeleton-format, --no-companion.
/// @param help help text of -s
void addSkeletonOptions(Arguments& arguments, InputOptions& options, const std::string& help = "the game's skeleton");

/// Adds options for reading one file, and for companions: -s, --events, ...
/// @param skeletonHelp help text of -s
void addInputOptions(Arguments& arguments, InputOptions& options,
                     const std::string& skeletonHelp = "the game's skeleton");

/// Adds -q, -v, --strict, --warn. They are evaluated after the command line is parsed: see readWarnings().
void addConsoleOptions(Arguments& arguments, Console& console);

/// Applies --warn to the console. @throws UsageError
void readWarnings(Console& console);

}  // namespace reanima::tool
