/// The inputs of a job: what is read for each, and what skeleton they share.
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

/// An input with all that is read for it.
struct Source {
    Input input;
    OptionValues options;  ///< the recipe's, and which model of the input is wanted
    Companions companions{};
    std::vector<std::filesystem::path> files{};  ///< the input and what was found beside it
    std::vector<std::string> parts{};            ///< of these what it looks like: meshes and textures
    std::string contentKey{};                    ///< of those files
    std::uint64_t partBytes = 0;                 ///< of what is held besides
    std::size_t report = 0;                      ///< its index among the job's reports
};

/// An input, and the skeleton among the job's inputs if that is of the kind that its animations move.
struct InputOfJob {
    Input input;
    const Input* skeleton = nullptr;
    bool isDressed = false;  ///< another input shows what the character looks like
};

/// The skeleton of the animations among several inputs.
struct SharedSkeleton {
    std::optional<Input> input{};
    bool isDressed = false;  ///< it is the model of an input that shows what it looks like, too

    [[nodiscard]] InputOfJob with(Input other) const;
};

/// Reads an input of a job. @throws core::DecodeError
[[nodiscard]] Input readInput(const JobInput& job, const Recipe& recipe, const core::Limits& limits);

/// Reads what belongs to an input.
/// @param earlier the inputs before it, of the same output
/// @throws core::DecodeError
[[nodiscard]] Source readSource(const JobInput& job, InputOfJob file, const Recipe& recipe, const core::Limits& limits,
                                const std::vector<Source>& earlier);

/// What an input takes besides the bytes of files, for what is planned, found, said and reported of it: 25,000 times
/// the same small one took 288 MiB, with its bytes.
constexpr std::uint64_t kBytesOfInput = 12 << 10;

[[nodiscard]] std::uint64_t bytesHeldBy(const Input& input);
[[nodiscard]] std::uint64_t bytesHeldBy(const Source& source);
/// 0 for what is not a file of its own, such as an entry of an archive.
[[nodiscard]] std::uint64_t sizeOnDisk(const std::filesystem::path& path);

/// A skeleton that the user names, else the model of the first input that is one with animations of its own.
[[nodiscard]] SharedSkeleton skeletonAmong(const std::vector<JobInput>& named,
                                           const std::map<std::size_t, Input>& inputs);

/// True if an animation is made for other skeletons than the first input: another game's, or of another kind.
/// @param skeleton that inputs share
[[nodiscard]] bool isOfOtherKind(const Input& animation, const SharedSkeleton& skeleton,
                                 const std::vector<Source>& earlier);

/// The skeleton that the first input of a job moves, for animations that the user did not name for it.
[[nodiscard]] std::optional<Input> skeletonOfFirst(const std::vector<Source>& sources);

}  // namespace reanima::tool
