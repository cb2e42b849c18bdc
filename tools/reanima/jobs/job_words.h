/// Job files as command lines: what several verbs do with one.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/job.h"
#include "tools/reanima/front/arguments.h"
#include "tools/reanima/front/recipe.h"

namespace reanima::tool {

/// Reads what job files say of a conversion, and after it the words of a command line: where they disagree, the
/// command line counts. A job file may say what shapes its outputs and nothing else: it may be anybody's.
class JobReader {
  public:
    /// @param conversion of the verb's options
    /// @param declare declares all options of the verb, but for those of the console
    JobReader(ConversionOptions& conversion, const std::function<void(Arguments&)>& declare,
              std::vector<std::string> commandLine);

    /// Replaces all that `conversion` says. @throws UsageError
    void read(const JobFile& job, const std::filesystem::path& jobFile);

  private:
    ConversionOptions& conversion_;
    std::shared_ptr<const archives::OpenArchives> files_;  ///< of all jobs: they may name entries of the same archive
    std::vector<std::string> commandLine_;
    Console unused_;
    WordParser ofJob_;
    WordParser ofCommandLine_;
};

/// Its inputs, seen from the current folder; `rtda` for a `rtda.reanima.json` that names none.
[[nodiscard]] std::vector<std::string> inputsOf(const JobFile& job, const std::filesystem::path& jobFile);

/// Its output, seen from the current folder; empty if it names none.
[[nodiscard]] std::string outputOf(const JobFile& job, const std::filesystem::path& jobFile);

}  // namespace reanima::tool
