#include <algorithm>
#include <optional>

#include <zlib.h>

#include "fuzz/mutators.h"

namespace reanima::fuzz {

namespace {

constexpr std::size_t kSignature = 8;
constexpr std::size_t kTypeSize = 4;
constexpr std::size_t kLargestUnpacked = 1U << 12U;

/// The chunks of a file: type and content.
std::vector<core::ByteVector> chunksOf(core::Bytes file) {
    std::vector<core::ByteVector> chunks;
    try {
        core::BigEndianReader reader(file);
        (void)reader.bytes(kSignature, "signature");
        while (!reader.atEnd()) {
            const auto length = reader.read<std::uint32_t>("length");
            chunks.push_back(core::copyOf(reader.bytes(std::uint64_t{length} + kTypeSize, "chunk")));
            (void)reader.bytesUpTo(sizeof(std::uint32_t));
        }
    } catch (const core::DecodeError&) {  // only those before the damage
    }
    return chunks;
}

void append(core::ByteVector& file, std::uint32_t word) {
    for (const unsigned shift : {24U, 16U, 8U, 0U})
        file.push_back(static_cast<std::uint8_t>(word >> shift));
}

std::optional<core::ByteVector> unpacked(core::Bytes content) {
    core::ByteVector plain(kLargestUnpacked);
    uLongf size = plain.size();
    if (uncompress(plain.data(), &size, content.data(), content.size()) != Z_OK)
        return std::nullopt;
    plain.resize(size);
    return plain;
}

core::ByteVector packed(core::Bytes plain) {
    core::ByteVector content(compressBound(plain.size()));
    uLongf size = content.size();
    compress2(content.data(), &size, plain.data(), plain.size(), Z_BEST_SPEED);
    content.resize(size);
    return content;
}

void changeContent(core::ByteVector& chunk, std::size_t most, Random& random) {
    const core::Bytes content = core::Bytes(chunk).subspan(kTypeSize);
    const std::optional<core::ByteVector> plain = oneIn(2, random) ? unpacked(content) : std::nullopt;
    const core::ByteVector changed =
        plain ? packed(mutatedBytes(*plain, kLargestUnpacked)) : mutatedBytes(content, most);
    chunk.resize(kTypeSize);
    chunk.insert(chunk.end(), changed.begin(), changed.end());
}

void changeChunks(std::vector<core::ByteVector>& chunks, std::size_t most, Random& random) {
    const std::size_t at = below(chunks.size(), random);
    const std::size_t other = below(chunks.size(), random);
    switch (below(8, random)) {
        case 0:
            chunks.erase(chunks.begin() + static_cast<std::ptrdiff_t>(at));
            break;
        case 1:
            chunks.insert(chunks.begin() + static_cast<std::ptrdiff_t>(other), core::ByteVector(chunks[at]));
            break;
        case 2:
            chunks[at].swap(chunks[other]);
            break;
        default:
            changeContent(chunks[at], most, random);
    }
}

}  // namespace

core::ByteVector mutatedPng(core::Bytes file, std::size_t most, Random& random) {
    std::vector<core::ByteVector> chunks = chunksOf(file);
    if (chunks.empty() || oneIn(16, random))
        return mutatedBytes(file, most);
    for (std::size_t left = numberOfChanges(random); left > 0 && !chunks.empty(); --left)
        changeChunks(chunks, most, random);
    core::ByteVector changed(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(kSignature));
    for (const core::ByteVector& chunk : chunks) {
        append(changed, static_cast<std::uint32_t>(chunk.size() - kTypeSize));
        changed.insert(changed.end(), chunk.begin(), chunk.end());
        append(changed, static_cast<std::uint32_t>(crc32(0, chunk.data(), static_cast<uInt>(chunk.size()))));
    }
    return changed.size() > most ? mutatedBytes(file, most) : changed;
}

}  // namespace reanima::fuzz
