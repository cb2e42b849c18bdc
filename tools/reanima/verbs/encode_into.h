/// `encode EDITED --into ORIGINAL`: writes edited motion, or motion of other characters, into the game's file. `encode
/// EDITED --format ID -s SKELETON` makes a new file.
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
    InputOptions input;                  ///< options for reading the original
    std::vector<std::string> edited;     ///< several are only allowed for an archive
    std::vector<std::string> originals;  ///< empty: new files are made
    std::string output;  ///< empty: differences are listed but not written; for several originals a folder
    bool force = false;  ///< replace existing outputs
    std::string report;  ///< a JSON file; empty: none
    EncodeSettings settings;
    /// Settings for binding motion of other characters: texts by key.
    std::map<std::string, std::vector<std::string>, std::less<>> binding;

    /// True if a place for new clips is named.
    [[nodiscard]] bool isPlaced() const { return !settings.search.at.empty() || settings.search.append; }
};

/// Declares the options for motion, in addition to the options of all encodings.
void addMotionOptions(Arguments& arguments, EncodeMotionOptions& options);

/// The scene of a .glb or .gltf. Empty for any other file.
[[nodiscard]] std::optional<core::MovingScene> readEdited(const File& file, const std::string& path,
                                                          const InputOptions& input, const core::Limits& limits,
                                                          core::Diagnostics& diagnostics);

/// A copy of the options. Files that are read through the copy are recorded in `read`.
/// @param read must outlive the result
[[nodiscard]] EncodeMotionOptions recording(EncodeMotionOptions options, std::vector<std::filesystem::path>& read);

/// The rest pose named by --rest. @throws core::DecodeError
[[nodiscard]] RestPose restFrom(const EncodeMotionOptions& options);

/// Makes files from clips of a scene and a skeleton, without an original. @return an ExitStatus
int encodeNew(const EncodeMotionOptions& options, const Console& console);

/// Prints the command that shows a written game file.
/// @param output path of the file, or of an entry of an archive
/// @param format format of the output; null if its content shows it
/// @param skeleton the skeleton to name in the command if none is found in the file or beside it; may be empty
void sayHowToLook(const std::string& output, const Format* format, const std::string& skeleton, const Console& console);

/// @return an ExitStatus
int encodeInto(const EncodeMotionOptions& options, const Console& console);

}  // namespace reanima::tool
