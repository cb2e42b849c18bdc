/// Warnings about input that is read despite a doubt.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "decode_error.h"

namespace reanima::core {

/// The kinds of warnings. Their names (see codeName) are stable: scripts use them (`--warn CODE=error`).
enum class Code {
    truncated,         ///< the input ends earlier than stated
    damaged,           ///< an entry can't be read and is left out
    countMismatch,     ///< two statements of the input disagree; the message names the one that is used
    rareLayout,        ///< an unusual layout, known from few files
    trailingBytes,     ///< bytes after the content
    empty,             ///< nothing to convert
    recomputed,        ///< a stored word no longer fits the edited values and is rewritten
    skeletonMadeUp,    ///< no skeleton was found; placeholder joints are made from the animation
    skeletonMismatch,  ///< skeleton and animation disagree
    implausibleSize,   ///< the result is taller than 50 m or smaller than 5 cm
    largeStep,         ///< a rotation between two keys is so large that players may interpolate it either way
    renamed,           ///< a name was changed to be unique or safe
    ignored,           ///< something that was read but can't be stored in the output
    assumed,           ///< something that the input does not state was assumed
    keysInserted,      ///< in-between keys were added so that every player shows the same motion
    restMismatch,      ///< the rest poses or parents of a game's skeleton and a rig differ where they should agree
    jointUnmatched,    ///< a joint of a mapping is in no skeleton, or a joint that moves has no counterpart
    attached,          ///< a joint in model space follows the joint that carries it
    noPose,            ///< the format stores no rest pose, and there is no animation to read a pose from
    missingFile,       ///< a file that the input names, or that belongs to the input, is missing
    textureNumber,     ///< a mesh uses a texture that its model does not have
    pieceLetters,      ///< the model has more pieces than the game's file names allow
    textureOutside,    ///< faces show a part of a texture that does not exist
    nonUniformScale,   ///< a joint's scale differs between its axes: its descendants may look skewed
    offGround,         ///< a character floats or sinks by more than 2 % of its height while it should stand
    noHumanoid,        ///< left out: the model is not a humanoid, but the rig is
};

/// The stable name of a code, `count-mismatch`.
[[nodiscard]] std::string_view codeName(Code code);

/// The code with this name, for options. Null if there is none.
[[nodiscard]] const Code* codeNamed(std::string_view name);

/// Every code, in the order of the enumeration.
[[nodiscard]] std::span<const Code> allCodes();

/// One sentence about a code, for documentation.
[[nodiscard]] std::string_view codeMeaning(Code code);

/// A warning or a note.
struct Warning {
    /// A note reports what was done; a warning reports doubtful input.
    enum class Severity { note, warning };

    Severity severity = Severity::warning;
    Code code = Code::damaged;
    std::string file;  ///< empty if the warning is about the whole run
    Place place;
    std::string text;
    OptionHint hint{};  ///< the option that resolves it, if there is one

    /// `rtda: warning: animations[3].stream_frame_count: 11 of 12 frames present`, with the hint in a host's wording
    [[nodiscard]] std::string message(HintWording wording = plainWording) const;
};

/// Collects the warnings about one input, or about one group of inputs.
///
/// A damaged file may cause a warning every few bytes. After kMost warnings, further ones of the same code are merged
/// into one entry with their count.
class Diagnostics {
  public:
    static constexpr std::size_t kMost = 10000;

    void warn(Code code, Place place, std::string text, OptionHint hint = {}) {
        add({Warning::Severity::warning, code, file_, std::move(place), std::move(text), std::move(hint)});
    }
    /// Warns about something that was left out because it can't be read.
    void warn(Code code, const DecodeError& error) { warn(code, error.place(), error.problem(), error.hint()); }
    void note(Code code, Place place, std::string text, OptionHint hint = {}) {
        add({Warning::Severity::note, code, file_, std::move(place), std::move(text), std::move(hint)});
    }
    void add(Warning warning);

    /// Sets the file that warnings name until the end of a scope, then restores the previous file.
    class About {
      public:
        About(Diagnostics& diagnostics, std::string name)
            : diagnostics_(diagnostics), before_(std::exchange(diagnostics.file_, std::move(name))) {}
        ~About() { diagnostics_.file_ = std::move(before_); }
        About(const About&) = delete;
        About& operator=(const About&) = delete;

      private:
        Diagnostics& diagnostics_;
        std::string before_;
    };

    /// While the result lives, warnings name the given file.
    [[nodiscard]] About about(std::string name) { return {*this, std::move(name)}; }
    /// The file that warnings name now; empty if none.
    [[nodiscard]] const std::string& file() const { return file_; }

    [[nodiscard]] const std::vector<Warning>& warnings() const { return warnings_; }
    [[nodiscard]] bool hasWarnings() const;

  private:
    /// The warnings of one severity and code that came after the first kMost warnings.
    struct Surplus {
        std::size_t place = 0;  ///< index of their common entry in warnings_
        std::string text;       ///< message of the first of them
        std::uint64_t count = 1;
    };

    std::string file_;
    std::vector<Warning> warnings_;
    std::map<std::pair<Warning::Severity, Code>, Surplus> surplus_;
};

}  // namespace reanima::core
