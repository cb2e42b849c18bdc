/// Messages about a job: what was written and left out, and what to do next.
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

/// Describes whose meshes and clips are in an output that is another file with clips added.
[[nodiscard]] std::string wordsForRig(const Target& target, std::size_t ownClips);

/// How high something is.
struct ShownHeight {
    double metres;
    bool ofMeshes;  ///< from the lowest to the highest vertex; else from joint to joint

    /// `1.40 m high`, or `bones 1.12 m high`.
    [[nodiscard]] std::string inWords() const;
};

/// A summary of what was written.
/// @param rotationError in degrees; none: nothing was quantised
/// @param advice advice if there are no clips; may be empty
[[nodiscard]] std::string summaryOf(const core::Asset& asset, const std::filesystem::path& output,
                                    const ShownHeight& height, const std::optional<double>& rotationError,
                                    const std::string& advice);
/// The same for clips in separate files.
[[nodiscard]] std::string summaryOf(const std::vector<ClipOutput>& outputs, const ShownHeight& height);

/// Only for a single input; with many inputs, each name matches some of them.
void noteUnusedNames(const std::vector<std::string>& unused, InputReport& report);
void noteNoHumanoid(const core::DecodeError& why, InputReport& report);
/// @param count number of animations with another number of bones
/// @param ofOtherKind number of further animations for other kinds of skeletons
/// @throws core::DecodeError if none is left and one has to fit
void noteLeftOut(std::size_t count, std::size_t ofOtherKind, const Job& job, InputReport& report);
/// Reports images that an output no longer refers to; the user decides about them.
/// @param before the images of the old output
/// @param now those of the new output
void noteLeftOver(const std::filesystem::path& output, const std::vector<std::filesystem::path>& before,
                  const std::vector<std::filesystem::path>& now, core::Diagnostics& diagnostics);

/// The command that suggests a mapping.
/// @param model id, or empty
/// @param options further options that determine the input's skeleton
[[nodiscard]] std::string suggestionFor(const std::string& input, const std::string& model, const std::string& rig,
                                        const InputOptions& options);

/// The same error, with the command that proposes a mapping.
[[nodiscard]] core::DecodeError withSuggestion(const core::DecodeError& error, const InputReport& report,
                                               const Recipe& recipe, const Target& target);

/// Advice for a character without clips whose animations have other names; empty if it has clips.
[[nodiscard]] std::string adviceFor(const core::Asset& asset, const JobInput& input, const Format& format);
/// Advice for another program's motion that was given with a game's files; empty if there is none.
[[nodiscard]] std::string adviceForMotion(const std::vector<Source>& sources);

}  // namespace reanima::tool
