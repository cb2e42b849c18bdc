/// The error for input that can't be read: one message with file, field path, offset, found and expected value.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace reanima::core {

/// The place of a value: its field path, named as on the page in docs/formats, and its offset from the file's first
/// byte. JSON input has paths without offsets.
struct Place {
    std::string field;
    std::optional<std::uint64_t> offset;
};

/// An option that resolves a reported problem, and a value or placeholder for it. Each host has its own wording:
/// `--joints N`, `IMPORT_REANIMA_JOINTS`, `settings.joints`.
struct OptionHint {
    std::string key;  ///< as in the list of options; empty if there is none
    std::string value{};
};

/// A host's wording of a hint.
using HintWording = std::string (*)(const OptionHint& hint);

/// `option joints=N`, for hosts without their own wording.
[[nodiscard]] std::string plainWording(const OptionHint& hint);

/// Input that can't be read, or a request that can't be carried out.
///
/// what() reads `rtda: animations[14].key_bits at 0x1a2c: is 7, expected 0, 2 or 4`. Callers that know the file's name
/// add it with inFile().
class DecodeError : public std::runtime_error {
  public:
    enum class Kind {
        malformed,         ///< the input contradicts its format, can't be read, or lacks what was asked for
        limit,             ///< the input may be valid but exceeds Limits
        skeletonMismatch,  ///< the input may be valid but does not fit its skeleton
        option,            ///< an option's value is not possible; hint() names the option
        ambiguousNames,    ///< names can't distinguish joints
        nothing,           ///< the input is valid but contains nothing to convert
        noHumanoid,        ///< the input may be valid but is not a humanoid, while the rig is
        cancelled,         ///< the caller asked to stop
    };

    DecodeError(Place place, std::string problem, Kind kind = Kind::malformed);
    explicit DecodeError(std::string problem) : DecodeError(Place{}, std::move(problem)) {}

    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] const std::string& file() const { return file_; }
    [[nodiscard]] const std::string& field() const { return place_.field; }
    [[nodiscard]] std::optional<std::uint64_t> offset() const { return place_.offset; }
    [[nodiscard]] const Place& place() const { return place_; }
    /// The found and the expected value, without file, field and offset.
    [[nodiscard]] const std::string& problem() const { return problem_; }

    /// The option that helps; in an error of the kind `option`, the wrong option. The key is empty if there is none.
    [[nodiscard]] const OptionHint& hint() const { return hint_; }

    /// The same error with the file's name, unless it has one already.
    [[nodiscard]] DecodeError inFile(const std::string& name) const;
    /// The same error with a hint, unless it has one already.
    [[nodiscard]] DecodeError withHint(OptionHint hint) const;
    /// The same error of another kind.
    [[nodiscard]] DecodeError ofKind(Kind kind) const;

    /// The whole message, with the hint in a host's wording.
    [[nodiscard]] std::string message(HintWording wording) const;
    /// message() with plainWording().
    [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }

  private:
    Kind kind_;
    std::string file_;
    Place place_;
    std::string problem_;
    OptionHint hint_;
    std::string message_;
};

/// The result of `work`; its errors name the file. See DecodeError::inFile().
template <typename Work>
auto inFile(const std::string& name, const Work& work) -> decltype(work()) {
    try {
        return work();
    } catch (const DecodeError& error) {
        throw error.inFile(name);
    }
}

/// An error about an option's value.
/// @param hint the option and its value
[[nodiscard]] DecodeError optionError(OptionHint hint, std::string problem);

}  // namespace reanima::core
