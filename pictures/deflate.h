/// Compression for pictures: a zlib stream (RFC 1950 and 1951), made about ten times as fast as by zlib itself.
///
/// What zlib writes differs from version to version; this gives the same bytes everywhere.
#pragma once

#include "core/bytes.h"

namespace reanima::pictures {

/// Rows of one length: a byte that is not compared with pixels, then whole pixels.
struct Rows {
    core::Bytes bytes;           ///< row after row, and eight more that can be read after the last
    std::size_t rowBytes = 0;    ///< of each
    std::size_t pixelBytes = 0;  ///< 1 to 4
};

/// The rows as a zlib stream. Repetitions are looked for where pixels begin.
[[nodiscard]] core::ByteVector compressed(const Rows& rows);

}  // namespace reanima::pictures
