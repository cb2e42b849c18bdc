/// Decompressors for archives, with one library each. All libraries are in Debian. All except zlib are optional.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/bytes.h"
#include "core/decode_error.h"

namespace reanima::archives {

enum class Packing { zlib, deflate, bzip2, lzma, lzma2, zstd, lz4, flac };

/// Unpacks into `out`. The result must have exactly this size.
/// @param properties five bytes for LZMA, one for LZMA2
/// @throws core::DecodeError that names `place` if the size differs, the bytes are damaged, or this build lacks the
/// decompressor
void unpack(Packing packing, core::Bytes packed, std::span<std::uint8_t> out, const core::Place& place,
            core::Bytes properties = {});

/// Call this before data with this packing is used.
/// @throws core::DecodeError that names `place` if this build lacks the decompressor
void requireUnpacker(Packing packing, const core::Place& place);

}  // namespace reanima::archives
