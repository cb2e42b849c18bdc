/// The inputs of a job: the files of each input, and their common skeleton.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "files_beside.h"
#include "job.h"
#include "tools/reanima/front/recipe.h"

namespace reanima::tool {

/// An input with all its files.
struct Source {
    Input input;
    OptionValues options;  ///< the recipe's options, with the requested model of the input
    Companions companions{};
    std::vector<std::filesystem::path> files{};  ///< the input and files found beside it
    std::string contentKey{};                    ///< key of these files
    /// What decoding looks for beside the input and its companions, in this order.
    std::vector<FilesBeside> beside{};
    std::size_t report = 0;  ///< index of its report in the job
};

/// An input, and the job's common skeleton if it fits this input's animations.
struct InputOfJob {
    Input input;
    const Input* skeleton = nullptr;
    bool isDressed = false;  ///< another input has the character's meshes
};

/// The common skeleton of the animations among several inputs.
struct SharedSkeleton {
    std::optional<Input> input{};
    bool isDressed = false;  ///< the skeleton is from an input with meshes

    [[nodiscard]] InputOfJob with(Input other) const;
};

/// Reads an input of a job. @throws core::DecodeError
[[nodiscard]] Input readInput(const JobInput& job, const Recipe& recipe, const core::Limits& limits);

/// Reads the files of an input.
/// @param earlier the previous inputs of the same output
/// @throws core::DecodeError
[[nodiscard]] Source readSource(const JobInput& job, InputOfJob file, const Recipe& recipe, const core::Limits& limits,
                                const std::vector<Source>& earlier);

/// The files that these paths stand for: the clips of a folder, or the parts of an archive.
[[nodiscard]] std::vector<std::filesystem::path> partsOf(const std::vector<std::filesystem::path>& paths,
                                                         const archives::OpenArchives& files);

/// The memory that planning and reports need for an input, without the bytes of its files. Measured: 25,000 copies of a
/// small input needed 288 MiB, including their bytes.
constexpr std::uint64_t kBytesOfInput = 12 << 10;

[[nodiscard]] std::uint64_t bytesHeldBy(const Input& input);
[[nodiscard]] std::uint64_t bytesHeldBy(const Source& source);

/// The first skeleton file among several inputs. Without one, the first requested model of a file with several models.
/// Empty for a single input.
[[nodiscard]] SharedSkeleton skeletonAmong(const std::vector<JobInput>& named,
                                           const std::map<std::size_t, Input>& inputs);

/// True if an animation is for other skeletons than the first input's: of another game, or of another kind.
/// @param skeleton the common skeleton of the inputs
[[nodiscard]] bool isOfOtherKind(const Input& animation, const SharedSkeleton& skeleton,
                                 const std::vector<Source>& earlier);

/// The skeleton of the first input of a job, for animations that the user did not name.
[[nodiscard]] std::optional<Input> skeletonOfFirst(const std::vector<Source>& sources);

}  // namespace reanima::tool
