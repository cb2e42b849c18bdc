#include <array>

#include "archives/archive.h"
#include "archives/ff9_container.h"
#include "archives/ff9_img.h"
#include "archives/lgp.h"
#include "archives/metroid_pak.h"
#include "archives/zfs.h"
#include "core/source.h"

namespace reanima::archives {

// In the order in which they are asked: few bytes tell a chunk, so it comes last.
std::span<const ArchiveFormat> archiveFormats() {
    static const std::array kFormats = {kLgp, kFf9Img, kMetroidPak, kZfs, kFf9Db, kFf9Chunk};
    return kFormats;
}

}  // namespace reanima::archives
