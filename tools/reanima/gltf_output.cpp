#include "tools/reanima/gltf_output.h"

#include <fstream>

#include <nlohmann/json.hpp>

#include "gltf_export/glb_chunks.h"
#include "importers/json.h"
#include "tools/reanima/files.h"
#include "tools/reanima/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

bool isTextGltf(const fs::path& output) { return lowerCase(toUtf8(output.extension())) == ".gltf"; }

std::vector<fs::path> filesOf(const fs::path& output) {
    if (output.empty() || output == kStandardStream)
        return {};
    if (isTextGltf(output))
        return {output, fs::path(output).replace_extension(".bin")};
    return {output};
}

std::size_t writeAsset(const fs::path& output, const core::Asset& asset, const gltf::GltfOptions& options) {
    if (!isTextGltf(output)) {
        const core::ByteVector glb = gltf::writeGlb(asset, options);
        writeOutput(output, glb);
        return glb.size();
    }
    const fs::path bufferName = filesOf(output).back();
    const gltf::GltfPair pair = gltf::writeGltf(asset, options, toUtf8(bufferName.filename()));
    OutputFile buffer(bufferName);
    buffer.append(pair.buffer);
    OutputFile text(output);
    text.append(pair.json);
    text.withdraw();  // no text ever stands beside a buffer that is not its own
    buffer.commit();
    text.commit();
    return pair.json.size() + pair.buffer.size();
}

namespace {

std::string readText(std::ifstream& in, std::uintmax_t size) {
    std::string text(static_cast<std::size_t>(size), '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    return in ? text : std::string();
}

/// The JSON of a binary file; empty if it is none or is cut.
std::string jsonOfGlb(std::ifstream& in, std::uintmax_t fileSize) {
    core::ByteVector header(gltf::kGlbHeader + gltf::kChunkHeader);
    in.read(reinterpret_cast<char*>(header.data()), static_cast<std::streamsize>(header.size()));  // NOLINT: bytes
    const std::optional<std::uint32_t> size = in ? gltf::jsonSizeOf(header, fileSize) : std::nullopt;
    return size ? readText(in, *size) : std::string();
}

bool hasItsBuffer(const fs::path& output, const std::string& text) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(filesOf(output).back(), error);
    const Json json = Json::parse(text, nullptr, false);
    const Json::json_pointer length("/buffers/0/byteLength");
    return !error && json.contains(length) && json.at(length) == size;
}

}  // namespace

bool isMadeFrom(const fs::path& output, const std::string& key) {
    std::error_code error;
    if (!fs::is_regular_file(output, error))
        return false;
    const std::uintmax_t size = fs::file_size(output, error);
    std::ifstream in(output, std::ios::binary);
    if (error || !in)
        return false;
    const std::string json = isTextGltf(output) ? readText(in, size) : jsonOfGlb(in, size);
    return json.find('"' + key + '"') != std::string::npos && (!isTextGltf(output) || hasItsBuffer(output, json));
}

}  // namespace reanima::tool
