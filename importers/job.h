/// Job files, `NAME.reanima.json`: what a user would say on the command line, said once and for all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "format.h"

namespace reanima {

/// Paths are as written, relative to the job file's folder. Empty: not said.
struct JobFile {
    std::vector<std::string> inputs;
    std::string skeleton;
    std::string sourceSkeleton;
    std::string map;
    std::string names;
    std::string output;
    OptionValues options;  ///< keys without the leading `--`; flags are 1 or 0

    /// An option as a command line says it.
    struct Argument {
        std::string key;
        std::optional<std::string> value;  ///< none: a flag
    };
    std::vector<Argument> arguments;  ///< the options once more, lists and flags included
};

inline constexpr std::string_view kJobFileSuffix = ".reanima.json";

/// One job or a list of jobs.
/// @throws core::DecodeError that names the path of a value that is wrong
[[nodiscard]] std::vector<JobFile> parseJobFile(core::Bytes text);

}  // namespace reanima
