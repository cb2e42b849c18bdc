#include <cmath>
#include <random>

#include <benchmark/benchmark.h>
#include <png.h>

#include "pictures/png.h"

namespace reanima::bench {
namespace {

constexpr std::uint32_t kWidth = 640;
constexpr std::uint32_t kHeight = 480;

/// The content of a picture of 15-bit colours.
enum class Content {
    noise,
    dithered,  ///< gradients, rounded at random
    smooth,    ///< gradients
    flat,      ///< rectangles
};

pictures::Picture pictureOf(Content content) {
    std::mt19937 random(7);
    pictures::Picture picture{kWidth, kHeight, std::vector<pictures::Rgba>(std::size_t{kWidth} * kHeight)};
    for (std::uint32_t y = 0; y < kHeight; ++y)
        for (std::uint32_t x = 0; x < kWidth; ++x) {
            const double dither = content == Content::dithered ? static_cast<double>(random() % 1000) / 1000 : 0.5;
            const double slope = 16 + 7 * std::sin(x * 0.013) * std::cos(y * 0.017) + 5 * std::sin((x + y) * 0.005);
            auto pixel = static_cast<core::Pixel555>(std::lround(slope + dither - 0.5) * 0x421);
            if (content == Content::noise)
                pixel = static_cast<core::Pixel555>(random());
            if (content == Content::flat)
                pixel = static_cast<core::Pixel555>((x / 37) * (y / 23) * 2654435761U >> 17U);
            picture.at(x, y) = pictures::toRgba(pixel);
        }
    return picture;
}

void ours(benchmark::State& state, Content content) {
    const pictures::Picture picture = pictureOf(content);
    std::size_t size = 0;
    for (auto _ : state)
        benchmark::DoNotOptimize(size = pictures::encodePng(picture).size());
    state.counters["bytes"] = static_cast<double>(size);
}

/// libpng with its default settings.
void baseline(benchmark::State& state, Content content) {
    const pictures::Picture picture = pictureOf(content);
    core::ByteVector rgb;
    for (const pictures::Rgba& pixel : picture.pixels)
        rgb.insert(rgb.end(), pixel.begin(), pixel.begin() + 3);
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = kWidth;
    image.height = kHeight;
    image.format = PNG_FORMAT_RGB;
    core::ByteVector file(PNG_IMAGE_PNG_SIZE_MAX(image));
    png_alloc_size_t size = 0;
    for (auto _ : state) {
        size = file.size();
        benchmark::DoNotOptimize(png_image_write_to_memory(&image, file.data(), &size, 0, rgb.data(), 0, nullptr));
    }
    state.counters["bytes"] = static_cast<double>(size);
}

#define REANIMA_PNG_BENCH(content)                               \
    BENCHMARK_CAPTURE(ours, content, Content::content)           \
        ->Name("png of 640 x 480 pixels, " #content "/ours")     \
        ->Unit(benchmark::kMillisecond);                         \
    BENCHMARK_CAPTURE(baseline, content, Content::content)       \
        ->Name("png of 640 x 480 pixels, " #content "/baseline") \
        ->Unit(benchmark::kMillisecond)

REANIMA_PNG_BENCH(noise);
REANIMA_PNG_BENCH(dithered);
REANIMA_PNG_BENCH(smooth);
REANIMA_PNG_BENCH(flat);

}  // namespace
}  // namespace reanima::bench
