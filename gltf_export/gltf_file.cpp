#include "gltf_export/gltf_file.h"

#include <string_view>

#include <fmt/format.h>

#include "gltf_export/glb_chunks.h"
#include "gltf_export/gltf_builder.h"
#include "gltf_export/model_text.h"

namespace reanima::gltf {

namespace {

/// A file name as a URI reference.
std::string percentEncoded(std::string_view name) {
    constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    std::string uri;
    for (const char c : name)
        uri += kPlain.find(c) != std::string_view::npos ? std::string(1, c)
                                                        : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    return uri;
}

}  // namespace

core::ByteVector writeGlb(const core::Asset& asset, const GltfOptions& options) {
    tinygltf::Model model = buildModel(asset, options);
    const std::vector<unsigned char> data = std::move(model.buffers.front().data);
    const std::string json = jsonOf(model, fmt::format("{{\"byteLength\":{}}}", data.size()), false);
    return makeGlb(json, data);
}

GltfPair writeGltf(const core::Asset& asset, const GltfOptions& options, const std::string& bufferName) {
    tinygltf::Model model = buildModel(asset, options);
    GltfPair pair;
    pair.buffer = std::move(model.buffers.front().data);
    pair.json = jsonOf(
        model, fmt::format("{{\"byteLength\": {}, \"uri\": \"{}\"}}", pair.buffer.size(), percentEncoded(bufferName)),
        true);
    return pair;
}

}  // namespace reanima::gltf
