/// Compares a scene with the folder of Memoria's clips that it was made from, by the paths of joints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/asset.h"
#include "core/clip_edits.h"
#include "core/retimed_clip.h"
#include "core/skeleton.h"

namespace reanima::tool {

/// The frames per second of a clip with evenly spaced keys, as programs export it. 0 for other clips.
[[nodiscard]] double sampledRate(const core::Clip& clip);

/// The names of a joint and all joints above it: `bone000/bone001`.
[[nodiscard]] std::string pathOfJoint(const core::Skeleton& skeleton, std::uint32_t joint);

/// The joints with the same path in a folder and in a scene.
struct SharedJoints {
    struct Pair {
        std::uint32_t was = 0;  ///< in the folder
        std::uint32_t now = 0;  ///< in the scene
    };

    std::vector<Pair> pairs{};
    std::vector<std::string> missing{};  ///< names of the folder's other joints
    /// True if a missing joint seems to be in the scene: under another parent, or under another name.
    bool isRearranged = false;
};

[[nodiscard]] SharedJoints sharedJoints(const core::Skeleton& was, const core::Skeleton& now);

class FolderComparison {
  public:
    /// @param was the folder
    /// @param now the scene; both must outlive this object
    FolderComparison(const core::Asset& was, const core::Asset& now, std::vector<SharedJoints::Pair> joints)
        : was_(was), now_(now), joints_(std::move(joints)) {}

    [[nodiscard]] std::size_t joints() const { return joints_.size(); }

    /// The differences from the folder's clip. A sampled clip is compared at its keys. Other clips are compared at the
    /// keys of both clips and half-way between these. Every changed frame is listed, but only with its rotation.
    /// @param original index of the folder's clip
    [[nodiscard]] core::ClipEdit editOf(const core::Clip& clip, std::size_t original) const;

    /// How many joints move in one of the clips, and how many of these differ.
    struct Count {
        std::size_t moving = 0;
        std::size_t differing = 0;
    };
    [[nodiscard]] Count countOf(const core::Clip& clip, const core::ClipEdit& edit) const;

    /// The speed and delay with which all joints of a clip equal the folder's clip. Delays are up to three frames.
    [[nodiscard]] std::optional<core::Retiming> retimingOf(const core::Clip& clip, std::size_t original) const;

  private:
    [[nodiscard]] bool isSame(const core::Clip& clip, const core::Clip& before, const core::Retiming& retiming) const;

    const core::Asset& was_;
    const core::Asset& now_;
    std::vector<SharedJoints::Pair> joints_;
};

}  // namespace reanima::tool
