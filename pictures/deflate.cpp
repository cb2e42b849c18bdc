#include "pictures/deflate.h"

#include <memory>
#include <new>

#include <libdeflate.h>

namespace reanima::pictures {

core::ByteVector zlibStream(core::Bytes bytes, Effort effort) {
    constexpr int kFast = 3;  // the compression level, 0 to 12; level 6 would need twice the time
    constexpr int kSmall = 9;
    struct Free {
        void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
    };
    const std::unique_ptr<libdeflate_compressor, Free> compressor(
        libdeflate_alloc_compressor(effort == Effort::fast ? kFast : kSmall));
    if (!compressor)
        throw std::bad_alloc();
    core::ByteVector stream(libdeflate_zlib_compress_bound(compressor.get(), bytes.size()));
    stream.resize(libdeflate_zlib_compress(compressor.get(), bytes.data(), bytes.size(), stream.data(), stream.size()));
    return stream;
}

}  // namespace reanima::pictures
