#include "tools/reanima/jobs/job_words.h"

#include <fmt/format.h>

#include "pipeline/rest_pose.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

/// True if the value of an option names a file. Such values are relative to the job file.
bool namesFile(const JobFile::Argument& argument, const fs::path& folder) {
    const auto exists = [&folder](const std::string& name) { return isFile(fileOf(folder / fromUtf8(name))); };
    return argument.value && (argument.key == "events" || argument.key == "animations" || argument.key == "fields" ||
                              argument.key == "materials" || argument.key == "skin" || argument.key == "textures" ||
                              ((argument.key == "rest" || argument.key == "source-rest") &&
                               fileLengthInRestPose(*argument.value, exists)));
}

/// The options of a job as a command line in the current folder.
std::vector<std::string> wordsOf(const JobFile& job, const fs::path& jobFile) {
    const fs::path folder = jobFile.parent_path();
    std::vector<std::string> words;
    const auto addFile = [&](const std::string& flag, const std::string& path) {
        if (!path.empty())
            words.push_back(fmt::format("--{}={}", flag, toUtf8(folder / fromUtf8(path))));
    };
    addFile("skeleton", job.skeleton);
    addFile("source-skeleton", job.sourceSkeleton);
    addFile("map", job.map);
    addFile("names", job.names);
    for (const JobFile::Argument& argument : job.options) {
        if (argument.key.empty())  // the word `--` would end the options
            throw UsageError("options: contains an option without a name");
        if (argument.key == "overlay")  // obsolete: its effect is the default
            continue;
        if (!argument.value)
            words.push_back("--" + argument.key);
        else if (namesFile(argument, folder))
            addFile(argument.key, *argument.value);
        else
            words.push_back(fmt::format("--{}={}", argument.key, *argument.value));
    }
    return words;
}

}  // namespace

JobReader::JobReader(ConversionOptions& conversion, const std::function<void(Arguments&)>& declare,
                     std::vector<std::string> commandLine)
    : conversion_(conversion),
      files_(conversion.input.files),
      commandLine_(std::move(commandLine)),
      ofJob_([&conversion](Arguments& arguments) {
          addOutputForm(arguments, conversion);
          addConversionOptions(arguments, conversion);
      }),
      ofCommandLine_([&](Arguments& arguments) {
          declare(arguments);
          addConsoleOptions(arguments, unused_);
      }) {}

void JobReader::read(const JobFile& job, const fs::path& jobFile) {
    conversion_.clear();
    conversion_.input.files = files_;
    ofJob_.parse(wordsOf(job, jobFile));
    ofCommandLine_.parse(commandLine_);
}

std::vector<std::string> inputsOf(const JobFile& job, const fs::path& jobFile) {
    if (job.inputs.empty()) {
        const std::string name = toUtf8(jobFile);
        return {name.substr(0, name.size() - kJobFileSuffix.size())};
    }
    std::vector<std::string> inputs;
    for (const std::string& input : job.inputs)
        inputs.push_back(toUtf8(jobFile.parent_path() / fromUtf8(input)));
    return inputs;
}

std::string outputOf(const JobFile& job, const fs::path& jobFile) {
    return job.output.empty() ? "" : toUtf8(jobFile.parent_path() / fromUtf8(job.output));
}

}  // namespace reanima::tool
