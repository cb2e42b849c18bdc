#include "formats/zvision/video.h"

#include <limits>

#include <fmt/format.h>

#include "core/fraction.h"
#include "pictures/picture.h"

namespace reanima::zvision {

namespace {

constexpr std::uint32_t kTimeUnits = 10000;  // units of a frame time per second

bool isTransposed(const VideoSettings& settings, core::Diagnostics& diagnostics) {
    if (settings.transpose != Transpose::automatic)
        return settings.transpose == Transpose::yes;
    const bool panorama = isNamedLikePanorama(settings.source);
    if (panorama)
        diagnostics.note(core::Code::assumed, {},
                         "frames are transposed, because the fifth letter of the file name is w, as in panoramas",
                         {"transpose", "no"});
    return panorama;
}

}  // namespace

bool isNamedLikePanorama(const std::string& fileName) {
    constexpr int kTelling = 5;
    int letters = 0;
    for (const char byte : fileName) {
        const bool goesOn =
            (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;  // not the first byte of a UTF-8 letter
        if (!goesOn && ++letters == kTelling)
            return byte == 'w' || byte == 'W';
    }
    return false;
}

core::ImageSequence toSequence(const std::shared_ptr<const Rlf>& video, const VideoSettings& settings,
                               core::Diagnostics& diagnostics) {
    core::ImageSequence sequence;
    sequence.name = settings.stem;
    sequence.source = settings.source;
    sequence.width = video->width;
    sequence.height = video->height;
    sequence.count = static_cast<std::uint32_t>(video->frames.size());
    if (settings.rate > 0) {
        const core::Fraction rate = core::fractionOf(settings.rate);
        sequence.rateNumerator = rate.numerator;
        sequence.rateDenominator = rate.denominator;
    } else if (video->frameTime > 0) {
        sequence.rateNumerator = kTimeUnits;
        sequence.rateDenominator = video->frameTime;
    }
    sequence.transposed = isTransposed(settings, diagnostics);
    sequence.colorKey = settings.colorKey;
    for (const RlfFrame& frame : video->frames)
        sequence.repeats.push_back(frame.data().empty());
    sequence.counters = {{"size", video->size},
                         {"unknown_08", video->unknown08},
                         {"unknown_0c", video->unknown0C},
                         {"frame_count", video->frameCount},
                         {"frame_time_raw", video->frameTime}};
    sequence.open = [video] { return std::make_unique<RlfCursor>(video); };
    sequence.palindrome = pictures::isPalindrome(pictures::firstAppearances(sequence));
    return sequence;
}

std::uint32_t frameTimeFor(const core::ImageSequence& sequence, core::Diagnostics& diagnostics) {
    constexpr std::uint64_t kLongest = std::numeric_limits<std::uint32_t>::max();
    const std::uint64_t numerator = sequence.rateNumerator;
    const std::uint64_t units = std::uint64_t{kTimeUnits} * sequence.rateDenominator;  // for `numerator` pictures
    if (units < numerator || units > numerator * kLongest)
        throw core::DecodeError({"rate", std::nullopt},
                                fmt::format("is {}/{} frames per second, expected {}/{} to {}/1", numerator,
                                            sequence.rateDenominator, kTimeUnits, kLongest, kTimeUnits));
    const auto frameTime = static_cast<std::uint32_t>((units + numerator / 2) / numerator);
    if (units % numerator != 0)
        diagnostics.note(core::Code::recomputed, {"rate", std::nullopt},
                         fmt::format("{:.9g} frames per second are stored as {}/{}, which is {:.9g}", sequence.rate(),
                                     kTimeUnits, frameTime, static_cast<double>(kTimeUnits) / frameTime));
    return frameTime;
}

}  // namespace reanima::zvision
