/// The result for an input, or for a model in it: a line of `--report`.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/diagnostics.h"
#include "pipeline/pipeline.h"
#include "tools/reanima/jobs/existing_output.h"
#include "tools/reanima/system/failure.h"

namespace reanima::tool {

/// A file that was made from a clip, or that is up to date.
struct ClipOutput {
    std::filesystem::path path;
    std::size_t frames = 0;  ///< of the clip
    std::size_t bytes = 0;
    std::string key;   ///< see ExistingOutput
    std::string hash;  ///< see ExistingOutput
    bool isUnchanged = false;
};

struct InputReport {
    InputReport(std::string inputName, std::string modelId, std::string outputName)
        : input(std::move(inputName)), model(std::move(modelId)), output(std::move(outputName)) {}

    std::string input;
    std::string model;  ///< id of the requested model; empty if the input has none
    std::string output;
    std::string format;
    std::size_t clips = 0;
    std::size_t frames = 0;
    std::size_t joints = 0;
    std::size_t triangles = 0;
    std::size_t materials = 0;
    std::size_t textures = 0;
    double height = 0;  ///< metres
    core::Diagnostics diagnostics;
    std::optional<Failure> failure;
    bool skipped = false;               ///< not a humanoid, while the rig is one
    bool unchanged = false;             ///< the output was up to date
    std::optional<BindReport> binding;  ///< if clips were bound to another skeleton
    std::optional<ClipsReduction> reduction;
    std::optional<double> rotationError;  ///< degrees; of a compact output
    std::size_t bytes = 0;                ///< of the output
    std::string key;                      ///< the output's content key; empty if there is none
    std::string hash;                     ///< to detect edits of the output; empty if there is none
    std::optional<OutputFacts> stated;    ///< by an output that was left unchanged
    double milliseconds = 0;

    /// `ok`, `failed` or `skipped`.
    [[nodiscard]] const char* status() const;

    /// One line of JSON, with its line end.
    [[nodiscard]] std::string toLine() const;
};

/// Refuses a file that is neither a report of `convert` or `encode` nor empty, even with --force.
/// @throws UsageError
void refuseOtherThanReport(const std::filesystem::path& path);

}  // namespace reanima::tool
