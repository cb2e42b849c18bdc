#include "core/diagnostics.h"

#include <algorithm>
#include <array>

#include "core/shortened.h"

namespace reanima::core {

namespace {

struct CodeRow {
    Code code;
    std::string_view name;
    std::string_view meaning;
};

constexpr std::array kCodes = {
    CodeRow{Code::truncated, "truncated", "the input ends too early"},
    CodeRow{Code::damaged, "damaged", "an entry can't be read and is left out"},
    CodeRow{Code::countMismatch, "count-mismatch",
            "two values in the input disagree; the message names the one that is used"},
    CodeRow{Code::rareLayout, "rare-layout", "an unusual layout, known from few files"},
    CodeRow{Code::trailingBytes, "trailing-bytes", "extra bytes after the content"},
    CodeRow{Code::empty, "empty", "the input contains nothing to convert"},
    CodeRow{Code::recomputed, "recomputed", "a stored value no longer fits the edited ones and is recalculated"},
    CodeRow{Code::skeletonMadeUp, "skeleton-made-up", "no skeleton was found; placeholder joints are used"},
    CodeRow{Code::skeletonMismatch, "skeleton-mismatch", "skeleton and animation have different bones"},
    CodeRow{Code::implausibleSize, "implausible-size", "the result is taller than 50 m or smaller than 5 cm"},
    CodeRow{Code::largeStep, "large-step",
            "a rotation between two keys is so large that players may interpolate it either way"},
    CodeRow{Code::renamed, "renamed", "a name was changed to be unique or valid"},
    CodeRow{Code::ignored, "ignored", "a part of the input or an option is not used"},
    CodeRow{Code::assumed, "assumed", "a value that the input does not state was assumed"},
    CodeRow{Code::keysInserted, "keys-inserted", "keys were added so that every player shows the same motion"},
    CodeRow{Code::restMismatch, "rest-mismatch",
            "joints of the source and the rig have different rest poses or parents"},
    CodeRow{Code::jointUnmatched, "joint-unmatched", "a moving joint or a joint of the mapping has no counterpart"},
    CodeRow{Code::attached, "attached", "a joint without a parent, such as a weapon, follows another joint"},
    CodeRow{Code::noPose, "no-pose", "the skeleton has no rest pose, and no animation was found that provides one"},
    CodeRow{Code::missingFile, "missing-file", "a file that belongs to the input is missing"},
    CodeRow{Code::textureNumber, "texture-number", "a mesh refers to a texture that its model does not have"},
    CodeRow{Code::pieceLetters, "piece-letters", "the model has more pieces than the game's file names allow"},
    CodeRow{Code::textureOutside, "texture-outside", "faces show an area outside every texture"},
    CodeRow{Code::nonUniformScale, "non-uniform-scale", "joints are scaled differently along their axes"},
    CodeRow{Code::offGround, "off-ground", "a character floats above the ground, or sinks into it, while standing"},
    CodeRow{Code::noHumanoid, "no-humanoid", "a model was skipped: it is not recognised as a humanoid, but the rig is"},
};

constexpr std::array kAllCodes = [] {
    std::array<Code, kCodes.size()> codes{};
    std::transform(kCodes.begin(), kCodes.end(), codes.begin(), [](const CodeRow& row) { return row.code; });
    return codes;
}();

const CodeRow& rowOf(Code code) {
    return *std::find_if(kCodes.begin(), kCodes.end(), [code](const CodeRow& row) { return row.code == code; });
}

}  // namespace

std::string_view codeName(Code code) { return rowOf(code).name; }

std::string_view codeMeaning(Code code) { return rowOf(code).meaning; }

const Code* codeNamed(std::string_view name) {
    const auto row = std::find_if(kCodes.begin(), kCodes.end(), [name](const CodeRow& r) { return r.name == name; });
    return row == kCodes.end() ? nullptr : &row->code;
}

std::span<const Code> allCodes() { return kAllCodes; }

std::string Warning::message(HintWording wording) const {
    std::string message = file;
    if (!file.empty())
        message += ": ";
    message += severity == Severity::note ? "note: " : "warning: ";
    if (!place.field.empty())
        message += place.field + ": ";
    message += text;
    if (!hint.key.empty())
        message += " (see " + wording(hint) + ")";
    return shortened(std::move(message), kLongestMessage);
}

void Diagnostics::add(Warning warning) {
    warning.place.field = shortened(std::move(warning.place.field), kLongestField);
    warning.text = shortened(std::move(warning.text), kLongestProblem);
    if (warnings_.size() < kMost) {
        warnings_.push_back(std::move(warning));
        return;
    }
    const auto [found, isNew] =
        surplus_.try_emplace({warning.severity, warning.code}, Surplus{warnings_.size(), warning.text});
    if (isNew) {
        warnings_.push_back(std::move(warning));
        return;
    }
    Surplus& surplus = found->second;
    warnings_[surplus.place].text = surplus.text + "; " + std::to_string(surplus.count) + " more like this";
    ++surplus.count;
}

bool Diagnostics::hasWarnings() const {
    return std::any_of(warnings_.begin(), warnings_.end(),
                       [](const Warning& warning) { return warning.severity == Warning::Severity::warning; });
}

}  // namespace reanima::core
