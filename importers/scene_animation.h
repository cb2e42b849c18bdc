/// Clips as animations of a scene's nodes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <assimp/anim.h>
#include <assimp/scene.h>

#include "core/clip.h"
#include "core/memory.h"
#include "core/skeleton.h"

namespace reanima {

inline aiVector3D toAssimp(const glm::vec3& v) { return {v.x, v.y, v.z}; }
inline aiQuaternion toAssimp(const glm::quat& q) { return {q.w, q.x, q.y, q.z}; }
/// Translation * rotation * scale, as Assimp evaluates a node's keys. In Assimp 5.2, aiMatrix4x4's constructor from
/// three parts applies the scale after the rotation.
[[nodiscard]] aiMatrix4x4 toAssimp(const core::Transform& transform, float unitsPerMetre = 1);

/// For each joint of a skeleton, the node that clips animate.
struct AnimatedJoints {
    struct Row {
        std::uint32_t joint;
        aiString node;
    };

    /// All joints, by their own names.
    /// @param wholeNode the node above all joints
    AnimatedJoints(const core::Skeleton& ofSkeleton, const aiNode& wholeNode);

    const core::Skeleton* skeleton;
    std::vector<Row> rows;    ///< each row gets a channel in every animation
    const aiNode* whole;      ///< the node for the displacement (Clip::travel)
    float unitsPerMetre = 1;  ///< units of the scene per metre
};

/// A clip as an animation. A tick is a frame of the source. Channels have at least one position, rotation and scaling
/// key. The animation lasts until its last key; a single frame lasts one tick.
[[nodiscard]] std::unique_ptr<aiAnimation> makeAnimation(const AnimatedJoints& joints, const core::Clip& clip,
                                                         core::MemoryCount& memory);

}  // namespace reanima
