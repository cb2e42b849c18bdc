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
    CodeRow{Code::truncated, "truncated", "the input ends before what it announces"},
    CodeRow{Code::damaged, "damaged", "an entry can't be read and is left out"},
    CodeRow{Code::countMismatch, "count-mismatch",
            "two statements of the input disagree; the message says which takes precedence"},
    CodeRow{Code::rareLayout, "rare-layout", "a layout that is known from single files only"},
    CodeRow{Code::trailingBytes, "trailing-bytes", "bytes after the content"},
    CodeRow{Code::empty, "empty", "nothing to convert"},
    CodeRow{Code::recomputed, "recomputed", "a stored word no longer fits the edited values and is rewritten"},
    CodeRow{Code::skeletonMadeUp, "skeleton-made-up", "no skeleton was found; one was made from the animation"},
    CodeRow{Code::skeletonMismatch, "skeleton-mismatch", "skeleton and animation disagree"},
    CodeRow{Code::implausibleSize, "implausible-size", "the result is taller than 50 m or smaller than 5 cm"},
    CodeRow{Code::largeStep, "large-step",
            "a rotation between two keys is so large that players may interpolate it either way"},
    CodeRow{Code::renamed, "renamed", "a name was changed to be unique or safe"},
    CodeRow{Code::ignored, "ignored", "something that is understood but has no place in the output"},
    CodeRow{Code::assumed, "assumed", "something that the input does not state was assumed"},
    CodeRow{Code::keysInserted, "keys-inserted", "in-between keys make every player show the same motion"},
    CodeRow{Code::restMismatch, "rest-mismatch",
            "rest poses or parents of a game's skeleton and a rig differ where they should agree"},
    CodeRow{Code::jointUnmatched, "joint-unmatched", "a joint of a mapping, or one that moves, has no counterpart"},
    CodeRow{Code::attached, "attached", "a joint in model space follows the joint that carries it"},
    CodeRow{Code::noPose, "no-pose", "a skeleton without an animation that could give it a rest pose"},
    CodeRow{Code::missingFile, "missing-file", "a file that belongs to the input is not there"},
    CodeRow{Code::textureNumber, "texture-number", "a mesh asks for a texture that its model does not have"},
    CodeRow{Code::pieceLetters, "piece-letters", "there are more pieces than the game has names for"},
    CodeRow{Code::textureOutside, "texture-outside", "faces show a part of a texture that is not there"},
    CodeRow{Code::nonUniformScale, "non-uniform-scale", "joints are scaled differently along their axes"},
    CodeRow{Code::offGround, "off-ground", "a figure floats or sinks on a rig while it should stand"},
    CodeRow{Code::noHumanoid, "no-humanoid", "a model is no humanoid, as the rig is one, and is left out of a batch"},
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
