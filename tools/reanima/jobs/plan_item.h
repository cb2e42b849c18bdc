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
    std::filesystem::path below{};  ///< its folder, relative to the named folder or the pattern's folder
    bool inFolder = false;          ///< found in a folder or an archive: used only if a format claims it
    std::vector<Job> jobs{};        ///< the jobs of a job file
    const Format* format = nullptr;
    std::optional<Failure> failure{};
    std::vector<ModelSummary> models{};          ///< the requested models, if the file may contain several
    std::vector<ModelSummary> known{};           ///< all models in the file
    std::string onlyModel{};                     ///< id of the model that is converted by default
    std::vector<Failure> missing{};              ///< for requested models that do not exist
    std::shared_ptr<HeldFile> held{};            ///< the content, if it can't be read again
    std::string archive{};                       ///< the archive with the item; see joinCopies()
    std::filesystem::path ofArchive{};           ///< the folder for the archive's outputs; `below` is in it
    core::Called called{};                       ///< for a file with one character
    std::map<std::string, std::string> stems{};  ///< unique parts of its output names, by model; "" is the whole file
    const OutputForm* form = &outputFormOf();    ///< form of its outputs
    std::string skeleton{};                      ///< for an animation in a group: its skeleton's file; may be empty

    bool isMatch = false;       ///< found by a pattern
    bool mayBeArchive = false;  ///< a file on the disk
    bool isArchive = false;     ///< its characters replace it; known once it is recognised
    bool namesAnother = false;  ///< found in a folder: see archives::ArchiveFormat; known once it is recognised
    bool inArchive = false;     ///< found in an archive: used only if it is a character
    bool joinsGroup = false;    ///< shares an output with the animations of the same skeleton
    std::string readFrom{};     ///< its actual path, even if the user named the entry differently
    std::string uses{};         ///< for an animation without its own skeleton: the file with the skeleton, or empty
    std::optional<std::uint32_t> bones{};  ///< its number of bones, if the format shows it

    std::string content{};                                   ///< a hash of its bytes, if it may contain copies
    std::map<std::string, std::string> bodies{};             ///< hashes of its models' bytes, by id
    std::map<std::string, std::vector<JobInput>> further{};  ///< inputs that add clips to its models, by model id

    /// How it is used.
    enum class Use {
        output,  ///< it has an output
        part,    ///< it is part of another output
        copy,    ///< earlier archives contain all of its models
        none,    ///< it has no output
    };
    Use use = Use::output;
    std::vector<JobInput> linked{};                             ///< further inputs of its output
    std::string pose{};                                         ///< see JobInput
    bool mayBeLinked = false;                                   ///< see JobInput
    std::string linkedBy{};                                     ///< see JobInput
    std::string_view nothingBecause = "is of no known format";  ///< the reason if it contains nothing to convert

    [[nodiscard]] bool isNothing() const { return inFolder && jobs.empty() && !failure && format == nullptr; }
    [[nodiscard]] bool isPicture() const { return form->content == OutputForm::Content::picture; }
    [[nodiscard]] bool isPlain() const { return models.empty() && missing.empty(); }
};

/// Recognises the format of an item, and its models. An unreadable item in a folder or stream gets a failure. Errors in
/// a file that the user named are reported by its job.
void recognise(PlanItem& item, const Recipe& recipe);

}  // namespace reanima::tool
