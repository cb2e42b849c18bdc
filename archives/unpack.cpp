#include "archives/unpack.h"

#include <algorithm>
#include <array>
#include <bit>
#include <new>

#include <fmt/format.h>
#include <zlib.h>
#ifdef REANIMA_BZIP2
#include <bzlib.h>
#endif
#ifdef REANIMA_LZMA
#include <lzma.h>
#endif
#ifdef REANIMA_ZSTD
#include <zstd.h>
#endif
#ifdef REANIMA_LZ4
#include <lz4.h>
#endif

#include "archives/unpack_flac.h"

namespace reanima::archives {

namespace {

using core::DecodeError;
using Out = std::span<std::uint8_t>;

[[noreturn]] void refuse(const core::Place& place, std::string_view name) {
    throw DecodeError(
        place,
        fmt::format("is packed with {}, which this build of reanima can't unpack. Use a build with all libraries",
                    name));
}

[[noreturn]] void damaged(const core::Place& place, std::string_view name, std::string_view why) {
    throw DecodeError(place, fmt::format("its {} stream is damaged: {}", name, why));
}

[[noreturn]] void tooShort(const core::Place& place, std::string_view name, std::uint64_t made, std::uint64_t wanted) {
    throw DecodeError(place, fmt::format("its {} stream ends after {} of {} bytes", name, made, wanted));
}

[[noreturn]] void tooLong(const core::Place& place, std::uint64_t wanted) {
    throw DecodeError(place, fmt::format("unpacks to more than the {} bytes that it states", wanted));
}

void inflateInto(core::Bytes packed, Out out, const core::Place& place, int windowBits) {
    z_stream zlib{};
    if (inflateInit2(&zlib, windowBits) != Z_OK)
        throw std::bad_alloc();
    std::uint8_t none = 0;
    zlib.next_in = const_cast<Bytef*>(packed.data());  // NOLINT: zlib does not write there
    zlib.avail_in = static_cast<uInt>(packed.size());
    zlib.next_out = out.empty() ? &none : out.data();
    zlib.avail_out = static_cast<uInt>(out.size());
    const int result = inflate(&zlib, Z_FINISH);
    const std::size_t made = zlib.total_out;
    const std::string message = zlib.msg != nullptr ? zlib.msg : "";
    inflateEnd(&zlib);
    if (result == Z_STREAM_END && made == out.size())
        return;
    if (!message.empty())
        damaged(place, "zlib", message);
    if (result == Z_STREAM_END)
        throw DecodeError(place, fmt::format("unpacks to {} bytes, expected {}", made, out.size()));
    if (made < out.size())
        tooShort(place, "zlib", made, out.size());
    tooLong(place, out.size());
}

void unpackZlib(core::Bytes packed, Out out, const core::Place& place, core::Bytes) {
    inflateInto(packed, out, place, MAX_WBITS);
}

void unpackDeflate(core::Bytes packed, Out out, const core::Place& place, core::Bytes) {
    inflateInto(packed, out, place, -MAX_WBITS);
}

#ifdef REANIMA_BZIP2
void unpackBzip2(core::Bytes packed, Out out, const core::Place& place, core::Bytes) {
    auto made = static_cast<unsigned>(out.size());
    auto* from = const_cast<char*>(reinterpret_cast<const char*>(packed.data()));  // NOLINT: bzip2 does not write there
    const int result = BZ2_bzBuffToBuffDecompress(reinterpret_cast<char*>(out.data()), &made, from,  // NOLINT
                                                  static_cast<unsigned>(packed.size()), 0, 0);
    if (result == BZ_MEM_ERROR)
        throw std::bad_alloc();
    if (result == BZ_OUTBUFF_FULL)
        tooLong(place, out.size());
    if (result == BZ_OK && made < out.size())
        tooShort(place, "bzip2", made, out.size());
    if (result != BZ_OK)
        damaged(place, "bzip2", fmt::format("error {}", result));
}
#endif

#ifdef REANIMA_LZMA
/// The dictionary: no window larger than the output is ever needed.
std::uint32_t dictionaryFor(std::uint64_t stated, std::size_t unpacked) {
    constexpr std::uint64_t kLeast = 4096;
    return static_cast<std::uint32_t>(std::max(kLeast, std::min<std::uint64_t>(stated, std::bit_ceil(unpacked))));
}

void decodeLzma(lzma_vli method, const lzma_options_lzma& options, core::Bytes packed, Out out,
                const core::Place& place) {
    lzma_options_lzma own = options;
    const std::array<lzma_filter, 2> filters = {{{method, &own}, {LZMA_VLI_UNKNOWN, nullptr}}};
    lzma_stream stream = LZMA_STREAM_INIT;
    if (const lzma_ret began = lzma_raw_decoder(&stream, filters.data()); began == LZMA_MEM_ERROR)
        throw std::bad_alloc();
    else if (began != LZMA_OK)
        damaged(place, "LZMA", fmt::format("error {}", static_cast<int>(began)));
    stream.next_in = packed.data();
    stream.avail_in = packed.size();
    stream.next_out = out.data();
    stream.avail_out = out.size();
    lzma_ret result = LZMA_OK;
    while (result == LZMA_OK && stream.avail_out > 0)
        result = lzma_code(&stream, LZMA_FINISH);
    const std::size_t left = stream.avail_out;
    lzma_end(&stream);
    if (left == 0)
        return;
    if (result == LZMA_DATA_ERROR || result == LZMA_OPTIONS_ERROR)
        damaged(place, "LZMA", fmt::format("error {}", static_cast<int>(result)));
    tooShort(place, "LZMA", out.size() - left, out.size());
}

void unpackLzma(core::Bytes packed, Out out, const core::Place& place, core::Bytes properties) {
    constexpr std::size_t kSize = 5;
    constexpr unsigned kModels = 225;
    constexpr unsigned kMostBits = 4;
    if (properties.size() != kSize || properties[0] >= kModels ||
        properties[0] % 9U + properties[0] / 9U % 5U > kMostBits)
        throw DecodeError(place, "its LZMA properties are not valid");
    lzma_options_lzma options{};
    options.lc = properties[0] % 9U;
    options.lp = properties[0] / 9U % 5U;
    options.pb = properties[0] / 45U;
    std::uint64_t dictionary = 0;
    for (std::size_t i = kSize - 1; i > 0; --i)
        dictionary = dictionary << 8U | properties[i];
    options.dict_size = dictionaryFor(dictionary, out.size());
    decodeLzma(LZMA_FILTER_LZMA1, options, packed, out, place);
}

void unpackLzma2(core::Bytes packed, Out out, const core::Place& place, core::Bytes properties) {
    constexpr unsigned kLargest = 40;
    if (properties.size() != 1 || properties[0] > kLargest)
        throw DecodeError(place, "its LZMA2 properties are not valid");
    const unsigned bits = properties[0];
    lzma_options_lzma options{};
    options.dict_size = dictionaryFor((2ULL | (bits & 1U)) << (bits / 2 + 11), out.size());
    decodeLzma(LZMA_FILTER_LZMA2, options, packed, out, place);
}
#endif

#ifdef REANIMA_ZSTD
void unpackZstd(core::Bytes packed, Out out, const core::Place& place, core::Bytes) {
    const std::size_t made = ZSTD_decompress(out.data(), out.size(), packed.data(), packed.size());
    if (ZSTD_isError(made) != 0)
        damaged(place, "Zstandard", ZSTD_getErrorName(made));
    if (made < out.size())
        tooShort(place, "Zstandard", made, out.size());
}
#endif

#ifdef REANIMA_LZ4
void unpackLz4(core::Bytes packed, Out out, const core::Place& place, core::Bytes) {
    const int made = LZ4_decompress_safe(reinterpret_cast<const char*>(packed.data()),  // NOLINT: bytes are bytes
                                         reinterpret_cast<char*>(out.data()),           // NOLINT
                                         static_cast<int>(packed.size()), static_cast<int>(out.size()));
    if (made < 0)
        damaged(place, "LZ4", "a reference or length points outside the data");
    if (static_cast<std::size_t>(made) < out.size())
        tooShort(place, "LZ4", static_cast<std::size_t>(made), out.size());
}
#endif

struct Unpacker {
    Packing packing;
    std::string_view name;
    void (*unpack)(core::Bytes packed, Out out, const core::Place& place, core::Bytes properties);
};

const Unpacker& unpackerOf(Packing packing) {
    // Not a constant at namespace scope: it might be initialised before kUnpackFlac, which it needs.
    static const std::array<Unpacker, 8> kUnpackers = {{
        {Packing::zlib, "zlib", unpackZlib},
        {Packing::deflate, "Deflate", unpackDeflate},
#ifdef REANIMA_BZIP2
        {Packing::bzip2, "bzip2", unpackBzip2},
#else
        {Packing::bzip2, "bzip2", nullptr},
#endif
#ifdef REANIMA_LZMA
        {Packing::lzma, "LZMA", unpackLzma},
        {Packing::lzma2, "LZMA2", unpackLzma2},
#else
        {Packing::lzma, "LZMA", nullptr},
        {Packing::lzma2, "LZMA2", nullptr},
#endif
#ifdef REANIMA_ZSTD
        {Packing::zstd, "Zstandard", unpackZstd},
#else
        {Packing::zstd, "Zstandard", nullptr},
#endif
#ifdef REANIMA_LZ4
        {Packing::lz4, "LZ4", unpackLz4},
#else
        {Packing::lz4, "LZ4", nullptr},
#endif
        {Packing::flac, "FLAC", kUnpackFlac},
    }};
    return *std::ranges::find(kUnpackers, packing, &Unpacker::packing);
}

}  // namespace

void requireUnpacker(Packing packing, const core::Place& place) {
    if (unpackerOf(packing).unpack == nullptr)
        refuse(place, unpackerOf(packing).name);
}

void unpack(Packing packing, core::Bytes packed, std::span<std::uint8_t> out, const core::Place& place,
            core::Bytes properties) {
    requireUnpacker(packing, place);
    unpackerOf(packing).unpack(packed, out, place, properties);
}

}  // namespace reanima::archives
