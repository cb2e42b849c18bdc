/// `encode EDITED --into ORIGINAL`: motion that another program changed, back into the game's file, and that of other
/// figures. `encode EDITED --format ID -s SKELETON`: a file of its own.
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
    std::vector<std::string> edited;     ///< several for an archive alone
    std::vector<std::string> originals;  ///< none: files are made
    std::string output;  ///< empty: what differs is listed, and nothing written; of several originals a folder
    bool force = false;  ///< replace outputs that exist
    std::string report;  ///< a JSON file; empty: none
    EncodeSettings settings;
    /// How motion of other figures is bound: texts of settings by their keys.
    std::map<std::string, std::vector<std::string>, std::less<>> binding;

    /// True if it is said where clips go that the original has not.
    [[nodiscard]] bool isPlaced() const { return !settings.search.at.empty() || settings.search.append; }
};

/// Declares what motion needs besides the options of every encoding.
void addMotionOptions(Arguments& arguments, EncodeMotionOptions& options);

/// The scene of a .glb or .gltf; none for any other file.
[[nodiscard]] std::optional<core::MovingScene> readEdited(const File& file, const std::string& path,
                                                          const InputOptions& input, const core::Limits& limits,
                                                          core::Diagnostics& diagnostics);

/// The same options, whose files note in `read` what is read through them.
/// @param read outlives what is returned
[[nodiscard]] EncodeMotionOptions recording(EncodeMotionOptions options, std::vector<std::filesystem::path>& read);

/// What --rest says. @throws core::DecodeError
[[nodiscard]] RestPose restFrom(const EncodeMotionOptions& options);

/// Makes files of clips for a skeleton, without an original. @return an ExitStatus
int encodeNew(const EncodeMotionOptions& options, const Console& console);

/// @return an ExitStatus
int encodeInto(const EncodeMotionOptions& options, const Console& console);

}  // namespace reanima::tool
