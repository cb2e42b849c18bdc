/// Which kinds of files `convert` writes.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace reanima::tool {

/// What --as takes: extensions of outputs, and what they hold.
inline constexpr std::array<std::string_view, 5> kOutputForms = {"glb", "gltf", "bvh", "vrma", "anim"};

/// True for a form whose files hold one clip each, without meshes.
[[nodiscard]] bool holdsOneClip(std::string_view form);

/// The form of an output.
/// @param as what --as says; empty: the output's extension does
/// @param output as -o says it: a file, a folder or `-`; may be empty
[[nodiscard]] std::string outputFormOf(const std::string& as, const std::string& output);

/// `.glb, .gltf or .bvh`: how names of outputs may end.
/// @param as what --as says, or empty
[[nodiscard]] std::string endingsOf(const std::string& as);

}  // namespace reanima::tool
