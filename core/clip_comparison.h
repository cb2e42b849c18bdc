/// Compares a clip of a scene with a clip of the original, joint by joint.
#pragma once

#include <cstdint>
#include <vector>

#include "asset.h"
#include "clip_edits.h"
#include "limits.h"
#include "scene_motion.h"
#include "way_back_to_joints.h"

namespace reanima::core {

/// Compares at the scene's keys. Frames of the original between two keys are compared only if one of these keys
/// differs. If the scene interpolates differently from the original, all frames are compared.
class ClipComparison {
  public:
    /// @param skeleton, back, clip, motion, budget must outlive this object
    /// @throws DecodeError if the keys exceed the budget
    ClipComparison(const Skeleton& skeleton, const WayBackToJoints& back, const Clip& clip, const SceneMotion& motion,
                   const StoredSteps& steps, SampleBudget& budget);

    /// The number of joints that are unchanged at all keys.
    [[nodiscard]] std::size_t sameJoints() const;

    /// True if more than half of the moving joints are unchanged at all keys, or if nothing moves and all joints are
    /// unchanged. Joints that rest in both clips are ignored.
    [[nodiscard]] bool isMostlySameMotion() const;

    /// @throws DecodeError if the frames exceed the budget
    [[nodiscard]] ClipEdit edit(std::size_t clip, EditUse use) const;

    /// True if the scene has a different frame rate, so that changed frames lie between the scene's keys.
    [[nodiscard]] bool isBetweenKeys(const ClipEdit& edit) const;

    /// The number of changed joints that move in the original and have no keys in the scene.
    /// @param edit the result of edit()
    [[nodiscard]] std::size_t withoutKeys(const ClipEdit& edit) const;

    /// The joints that move in the original or in the scene, ascending.
    /// @param edit the result of edit()
    [[nodiscard]] std::vector<std::uint32_t> movingJoints(const ClipEdit& edit) const;

    [[nodiscard]] const Clip& clip() const { return clip_; }
    [[nodiscard]] const SceneMotion& motion() const { return motion_; }
    /// The scene's key times in seconds, ascending. Clips are compared at these times.
    [[nodiscard]] const std::vector<double>& keyTimes() const { return times_; }
    /// The scene's time that corresponds to the original's time 0.
    [[nodiscard]] double begin() const { return begin_; }
    /// The pose of the scene at one of its times.
    [[nodiscard]] LocalPose poseAt(double seconds) const { return back_.at(nodes_, seconds); }
    /// True if a joint's pose differs from the original at that time.
    [[nodiscard]] bool isChanged(const JointPose& pose, std::uint32_t joint, double seconds) const;

  private:
    [[nodiscard]] bool hasKeysAtFrames() const;
    [[nodiscard]] bool isSampledCoarser() const;
    void take(std::size_t poses) const;
    /// Which parts of a pose differ from the original by more than the precision of its stored values.
    struct Difference {
        bool isTurned = false;
        bool isMoved = false;
        bool isScaled = false;
    };
    [[nodiscard]] Difference differenceOf(const JointPose& pose, std::uint32_t joint, double seconds) const;
    [[nodiscard]] glm::dquat rotationInPlayers(std::uint32_t joint, double seconds) const;
    [[nodiscard]] bool areTurned(const glm::dquat& a, const glm::dquat& b) const;
    [[nodiscard]] JointPose shown(std::uint32_t joint, double seconds) const;
    void lookAtKeys();
    [[nodiscard]] std::uint32_t framesNow() const;
    [[nodiscard]] bool isClosed() const;
    [[nodiscard]] bool isChangedAtAnyKey(std::uint32_t joint) const;
    [[nodiscard]] bool isChangedAt(std::uint32_t joint, double time) const;
    void addFrame(std::uint32_t frame, std::vector<JointEdit>& joints, ClipEdit& edit) const;
    [[nodiscard]] bool movesInOriginal(std::uint32_t joint) const;
    [[nodiscard]] bool movesInScene(const JointEdit& edit, std::uint32_t frames) const;

    const Skeleton& skeleton_;
    const WayBackToJoints& back_;
    const Clip& clip_;
    const SceneMotion& motion_;
    WayBackToJoints::Tracks nodes_;  // of the scene
    StoredSteps steps_;
    double sameRotation_;  // rotations are equal if the cosine of half the angle between them is at least this
    SampleBudget& budget_;
    std::vector<const JointTrack*> tracks_;  // track per joint; null: the clip does not move it
    std::vector<double> times_;
    double begin_ = 0;
    std::vector<std::vector<bool>> changed_;  // [joint][key]
};

}  // namespace reanima::core
