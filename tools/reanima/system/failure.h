/// Converts exceptions to failures for the user.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "console.h"

namespace reanima::tool {

/// Why something was not done.
struct Failure {
    std::string message;
    int status = kInputFailed;  ///< an ExitStatus
    std::string field{};        ///< in an unreadable input
    std::optional<std::uint64_t> offset{};
    bool isQuiet = false;     ///< no message is needed, or it was given already: see ClosedPipe
    std::string_view word{};  ///< the kind of failure for programs; empty: by the status

    /// One of `input`, `limit`, `memory`, `skeleton-mismatch`, `option`, `ambiguous-names`, `no-humanoid`,
    /// `interrupted`, `usage`, `output`.
    [[nodiscard]] std::string_view code() const;
};

/// The failure for the current exception. To be called in a handler.
[[nodiscard]] Failure currentFailure();

}  // namespace reanima::tool
