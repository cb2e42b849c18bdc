/// Job files as command lines: what several verbs do with one.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/job.h"

namespace reanima::tool {

/// What a job file says of a conversion, as a command line would say it in the current folder.
[[nodiscard]] std::vector<std::string> wordsOf(const JobFile& job, const std::filesystem::path& jobFile);

/// Its inputs, seen from the current folder; `rtda` for a `rtda.reanima.json` that names none.
[[nodiscard]] std::vector<std::string> inputsOf(const JobFile& job, const std::filesystem::path& jobFile);

/// Its output, seen from the current folder; empty if it names none.
[[nodiscard]] std::string outputOf(const JobFile& job, const std::filesystem::path& jobFile);

}  // namespace reanima::tool
