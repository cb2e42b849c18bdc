/// Job files as command lines: what several verbs do with one.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "pipeline/job.h"
#include "tools/reanima/front/arguments.h"
#include "tools/reanima/front/recipe.h"

namespace reanima::tool {

/// Reads what a job file says of a conversion, and after it the words of a command line: where they disagree, the
/// command line counts.
/// @param conversion of the verb's options
/// @param declare declares all options of the verb, but for those of the console
/// @throws UsageError
void readJob(const JobFile& job, const std::filesystem::path& jobFile, ConversionOptions& conversion,
             const std::function<void(Arguments&)>& declare, const std::vector<std::string>& commandLine);

/// Its inputs, seen from the current folder; `rtda` for a `rtda.reanima.json` that names none.
[[nodiscard]] std::vector<std::string> inputsOf(const JobFile& job, const std::filesystem::path& jobFile);

/// Its output, seen from the current folder; empty if it names none.
[[nodiscard]] std::string outputOf(const JobFile& job, const std::filesystem::path& jobFile);

}  // namespace reanima::tool
