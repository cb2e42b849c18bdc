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
               "swap rows and columns of frames: always (yes), never (no), or only in panoramas (auto), which are "
               "recognised by file name. Default: auto",
               0, 0, kTransposeChoices},
    OptionInfo{"color-key", OptionInfo::Type::color, "HEX555", "pixels of this colour become transparent", 0, 0x7FFF},
    OptionInfo{"key-interval",
               OptionInfo::Type::count,
               "N",
               "for new videos: make every N-th frame a key frame",
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

Json jsonOf(const std::shared_ptr<const Rlf>& video, const VideoSettings& settings, const core::Limits& limits,
            core::Diagnostics& diagnostics) {
    core::Diagnostics ignored;
    const bool palindrome = toSequence(video, settings, ignored).palindrome;
    return toJson(*video, palindrome, limits, diagnostics);
}

class OpenedVideo final : public Opened {
  public:
    using Opened::Opened;

    [[nodiscard]] core::Asset asset(const std::string&, core::Diagnostics& diagnostics) override {
        core::Asset asset;
        asset.video.emplace(toSequence(video(), settings(), diagnostics));
        return asset;
    }
    [[nodiscard]] Json dump() override { return jsonOf(video(), settings(), context().limits, context().diagnostics); }

  private:
    [[nodiscard]] VideoSettings settings() { return settingsFor(file(), context().options); }
    const std::shared_ptr<const Rlf>& video() {
        return video_.by([&] { return decodeRlf(file().bytes, context().limits, context().diagnostics); });
    }

    Once<std::shared_ptr<const Rlf>> video_;
};

core::ByteVector encodeDump(const JsonReader& json, Context& context) {
    core::ByteVector bytes = rlfFromJson(json, context.limits, context.diagnostics);
    core::Diagnostics ignored;
    reportDerived(json, jsonOf(decodeRlf(bytes, context.limits, ignored), {}, context.limits, ignored),
                  context.diagnostics);
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
    .open = openAs<OpenedVideo>,
    .encode = encodeDump,
    .encodeImages = encodeVideo,
    .memoryPerByte = 2,
};

}  // namespace reanima::zvision
