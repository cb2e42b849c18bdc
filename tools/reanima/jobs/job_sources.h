/// The inputs of a job: the files read for each, and their common skeleton.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "job.h"
#include "tools/reanima/front/recipe.h"

namespace reanima::tool {

/// An input with all files read for it.
struct Source {
    Input input;
    OptionValues options;  ///< the recipe's, with the requested model of the input
    Companions companions{};
    std::vector<std::filesystem::path> files{};  ///< the input and what was found beside it
    std::vector<std::string> parts{};            ///< the meshes and textures among them
    std::string contentKey{};                    ///< of those files
    std::uint64_t partBytes = 0;                 ///< bytes of further files in memory
    std::size_t report = 0;                      ///< its index among the job's reports
};

/// An input, and the skeleton among the job's inputs if it fits the input's animations.
struct InputOfJob {
    Input input;
    const Input* skeleton = nullptr;
    bool isDressed = false;  ///< another input has the character's meshes
};

/// The skeleton of the animations among several inputs.
struct SharedSkeleton {
    std::optional<Input> input{};
    bool isDressed = false;  ///< it is the model of an input that also has its meshes

    [[nodiscard]] InputOfJob with(Input other) const;
};

/// Reads an input of a job. @throws core::DecodeError
[[nodiscard]] Input readInput(const JobInput& job, const Recipe& recipe, const core::Limits& limits);

/// Reads the files of an input.
/// @param earlier the inputs before it, of the same output
/// @throws core::DecodeError
[[nodiscard]] Source readSource(const JobInput& job, InputOfJob file, const Recipe& recipe, const core::Limits& limits,
                                const std::vector<Source>& earlier);

/// The memory of an input besides the bytes of its files, for planning and reports. Measured: 25,000 copies of a small
/// input took 288 MiB, including its bytes.
constexpr std::uint64_t kBytesOfInput = 12 << 10;

[[nodiscard]] std::uint64_t bytesHeldBy(const Input& input);
[[nodiscard]] std::uint64_t bytesHeldBy(const Source& source);

/// The skeleton that the user names, else the model of the first input that has animations of its own.
[[nodiscard]] SharedSkeleton skeletonAmong(const std::vector<JobInput>& named,
                                           const std::map<std::size_t, Input>& inputs);

/// True if an animation is made for other skeletons than the first input: another game's, or of another kind.
/// @param skeleton that inputs share
[[nodiscard]] bool isOfOtherKind(const Input& animation, const SharedSkeleton& skeleton,
                                 const std::vector<Source>& earlier);

/// The skeleton that the first input of a job moves, for animations that the user did not name for it.
[[nodiscard]] std::optional<Input> skeletonOfFirst(const std::vector<Source>& sources);

}  // namespace reanima::tool
