/// The kinds of files that `convert` writes.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace reanima::tool {

/// Values of --as: extensions of outputs.
inline constexpr std::array<std::string_view, 5> kOutputForms = {"glb", "gltf", "bvh", "vrma", "anim"};

/// True for a form with one clip per file, without meshes.
[[nodiscard]] bool holdsOneClip(std::string_view form);

/// The form of an output.
/// @param as value of --as; empty: by the output's extension
/// @param output value of -o: a file, a folder or `-`; may be empty
[[nodiscard]] std::string outputFormOf(const std::string& as, const std::string& output);

/// `.glb, .gltf or .bvh`: possible endings of output names.
/// @param as value of --as, or empty
[[nodiscard]] std::string endingsOf(const std::string& as);

}  // namespace reanima::tool
