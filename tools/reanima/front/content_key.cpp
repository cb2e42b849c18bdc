#include "tools/reanima/front/content_key.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace reanima::tool {

struct ContentKey::State {
    XXH3_state_t hash;
};

ContentKey::ContentKey() : state_(std::make_unique<State>()) {
    XXH3_128bits_reset(&state_->hash);
    add(std::string_view("reanima " REANIMA_VERSION));
}

ContentKey::~ContentKey() = default;

void ContentKey::add(core::Bytes bytes) {
    const std::uint64_t size = bytes.size();  // separates the parts: "ab", "c" differs from "a", "bc"
    XXH3_128bits_update(&state_->hash, &size, sizeof size);
    XXH3_128bits_update(&state_->hash, bytes.data(), bytes.size());
}

void ContentKey::add(std::string_view text) {
    add(core::Bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));  // NOLINT: bytes are bytes
}

void ContentKey::add(const File& file) {
    add(file.name);
    add(core::Bytes(file.bytes));
}

namespace {

std::string digitsOf(const XXH128_hash_t& hash) { return fmt::format("{:016x}{:016x}", hash.high64, hash.low64); }

}  // namespace

std::string ContentKey::text() const { return digitsOf(XXH3_128bits_digest(&state_->hash)); }

std::string keyOfBytes(core::Bytes bytes) { return digitsOf(XXH3_128bits(bytes.data(), bytes.size())); }

}  // namespace reanima::tool
