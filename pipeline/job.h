/// Job files, `NAME.reanima.json`: what a user would say on the command line, said once and for all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/bytes.h"

namespace reanima {

/// Paths are as written, relative to the job file's folder. Empty: not said.
struct JobFile {
    std::vector<std::string> inputs;
    std::string skeleton;
    std::string sourceSkeleton;
    std::string map;
    std::string names;
    std::string output;

    /// An option as a command line says it.
    struct Argument {
        std::string key;                   ///< without the leading `--`
        std::optional<std::string> value;  ///< none: a flag
    };
    std::vector<Argument> options;  ///< one that is said several times is here as often
};

inline constexpr std::string_view kJobFileSuffix = ".reanima.json";

/// One job or a list of jobs.
/// @throws core::DecodeError that names the path of a value that is wrong
[[nodiscard]] std::vector<JobFile> parseJobFile(core::Bytes text);

}  // namespace reanima
