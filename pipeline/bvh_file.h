/// BVH: motion captures as text, a hierarchy of joints and a line of numbers per frame.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/bytes.h"
#include "core/clip.h"
#include "core/diagnostics.h"
#include "core/limits.h"
#include "core/pose.h"
#include "core/scene_motion.h"
#include "core/skeleton.h"

namespace reanima {

/// True if a file begins like one.
[[nodiscard]] bool isBvh(core::Bytes bytes);

/// The joints of a BVH file as nodes, in the pose in which all angles are 0, and its frames as an animation. End sites
/// are nodes called `EndSite_` and the name of their joint. Lengths stay in the file's unit, which it does not state.
///
/// Rotation channels apply in the listed order, each about an axis rotated by the previous ones. A position channel
/// replaces the offset. Lines may end in any way; keywords may be written in upper or lower case. Fewer or more frames
/// than announced give a warning (`truncated`, `trailing-bytes`). Errors and warnings name the line.
/// @param name of the file
/// @throws core::DecodeError if the file can't be read
[[nodiscard]] core::MovingScene readBvh(core::Bytes bytes, const std::string& name, const core::Limits& limits,
                                        core::Diagnostics& diagnostics);

/// Writes clips as BVH, a file for each.
///
/// One ROOT with six channels, three for every other joint: degrees, `Zrotation Xrotation Yrotation`, which is R = Rz *
/// Rx * Ry on column vectors. Positions are in centimetres; +Y is up. The pose with all angles 0 stands on the ground,
/// and in it every joint's axes are the world's. The frame rate is the clip's. Angles are continuous from frame to
/// frame, also beyond half a turn; near the pole the first one is kept as long as the rotation is right within 0.001
/// degrees.
///
/// The ROOT includes all motion above it. Joints beside it are left out, as are translations and scale changes of
/// joints below it, with warnings (`ignored`).
class BvhWriter {
  public:
    /// @param skeleton, clips outlive this
    /// @param standing one transform per joint, of which only the rotations are used: the pose with all angles 0
    /// @param hips becomes the ROOT; none: the top of the largest tree, or the joint below it that moves instead
    BvhWriter(const core::Skeleton& skeleton, const std::vector<core::Clip>& clips, core::Pose standing,
              std::optional<std::uint32_t> hips, core::Diagnostics& diagnostics);

    /// The file of one of the clips.
    /// @throws core::DecodeError of the kind `limit` if it takes more than Limits::memory
    [[nodiscard]] std::string textOf(const core::Clip& clip, const core::Limits& limits) const;

  private:
    /// A joint of the file.
    struct Node {
        std::uint32_t joint = 0;
        std::size_t parent = 0;  ///< index into the nodes; the ROOT's is itself
        std::size_t depth = 0;
        bool moves = false;  ///< translated relative to its parent in some clip; it keeps its rest position
        std::string name{};
    };
    /// Offsets of the nodes from their parents with all angles 0, in centimetres.
    struct Offsets {
        std::vector<glm::dvec3> joints;
        std::vector<std::optional<glm::dvec3>> ends;  ///< of nodes without children
    };

    void addNodes(std::uint32_t root);
    [[nodiscard]] std::uint32_t rootOfLargest(const std::vector<core::Clip>& clips) const;
    void sayWhatIsLost(const std::vector<core::Clip>& clips, core::Diagnostics& diagnostics);
    [[nodiscard]] core::Pose heldPose(const core::Clip& clip) const;
    [[nodiscard]] Offsets offsetsIn(const core::Clip& clip) const;
    void addHierarchy(const Offsets& offsets, std::string& text) const;

    const core::Skeleton& skeleton_;
    core::Pose standing_;
    std::vector<glm::dquat> standingRotations_;  ///< in model space, per joint
    std::vector<Node> nodes_;                    ///< parents first, each followed by all below it
};

}  // namespace reanima
