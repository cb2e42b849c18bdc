#include "gltf_export/gltf_file.h"

#include <fmt/format.h>

#include "core/memory.h"
#include "gltf_export/glb_chunks.h"
#include "gltf_export/gltf_builder.h"
#include "gltf_export/model_text.h"
#include "gltf_export/own_hash.h"

namespace reanima::gltf {

std::string percentEncoded(std::string_view name) {
    constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    std::string uri;
    for (const char c : name)
        uri += kPlain.find(c) != std::string_view::npos ? std::string(1, c)
                                                        : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    return uri;
}

std::string percentDecoded(std::string_view uri) {
    std::string path;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        const auto digit = [&](std::size_t k) {
            constexpr std::string_view kDigits = "0123456789abcdef0123456789ABCDEF";
            const std::size_t found = i + k < uri.size() ? kDigits.find(uri[i + k]) : std::string_view::npos;
            return found == std::string_view::npos ? -1 : static_cast<int>(found % 16);
        };
        if (uri[i] == '%' && digit(1) >= 0 && digit(2) >= 0) {
            path += static_cast<char>(digit(1) * 16 + digit(2));
            i += 2;
        } else {
            path += uri[i];
        }
    }
    return path;
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
    ByteBlocks bytes = makeGlb(std::move(parts.json), blocksOf(std::move(parts.data)));
    std::string hash = hashItself(bytes, options.contentKey);
    return {std::move(bytes), {}, {}, parts.rotationError, std::move(hash)};
}

GltfFile makeGltfFile(const core::Asset& asset, const GltfOptions& options, const std::string& bufferName,
                      const core::Limits& limits) {
    GltfParts parts = buildGltf(asset, options, bufferName, limits);
    std::uint64_t held = core::memoryOf(asset) + parts.data.size();
    for (const ImageFile& image : parts.images)
        held += image.bytes.size();
    ByteBlocks text = indented(std::move(parts.json), limits.holding(held));
    std::string hash = hashItself(text, options.contentKey);
    return {std::move(text), blocksOf(std::move(parts.data)), std::move(parts.images), parts.rotationError,
            std::move(hash)};
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
