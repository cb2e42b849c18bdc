/// What the user is told about a job: what was written and left out, and what to do next.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clip_files.h"
#include "job_sources.h"
#include "report.h"

namespace reanima::tool {

[[nodiscard]] std::string_view wordForRole(Role role);

/// Whose meshes an output has that is the rig's own file; empty for any other.
[[nodiscard]] std::string wordsForMeshes(const Recipe& recipe, const Target* target);

/// What was written, for the user.
/// @param height in metres
/// @param rotationError in degrees; none: nothing was quantised
/// @param advice what to do about having no clips; may be empty
[[nodiscard]] std::string summaryOf(const core::Asset& asset, const std::filesystem::path& output, double height,
                                    const std::optional<double>& rotationError, const std::string& advice);
/// The same for clips that have files of their own.
[[nodiscard]] std::string summaryOf(const std::vector<ClipOutput>& outputs, double height);

/// For a single input; names for many inputs match some of them each.
void noteUnusedNames(const std::vector<std::string>& unused, InputReport& report);
void noteNoHumanoid(const core::DecodeError& why, InputReport& report);
/// @param count of the animations that move another number of bones
/// @param ofOtherKind of those besides that are made for other kinds of skeletons
/// @throws core::DecodeError if those are all, and one has to fit
void noteLeftOut(std::size_t count, std::size_t ofOtherKind, const Job& job, InputReport& report);
/// Images that an output referred to before: what becomes of them is the user's decision.
/// @param before the images of the output that was there
/// @param now those of the output that is there
void noteLeftOver(const std::filesystem::path& output, const std::vector<std::filesystem::path>& before,
                  const std::vector<std::filesystem::path>& now, core::Diagnostics& diagnostics);

/// The same error, with the command that proposes a mapping.
[[nodiscard]] core::DecodeError withSuggestion(const core::DecodeError& error, const InputReport& report,
                                               const Recipe& recipe, const Target& target);
/// @throws core::DecodeError if a clip is missed that may lie elsewhere in the archive of the input
void throwIfElsewhere(const core::DecodeError& error, const Job& job, const Recipe& recipe, const Format& format);

/// What to do about a character without clips, whose animations have other names; empty where it has some.
[[nodiscard]] std::string adviceFor(const core::Asset& asset, const JobInput& input, const Format& format);
/// What to do with motion of another program that was named beside a game's files; empty where there is none.
[[nodiscard]] std::string adviceForMotion(const std::vector<Source>& sources);

}  // namespace reanima::tool
