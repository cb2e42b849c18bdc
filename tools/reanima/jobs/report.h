/// The result for an input, or for one of its models: a line of `--report`.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/diagnostics.h"
#include "pipeline/pipeline.h"
#include "tools/reanima/jobs/existing_output.h"
#include "tools/reanima/system/failure.h"

namespace reanima::tool {

/// A file that was made from a clip, or was already up to date.
struct ClipOutput {
    std::filesystem::path path;
    std::size_t frames = 0;  ///< number of frames of the clip
    std::size_t bytes = 0;
    std::string key;   ///< see ExistingOutput
    std::string hash;  ///< see ExistingOutput
    bool isUnchanged = false;
};

struct InputReport {
    InputReport(std::string inputName, std::string modelId, std::string outputName)
        : input(std::move(inputName)), model(std::move(modelId)), output(std::move(outputName)) {}

    std::string input;
    std::string model;  ///< id of the requested model; empty in a file without models
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
    bool skipped = false;               ///< it is no humanoid, but the rig is one
    bool unchanged = false;             ///< the output is up to date
    std::optional<BindReport> binding;  ///< if clips were bound to another skeleton
    std::optional<ClipsReduction> reduction;
    std::optional<double> rotationError;  ///< degrees, in a compact output
    std::uint64_t bytes = 0;              ///< size of the output
    std::string key;                      ///< the output's content key; may be empty
    std::string hash;                     ///< detects edits of the output; may be empty
    std::optional<OutputFacts> stated;    ///< facts about an unchanged output
    double milliseconds = 0;

    /// `ok`, `failed` or `skipped`.
    [[nodiscard]] const char* status() const;

    /// One line of JSON, with its line end.
    [[nodiscard]] std::string toLine() const;
};

/// Rejects an existing file unless it is empty or a report of `convert` or `encode`, even with --force.
/// @throws UsageError
void refuseOtherThanReport(const std::filesystem::path& path);

}  // namespace reanima::tool
