/// tinygltf models as JSON text.
#pragma once

#include <string>

#include <tiny_gltf.h>

namespace reanima::gltf {

/// The model as text, with its one buffer described by `buffer`; the model loses its buffers.
///
/// tinygltf writes the JSON; the buffer stays with us: it would be copied twice, and errors of the stream be ignored.
[[nodiscard]] std::string jsonOf(tinygltf::Model& model, const std::string& buffer, bool pretty);

}  // namespace reanima::gltf
