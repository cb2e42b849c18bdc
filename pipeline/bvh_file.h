/// BVH: motion captures as text, with a hierarchy of joints and a line of numbers per frame.
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

/// True if a file begins like a BVH file.
[[nodiscard]] bool isBvh(core::Bytes bytes);

/// Reads the joints of a BVH file as nodes, and its frames as an animation. The nodes are in the pose with all angles
/// 0. End sites become nodes named `EndSite_` and their joint's name. Lengths stay in the file's unit, which the file
/// does not state.
///
/// Rotation channels apply in the listed order, each about an axis rotated by the previous ones. A position channel
/// replaces the offset. Lines may end in LF, CR LF or CR. Keywords may be in upper or lower case. Fewer or more frames
/// than announced cause a warning (`truncated`, `trailing-bytes`). Errors and warnings name the line.
/// @param name name of the file
/// @throws core::DecodeError if the file can't be read
[[nodiscard]] core::MovingScene readBvh(core::Bytes bytes, const std::string& name, const core::Limits& limits,
                                        core::Diagnostics& diagnostics);

/// Writes clips as BVH, one file per clip.
///
/// The ROOT has six channels, every other joint three: degrees, `Zrotation Xrotation Yrotation`. That is R = Rz * Rx *
/// Ry on column vectors. Positions are in centimetres; +Y is up. In the pose with all angles 0, the body stands on the
/// ground, and all joint axes are the world's axes. The frame rate is the clip's. Angles are continuous from frame to
/// frame, also beyond half a turn. Near the pole, the first angle keeps its value if this changes the rotation by less
/// than 0.001 degrees.
///
/// The ROOT includes all motion of the joints above it. Joints beside it are left out. Translations and scale changes
/// of joints below it are left out, too. Warnings (`ignored`) report both.
class BvhWriter {
  public:
    /// @param skeleton, clips outlive this
    /// @param standing the pose with all angles 0: one transform per joint, of which only the rotation is used
    /// @param hips becomes the ROOT. If unset, the search begins at the root of the largest tree: while a joint has
    /// only one child, and the child moves, the search continues at the child
    BvhWriter(const core::Skeleton& skeleton, const std::vector<core::Clip>& clips, core::Pose standing,
              std::optional<std::uint32_t> hips, core::Diagnostics& diagnostics);

    /// The BVH text of one clip.
    /// @throws core::DecodeError of the kind `limit` if it needs more than Limits::memory
    [[nodiscard]] std::string textOf(const core::Clip& clip, const core::Limits& limits) const;

  private:
    /// A joint in the BVH file.
    struct Node {
        std::uint32_t joint = 0;
        std::size_t parent = 0;  ///< index into the nodes; the ROOT is its own parent
        std::size_t depth = 0;
        bool moves = false;  ///< true if some clip translates it relative to its parent; the file only has its rest
                             ///< position
        std::string name{};
    };
    /// Offsets of the nodes from their parents, with all angles 0, in centimetres.
    struct Offsets {
        std::vector<glm::dvec3> joints;
        std::vector<std::optional<glm::dvec3>> ends;  ///< ends of nodes without children
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
    std::vector<Node> nodes_;                    ///< parents first, each followed by its descendants
};

}  // namespace reanima
