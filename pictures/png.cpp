#include "pictures/png.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <libdeflate.h>
#include <png.h>

#include "core/byte_reader.h"
#include "core/byte_writer.h"
#include "core/decode_error.h"
#include "pictures/deflate.h"
#include "pictures/pixel_word.h"

namespace reanima::pictures {

namespace {

// ---------------------------------------------------------------------------------------------------------------------
// Filters: rows are stored as differences from pixels to the left or above

enum class Filter : std::uint8_t { none, left, above };

/// Subtracts four bytes at once, whatever the machine's byte order.
std::uint32_t difference(std::uint32_t a, std::uint32_t b) {
    constexpr std::uint32_t kHighest = 0x80808080;
    return ((a | kHighest) - (b & ~kHighest)) ^ ((a ^ ~b) & kHighest);
}

/// @param size bytes per pixel; four bytes are written, and the next pixel overwrites the surplus
template <std::size_t size>
void writeRow(const Rgba* row, const Rgba* above, std::uint32_t width, Filter filter, std::uint8_t* to) {
    *to++ = static_cast<std::uint8_t>(filter);
    const auto write = [&to](std::uint32_t word) {
        std::memcpy(to, &word, sizeof word);
        to += size;
    };
    switch (filter) {
        case Filter::none:
            for (std::uint32_t x = 0; x < width; ++x)
                write(wordOf(row[x]));
            break;
        case Filter::left:
            write(wordOf(row[0]));
            for (std::uint32_t x = 1; x < width; ++x)
                write(difference(wordOf(row[x]), wordOf(row[x - 1])));
            break;
        case Filter::above:
            for (std::uint32_t x = 0; x < width; ++x)
                write(difference(wordOf(row[x]), wordOf(above[x])));
            break;
    }
}

/// A picture's rows, in the form that a PNG file compresses.
class PngRows {
  public:
    PngRows(const Picture& picture, std::size_t pixelBytes)
        : picture_(picture),
          pixelBytes_(pixelBytes),
          rowBytes_(1 + picture.width * pixelBytes),
          black_(picture.width, Rgba{}) {}

    [[nodiscard]] core::ByteVector compressed() const {
        const Filter filter = bestFilter();
        core::ByteVector bytes(rowBytes_ * picture_.height + kRoom);
        for (std::uint32_t y = 0; y < picture_.height; ++y)
            write(y, filter, bytes.data() + y * rowBytes_);
        return zlibStream(core::Bytes(bytes).first(bytes.size() - kRoom), Effort::fast);
    }

  private:
    static constexpr std::size_t kRoom = 8;

    void write(std::uint32_t y, Filter filter, std::uint8_t* to) const {
        const Rgba* row = picture_.pixels.data() + std::size_t{y} * picture_.width;
        const Rgba* above = y > 0 ? row - picture_.width : black_.data();
        if (pixelBytes_ == 4)
            writeRow<4>(row, above, picture_.width, filter, to);
        else
            writeRow<3>(row, above, picture_.width, filter, to);
    }

    /// The filter with the least byte entropy, estimated from some of the rows.
    [[nodiscard]] Filter bestFilter() const {
        Filter best = Filter::none;
        std::uint64_t least = informationIn(best);
        for (const Filter filter : {Filter::left, Filter::above}) {
            const std::uint64_t information = informationIn(filter);
            if (information < least) {
                least = information;
                best = filter;
            }
        }
        return best;
    }

    /// The entropy of some rows with this filter, in 1/256 bits.
    [[nodiscard]] std::uint64_t informationIn(Filter filter) const {
        constexpr std::uint32_t kEach = 16;
        core::ByteVector row(rowBytes_ + kRoom);
        std::array<std::uint32_t, 256> counts{};
        std::uint32_t total = 0;
        for (std::uint32_t y = std::min(kEach / 2, picture_.height - 1); y < picture_.height; y += kEach) {
            write(y, filter, row.data());
            for (std::size_t i = 1; i < rowBytes_; ++i)
                ++counts[row[i]];
            total += static_cast<std::uint32_t>(rowBytes_ - 1);
        }
        std::uint64_t information = 0;
        for (const std::uint32_t count : counts)
            if (count > 0)
                information += std::uint64_t{count} * (binaryLogarithm(total) - binaryLogarithm(count));
        return information;
    }

    /// The binary logarithm in 1/256, linear between powers of two. libm's logarithm differs between machines.
    static std::uint64_t binaryLogarithm(std::uint32_t number) {
        const auto whole = static_cast<unsigned>(std::bit_width(number | 1U)) - 1;
        return whole * 256ULL + (std::uint64_t{number} * 256 >> whole) - 256;
    }

    const Picture& picture_;
    std::size_t pixelBytes_;
    std::size_t rowBytes_;
    std::vector<Rgba> black_;  ///< the row above the first one
};

// ---------------------------------------------------------------------------------------------------------------------
// Chunks

void writeChunk(core::BigEndianWriter& file, std::string_view type, core::Bytes data) {
    const auto* name = reinterpret_cast<const std::uint8_t*>(type.data());  // NOLINT: text as bytes
    file.write(static_cast<std::uint32_t>(data.size()));
    file.write(core::Bytes(name, type.size()));
    file.write(data);
    std::uint32_t sum = libdeflate_crc32(0, name, type.size());
    if (!data.empty())  // a null address would reset the checksum
        sum = libdeflate_crc32(sum, data.data(), data.size());
    file.write(sum);
}

bool isTransparentAnywhere(const Picture& picture) {
    Word all = kOpaqueBlack;
    for (const Rgba& pixel : picture.pixels)
        all &= wordOf(pixel);
    return all != kOpaqueBlack;
}

enum class ColourType : std::uint8_t { rgb = 2, palette = 3, rgba = 6 };

constexpr std::uint64_t kSignature = 0x89504E470D0A1A0A;

/// The start of a file, up to its palette or pixels.
core::BigEndianWriter beginFile(std::uint32_t width, std::uint32_t height, ColourType type) {
    constexpr std::uint8_t kBitsPerSample = 8;
    constexpr std::size_t kHeader = 13;
    core::BigEndianWriter head;
    head.reserve(kHeader);
    head.write(width);
    head.write(height);
    head.write(kBitsPerSample);
    head.write(static_cast<std::uint8_t>(type));
    for (int i = 0; i < 3; ++i)  // compression, filters, no interlacing
        head.write(std::uint8_t{0});
    constexpr std::size_t kUntilPixels = 64;
    core::BigEndianWriter file;
    file.reserve(kUntilPixels);
    file.write(kSignature);
    writeChunk(file, "IHDR", head.take());
    constexpr std::array<std::uint8_t, 1> kPerceptual = {0};
    writeChunk(file, "sRGB", kPerceptual);
    return file;
}

constexpr std::size_t kLargestChunk = 1U << 30U;

/// @param rows compressed rows
core::ByteVector endFile(core::BigEndianWriter file, core::Bytes rows) {
    for (core::Bytes left = rows; !left.empty(); left = left.subspan(std::min(kLargestChunk, left.size())))
        writeChunk(file, "IDAT", left.first(std::min(kLargestChunk, left.size())));
    writeChunk(file, "IEND", {});
    return file.take();
}

/// The colours of an image in order of first use, up to 256.
class Palette {
  public:
    Palette() {
        slots_.fill({0, kFree});
        slots_[0].colour = 1;  // colour 1 belongs in another slot, so an empty slot 0 never matches a colour
    }

    /// Replaces the colours of a row by their indices.
    /// @param texels four bytes each
    /// @param to a byte per texel
    /// @return false if the palette is full
    [[nodiscard]] bool writeRow(const std::uint8_t* texels, std::size_t width, std::uint8_t* to) {
        for (const std::uint8_t* const end = to + width; to != end; ++to, texels += sizeof(std::uint32_t)) {
            std::uint32_t colour = 0;
            std::memcpy(&colour, texels, sizeof colour);
            const Slot& first = slots_[slotOf(colour)];
            const std::uint32_t index = first.colour == colour ? first.index : foundOrAdded(colour);
            if (index == kFree)
                return false;
            *to = static_cast<std::uint8_t>(index);
        }
        return true;
    }

    void writeTo(core::BigEndianWriter& file) const {
        core::ByteVector colours;
        core::ByteVector alphas;
        std::size_t last = 0;  // one after the last colour that is not opaque
        for (const std::uint32_t colour : colours_) {
            const auto rgba = std::bit_cast<Rgba>(colour);
            for (std::size_t i = 0; i < 3; ++i)
                colours.push_back(rgba.at(i));
            alphas.push_back(rgba[3]);
            if (rgba[3] != std::numeric_limits<std::uint8_t>::max())
                last = alphas.size();
        }
        writeChunk(file, "PLTE", colours);
        if (last > 0)
            writeChunk(file, "tRNS", core::Bytes(alphas).first(last));
    }

  private:
    static constexpr std::uint32_t kFree = 0xFFFFFFFF;
    struct Slot {
        std::uint32_t colour;
        std::uint32_t index;
    };

    static std::size_t slotOf(std::uint32_t colour) {
        constexpr std::uint32_t kSpread = 0x9E3779B1;  // odd, with irregular bits; colours 0 and 1 get different slots
        constexpr unsigned kShift = 22;                // keeps ten bits of the product
        return colour * kSpread >> kShift;
    }

    /// Finds or adds a colour that is not in its first slot. @return its index; kFree if the palette is full
    std::uint32_t foundOrAdded(std::uint32_t colour) {
        std::size_t slot = slotOf(colour);
        while (slots_[slot].index != kFree && slots_[slot].colour != colour)
            slot = (slot + 1) % slots_.size();
        if (slots_[slot].index == kFree) {
            if (colours_.size() > std::numeric_limits<std::uint8_t>::max())
                return kFree;
            slots_[slot] = {colour, static_cast<std::uint32_t>(colours_.size())};
            colours_.push_back(colour);
        }
        return slots_[slot].index;
    }

    std::array<Slot, 1024> slots_{};
    std::vector<std::uint32_t> colours_;
};

}  // namespace

std::string_view pngWriter() { return "libdeflate " LIBDEFLATE_VERSION_STRING; }

core::ByteVector encodePng(const Picture& picture) {
    const bool alpha = isTransparentAnywhere(picture);
    return endFile(beginFile(picture.width, picture.height, alpha ? ColourType::rgba : ColourType::rgb),
                   PngRows(picture, alpha ? 4 : 3).compressed());
}

core::ByteVector encodePng(const core::Image& image) {
    const std::size_t rowBytes = std::size_t{1} + image.width;
    core::ByteVector rows(rowBytes * image.height);
    Palette palette;
    for (std::uint32_t y = 0; y < image.height; ++y)
        if (!palette.writeRow(image.rgba.data() + std::size_t{y} * image.width * sizeof(Rgba), image.width,
                              rows.data() + y * rowBytes + 1))
            return encodePng(pictureOf(image));
    core::BigEndianWriter file = beginFile(image.width, image.height, ColourType::palette);
    palette.writeTo(file);
    return endFile(std::move(file), zlibStream(rows, Effort::fast));
}

namespace {

/// The offsets of a chunk in a PNG file, and of its data.
struct Chunk {
    std::size_t begin;
    std::size_t end;
    std::string_view type;
    core::Bytes data;
};

constexpr std::size_t kChunkFrame = 12;  // length, type, checksum

/// The chunk at an offset. Empty if there is no complete chunk.
std::optional<Chunk> chunkAt(core::Bytes file, std::size_t at) {
    if (at > file.size() || file.size() - at < kChunkFrame)
        return std::nullopt;
    core::BigEndianReader words(file.subspan(at));
    const auto size = words.read<std::uint32_t>("size");
    if (size > file.size() - at - kChunkFrame)
        return std::nullopt;
    const core::Bytes type = file.subspan(at + 4, 4);
    return Chunk{at,
                 at + kChunkFrame + size,
                 {reinterpret_cast<const char*>(type.data()), type.size()},  // NOLINT: text is bytes
                 file.subspan(at + 8, size)};
}

constexpr std::string_view kNoteName{"reanima\0", 8};  // the keyword

}  // namespace

core::ByteVector withNote(core::Bytes png, std::string_view note) {
    std::size_t at = sizeof kSignature;
    for (std::optional<Chunk> chunk = chunkAt(png, at); chunk && (chunk->type == "IHDR" || chunk->type == "sRGB");
         chunk = chunkAt(png, at))
        at = chunk->end;
    core::BigEndianWriter file;
    file.write(png.first(at));
    const std::string text = std::string(kNoteName) + std::string(note);
    writeChunk(file, "tEXt", core::ByteVector(text.begin(), text.end()));
    file.write(png.subspan(at));
    return file.take();
}

std::optional<NotedPng> noteIn(core::Bytes file) {
    if (file.size() < sizeof kSignature || core::BigEndianReader(file).read<std::uint64_t>("signature") != kSignature)
        return std::nullopt;
    for (std::optional<Chunk> chunk = chunkAt(file, sizeof kSignature); chunk && chunk->type != "IDAT";
         chunk = chunkAt(file, chunk->end)) {
        std::string text(chunk->data.begin(), chunk->data.end());
        if (chunk->type != "tEXt" || !text.starts_with(kNoteName))
            continue;
        core::ByteVector without(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(chunk->begin));
        without.insert(without.end(), file.begin() + static_cast<std::ptrdiff_t>(chunk->end), file.end());
        return NotedPng{text.substr(kNoteName.size()), std::move(without)};
    }
    return std::nullopt;
}

AnimatedPng::AnimatedPng(const core::ImageSequence& images, std::uint32_t count)
    : count_(count),
      width_(images.shownWidth()),
      height_(images.shownHeight()),
      hasAlpha_(images.colorKey.has_value()) {
    std::uint32_t numerator = images.rateDenominator;
    std::uint32_t denominator = images.rateNumerator;
    while (std::max(numerator, denominator) > std::numeric_limits<std::uint16_t>::max()) {
        numerator >>= 1U;
        denominator >>= 1U;
    }
    delayNumerator_ = static_cast<std::uint16_t>(std::max(numerator, 1U));
    delayDenominator_ = static_cast<std::uint16_t>(std::max(denominator, 1U));
}

core::ByteVector AnimatedPng::head() const {
    core::BigEndianWriter file = beginFile(width_, height_, hasAlpha_ ? ColourType::rgba : ColourType::rgb);
    core::BigEndianWriter control;
    control.write(count_);
    control.write(std::uint32_t{0});  // endless repetition
    writeChunk(file, "acTL", control.take());
    return file.take();
}

core::ByteVector AnimatedPng::frame(const Picture& picture) {
    const bool isFirst = sequence_ == 0;
    core::BigEndianWriter control;
    control.write(sequence_++);
    for (const std::uint32_t value : {width_, height_, 0U, 0U})  // size and position
        control.write(value);
    control.write(delayNumerator_);
    control.write(delayDenominator_);
    control.write(std::uint8_t{0});  // disposal: the picture stays until the next one
    control.write(std::uint8_t{0});  // blending: each picture replaces the previous one
    core::BigEndianWriter file;
    writeChunk(file, "fcTL", control.take());
    const core::ByteVector rows = PngRows(picture, hasAlpha_ ? 4 : 3).compressed();
    for (core::Bytes left = rows; !left.empty(); left = left.subspan(std::min(kLargestChunk, left.size()))) {
        const core::Bytes part = left.first(std::min(kLargestChunk, left.size()));
        if (isFirst) {
            writeChunk(file, "IDAT", part);
            continue;
        }
        core::BigEndianWriter numbered;
        numbered.write(sequence_++);
        numbered.write(part);
        writeChunk(file, "fdAT", numbered.take());
    }
    return file.take();
}

core::ByteVector AnimatedPng::end() {
    core::BigEndianWriter file;
    writeChunk(file, "IEND", {});
    return file.take();
}

Picture decodePng(core::Bytes file, const core::Limits& limits) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    const auto fail = [&image](core::DecodeError::Kind kind, std::string problem) {
        png_image_free(&image);
        throw core::DecodeError({}, std::move(problem), kind);
    };
    if (png_image_begin_read_from_memory(&image, file.data(), file.size()) == 0)
        fail(core::DecodeError::Kind::malformed, fmt::format("is not a readable PNG: {}", image.message));
    if (std::uint64_t{image.width} * image.height > limits.picturePixels)
        fail(core::DecodeError::Kind::limit,
             fmt::format("has {} x {} pixels, but the limit is {}", image.width, image.height, limits.picturePixels));
    image.format = PNG_FORMAT_RGBA;
    Picture picture{image.width, image.height, {}};
    picture.pixels.resize(std::size_t{image.width} * image.height);
    if (png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr) == 0)
        fail(core::DecodeError::Kind::malformed, fmt::format("is damaged: {}", image.message));
    return picture;
}

}  // namespace reanima::pictures
