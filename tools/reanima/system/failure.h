/// What an exception means to the user.
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
    std::string field{};        ///< of an input that can't be read
    std::optional<std::uint64_t> offset{};
    bool isQuiet = false;     ///< nobody has to be told, or was told already: see ClosedPipe
    std::string_view word{};  ///< what went wrong, for programs; empty: as the status says

    /// One of `input`, `limit`, `memory`, `skeleton-mismatch`, `option`, `ambiguous-names`, `no-humanoid`,
    /// `interrupted`, `usage`, `output`.
    [[nodiscard]] std::string_view code() const;
};

/// The exception that is being handled. To be called in a handler.
[[nodiscard]] Failure currentFailure();

}  // namespace reanima::tool
