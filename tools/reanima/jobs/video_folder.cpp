#include "tools/reanima/jobs/video_folder.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "formats/format.h"
#include "pictures/picture.h"
#include "pictures/png.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

/// The content of frames.json, or defaults without that file.
struct Contents {
    std::vector<std::string> files;
    std::uint32_t rateNumerator = 15;
    std::uint32_t rateDenominator = 1;
    bool transposed = false;
    bool hasColorKey = false;  ///< transparent pixels have this colour
};

Contents contentsOf(const fs::path& jsonFile, const core::Limits& limits) {
    const File file = commandFiles()->read(toUtf8(jsonFile), limits);
    return core::inFile(toUtf8(jsonFile), [&] {
        const Json json = parseJson(file.bytes);
        const JsonReader reader(json);
        Contents contents;
        const JsonReader frames = reader.at("frames");
        for (std::size_t i = 0; i < frames.size(); ++i)
            contents.files.emplace_back(frames.at(i).text());
        if (reader.has("rate")) {
            constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
            const JsonReader rate = reader.at("rate");
            rate.requireSize(2);
            contents.rateNumerator = static_cast<std::uint32_t>(rate.at(0).integer(1, kMost));
            contents.rateDenominator = static_cast<std::uint32_t>(rate.at(1).integer(1, kMost));
        }
        if (reader.has("transposed"))
            contents.transposed = reader.at("transposed").flag();
        contents.hasColorKey = reader.has("color_key") && !reader.at("color_key").equals(Json());
        return contents;
    });
}

/// Compares names. A number at the end is compared by value.
auto orderOf(std::string_view name) {
    constexpr std::string_view kDigits = "0123456789";
    const std::string_view stem = stemOf(name);
    const std::size_t textLength = stem.find_last_not_of(kDigits) + 1;
    std::string_view number = stem.substr(textLength);
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
    return std::tuple(stem.substr(0, textLength), number.size(), number, name);
}

/// Warns about the first gap in the numbers of images. If all numbers are equally far apart, there is no gap.
void warnOfGap(const std::vector<std::string>& files, core::Diagnostics& diagnostics) {
    std::vector<std::uint64_t> numbers;
    for (const std::string& file : files) {
        const auto [text, size, digits, name] = orderOf(file);
        if (text != std::get<0>(orderOf(files.front())))
            return;
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);  // NOLINT
        if (error != std::errc() && !digits.empty())
            return;
        numbers.push_back(number);
    }
    std::uint64_t step = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t i = 1; i < numbers.size(); ++i)
        step = std::min(step, numbers[i] - numbers[i - 1]);
    for (std::size_t i = 1; i < numbers.size(); ++i)
        if (step > 0 && numbers[i] - numbers[i - 1] > step)
            return diagnostics.warn(core::Code::missingFile, {},
                                    fmt::format("number {} is missing between {} and {}, which now follow each other",
                                                numbers[i - 1] + step, files[i - 1], files[i]));
}

/// The images of a folder without frames.json.
Contents picturesIn(const fs::path& folder, const std::optional<core::Fraction>& rate, core::Diagnostics& diagnostics) {
    if (core::exists(folder / "sheet.json"))
        throw core::DecodeError(
            "contains sheets of many frames (sheet.json), expected a PNG per frame. Write them with `reanima frames "
            "VIDEO`")
            .inFile(toUtf8(folder));
    Contents contents;
    std::error_code error;
    for (const fs::path& name : core::namesIn(folder, error))
        if (extensionOf(toUtf8(name)) == "png")
            contents.files.push_back(toUtf8(name));
    if (error)
        throw core::DecodeError("can't be read: " + error.message()).inFile(toUtf8(folder));
    std::sort(contents.files.begin(), contents.files.end(),
              [](const std::string& a, const std::string& b) { return orderOf(a) < orderOf(b); });
    const auto about = diagnostics.about(toUtf8(folder));
    if (!rate)
        diagnostics.note(
            core::Code::assumed, {},
            fmt::format("contains no frames.json, so {} frames per second are assumed", contents.rateNumerator));
    warnOfGap(contents.files, diagnostics);
    return contents;
}

/// Counts images with values that a video can't store.
class Losses {
  public:
    void add(const pictures::Picture& picture) {
        const auto isTransparent = [](const pictures::Rgba& pixel) { return pixel[3] < 255; };
        const auto isRounded = [](pictures::Rgba pixel) {
            pixel[3] = 255;
            return pictures::toRgba(pictures::toPixel555(pixel)) != pixel;
        };
        transparent_ += std::ranges::any_of(picture.pixels, isTransparent) ? 1 : 0;
        rounded_ += std::ranges::any_of(picture.pixels, isRounded) ? 1 : 0;
    }

    void note(const Contents& contents, core::Diagnostics& diagnostics) const {
        if (transparent_ > 0 && !contents.hasColorKey)
            diagnostics.note(
                core::Code::ignored, {},
                fmt::format("{} transparent pixels, which become opaque in the video",
                            transparent_ == 1 ? "1 image has" : fmt::format("{} images have", transparent_)));
        if (rounded_ > 0)
            diagnostics.note(core::Code::ignored, {},
                             fmt::format("{} colours that are rounded to 5 bits per channel",
                                         rounded_ == 1 ? "1 image has" : fmt::format("{} images have", rounded_)));
    }

  private:
    std::size_t transparent_ = 0;
    std::size_t rounded_ = 0;
};

class HeldCursor final : public core::PictureCursor {
  public:
    explicit HeldCursor(std::shared_ptr<const std::vector<std::vector<core::Pixel555>>> pictures)
        : pictures_(std::move(pictures)) {}
    std::span<const core::Pixel555> picture(std::uint32_t index) override { return (*pictures_)[index]; }

  private:
    std::shared_ptr<const std::vector<std::vector<core::Pixel555>>> pictures_;
};

}  // namespace

std::string framesJson(const core::ImageSequence& images, const std::vector<std::string>& files) {
    const Json json = {{"schema", 1},
                       {"rate", {images.rateNumerator, images.rateDenominator}},
                       {"width", images.shownWidth()},
                       {"height", images.shownHeight()},
                       {"frames", files},
                       {"palindrome", images.palindrome && files.size() == images.count},
                       {"transposed", images.transposed},
                       {"color_key", images.colorKey ? Json(fmt::format("{:04X}", *images.colorKey)) : Json(nullptr)}};
    return toText(json);
}

core::ImageSequence readVideoFolder(const fs::path& folderOrJson, std::optional<core::Fraction> rate,
                                    const core::Limits& limits, core::Diagnostics& diagnostics) {
    const bool isJson = !isFolder(folderOrJson);
    const fs::path folder = isJson ? folderOrJson.parent_path() : folderOrJson;
    const fs::path jsonFile = isJson ? folderOrJson : folder / "frames.json";
    const Contents contents =
        core::exists(jsonFile) ? contentsOf(jsonFile, limits) : picturesIn(folder, rate, diagnostics);
    if (contents.files.empty())
        throw core::DecodeError("contains no PNG").inFile(toUtf8(folderOrJson));
    auto pictures = std::make_shared<std::vector<std::vector<core::Pixel555>>>();
    core::ImageSequence images;
    Losses losses;
    for (const std::string& name : contents.files) {
        const fs::path path = folder / fromUtf8(name);
        core::inFile(toUtf8(path), [&] {
            const pictures::Picture picture =
                pictures::decodePng(commandFiles()->read(toUtf8(path), limits).bytes, limits);
            const std::uint32_t width = contents.transposed ? picture.height : picture.width;
            const std::uint32_t height = contents.transposed ? picture.width : picture.height;
            if (pictures->empty()) {
                images.width = width;
                images.height = height;
            }
            if (width != images.width || height != images.height)
                throw core::DecodeError(fmt::format("has {} x {} pixels, but the first image has {} x {}",
                                                    picture.width, picture.height, images.width, images.height));
            losses.add(picture);
            pictures->push_back(pictures::stored(
                picture, contents.transposed ? pictures::StoredAs::columns : pictures::StoredAs::rows));
            if (pictures->size() * images.width * images.height * sizeof(core::Pixel555) > limits.memory)
                throw core::DecodeError(
                    {},
                    fmt::format("together, the images up to this one exceed the limit of {} MiB", limits.memory >> 20U),
                    core::DecodeError::Kind::limit)
                    .withHint({"limit-memory", "MIB"});
        });
    }
    losses.note(contents, diagnostics);
    images.name = toUtf8(folder.filename());
    images.count = static_cast<std::uint32_t>(pictures->size());
    images.rateNumerator = rate ? rate->numerator : contents.rateNumerator;
    images.rateDenominator = rate ? rate->denominator : contents.rateDenominator;
    images.open = [pictures] { return std::make_unique<HeldCursor>(pictures); };
    return images;
}

}  // namespace reanima::tool
