#include "gltf_export/glb_chunks.h"

#include <limits>
#include <stdexcept>

#include "core/byte_reader.h"
#include "core/byte_writer.h"

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

core::ByteVector makeGlb(std::string_view json, core::Bytes data, core::Bytes furtherChunks) {
    const auto padded = [](std::uint64_t size) { return (size + 3) / 4 * 4; };
    const std::uint64_t total =
        kGlbHeader + kChunkHeader + padded(json.size()) + kChunkHeader + padded(data.size()) + furtherChunks.size();
    if (total > std::numeric_limits<std::uint32_t>::max())
        throw std::invalid_argument("the file would have 4 GiB or more: convert fewer clips at once");
    core::LittleEndianWriter glb;
    glb.reserve(total);
    glb.write(kGlbMagic);
    glb.write(kGlbVersion);
    glb.write(static_cast<std::uint32_t>(total));
    glb.write(static_cast<std::uint32_t>(padded(json.size())));
    glb.write(kJsonChunk);
    glb.write(core::Bytes(reinterpret_cast<const std::uint8_t*>(json.data()), json.size()));  // NOLINT: text is bytes
    for (std::uint64_t size = json.size(); size < padded(json.size()); ++size)
        glb.write(static_cast<std::uint8_t>(' '));
    glb.write(static_cast<std::uint32_t>(padded(data.size())));
    glb.write(kBinChunk);
    glb.write(data);
    glb.pad(4);
    glb.write(furtherChunks);
    return glb.take();
}

}  // namespace reanima::gltf
