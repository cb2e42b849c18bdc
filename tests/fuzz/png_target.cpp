/// PNG files of any kind. A picture that can be read is within the limits, and stays the same as PNG and as a video.

#include <algorithm>

#include "formats/format.h"
#include "formats/load.h"
#include "formats/registry.h"
#include "fuzz/targets.h"
#include "pictures/png.h"

namespace reanima::fuzz {

namespace {

class OnePicture final : public core::PictureCursor {
  public:
    explicit OnePicture(const std::vector<core::Pixel555>& pixels) : pixels_(pixels) {}
    std::span<const core::Pixel555> picture(std::uint32_t) override { return pixels_; }

  private:
    const std::vector<core::Pixel555>& pixels_;
};

/// @param format a format of pictures
void checkAsVideo(const pictures::Picture& picture, const Format& format) {
    const std::vector<core::Pixel555> pixels = pictures::stored(picture);
    core::ImageSequence images;
    images.name = "fuzz";
    images.width = picture.width;
    images.height = picture.height;
    images.count = 1;
    images.open = [&pixels] { return std::make_unique<OnePicture>(pixels); };
    const OptionValues options;
    const core::Limits limits = smallLimits();
    core::Diagnostics diagnostics;
    Context context{options, limits, diagnostics, {}};
    try {
        const Input input{{"fuzz", format.encodeImages(images, context)}, {}, &format, {}};
        const core::Asset again = load(input, {}, context);
        require(again.video->count == 1, "the video loses the picture");
        require(std::ranges::equal(again.video->open()->picture(0), pixels), "the video changes the picture");
    } catch (const core::DecodeError&) {  // a video does not support every size
    }
}

void check(core::Bytes bytes) {
    const core::Limits limits = smallLimits();
    try {
        const pictures::Picture picture = pictures::decodePng(bytes, limits);
        require(picture.width > 0 && picture.height > 0, "a picture without pixels");
        require(picture.pixels.size() == std::size_t{picture.width} * picture.height, "the size differs");
        require(picture.pixels.size() <= limits.picturePixels, "the limit does not hold");
        constexpr std::size_t kWorthTheTime = 1U << 10U;
        if (picture.pixels.size() > kWorthTheTime)
            return;
        require(pictures::decodePng(pictures::encodePng(picture), limits).pixels == picture.pixels,
                "writing and reading changes the picture");
        for (const Format* format : formats())
            if (format->encodeImages != nullptr)
                checkAsVideo(picture, *format);
    } catch (const core::DecodeError&) {  // rejected
    }
}

}  // namespace

Target pngTarget() { return {"png", Mutation::png, check}; }

}  // namespace reanima::fuzz
