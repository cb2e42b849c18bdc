#include "gltf_export/own_hash.h"

#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <xxhash.h>

#include "gltf_export/gltf_file.h"

namespace reanima::gltf {

namespace {

core::Bytes bytesOfText(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};  // NOLINT: text is bytes
}

std::string hashText(XXH64_hash_t hash) { return fmt::format("xxh3-{:016x}", hash); }

}  // namespace

std::string bufferHash(core::Bytes buffer) { return hashText(XXH3_64bits(buffer.data(), buffer.size())); }

struct PartsHash::State {
    XXH3_state_t hash;
};

PartsHash::PartsHash() : state_(std::make_unique<State>()) { XXH3_64bits_reset(&state_->hash); }

PartsHash::~PartsHash() = default;

void PartsHash::add(core::Bytes bytes) { XXH3_64bits_update(&state_->hash, bytes.data(), bytes.size()); }

void PartsHash::add(std::string_view text) { add(bytesOfText(text)); }

std::string PartsHash::text() const { return hashText(XXH3_64bits_digest(&state_->hash)); }

std::string hashToCome(std::string_view contentKey) { return bufferHash(bytesOfText(contentKey)); }

namespace {

/// The position of a JSON string in a file, without its quotes. The string may cross parts.
std::optional<std::uint64_t> placeOf(const ByteBlocks& file, std::string_view text) {
    const std::string quoted = fmt::format("\"{}\"", text);
    std::optional<std::uint64_t> found;
    std::uint64_t at = 0;
    std::size_t matched = 0;
    file.visit([&](core::Bytes part) {
        for (auto byte = part.begin(); byte != part.end() && !found; ++byte, ++at) {
            const auto c = static_cast<char>(*byte);
            // The first character does not occur again inside the string, so a failed match contains no start of
            // another match.
            matched = c == quoted[matched] ? matched + 1 : c == quoted.front() ? 1 : 0;
            if (matched == quoted.size())
                found = at - text.size();
        }
    });
    return found;
}

}  // namespace

std::string hashItself(ByteBlocks& file, std::string_view contentKey) {
    const std::optional<std::uint64_t> place =
        contentKey.empty() ? std::nullopt : placeOf(file, hashToCome(contentKey));
    if (!place)
        return {};
    file.overwrite(*place, kBlankHash);
    PartsHash hash;
    file.visit([&hash](core::Bytes part) { hash.add(part); });
    std::string text = hash.text();
    file.overwrite(*place, text);
    return text;
}

namespace {

std::optional<TextRange> valueOf(std::string_view json, const TextRange& object, std::string_view key) {
    const std::vector<JsonMember> members = membersOf(json, object);
    const JsonMember* member = memberNamed(members, key);
    return member != nullptr ? std::optional(member->value) : std::nullopt;
}

/// The default scene.
std::optional<TextRange> sceneIn(std::string_view json) {
    const std::vector<JsonMember> members = membersOf(json, wholeValue(json));
    const JsonMember* scenes = memberNamed(members, "scenes");
    if (scenes == nullptr)
        return std::nullopt;
    const std::vector<TextRange> list = elementsOf(json, scenes->value);
    std::size_t chosen = 0;
    if (const JsonMember* scene = memberNamed(members, "scene")) {
        const std::string_view number = scene->value.in(json);
        std::from_chars(number.data(), number.data() + number.size(), chosen);
    }
    return chosen < list.size() ? std::optional(list[chosen]) : std::nullopt;
}

std::optional<TextRange> stringIn(std::string_view json, const TextRange& object, std::string_view key) {
    const std::optional<TextRange> value = valueOf(json, object, key);
    if (!value || value->end - value->begin < 2 || json[value->begin] != '"')
        return std::nullopt;
    return TextRange{value->begin + 1, value->end - 1};
}

}  // namespace

OwnMarks ownMarksIn(std::string_view json) {
    try {
        const std::optional<TextRange> scene = sceneIn(json);
        const auto extras = scene ? valueOf(json, *scene, "extras") : std::nullopt;
        const auto ours = extras ? valueOf(json, *extras, "reanima") : std::nullopt;
        if (ours)
            return {stringIn(json, *ours, "key"), stringIn(json, *ours, "hash")};
    } catch (const nlohmann::json::exception&) {  // NOLINT: it is not JSON
    }
    return {};
}

}  // namespace reanima::gltf
