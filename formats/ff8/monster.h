/// Monsters of Final Fantasy VIII (PC), `c0mNNN.dat`: a skeleton, its animations, and the other sections as bytes.
///
/// Layout, units and evidence: docs/formats/ff8_monster.md
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "../../core/byte_reader.h"
#include "../../core/diagnostics.h"
#include "../../core/limits.h"
#include "../fields.h"
#include "../packed_frames.h"

namespace reanima::ff8 {

inline constexpr std::size_t kSections = 11;
inline constexpr std::uint16_t kNoParent = 0xFFFF;

struct Bone {
    std::uint16_t parent = kNoParent;
    std::int16_t length = 0;                ///< 0 or negative: a bone points along its own -Z
    std::array<std::int16_t, 3> angles{};   ///< unused: overwritten by the first frame
    std::array<std::uint8_t, 38> memory{};  ///< unused: memory of the game
};

struct Skeleton {
    std::uint8_t scalesInUse = 0;
    std::int16_t modelScale = kUnscaled;  ///< kUnscaled: lengths and vertices are in the game's units
    std::uint16_t unknown04 = 0;
    std::uint16_t unknown06 = 0;
    std::array<std::int16_t, 3> place{};  ///< unused: the root's position in the game's memory
    std::uint16_t unknown0E = 0;
    std::vector<Bone> bones;
    core::ByteVector rest;  ///< bytes of the section after the bones

    static constexpr std::int16_t kUnscaled = 4096;
};

/// Factors along a bone's X, Y and Z; 1024 is 1.
using ScaleTriple = std::array<std::int32_t, 3>;
inline constexpr std::int32_t kScaleOne = 1024;

/// Each frame has a triple per bone. A unit of translation is 16 units of length.
struct Animation : PackedFrames {
    std::vector<std::vector<ScaleTriple>> scales;  ///< per frame: one scale per bone, or none
};

struct Monster {
    Skeleton skeleton;
    core::ByteVector motionGap;   ///< bytes between the table of animations and the first one
    bool isMotionAligned = true;  ///< the length of the animations' section is a multiple of 4, as in all known files
    std::vector<Animation> animations;
    std::array<core::ByteVector, kSections> sections;  ///< as stored; empty for decoded sections
    std::array<std::uint64_t, kSections> offsets{};    ///< offsets of the sections in the decoded file
    core::ByteVector trailing;
};

/// A reader for a section that is kept as bytes. Offsets in its errors are those of the file.
[[nodiscard]] core::LittleEndianReader readerOf(const Monster& monster, std::size_t section);

/// The monster's name in the language of the file; empty if the file has none.
[[nodiscard]] std::string nameOf(const Monster& monster);

/// Indices of sections.
inline constexpr std::size_t kSkeletonSection = 0;
inline constexpr std::size_t kMeshSection = 1;
inline constexpr std::size_t kMotionSection = 2;
inline constexpr std::size_t kValueSection = 6;
inline constexpr std::size_t kTextureSection = 10;
/// True for the sections that are decoded.
[[nodiscard]] constexpr bool isDecoded(std::size_t section) {
    return section == kSkeletonSection || section == kMotionSection;
}

/// The number of sections of a file, which identifies its kind: see kSections. 0 if the section table is invalid.
[[nodiscard]] std::uint32_t sectionCountOf(core::Bytes file);

/// True if the bytes begin like a truncated or damaged monster file.
[[nodiscard]] bool beginsLikeMonster(core::Bytes file);

/// Decodes a monster. An animation that can't be read keeps its bytes, with a warning.
/// @throws core::DecodeError if the sections, the skeleton or the table of animations can't be read
[[nodiscard]] Monster decodeMonster(core::Bytes file, const core::Limits& limits, core::Diagnostics& diagnostics);
/// Encodes a monster. Every animation must have a triple per bone in all frames.
[[nodiscard]] core::ByteVector encodeMonster(const Monster& monster, core::Diagnostics& diagnostics);

/// The fields after the number of bones.
void describe(auto&& f, fields::RecordOf<Skeleton> auto& skeleton) {
    f("scales_in_use", skeleton.scalesInUse);
    f("model_scale", skeleton.modelScale);
    f("unknown_04", skeleton.unknown04);
    f("unknown_06", skeleton.unknown06);
    f("place", skeleton.place);
    f("unknown_0e", skeleton.unknown0E);
}

void describe(auto&& f, fields::RecordOf<Bone> auto& bone) {
    f("parent", bone.parent);
    f("length", bone.length);
    f("angles", bone.angles);
    f("memory", bone.memory);
}

}  // namespace reanima::ff8
