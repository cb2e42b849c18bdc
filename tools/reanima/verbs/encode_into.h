/// `encode EDITED --into ORIGINAL`: writes edited motion, or that of other characters, into the game's file.
/// `encode EDITED --format ID -s SKELETON` makes a new file.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/encode_asset.h"
#include "tools/reanima/front/options.h"
#include "tools/reanima/system/console.h"

namespace reanima::tool {

struct EncodeMotionOptions {
    InputOptions input;                  ///< how the original is read
    std::vector<std::string> edited;     ///< several only for an archive
    std::vector<std::string> originals;  ///< none: files are made
    std::string output;  ///< empty: differences are listed and nothing is written; for several originals a folder
    bool force = false;  ///< replace outputs that exist
    std::string report;  ///< a JSON file; empty: none
    EncodeSettings settings;
    /// Settings for binding motion of other characters: texts by key.
    std::map<std::string, std::vector<std::string>, std::less<>> binding;

    /// True if a place for clips that are not in the original is given.
    [[nodiscard]] bool isPlaced() const { return !settings.search.at.empty() || settings.search.append; }
};

/// Declares the options for motion, beside those of every encoding.
void addMotionOptions(Arguments& arguments, EncodeMotionOptions& options);

/// The scene of a .glb or .gltf; none for any other file.
[[nodiscard]] std::optional<core::MovingScene> readEdited(const File& file, const std::string& path,
                                                          const InputOptions& input, const core::Limits& limits,
                                                          core::Diagnostics& diagnostics);

/// The same options; files read through them are recorded in `read`.
/// @param read must outlive the result
[[nodiscard]] EncodeMotionOptions recording(EncodeMotionOptions options, std::vector<std::filesystem::path>& read);

/// The value of --rest. @throws core::DecodeError
[[nodiscard]] RestPose restFrom(const EncodeMotionOptions& options);

/// Makes files from clips for a skeleton, without an original. @return an ExitStatus
int encodeNew(const EncodeMotionOptions& options, const Console& console);

/// Says what to type to see a file of a game that was written.
/// @param output the file, or an entry of an archive
/// @param format of the output; null if its content tells
/// @param skeleton named for a file that needs one and has none beside it; may be empty
void sayHowToLook(const std::string& output, const Format* format, const std::string& skeleton, const Console& console);

/// @return an ExitStatus
int encodeInto(const EncodeMotionOptions& options, const Console& console);

}  // namespace reanima::tool
