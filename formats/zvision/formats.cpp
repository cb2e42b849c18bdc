#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "formats/common_options.h"
#include "formats/format.h"
#include "formats/zvision/rlf.h"
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

const char* codecName(Codec codec) { return codec == Codec::key ? "key" : "delta"; }

Json dumpVideo(const File& file, const Companions&, Context& context) {
    const auto video = decodeRlf(file.bytes, context.limits, context.diagnostics);
    core::Diagnostics ignored;
    VideoSettings settings = settingsFor(file, context.options);
    const bool palindrome = toSequence(video, settings, ignored).palindrome;
    Json types = Json::array();
    Json keys = Json::array();
    Json frames = Json::array();
    for (std::size_t i = 0; i < video->frames.size(); ++i) {
        const RlfFrame& frame = video->frames[i];
        types.push_back(codecName(frame.codec));
        if (frame.codec == Codec::key)
            keys.push_back(i);
        frames.push_back({{"offset", frame.offset},
                          {"size", frame.size},
                          {"unknown_08", frame.unknown08},
                          {"unknown_0c", frame.unknown0C},
                          {"codec", codecName(frame.codec)},
                          {"data_offset", frame.dataOffset},
                          {"unknown_18", frame.unknown18}});
    }
    return {{"schema", 1},
            {"format", "rlf"},
            {"size", video->size},
            {"unknown_08", video->unknown08},
            {"unknown_0c", video->unknown0C},
            {"width", video->width},
            {"height", video->height},
            {"frame_count", video->frameCount},
            {"frames_decoded", video->frames.size()},
            {"frame_time_raw", video->frameTime},
            {"frame_types", std::move(types)},
            {"key_frames", std::move(keys)},
            {"palindrome", palindrome},
            {"frames", std::move(frames)},
            {"warnings", warningsToJson(context.diagnostics)}};
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
    .isUsualName = nullptr,
    .options = kOptions,
    .claim = [](core::Bytes bytes) { return claimIf(bytes, isRlf, beginsLikeRlf); },
    .needs = [](const File&) { return std::vector<Need>(); },
    .load = loadVideo,
    .dump = dumpVideo,
    .encode = nullptr,
    .encodeImages = encodeVideo,
};

}  // namespace reanima::zvision
