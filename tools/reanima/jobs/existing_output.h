/// Outputs of `convert` that are there already: what they say of themselves, and whether they are as they were written.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gltf_export/gltf_file.h"

namespace reanima::tool {

/// The files of an output: itself, the buffer and the images of a .gltf that is there. None for standard output.
[[nodiscard]] std::vector<std::filesystem::path> filesWritten(const std::filesystem::path& output);

/// The images that this program wrote for a .gltf that is there, as far as they are.
[[nodiscard]] std::vector<std::filesystem::path> imagesWritten(const std::filesystem::path& output);

/// What an output says of itself; nothing for what it does not.
struct OutputFacts {
    std::optional<std::size_t> clips{};
    std::optional<std::size_t> frames{};
    std::optional<std::size_t> joints{};
    std::optional<std::size_t> triangles{};
    std::optional<std::size_t> materials{};
    std::optional<std::size_t> textures{};
    std::size_t bytes = 0;  ///< of all its files
};

/// The facts about an output that is there. Of a .glb no more than its JSON is read.
[[nodiscard]] OutputFacts factsOfOutput(const std::filesystem::path& output);

/// True if a glTF file or a .png is there, is whole, and was not made by this program. Of a .glb no more than its JSON
/// is read.
[[nodiscard]] bool isOfOthers(const std::filesystem::path& output);

/// How a file that is there compares with what this program wrote.
enum class Condition {
    missing,     ///< it is not there
    asWritten,   ///< as its hash says, with all that belongs to it
    incomplete,  ///< the same, but what belongs to it is not all there
    edited,      ///< it has a content key and is not as its hash says
    unhashed,    ///< it has a content key and no hash
    unmarked,    ///< it has no content key
};

struct ExistingOutput {
    Condition condition = Condition::missing;
    std::string key{};   ///< the content key that it holds; of files that hold none, of the bytes: see keyOfBytes()
    std::string hash{};  ///< the hash that it holds; of files that hold none, of the bytes: see gltf::bufferHash()
    std::filesystem::path changed{};  ///< edited: the file itself, or one that belongs to it
};

/// True for outputs of a kind that holds its content key and its hash.
[[nodiscard]] bool holdsMarks(const std::filesystem::path& output);

/// What is there. It is read to its end.
[[nodiscard]] ExistingOutput lookAt(const std::filesystem::path& output);

/// Refuses to replace what is there unless it still is what this program wrote.
/// @param reported the hash that a report states for it, of a kind that holds none; may be empty
/// @throws UsageError
void refuseEdited(const std::filesystem::path& output, const std::string& reported);

/// The same for what belongs to a .gltf: files that the one that is there, which is as it was written, refers to, and
/// those that are what will be written, may be replaced.
/// @throws UsageError
void refuseEditedParts(const std::filesystem::path& output, const gltf::GltfFile& file);

/// The note of a .png: its marks.
[[nodiscard]] std::string pngNote(const std::string& key, const std::string& hash);

}  // namespace reanima::tool
