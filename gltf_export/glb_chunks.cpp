#include "gltf_export/glb_chunks.h"

#include <limits>
#include <stdexcept>

#include "core/byte_writer.h"

namespace reanima::gltf {

core::ByteVector makeGlb(std::string_view json, core::Bytes data, core::Bytes furtherChunks) {
    const auto padded = [](std::uint64_t size) { return (size + 3) / 4 * 4; };
    const std::uint64_t total =
        kGlbHeader + kChunkHeader + padded(json.size()) + kChunkHeader + padded(data.size()) + furtherChunks.size();
    if (total > std::numeric_limits<std::uint32_t>::max())
        throw std::invalid_argument("the file would have 4 GiB or more: convert fewer clips at once");
    core::LittleEndianWriter glb;
    glb.reserve(total);
    glb.write(kGlbMagic);
    glb.write(std::uint32_t{2});
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
