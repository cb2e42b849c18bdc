/// Messages about a job: its result, content that was left out, and next steps.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "job_sources.h"
#include "report.h"

namespace reanima::tool {

[[nodiscard]] std::string_view wordForRole(Role role);

/// Describes the meshes and clips of an output that keeps another file and adds clips.
[[nodiscard]] std::string wordsForRig(const Target& target, std::size_t ownClips);

/// The height of a character or an object.
struct ShownHeight {
    double metres;
    bool ofMeshes;  ///< measured from the lowest to the highest vertex, otherwise from joint to joint

    /// `1.40 m high`, or `bones 1.12 m high`.
    [[nodiscard]] std::string inWords() const;
};

/// A summary of a written output.
/// @param rotationError largest error in degrees; empty if rotations are exact
/// @param advice added if there are no clips; may be empty
[[nodiscard]] std::string summaryOf(const core::Asset& asset, const std::filesystem::path& output,
                                    const ShownHeight& height, const std::optional<double>& rotationError,
                                    const std::string& advice);
/// A summary of clips in separate files.
[[nodiscard]] std::string summaryOf(const std::vector<ClipOutput>& outputs, const ShownHeight& height);

/// Notes names that match nothing. Only for a single input: with many inputs, a name is meant for only some of them.
void noteUnusedNames(const std::vector<std::string>& unused, InputReport& report);
void noteNoHumanoid(const core::DecodeError& why, InputReport& report);
/// @param count number of animations with a different number of bones
/// @param ofOtherKind number of further animations for other kinds of skeletons
/// @throws core::DecodeError if at least one animation must fit and none does
void noteLeftOut(std::size_t count, std::size_t ofOtherKind, const Job& job, InputReport& report);
/// Reports images that an output no longer refers to. The user may remove them.
/// @param before images of the old output
/// @param now images of the new output
void noteLeftOver(const std::filesystem::path& output, const std::vector<std::filesystem::path>& before,
                  const std::vector<std::filesystem::path>& now, core::Diagnostics& diagnostics);

/// The command that suggests a mapping.
/// @param model id of the model, or empty
/// @param options further options that choose the input's skeleton
[[nodiscard]] std::string suggestionFor(const std::string& input, const std::string& model, const std::string& rig,
                                        const InputOptions& options);

/// Adds the command that suggests a mapping to an error.
[[nodiscard]] core::DecodeError withSuggestion(const core::DecodeError& error, const InputReport& report,
                                               const Recipe& recipe, const Target& target);

/// Advice for a character without clips whose animations are named differently. Empty if it has clips.
[[nodiscard]] std::string adviceFor(const core::Asset& asset, const JobInput& input, const Format& format);
/// Advice for another program's motion that was named together with a game's files. Empty without such motion.
[[nodiscard]] std::string adviceForMotion(const std::vector<Source>& sources);

}  // namespace reanima::tool
