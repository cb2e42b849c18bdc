/// The kinds of files that `convert` writes.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "pipeline/pipeline.h"

namespace reanima::tool {

/// A file with one clip.
struct ClipFile {
    core::ByteVector bytes;
    std::string key;   ///< the stored content key, otherwise a hash of the bytes: see keyOfBytes()
    std::string hash;  ///< the stored hash, otherwise a hash of the bytes: see gltf::bufferHash()
};

/// Makes the file of a clip. @throws core::DecodeError of the kind `limit`
using ClipWriter = std::function<ClipFile(const core::Clip& clip, const core::Limits& limits)>;

/// The content for files with one clip each. It must outlive its writer.
struct ClipsToWrite {
    const core::Asset& asset;
    const std::optional<StandingPose>& standing;  ///< with Settings::Body::tPose
    std::string contentKey;                       ///< for files that store it
};

/// A row of the table of outputs.
struct OutputForm {
    /// The place of a file's content key and hash.
    enum class Key { ofBytes, inGlb, inGltf, inPng };
    /// What a form is for. --as only accepts scenes. Scenes may consist of nothing but clips.
    enum class Content { scene, avatar, picture, nothing };

    std::string_view ending;  ///< ending of its files, in lower case
    std::string_view note;    ///< for the help: what else it needs or contains
    Key key = Key::inGlb;
    Content content = Content::scene;
    Settings::Body body = Settings::Body::asset;  ///< the result of applySettings() for this form
    /// Makes a writer of files with one clip each, without meshes. Null: one file contains everything.
    /// @param diagnostics receives warnings about content that such files can't store
    ClipWriter (*clipWriter)(const ClipsToWrite& from, core::Diagnostics& diagnostics) = nullptr;
    /// The path where the game looks for a clip's file, without its ending. Empty: the clip's name is used.
    /// @param model the game's name of the model that clips were bound to; may be empty
    std::filesystem::path (*place)(const core::Asset& asset, const core::Clip& clip,
                                   const std::string& model) = nullptr;

    [[nodiscard]] bool holdsMotion() const { return content == Content::scene || content == Content::avatar; }
    /// True for text files with one clip each.
    [[nodiscard]] bool isText() const { return clipWriter != nullptr && key == Key::ofBytes; }
};

/// The form of a file, by its ending. For an unknown ending: a form without ending, content and key.
[[nodiscard]] const OutputForm& formOf(const std::filesystem::path& file);

/// Values of --as.
[[nodiscard]] std::span<const std::string_view> outputForms();

/// The form of an output.
/// @param as value of --as; empty: by the output's extension
/// @param output value of -o: a file, a folder or `-`; may be empty
[[nodiscard]] const OutputForm& outputFormOf(const std::string& as = {}, const std::string& output = {});

/// `X.glb, X.gltf (with X.bin), ...`: all forms that contain motion, for the help.
[[nodiscard]] std::string formsInWords();

/// `.glb, .gltf or .bvh`: possible endings of output names.
/// @param as value of --as, or empty
[[nodiscard]] std::string endingsOf(const std::string& as);

}  // namespace reanima::tool
