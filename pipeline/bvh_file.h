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
/// Channels turn in the order in which they are listed, each about an axis of what the ones before it made. A place
/// takes the place of the offset. Lines may end in any way; keywords may be written in upper or lower case. Fewer or
/// more frames than announced give a warning (`truncated`, `trailing-bytes`). Errors and warnings name the line.
/// @param name of the file
/// @throws core::DecodeError if the file can't be read
[[nodiscard]] core::MovingScene readBvh(core::Bytes bytes, const std::string& name, const core::Limits& limits,
                                        core::Diagnostics& diagnostics);

/// Writes clips as BVH, a file for each.
///
/// One ROOT with six channels, three for every other joint: degrees, `Zrotation Xrotation Yrotation`, which is
/// R = Rz * Rx * Ry on column vectors. Places are in centimetres; +Y is up. The pose in which all angles are 0 stands
/// on the ground, and every joint's axes are those of the world in it, whatever they were. Frames are as many per
/// second as the clip's. An angle goes on where it was the frame before, beyond half a turn, too; near the pole the
/// first one is held as long as the rotation is right within 0.001 degrees.
///
/// The ROOT carries all that moves above it. What lies beside it is left out, as are displacements and changes of scale
/// of joints below it: warnings (`ignored`) name them.
class BvhWriter {
  public:
    /// @param skeleton, clips outlive this
    /// @param standing one transform per joint, of which the rotations count: the pose in which all angles are 0
    /// @param hips becomes the ROOT; none: the top of the largest tree, or what moves below it in its stead
    BvhWriter(const core::Skeleton& skeleton, const std::vector<core::Clip>& clips, core::Pose standing,
              std::optional<std::uint32_t> hips, core::Diagnostics& diagnostics);

    /// The file of one of the clips.
    /// @throws core::DecodeError of the kind `limit` if it takes more than Limits::memory
    [[nodiscard]] std::string textOf(const core::Clip& clip, const core::Limits& limits) const;

  private:
    /// A joint of the file.
    struct Node {
        std::uint32_t joint = 0;
        std::size_t parent = 0;  ///< index into the nodes; of the ROOT itself
        std::size_t depth = 0;
        bool moves = false;  ///< in some clip, against its parent: it is held where it rests
        std::string name{};
    };
    /// Where the nodes are while all angles are 0, from their parents: centimetres.
    struct Offsets {
        std::vector<glm::dvec3> joints;
        std::vector<std::optional<glm::dvec3>> ends;  ///< of nodes that carry none
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
