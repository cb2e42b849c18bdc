/// What an exception means to the user.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "console.h"

namespace reanima::tool {

/// Why something was not done.
struct Failure {
    std::string message;
    int status = kInputFailed;  ///< an ExitStatus
    std::string field{};        ///< of an input that can't be read
    std::optional<std::uint64_t> offset{};
};

/// The exception that is being handled. To be called in a handler.
[[nodiscard]] Failure currentFailure();

}  // namespace reanima::tool
