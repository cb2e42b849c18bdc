/// The options of `convert`.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tools/reanima/front/arguments.h"
#include "tools/reanima/front/recipe.h"

namespace reanima::tool {

struct ConvertOptions {
    ConversionOptions conversion;
    std::vector<std::string> inputs;
    std::string output;
    std::string report;
    std::string pruned;  ///< the report of an earlier run, whose left-over outputs are removed
    std::string depfile;
    bool force = false;
    bool ifChanged = false;
    bool listOutputs = false;
    bool separatedByNull = false;  ///< separates the listed names by null characters
    bool listOutputsFrom = false;
    bool groups = false;
    std::optional<unsigned> threads{};     ///< empty: limited by processors and memory
    std::vector<std::string> commandLine;  ///< the words that the options were read from
};

void declareOptions(Arguments& arguments, ConvertOptions& options);

/// For `--loop-key FILE`: the word after the flag is an input unless it is a clip's name.
void takeInputsFromLoopKey(ConvertOptions& options);

/// The report and the depfile, if they are files.
[[nodiscard]] std::vector<std::filesystem::path> besidesOf(const ConvertOptions& options);

}  // namespace reanima::tool
