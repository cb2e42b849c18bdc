#include "gltf_export/glb_chunks.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "core/byte_reader.h"
#include "core/byte_writer.h"
#include "core/text.h"

namespace reanima::gltf {

std::optional<std::uint32_t> jsonSizeOf(core::Bytes headers, std::uint64_t fileSize) {
    if (headers.size() < kGlbHeader + kChunkHeader)
        return std::nullopt;
    core::LittleEndianReader words(headers);
    const bool isWhole = words.read<std::uint32_t>("magic") == kGlbMagic &&
                         words.read<std::uint32_t>("version") == kGlbVersion &&
                         words.read<std::uint32_t>("length") == fileSize;
    const std::uint32_t size = words.read<std::uint32_t>("chunks[0].size");
    const bool isJson = words.read<std::uint32_t>("chunks[0].type") == kJsonChunk;
    return isWhole && isJson && kGlbHeader + kChunkHeader + size <= fileSize ? std::optional(size) : std::nullopt;
}

ByteBlocks makeGlb(ByteBlocks json, ByteBlocks data, core::Bytes furtherChunks) {
    json.pad(' ');
    data.pad('\0');
    const std::uint64_t total =
        kGlbHeader + kChunkHeader + json.size() + kChunkHeader + data.size() + furtherChunks.size();
    if (total > std::numeric_limits<std::uint32_t>::max())
        throw std::invalid_argument("the file would have 4 GiB or more. Convert fewer clips at once");
    ByteBlocks glb;
    const auto addWords = [&glb](std::initializer_list<std::uint64_t> words) {
        core::LittleEndianWriter bytes;
        bytes.reserve(words.size() * sizeof(std::uint32_t));
        for (const std::uint64_t word : words)
            bytes.write(static_cast<std::uint32_t>(word));
        glb.append(core::Bytes(bytes.take()));
    };
    addWords({kGlbMagic, kGlbVersion, total, json.size(), kJsonChunk});
    glb.append(std::move(json));
    addWords({data.size(), kBinChunk});
    glb.append(std::move(data));
    glb.refer(furtherChunks);
    return glb;
}

core::ByteVector makeGlb(std::string_view json, core::Bytes data, core::Bytes furtherChunks) {
    ByteBlocks jsonBlocks;
    jsonBlocks.append(json);
    ByteBlocks dataBlocks;
    dataBlocks.append(data);
    return makeGlb(std::move(jsonBlocks), std::move(dataBlocks), furtherChunks).joined();
}

bool isGltf(core::Bytes bytes, std::string_view name) {
    const auto first = std::find_if(bytes.begin(), bytes.end(),
                                    [](std::uint8_t c) { return c != ' ' && c != '\t' && c != '\r' && c != '\n'; });
    const std::string extension = core::extensionOf(name);
    if (isGlb(bytes) || extension == "gltf" || extension == "glb")
        return true;
    constexpr std::string_view kAsset = "\"asset\"";  // the member that every glTF file has
    return first != bytes.end() && *first == '{' &&
           std::search(first, bytes.end(), kAsset.begin(), kAsset.end()) != bytes.end();
}

}  // namespace reanima::gltf
