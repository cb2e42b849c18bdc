#include "archives/unpack_flac.h"

#ifdef REANIMA_FLAC
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>

#include <FLAC/stream_decoder.h>
#include <fmt/format.h>
#endif

namespace reanima::archives {

#ifdef REANIMA_FLAC

namespace {

/// The header of a FLAC file: 44,100 Hz, two channels, 16 bits. Blocks state their size.
constexpr std::array<std::uint8_t, 42> kHeader = {'f',  'L', 'a', 'C', 0x80, 0, 0, 34,   0,    16,   0xFF,
                                                  0xFF, 0,   0,   0,   0,    0, 0, 0x0A, 0xC4, 0x42, 0xF0};

/// State of the callbacks through which libFLAC reads and delivers data.
struct Stream {
    core::Bytes packed;
    std::span<std::uint8_t> out;
    std::size_t read = 0;  ///< bytes read so far, of the header and the packed data
    std::size_t made = 0;

    std::size_t next(std::span<std::uint8_t> into) {
        std::size_t count = 0;
        for (const core::Bytes part : {core::Bytes(kHeader), packed}) {
            const std::size_t before = part.data() == packed.data() ? kHeader.size() : 0;
            if (read < before || read >= before + part.size() || count == into.size())
                continue;
            const core::Bytes rest = part.subspan(read - before);
            const std::size_t taken = std::min(rest.size(), into.size() - count);
            std::ranges::copy(rest.first(taken), into.begin() + static_cast<std::ptrdiff_t>(count));
            count += taken;
            read += taken;
        }
        return count;
    }

    void put(std::int32_t sample) {
        if (out.size() - made < 2)
            return;
        out[made++] = static_cast<std::uint8_t>(static_cast<std::uint32_t>(sample) >> 8U);
        out[made++] = static_cast<std::uint8_t>(sample);
    }
};

FLAC__StreamDecoderReadStatus readMore(const FLAC__StreamDecoder*, FLAC__byte* into, std::size_t* count, void* own) {
    *count = static_cast<Stream*>(own)->next({into, *count});
    return *count > 0 ? FLAC__STREAM_DECODER_READ_STATUS_CONTINUE : FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM;
}

FLAC__StreamDecoderWriteStatus takeBlock(const FLAC__StreamDecoder*, const FLAC__Frame* frame,
                                         const FLAC__int32* const* channels, void* own) {
    if (frame->header.channels != 2)
        return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT;
    for (unsigned i = 0; i < frame->header.blocksize; ++i)
        for (unsigned channel = 0; channel < 2; ++channel)
            static_cast<Stream*>(own)->put(channels[channel][i]);
    return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE;
}

void ignoreError(const FLAC__StreamDecoder*, FLAC__StreamDecoderErrorStatus, void*) {}

void unpackFlac(core::Bytes packed, std::span<std::uint8_t> out, const core::Place& place, core::Bytes) {
    const std::unique_ptr<FLAC__StreamDecoder, decltype(&FLAC__stream_decoder_delete)> decoder(
        FLAC__stream_decoder_new(), &FLAC__stream_decoder_delete);
    Stream stream{packed, out};
    if (!decoder ||
        FLAC__stream_decoder_init_stream(decoder.get(), readMore, nullptr, nullptr, nullptr, nullptr, takeBlock,
                                         nullptr, ignoreError, &stream) != FLAC__STREAM_DECODER_INIT_STATUS_OK)
        throw std::bad_alloc();
    bool goesOn = FLAC__stream_decoder_process_until_end_of_metadata(decoder.get()) != 0;
    while (goesOn && stream.made < out.size())
        goesOn = FLAC__stream_decoder_process_single(decoder.get()) != 0 &&
                 FLAC__stream_decoder_get_state(decoder.get()) < FLAC__STREAM_DECODER_END_OF_STREAM;
    if (stream.made < out.size())
        throw core::DecodeError(place,
                                fmt::format("its FLAC stream ends after {} of {} bytes", stream.made, out.size()));
}

}  // namespace

const FlacUnpacker kUnpackFlac = unpackFlac;

#else

const FlacUnpacker kUnpackFlac = nullptr;

#endif

}  // namespace reanima::archives
