#include "tools/reanima/gltf_output.h"

#include <array>
#include <fstream>

#include <nlohmann/json.hpp>

#include "importers/json.h"
#include "tools/reanima/files.h"
#include "tools/reanima/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;
using nlohmann::literals::operator""_json_pointer;

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
    constexpr std::size_t kHeader = 20;  // magic, version, length; length and type of the JSON chunk
    std::array<std::uint8_t, kHeader> header{};
    in.read(reinterpret_cast<char*>(header.data()), header.size());  // NOLINT: bytes are bytes
    const auto word = [&header](std::size_t at) {
        return static_cast<std::uint32_t>(header.at(at) | header.at(at + 1) << 8U | header.at(at + 2) << 16U) |
               static_cast<std::uint32_t>(header.at(at + 3)) << 24U;
    };
    constexpr std::uint32_t kMagic = 0x46546C67;  // "glTF"
    const bool whole = in && word(0) == kMagic && word(8) == fileSize && kHeader + word(12) <= fileSize;
    return whole ? readText(in, word(12)) : std::string();
}

bool hasItsBuffer(const fs::path& output, const std::string& text) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(filesOf(output).back(), error);
    const Json json = Json::parse(text, nullptr, false);
    return !error && json.value("/buffers/0/byteLength"_json_pointer, std::uintmax_t{0}) == size;
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
