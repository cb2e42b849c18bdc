/// Lists the content of files, folders and archives for finding a character or a clip: names, numbers and lengths.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/format.h"
#include "pipeline/character_files.h"
#include "tools/reanima/front/options.h"

namespace reanima::tool {

struct HeldClip {
    std::string name;
    std::string fullName{};  ///< the game's name; empty: unknown
    std::uint32_t index = 0;
    std::uint32_t id = 0;
    std::uint32_t frames = 0;
    double seconds = 0;
};

/// A character, or a video.
struct HeldCharacter {
    std::string model{};  ///< id, in a file that may hold several
    core::Called called{};
    std::size_t joints = 0;
    std::vector<HeldClip> clips{};      ///< those that `convert` finds, also in other files
    std::vector<std::string> linked{};  ///< paths of these files
    bool isVideo = false;
};

/// The characters of a file, or its clips on placeholder joints; empty if it has neither. Meshes are not decoded.
/// @param files of which some may have further animations
/// @throws core::DecodeError
[[nodiscard]] std::vector<HeldCharacter> charactersIn(const Input& input, const Companions& given, Context& context,
                                                      CharacterFiles& files);

/// The files below a folder, or the entries that may be characters of an archive that is converted like a folder, in
/// the order of their names or of the archive. Archives in a folder are replaced by their entries. The path itself, if
/// it is neither.
/// @param report is called for each folder or archive that can't be read, while the exception is handled
[[nodiscard]] std::vector<std::string> filesBelow(const InputOptions& options, const std::string& path,
                                                  const std::function<void()>& report);

/// A file and its content.
struct InsideFile {
    std::string path;
    std::uint64_t size = 0;
    std::string type{};              ///< as stated by its archive; empty if it is not
    const Format* format = nullptr;  ///< null: no format claims it
    std::string archive{};           ///< the id of its kind of archive; empty if it is not an archive
    std::vector<HeldCharacter> characters{};
    bool isDamaged = false;  ///< it can't be read, or only in part
    std::size_t depth = 0;   ///< 0 for files directly in the folder or archive
};

/// Calls use(file) for every file in a folder or an archive; an archive is followed by its files. Files inside a
/// container are described with it; for each of them only the format is given, by its name.
/// @throws core::DecodeError if the folder or the archive itself can't be read
void eachInside(const InputOptions& options, const std::string& path,
                const std::function<void(const InsideFile&)>& use);

/// True if the file could only be read in part: a warning reports missing entries or a missing end.
/// @param file name of the file in the warnings
[[nodiscard]] bool isDamaged(const core::Diagnostics& diagnostics, std::string_view file);

/// `5 joints, 3 clips`, `24 frames`; empty if there is nothing.
[[nodiscard]] std::string countsOf(const std::vector<HeldCharacter>& characters);

}  // namespace reanima::tool
