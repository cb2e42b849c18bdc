/// Converts exceptions to failures for the user.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "console.h"

namespace reanima::tool {

/// The reason why work was not done.
struct Failure {
    std::string message;
    int status = kInputFailed;  ///< an ExitStatus
    std::string field{};        ///< place in an unreadable input
    std::optional<std::uint64_t> offset{};
    bool isQuiet = false;     ///< print no message, or it was printed already: see ClosedPipe
    std::string_view word{};  ///< the kind of failure for programs; empty: derived from the status

    /// One of `input`, `limit`, `memory`, `skeleton-mismatch`, `option`, `ambiguous-names`, `no-humanoid`,
    /// `interrupted`, `usage`, `output`.
    [[nodiscard]] std::string_view code() const;
};

/// The failure for the current exception. Call it in an exception handler.
[[nodiscard]] Failure currentFailure();

}  // namespace reanima::tool
