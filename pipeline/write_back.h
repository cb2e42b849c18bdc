/// Writes clips that were edited in another program back into the game's file that they came from.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "../core/bytes.h"
#include "../core/diagnostics.h"
#include "../core/files.h"
#include "../formats/input.h"
#include "settings.h"

namespace reanima {

struct WriteBackSettings {
    /// For reading the original: its skeleton, format, rest pose, limits. The clips must have been converted with the
    /// same rest pose.
    Settings original{};
    bool allChanged = false;  ///< write even if most joints move differently than in the original
    bool allowLoss = false;   ///< write even if the format can't store some of the changes
};

struct WrittenBack {
    core::ByteVector bytes;            ///< of the original with the changes; the original's own if nothing changed
    std::vector<std::string> changed;  ///< names of the changed clips, in the order of the edited file
    std::vector<std::string> losses;   ///< changes that the format can't store, as sentences
    core::Diagnostics diagnostics;     ///< warnings and notes
};

/// Finds out which clips of an edited file were changed, and returns the game's file with them. All bytes of unchanged
/// clips stay as they are. Nothing is written to disk.
/// @param edited a file that this library made from the original, possibly edited and exported by another program.
/// Clips whose extras name another file of the game are left out
/// @param original a file or ARCHIVE:ENTRY. For an entry, the result contains the entry's bytes
/// @param readMotion reads the edited file, such as gltf::readMotionFile
/// @param files contain `edited`, and `original` with its companions
/// @throws core::DecodeError if a file can't be read, or if the edited file has clips that are not in the original or
/// joints of another skeleton. Unless the settings allow it, also for clips with entirely different motion and for
/// changes that the format can't store
[[nodiscard]] WrittenBack writeBack(const std::filesystem::path& edited, const std::filesystem::path& original,
                                    const MotionReader& readMotion, const WriteBackSettings& settings = {},
                                    const std::shared_ptr<const core::Files>& files = core::diskFiles());

}  // namespace reanima
