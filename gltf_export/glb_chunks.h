/// The chunks of .glb files.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "byte_blocks.h"
#include "core/bytes.h"

namespace reanima::gltf {

inline constexpr std::uint32_t kGlbMagic = 0x46546C67;  // "glTF"
inline constexpr std::uint32_t kGlbVersion = 2;
inline constexpr std::uint32_t kJsonChunk = 0x4E4F534A;  // "JSON"
inline constexpr std::uint32_t kBinChunk = 0x004E4942;   // "BIN"
inline constexpr std::uint64_t kGlbHeader = 12;          // bytes
inline constexpr std::uint64_t kChunkHeader = 8;         // bytes

/// True if the bytes begin like a .glb.
[[nodiscard]] inline bool isGlb(core::Bytes bytes) {
    constexpr std::array<std::uint8_t, 4> kMagicBytes = {'g', 'l', 'T', 'F'};
    return bytes.size() >= kMagicBytes.size() && std::equal(kMagicBytes.begin(), kMagicBytes.end(), bytes.begin());
}

/// The size of the JSON after the two headers of a .glb. Empty if the headers contradict the size of the whole file.
[[nodiscard]] std::optional<std::uint32_t> jsonSizeOf(core::Bytes headers, std::uint64_t fileSize);

/// A .glb: padded chunks of JSON and data. Further chunks must be complete; the result only refers to their bytes.
/// @throws std::invalid_argument if it would have 4 GiB or more
[[nodiscard]] ByteBlocks makeGlb(ByteBlocks json, ByteBlocks data, core::Bytes furtherChunks = {});
/// Like makeGlb() above, with contiguous bytes.
[[nodiscard]] core::ByteVector makeGlb(std::string_view json, core::Bytes data, core::Bytes furtherChunks = {});

/// True for a .glb or .gltf, by its content, otherwise by its name.
[[nodiscard]] bool isGltf(core::Bytes bytes, std::string_view name);

}  // namespace reanima::gltf
