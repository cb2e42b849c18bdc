/// What is found where the user points, before it becomes a job.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models.h"
#include "plan.h"
#include "tools/reanima/front/recipe.h"
#include "tools/reanima/system/failure.h"

namespace reanima::tool {

/// One thing to be converted, found where the user pointed.
struct PlanItem {
    std::filesystem::path path;
    std::filesystem::path below{};  ///< the folder in which it lies, seen from the folder or pattern that was named
    bool inFolder = false;          ///< found in a folder or an archive: only if a format claims it
    std::vector<Job> jobs{};        ///< of a job file
    const Format* format = nullptr;
    std::optional<Failure> failure{};
    std::vector<ModelSummary> models{};  ///< those that are wanted of a file that may hold several
    std::vector<ModelSummary> known{};   ///< all that it holds
    std::string onlyModel{};         ///< id of the model that is converted if none is asked for and it is the only one
    std::vector<Failure> missing{};  ///< of models that are wanted and not there
    std::shared_ptr<HeldFile> held{};  ///< what can't be read again
    bool inArchive = false;            ///< found in an archive: only if it is a character
    bool joinsGroup = false;           ///< shares an output with the animations of the same skeleton
    core::Called called{};             ///< of a file with one character
    std::map<std::string, std::string>
        stems{};               ///< of outputs that have a name of their own, by model; "": of the file
    std::string form = "glb";  ///< of its outputs, but pictures
    std::string skeleton{};    ///< of an animation that joins a group: its skeleton's file; empty: none is found

    bool isMatch = false;    ///< a pattern found it
    std::string readFrom{};  ///< where it lies: of an entry that was named otherwise, too
    std::string uses{};      ///< of an animation without a skeleton of its own: the file that it is found in, or empty
    std::optional<std::uint32_t> bones{};  ///< how many it has or moves, where the format tells

    /// What becomes of it.
    enum class Use {
        output,  ///< it has one
        part,    ///< it is a part of another one's
        none,    ///< it belongs to nobody
    };
    Use use = Use::output;
    std::vector<JobInput> linked{};                             ///< further inputs of its output
    std::string pose{};                                         ///< see JobInput
    bool mayBeLinked = false;                                   ///< see JobInput
    std::string linkedBy{};                                     ///< see JobInput
    std::string_view nothingBecause = "is of no known format";  ///< why there is nothing to convert, if there is none

    [[nodiscard]] bool isNothing() const { return inFolder && jobs.empty() && !failure && format == nullptr; }
    [[nodiscard]] bool isPlain() const { return models.empty() && missing.empty(); }
};

/// Finds out the format of an item and the models in it. What can't be read of a folder or a stream is its failure;
/// what is wrong with a file that the user names, its job will say.
void recognise(PlanItem& item, const Recipe& recipe);

}  // namespace reanima::tool
