/// What became of an input: a line of `--report`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "../../core/diagnostics.h"

namespace reanima::tool {

struct InputReport {
    InputReport(std::string inputName, std::string outputName)
        : input(std::move(inputName)), output(std::move(outputName)) {}

    std::string input;
    std::string output;
    std::string format;
    std::size_t clips = 0;
    std::size_t frames = 0;
    std::size_t joints = 0;
    double height = 0;  ///< metres
    core::Diagnostics diagnostics;
    std::string error;  ///< empty if all went well
    std::string field;  ///< of the error
    std::optional<std::uint64_t> offset;
    std::size_t bytes = 0;  ///< of the output
    double milliseconds = 0;

    /// One line of JSON, with its line end.
    [[nodiscard]] std::string toLine() const;
};

}  // namespace reanima::tool
