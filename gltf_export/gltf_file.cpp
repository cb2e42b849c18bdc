#include "gltf_export/gltf_file.h"

#include <sstream>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "gltf_export/extras.h"
#include "gltf_export/glb_chunks.h"
#include "gltf_export/gltf_builder.h"

namespace reanima::gltf {

namespace {

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
    std::size_t kept = 0;  // text before it is done
    std::string result;
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, kept)) {
        result.append(text, kept, at - kept).append(to);
        kept = at + from.size();
    }
    if (kept > 0)
        text = result.append(text, kept, std::string::npos);
}

/// The model as text, with its one buffer described by `buffer`.
///
/// tinygltf writes the JSON; the buffer stays with us: it would be copied twice, and errors of the stream be ignored.
std::string jsonOf(tinygltf::Model& model, const std::string& buffer, bool pretty) {
    model.buffers.clear();
    std::ostringstream stream;
    tinygltf::TinyGLTF writer;
    if (!writer.WriteGltfSceneToStream(&model, stream, pretty, /*writeBinary=*/false))
        throw std::runtime_error("tinygltf could not write the model");
    std::string json = std::move(stream).str();
    replaceAll(json, kEmptyListInJson, "[]");
    replaceAll(json, kNullInJson, "null");
    json.resize(json.rfind('}'));
    while (!json.empty() && (json.back() == '\n' || json.back() == ' '))
        json.pop_back();
    return json + (pretty ? ",\n  \"buffers\": [" : ",\"buffers\":[") + buffer + (pretty ? "]\n}\n" : "]}");
}

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
