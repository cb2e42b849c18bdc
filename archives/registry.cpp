#include <array>

#include "archives/archive.h"
#include "archives/ff9_container.h"
#include "archives/ff9_img.h"
#include "archives/lgp.h"
#include "archives/metroid_pak.h"
#include "archives/zfs.h"

namespace reanima::archives {

extern const ArchiveFormat kCdDescription;
extern const ArchiveFormat kCdSectors;
extern const ArchiveFormat kChd;
extern const ArchiveFormat kCiso;
extern const ArchiveFormat kFf8Fs;
extern const ArchiveFormat kFf8FsTable;
extern const ArchiveFormat kFf8Zzz;
extern const ArchiveFormat kGameCubeDisc;
extern const ArchiveFormat kGcz;
extern const ArchiveFormat kIso9660;
extern const ArchiveFormat kWbfs;
extern const ArchiveFormat kWia;

// Formats are tried in this order. A chunk of Final Fantasy IX comes last, since only a few bytes identify it.
std::span<const ArchiveFormat> archiveFormats() {
    static const std::array kFormats = {kLgp,    kFf9Img,       kMetroidPak, kZfs,       kFf8Fs, kFf8FsTable,
                                        kFf8Zzz, kGameCubeDisc, kIso9660,    kCdSectors, kChd,   kCdDescription,
                                        kWia,    kGcz,          kCiso,       kWbfs,      kFf9Db, kFf9Chunk};
    return kFormats;
}

}  // namespace reanima::archives
