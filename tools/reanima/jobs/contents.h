/// Lists the content of files, folders and archives, to find a character or a clip by names, numbers and lengths.
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

/// A character or a video.
struct HeldCharacter {
    std::string model{};  ///< id of the model, in a file that may contain several
    core::Called called{};
    std::size_t joints = 0;
    std::vector<HeldClip> clips{};      ///< the clips that `convert` finds, including those in other files
    std::vector<std::string> linked{};  ///< paths of these other files
    bool isVideo = false;
};

/// The characters of a file, or its clips on placeholder joints. Empty without either. Meshes are not decoded.
/// @param files finds further animations in other files
/// @throws core::DecodeError
[[nodiscard]] std::vector<HeldCharacter> charactersIn(const Input& input, const Companions& given, Context& context,
                                                      CharacterFiles& files);

/// The files below a folder, sorted by name. Archives in the folder are replaced by their entries. For an archive that
/// is converted like a folder: its entries that may be characters, in the archive's order. For any other path: the
/// path.
/// @param report called for each unreadable folder or archive, while the exception is handled
[[nodiscard]] std::vector<std::string> filesBelow(const InputOptions& options, const std::string& path,
                                                  const std::function<void()>& report);

/// A file and its content.
struct InsideFile {
    std::string path;
    std::uint64_t size = 0;
    std::string type{};              ///< stated by its archive; may be empty
    const Format* format = nullptr;  ///< null: no format claims it
    std::string archive{};           ///< id of its kind of archive; empty if it is no archive
    std::vector<HeldCharacter> characters{};
    bool isDamaged = false;  ///< it can't be read completely
    std::size_t depth = 0;   ///< 0 for files directly in the folder or archive
};

/// Calls use(file) for every file in a folder or an archive. The files of a nested archive follow it. A container is
/// read as a whole: for its inner files, only the format is known, from their names.
/// @throws core::DecodeError if the folder or the archive can't be read
void eachInside(const InputOptions& options, const std::string& path,
                const std::function<void(const InsideFile&)>& use);

/// True if a warning reports missing entries or a missing end: then the file was not read completely.
/// @param file name of the file, as in the warnings
[[nodiscard]] bool isDamaged(const core::Diagnostics& diagnostics, std::string_view file);

/// `5 joints, 3 clips`, `24 frames`. Empty if all counts are 0.
[[nodiscard]] std::string countsOf(const std::vector<HeldCharacter>& characters);

}  // namespace reanima::tool
