/// Field skeletons of Final Fantasy VII (PC), `*.hrc`: text.
///
/// Layout and evidence: docs/formats/ff7_field_skeleton.md
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/bytes.h"
#include "core/diagnostics.h"

namespace reanima::ff7 {

struct FieldBone {
    std::string name;                       ///< as stored; compared without case
    std::optional<std::uint32_t> parent{};  ///< index of an earlier bone; none: the root
    float length = 0;                       ///< in the game's units, positive. Children start at T(0, 0, -length)
    std::vector<std::string> resources{};   ///< stems of `.rsd` files

    friend bool operator==(const FieldBone&, const FieldBone&) = default;
};

struct FieldSkeleton {
    std::string name;
    std::uint32_t boneCount = 0;  ///< number of bones, as stated; 0 in files of one bone
    std::vector<FieldBone> bones;
    std::string text;  ///< the whole file

    friend bool operator==(const FieldSkeleton&, const FieldSkeleton&) = default;
};

/// @throws core::DecodeError for a file without `:BONES`, a length that is not a finite number, an invalid count, a
/// parent that is not an earlier bone, or more than 4096 bones
[[nodiscard]] FieldSkeleton decodeFieldSkeleton(core::Bytes file, core::Diagnostics& diagnostics);

/// True if the text agrees with the other members.
[[nodiscard]] bool agreesWithText(const FieldSkeleton& skeleton);

/// The unchanged text if it agrees with the other members; otherwise a new text in the game's layout.
[[nodiscard]] core::ByteVector encodeFieldSkeleton(const FieldSkeleton& skeleton);

/// True if the bytes are certainly a field skeleton.
[[nodiscard]] bool isFieldSkeleton(core::Bytes file);
/// True if the bytes begin like a field skeleton.
[[nodiscard]] bool beginsLikeFieldSkeleton(core::Bytes file);

}  // namespace reanima::ff7
