/// Reads job files as command lines, for several verbs.
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

/// Reads the options of a job file, then the options of a command line, which take precedence. Job files may come from
/// strangers, so they may only contain options for their outputs.
class JobReader {
  public:
    /// @param conversion the verb's options
    /// @param declare declares all options of the verb, except console options
    JobReader(ConversionOptions& conversion, const std::function<void(Arguments&)>& declare,
              std::vector<std::string> commandLine);

    /// Replaces all of `conversion`. @throws UsageError
    void read(const JobFile& job, const std::filesystem::path& jobFile);

  private:
    ConversionOptions& conversion_;
    std::shared_ptr<const archives::OpenArchives> files_;  ///< shared by all jobs: they may name entries of the same
                                                           ///< archive
    std::vector<std::string> commandLine_;
    Console unused_;
    WordParser ofJob_;
    WordParser ofCommandLine_;
};

/// The job's inputs, relative to the current folder. `rtda` for a `rtda.reanima.json` without inputs.
[[nodiscard]] std::vector<std::string> inputsOf(const JobFile& job, const std::filesystem::path& jobFile);

/// The job's output, relative to the current folder. Empty if the job names none.
[[nodiscard]] std::string outputOf(const JobFile& job, const std::filesystem::path& jobFile);

}  // namespace reanima::tool
