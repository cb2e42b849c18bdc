#include "gltf_export/model_text.h"

#include <sstream>
#include <stdexcept>
#include <string_view>

#include "gltf_export/extras.h"

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

}  // namespace

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

}  // namespace reanima::gltf
