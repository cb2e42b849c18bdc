#include "gltf_export/gltf_file.h"

#include <fmt/format.h>

#include "core/memory.h"
#include "gltf_export/glb_chunks.h"
#include "gltf_export/gltf_builder.h"
#include "gltf_export/model_text.h"

namespace reanima::gltf {

std::string percentEncoded(std::string_view name) {
    constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    std::string uri;
    for (const char c : name)
        uri += kPlain.find(c) != std::string_view::npos ? std::string(1, c)
                                                        : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    return uri;
}

namespace {

ByteBlocks blocksOf(core::ByteVector&& bytes) {
    ByteBlocks blocks;
    blocks.append(std::move(bytes));
    return blocks;
}

}  // namespace

GltfFile makeGlbFile(const core::Asset& asset, const GltfOptions& options, const core::Limits& limits) {
    GltfParts parts = buildGltf(asset, options, {}, limits);
    return {makeGlb(std::move(parts.json), blocksOf(std::move(parts.data))), {}, {}, parts.rotationError};
}

GltfFile makeGltfFile(const core::Asset& asset, const GltfOptions& options, const std::string& bufferName,
                      const core::Limits& limits) {
    GltfParts parts = buildGltf(asset, options, bufferName, limits);
    std::uint64_t held = core::memoryOf(asset) + parts.data.size();
    for (const ImageFile& image : parts.images)
        held += image.bytes.size();
    return {indented(std::move(parts.json), limits.holding(held)), blocksOf(std::move(parts.data)),
            std::move(parts.images), parts.rotationError};
}

core::ByteVector writeGlb(const core::Asset& asset, const GltfOptions& options, const core::Limits& limits) {
    return makeGlbFile(asset, options, limits).bytes.joined();
}

GltfPair writeGltf(const core::Asset& asset, const GltfOptions& options, const std::string& bufferName,
                   const core::Limits& limits) {
    GltfFile file = makeGltfFile(asset, options, bufferName, limits);
    GltfPair pair;
    file.bytes.drain([&pair](core::Bytes part) { pair.json.append(part.begin(), part.end()); });
    pair.buffer = std::move(file.buffer).joined();
    pair.images = std::move(file.images);
    return pair;
}

}  // namespace reanima::gltf
