/// Files of Final Fantasy VII that are read but not converted: packed fields, action scripts, scenes.

#include <algorithm>
#include <array>
#include <set>

#include "core/decode_error.h"
#include "core/text.h"
#include "formats/ff7/action_scripts.h"
#include "formats/ff7/battle_names.h"
#include "formats/ff7/field_models.h"
#include "formats/ff7/scene_names.h"
#include "formats/lzs.h"
#include "fuzz/targets.h"

namespace reanima::fuzz {

namespace {

void put(core::ByteVector& bytes, std::uint32_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i)
        bytes.push_back(static_cast<std::uint8_t>(value >> 8 * i));
}

// ---------------------------------------------------------------------------------------------------------------------
// The packing of fields

/// Unpacks like the game: a ring of 4096 zeros that is written from 0xFEE on.
core::ByteVector unpackedByRing(core::Bytes packed) {
    constexpr std::size_t kRing = 4096;
    std::array<std::uint8_t, kRing> ring{};
    std::size_t at = 0xFEE;
    core::ByteVector out;
    const auto write = [&](std::uint8_t byte) {
        out.push_back(byte);
        ring.at(at) = byte;
        at = (at + 1) % kRing;
    };
    std::size_t next = 0;
    while (next < packed.size()) {
        unsigned control = packed[next++];
        for (int item = 0; item < 8 && next < packed.size(); ++item, control /= 2) {
            if (control % 2 == 1) {
                write(packed[next++]);
                continue;
            }
            if (next + 1 == packed.size())
                return out;
            std::size_t from = packed[next] + packed[next + 1] / 16 * std::size_t{256};
            for (int left = packed[next + 1] % 16 + 3; left > 0; --left, from = (from + 1) % kRing)
                write(ring.at(from));
            next += 2;
        }
    }
    return out;
}

void unpack(core::Bytes packed) {
    const core::ByteVector all = unpackLzs(packed, packed.size() * kLzsRatio);
    require(all == unpackedByRing(packed), "the packing differs from the game's ring");
    const std::uint64_t most = hashOf(packed) % (all.size() + 1);
    const core::ByteVector some = unpackLzs(packed, most);
    require(some.size() == most && std::equal(some.begin(), some.end(), all.begin()), "not the beginning is unpacked");
}

// ---------------------------------------------------------------------------------------------------------------------
// Fields

/// A file with these bytes and no references.
core::ByteVector packedAsItIs(core::Bytes bytes) {
    constexpr std::size_t kGroup = 8;
    core::ByteVector packed;
    put(packed, static_cast<std::uint32_t>(bytes.size() + (bytes.size() + kGroup - 1) / kGroup), 4);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i % kGroup == 0)
            packed.push_back(0xFF);
        packed.push_back(bytes[i]);
    }
    return packed;
}

void checkField(core::Bytes file) {
    const auto models = ff7::fieldModels(file);
    const auto links = ff7::readFieldLinks([&](const auto& use) { use("field", file); }, smallLimits());
    require(models.has_value() || links.empty(), "a field that can't be read links animations");
    if (!models)
        return;
    for (const ff7::FieldModel& model : *models) {
        const auto linked = links.find(model.skeleton);
        require(linked != links.end(), "a skeleton is lost");
        for (const std::string& animation : model.animations)
            require(std::ranges::count(linked->second.animations, animation, &LinkedAnimation::file) == 1,
                    "an animation is lost, or linked twice");
    }
}

/// Reads the input as a field, and also as the unpacked content of a field.
void readField(core::Bytes bytes) {
    try {
        checkField(bytes);
        checkField(packedAsItIs(bytes));
    } catch (const core::DecodeError& error) {
        require(error.kind() == core::DecodeError::Kind::limit, "a damaged field is an error");
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Action scripts

void readScripts(core::Bytes bytes) {
    constexpr std::uint32_t kKinds = 4;
    const ff7::ActionScripts scripts = ff7::readActionScripts(bytes);
    for (const std::vector<std::uint8_t>& clips : scripts)
        require(clips.size() <= bytes.size(), "a script plays more clips than it has bytes");
    for (std::uint32_t kind = 0; kind < kKinds; ++kind)
        for (const std::string_view file : {"aada", "rtda", "rsda", "ogda"}) {
            std::set<std::string> names;
            for (const auto& [clip, name] : ff7::clipNamesOf(file, kind, scripts))
                require(!name.empty() && names.insert(name).second, "two clips are called the same");
        }
}

// ---------------------------------------------------------------------------------------------------------------------
// Scenes

std::uint32_t checksum(core::Bytes bytes) {
    std::uint32_t sum = ~0U;
    for (const std::uint8_t byte : bytes) {
        sum ^= byte;
        for (int bit = 0; bit < 8; ++bit)
            sum = sum / 2 ^ (sum % 2 * 0xEDB88320U);
    }
    return ~sum;
}

/// A block whose only scene has these ids and names of enemies, packed without compression.
core::ByteVector blockOf(core::Bytes idsAndNames) {
    constexpr std::size_t kIds = 6;
    constexpr std::size_t kName = 32;
    core::ByteVector scene(7808);
    for (std::size_t i = 0; i < std::min<std::size_t>(idsAndNames.size(), kIds + 3 * kName); ++i)
        scene[i < kIds ? i : 0x298 + (i - kIds) / kName * 184 + (i - kIds) % kName] = idsAndNames[i];
    core::ByteVector block(64, 0xFF);
    std::fill_n(block.begin(), 4, std::uint8_t{0});
    block[0] = 16;
    const core::ByteVector head = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 1};
    block.insert(block.end(), head.begin(), head.end());
    put(block, 7808, 2);
    put(block, 0xFFFF - 7808, 2);
    block.insert(block.end(), scene.begin(), scene.end());
    put(block, checksum(scene), 4);
    put(block, 7808, 4);
    block.resize(0x2000, 0xFF);
    return block;
}

void readScenes(core::Bytes bytes) {
    constexpr std::size_t kLongest = 64;  // 32 letters, each of up to two bytes
    for (const core::ByteVector& file : {core::ByteVector(bytes.begin(), bytes.end()), blockOf(bytes)})
        for (const auto& [id, name] : ff7::sceneNames(file)) {
            require(!name.empty() && name.size() <= kLongest && id < 0xFFFF, "no name");
            require(core::validUtf8(name) == name, "a name that is not UTF-8");
            const std::string code = ff7::battleCode(id);
            require(code.empty() || ff7::enemyCalled(name, code + "da", 0).title == core::titleOf(name) ||
                        !ff7::enemyCalled(name, code + "da", 0).isKnown(),
                    "an enemy has another name");
        }
}

}  // namespace

std::vector<Target> ff7Targets() {
    return {{"ff7-lzs", Mutation::bytes, unpack},
            {"ff7-flevel", Mutation::bytes, readField},
            {"ff7-action-scripts", Mutation::fields, readScripts},
            {"ff7-scene", Mutation::bytes, readScenes}};
}

}  // namespace reanima::fuzz
