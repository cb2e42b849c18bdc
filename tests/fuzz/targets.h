/// The targets of the fuzzer and of the replaying tests: formats, hand-written texts, pictures, rigs.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/bytes.h"
#include "core/limits.h"

namespace reanima::fuzz {

/// A property does not hold. Nothing catches this while fuzzing, so it counts as a crash.
class Violation : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

/// @throws Violation
inline void require(bool holds, const char* otherwise) {
    if (!holds)
        throw Violation(otherwise);
}

/// The way in which inputs are mutated.
enum class Mutation {
    bytes,   ///< like libFuzzer
    fields,  ///< the same, alternating with changes of numbers that a reader read and of the parts between them
    json,    ///< the values of a JSON text
    png,     ///< the chunks of a PNG, with valid checksums
};

struct Target {
    std::string name;  ///< also the name of its folder below tests/data/corpus
    Mutation mutation = Mutation::bytes;
    /// @throws Violation
    std::function<void(core::Bytes)> run;
};

/// Every target, with unique names.
[[nodiscard]] std::vector<Target> targets();

/// Small limits keep all inputs fast. They also reveal allocations with an unchecked size from a file: scripts/fuzz.sh
/// allows no single allocation above 64 MiB.
[[nodiscard]] core::Limits smallLimits();

/// Selects costly or additional checks by the bytes of an input, so that a replay runs the same checks.
[[nodiscard]] std::uint32_t hashOf(core::Bytes bytes);

// Parts of targets(), each in a separate file.
[[nodiscard]] std::vector<Target> formatTargets();
[[nodiscard]] std::vector<Target> encodeTargets();
[[nodiscard]] std::vector<Target> listTargets();
[[nodiscard]] std::vector<Target> archiveTargets();
[[nodiscard]] std::vector<Target> ff7Targets();
[[nodiscard]] std::vector<Target> folderTargets();
[[nodiscard]] std::vector<Target> motionTargets();
[[nodiscard]] std::vector<Target> wayBackTargets();
[[nodiscard]] Target pngTarget();
[[nodiscard]] Target rigTarget();
[[nodiscard]] Target scriptTarget();
[[nodiscard]] Target assimpTarget();
[[nodiscard]] std::vector<Target> sceneTargets();

}  // namespace reanima::fuzz
