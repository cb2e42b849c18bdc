#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "formats/common_options.h"
#include "formats/format.h"
#include "formats/zvision/rlf.h"
#include "formats/zvision/rlf_json.h"
#include "formats/zvision/video.h"

namespace reanima::zvision {

namespace {

using namespace std::string_view_literals;

constexpr std::array kExtensions = {"rlf"sv};
constexpr std::array kTransposeChoices = {"auto"sv, "yes"sv, "no"sv};
constexpr std::array kOptions = {
    kRateOption,
    OptionInfo{"transpose", OptionInfo::Type::text, "",
               "swap rows and columns of pictures; auto: panoramas, by their name", 0, 0, kTransposeChoices},
    OptionInfo{"color-key", OptionInfo::Type::color, "HEX555", "pixels of this colour become transparent", 0, 0x7FFF},
    OptionInfo{"key-interval",
               OptionInfo::Type::count,
               "N",
               "of pictures: a key frame at every Nth",
               1,
               1e9,
               {},
               OptionInfo::Use::writing},
};

VideoSettings settingsFor(const File& file, const OptionValues& options) {
    VideoSettings settings;
    settings.source = file.name;
    settings.stem = std::string(stemOf(file.name));
    settings.rate = options.number("rate").value_or(0);
    const std::string transpose = options.text("transpose").value_or("auto");
    settings.transpose = transpose == "yes" ? Transpose::yes : transpose == "no" ? Transpose::no : Transpose::automatic;
    if (const auto key = options.count("color-key"))
        settings.colorKey = static_cast<Pixel555>(*key);
    return settings;
}

core::Asset loadVideo(const File& file, const Companions&, Context& context) {
    core::Asset asset;
    asset.video.emplace(toSequence(decodeRlf(file.bytes, context.limits, context.diagnostics),
                                   settingsFor(file, context.options), context.diagnostics));
    return asset;
}

Json dumpOf(core::Bytes bytes, const VideoSettings& settings, const core::Limits& limits,
            core::Diagnostics& diagnostics) {
    const auto video = decodeRlf(bytes, limits, diagnostics);
    core::Diagnostics ignored;
    const bool palindrome = toSequence(video, settings, ignored).palindrome;
    return toJson(*video, palindrome, limits, diagnostics);
}

Json dumpVideo(const File& file, const Companions&, Context& context) {
    return dumpOf(file.bytes, settingsFor(file, context.options), context.limits, context.diagnostics);
}

core::ByteVector encodeDump(const JsonReader& json, Context& context) {
    core::ByteVector bytes = rlfFromJson(json, context.limits, context.diagnostics);
    core::Diagnostics ignored;
    reportDerived(json, dumpOf(bytes, {}, context.limits, ignored), context.diagnostics);
    return bytes;
}

core::ByteVector encodeVideo(const core::ImageSequence& images, Context& context) {
    RlfEncoding encoding;
    encoding.frameTime = frameTimeFor(images, context.diagnostics);
    encoding.keyInterval = context.options.count("key-interval").value_or(0);
    std::vector<std::vector<Pixel555>> pictures;
    const auto cursor = images.open();
    for (std::uint32_t i = 0; i < images.count; ++i) {
        const auto picture = cursor->picture(i);
        pictures.emplace_back(picture.begin(), picture.end());
    }
    return encodeRlf(images.width, images.height, pictures, encoding);
}

}  // namespace

extern const Format kRlf = {
    .id = "rlf",
    .label = "ZVision run-length video",
    .kind = Kind::images,
    .extensions = kExtensions,
    .options = kOptions,
    .isWhole = isRlf,
    .beginsLike = beginsLikeRlf,
    .load = loadVideo,
    .dump = dumpVideo,
    .encode = encodeDump,
    .encodeImages = encodeVideo,
    .memoryPerByte = 2,
};

}  // namespace reanima::zvision
