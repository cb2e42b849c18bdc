#include "importers/zvision/film.h"

#include <fmt/format.h>

#include "core/fraction.h"
#include "pictures/picture.h"

namespace reanima::zvision {

namespace {

constexpr std::uint32_t kTimeUnits = 10000;  // of a frame time, in a second

bool isTransposed(const FilmSettings& settings, core::Diagnostics& diagnostics) {
    if (settings.transpose != Transpose::automatic)
        return settings.transpose == Transpose::yes;
    const bool panorama = isNamedLikePanorama(settings.source);
    if (panorama)
        diagnostics.note(core::Code::assumed, {},
                         "the fifth letter of its name is w, as panoramas have it: the pictures are transposed "
                         "(--transpose no leaves them)");
    return panorama;
}

}  // namespace

bool isNamedLikePanorama(const std::string& fileName) {
    constexpr std::size_t kLetter = 4;
    return fileName.size() > kLetter && (fileName[kLetter] == 'w' || fileName[kLetter] == 'W');
}

core::ImageSequence toSequence(std::shared_ptr<const Rlf> movie, const FilmSettings& settings,
                               core::Diagnostics& diagnostics) {
    core::ImageSequence sequence;
    sequence.name = settings.stem;
    sequence.source = settings.source;
    sequence.width = movie->width;
    sequence.height = movie->height;
    sequence.count = static_cast<std::uint32_t>(movie->frames.size());
    if (settings.rate > 0) {
        const core::Fraction rate = core::fractionOf(settings.rate);
        sequence.rateNumerator = rate.numerator;
        sequence.rateDenominator = rate.denominator;
    } else if (movie->frameTime > 0) {
        sequence.rateNumerator = kTimeUnits;
        sequence.rateDenominator = movie->frameTime;
    }
    sequence.transposed = isTransposed(settings, diagnostics);
    sequence.colorKey = settings.colorKey;
    for (const RlfFrame& frame : movie->frames)
        sequence.repeats.push_back(frame.data.empty());
    sequence.counters = {{"size", movie->size},
                         {"unknown_08", movie->unknown08},
                         {"unknown_0c", movie->unknown0C},
                         {"frame_count", movie->frameCount},
                         {"frame_time_raw", movie->frameTime}};
    sequence.open = [movie] { return std::make_unique<RlfCursor>(movie); };
    sequence.palindrome = pictures::isPalindrome(pictures::firstAppearances(sequence));
    return sequence;
}

}  // namespace reanima::zvision
