/// Items found at a user's path, before they become jobs.
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

/// One item to convert, found at a user's path.
struct PlanItem {
    std::filesystem::path path;
    std::filesystem::path below{};  ///< its folder, relative to the named folder or pattern
    bool inFolder = false;          ///< found in a folder or an archive: used only if a format claims it
    std::vector<Job> jobs{};        ///< of a job file
    const Format* format = nullptr;
    std::optional<Failure> failure{};
    std::vector<ModelSummary> models{};          ///< the requested ones of a file that may contain several
    std::vector<ModelSummary> known{};           ///< all models in the file
    std::string onlyModel{};                     ///< id of the only model that is converted by default
    std::vector<Failure> missing{};              ///< for requested models that do not exist
    std::shared_ptr<HeldFile> held{};            ///< content that can't be read again
    bool inArchive = false;                      ///< found in an archive: used only if it is a character
    std::string archive{};                       ///< the archive that it is in; see joinCopies()
    bool joinsGroup = false;                     ///< shares an output with the animations of the same skeleton
    core::Called called{};                       ///< of a file with one character
    std::map<std::string, std::string> stems{};  ///< of outputs with their own names, by model; "": the file's
    const OutputForm* form = &outputFormOf();    ///< of its outputs
    std::string skeleton{};  ///< of an animation in a group: its skeleton's file; empty if none was found

    bool isMatch = false;    ///< found by a pattern
    std::string readFrom{};  ///< its actual path, also for an entry that was named differently
    std::string uses{};      ///< of an animation without its own skeleton: the file with the skeleton, or empty
    std::optional<std::uint32_t> bones{};  ///< its number of bones, if the format shows it

    std::string content{};                                   ///< a hash of its bytes, where it may hold copies
    std::map<std::string, std::string> bodies{};             ///< likewise of the bytes of its models, by their ids
    std::map<std::string, std::vector<JobInput>> further{};  ///< what adds clips to its models, by their ids

    /// How it is used.
    enum class Use {
        output,  ///< it has an output
        part,    ///< it is part of another output
        copy,    ///< an earlier archive has all of its models
        none,    ///< it has no output
    };
    Use use = Use::output;
    std::vector<JobInput> linked{};                             ///< further inputs of its output
    std::string pose{};                                         ///< see JobInput
    bool mayBeLinked = false;                                   ///< see JobInput
    std::string linkedBy{};                                     ///< see JobInput
    std::string_view nothingBecause = "is of no known format";  ///< why there is nothing to convert, if so

    [[nodiscard]] bool isNothing() const { return inFolder && jobs.empty() && !failure && format == nullptr; }
    [[nodiscard]] bool isPicture() const { return form->content == OutputForm::Content::picture; }
    [[nodiscard]] bool isPlain() const { return models.empty() && missing.empty(); }
};

/// Recognises the format of an item and its models. In a folder or stream an unreadable item gets a failure; errors in
/// a file that the user names are reported by its job.
void recognise(PlanItem& item, const Recipe& recipe);

}  // namespace reanima::tool
