/// Existing outputs of `convert`: their stored facts, and whether they were changed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gltf_export/gltf_file.h"

namespace reanima::tool {

/// The files of an output: itself, and the buffer and images of an existing .gltf. Empty for standard output.
[[nodiscard]] std::vector<std::filesystem::path> filesWritten(const std::filesystem::path& output);

/// The images, if they exist, of a .gltf that this program wrote.
[[nodiscard]] std::vector<std::filesystem::path> imagesWritten(const std::filesystem::path& output);

/// Facts about an output; unset if unknown.
struct OutputFacts {
    std::optional<std::size_t> clips{};
    std::optional<std::size_t> frames{};
    std::optional<std::size_t> joints{};
    std::optional<std::size_t> triangles{};
    std::optional<std::size_t> materials{};
    std::optional<std::size_t> textures{};
    std::optional<double> height{};  ///< never stored in an output
    std::size_t bytes = 0;           ///< size of all its files
};

/// The facts stored in an existing output. Of a .glb only the JSON is read.
[[nodiscard]] OutputFacts factsOfOutput(const std::filesystem::path& output);

/// True for an existing, complete glTF file or .png from another program. Of a .glb only the JSON is read.
[[nodiscard]] bool isOfOthers(const std::filesystem::path& output);

/// The state of an existing file, compared with this program's output.
enum class Condition {
    missing,     ///< it does not exist
    asWritten,   ///< it and all its parts match the hash
    incomplete,  ///< it matches the hash, but parts are missing
    edited,      ///< it has a content key, but differs from its hash
    unhashed,    ///< it has a content key, but no hash
    unmarked,    ///< it has no content key
};

struct ExistingOutput {
    Condition condition = Condition::missing;
    std::string key{};                ///< the stored content key, otherwise a hash of the bytes: see keyOfBytes()
    std::string hash{};               ///< the stored hash, otherwise a hash of the bytes: see gltf::bufferHash()
    std::filesystem::path changed{};  ///< if edited: the file, or one of its parts
    std::string beside{};             ///< the names that were looked for: see FilesBeside::names()
};

/// True for outputs that store their content key and hash.
[[nodiscard]] bool holdsMarks(const std::filesystem::path& output);

/// Examines an existing output. Reads it completely.
[[nodiscard]] ExistingOutput lookAt(const std::filesystem::path& output);

/// Refuses to replace an existing output unless it is unchanged.
/// @param reported the output's hash in a report, if the output stores none; may be empty
/// @throws UsageError
void refuseEdited(const std::filesystem::path& output, const std::string& reported);

/// Refuses to replace parts of a .gltf, except parts of the existing, unchanged .gltf and files equal to the new ones.
/// @throws UsageError
void refuseEditedParts(const std::filesystem::path& output, const gltf::GltfFile& file);

/// The note in a .png: content key and hash.
/// @param key may be followed by a blank and further words
[[nodiscard]] std::string pngNote(const std::string& key, const std::string& hash);

}  // namespace reanima::tool
