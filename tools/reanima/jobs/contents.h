/// What files, folders and archives hold, as far as it takes to find a character or a clip: names, numbers and lengths.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/format.h"
#include "tools/reanima/front/options.h"

namespace reanima::tool {

struct HeldClip {
    std::string name;
    std::string fullName{};  ///< what the game calls it; empty: unknown
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
    std::vector<HeldClip> clips{};
    bool isVideo = false;
};

/// The characters of a file, or its clips on a made-up skeleton; none for what holds neither. Meshes are not decoded.
/// @throws core::DecodeError
[[nodiscard]] std::vector<HeldCharacter> charactersIn(const Input& input, const Companions& given, Context& context);

/// The files below a folder, or the entries of an archive that is converted like a folder and that may be characters,
/// in the order of their names or of the archive; of archives in a folder their entries. The path itself, if it is
/// neither.
/// @param report is called for each folder or archive that can't be read, while the exception is handled
[[nodiscard]] std::vector<std::string> filesBelow(const InputOptions& options, const std::string& path,
                                                  const std::function<void()>& report);

/// A file, and what is in it.
struct InsideFile {
    std::string path;
    std::uint64_t size = 0;
    std::string type{};              ///< as its archive states it; empty: it does not
    const Format* format = nullptr;  ///< null: no format claims it
    std::string archive{};           ///< the id of the kind of archive that it is; empty: it is none
    std::vector<HeldCharacter> characters{};
    bool isDamaged = false;  ///< it can't be read, or in part only
    std::size_t depth = 0;   ///< 0 for what lies in the folder or the archive itself
};

/// Calls use(file) for every file in a folder or an archive, and after a file that is an archive for those in it.
/// Files inside of a container are described together with it. Of each of them alone only the format is stated, which
/// its name tells.
/// @throws core::DecodeError if the folder or the archive itself can't be read
void eachInside(const InputOptions& options, const std::string& path,
                const std::function<void(const InsideFile&)>& use);

/// True for what could be read in part only: a warning says that entries of the file, or its end, are not there.
/// @param file as the warnings name it
[[nodiscard]] bool isDamaged(const core::Diagnostics& diagnostics, std::string_view file);

/// `5 joints, 3 clips`, `24 frames`; empty if there is nothing.
[[nodiscard]] std::string countsOf(const std::vector<HeldCharacter>& characters);

}  // namespace reanima::tool
