#include "gltf_export/model_text.h"

#include <sstream>
#include <stdexcept>
#include <string_view>

#include "gltf_export/extras.h"

namespace reanima::gltf {

namespace {

/// `"\u0001null"` becomes `null`: what is spelled out loses its quotes and its mark.
std::string withSpelledOut(const std::string& json) {
    std::string result;
    result.reserve(json.size());
    std::size_t kept = 0;  // text before it is done
    for (std::size_t mark = json.find(kSpelledOutInJson); mark != std::string::npos;
         mark = json.find(kSpelledOutInJson, kept)) {
        const std::size_t begin = mark + kSpelledOutInJson.size();
        const std::size_t end = json.find('"', begin);
        result.append(json, kept, mark - 1 - kept).append(json, begin, end - begin);
        kept = end + 1;
    }
    return result.append(json, kept, std::string::npos);
}

}  // namespace

std::string jsonOf(tinygltf::Model& model, const std::string& buffer, bool pretty) {
    model.buffers.clear();
    std::ostringstream stream;
    tinygltf::TinyGLTF writer;
    if (!writer.WriteGltfSceneToStream(&model, stream, pretty, /*writeBinary=*/false))
        throw std::runtime_error("tinygltf could not write the model");
    std::string json = withSpelledOut(std::move(stream).str());
    json.resize(json.rfind('}'));
    while (!json.empty() && (json.back() == '\n' || json.back() == ' '))
        json.pop_back();
    return json + (pretty ? ",\n  \"buffers\": [" : ",\"buffers\":[") + buffer + (pretty ? "]\n}\n" : "]}");
}

}  // namespace reanima::gltf
