/// Job files, `NAME.reanima.json`: stored command-line options.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/bytes.h"

namespace reanima {

/// Paths are as written, relative to the job file's folder. Empty: not set.
struct JobFile {
    std::vector<std::string> inputs;
    std::string skeleton;
    std::string sourceSkeleton;
    std::string map;
    std::string names;
    std::string output;
    std::string place;  ///< `[1]` in a list of jobs, otherwise empty

    /// An option as on a command line.
    struct Argument {
        std::string key;                   ///< without the leading `--`
        std::optional<std::string> value;  ///< none: a flag
    };
    std::vector<Argument> options;  ///< a repeated option is listed repeatedly
};

inline constexpr std::string_view kJobFileSuffix = ".reanima.json";

/// One job or a list of jobs.
/// @throws core::DecodeError that names the path of a wrong value
[[nodiscard]] std::vector<JobFile> parseJobFile(core::Bytes text);

}  // namespace reanima
