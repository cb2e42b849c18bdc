#include "binding/pelvis.h"

#include <algorithm>
#include <optional>

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_inverse.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/trigonometric.hpp>

#include "binding/legs.h"
#include "binding/motion/linked_skeletons.h"
#include "binding/roles/body.h"
#include "core/rig.h"

namespace reanima::binding {

namespace {

using motion::Globals;
using roles::Part;
using roles::Side;

/// The joint of the back that shows the tilt of a pelvis.
enum class BackBy {
    itsFirst,  ///< no other joint of the back is between this one and the hips
    another,   ///< the back bends below this joint
};

/// The joints that determine a pelvis.
class Pelvis {
  public:
    /// None if they are unknown, or if no joint of the back shows the tilt in all poses.
    static std::optional<Pelvis> of(const core::Skeleton& skeleton, const roles::Anatomy& roles,
                                    const std::vector<Globals>& poses) {
        const auto hips = roles.jointOf(Part::hips);
        const auto left = roles.jointOf(Part::upperLeg, Side::left);
        const auto right = roles.jointOf(Part::upperLeg, Side::right);
        if (!hips || !left || !right || poses.empty())
            return std::nullopt;
        BackBy by = BackBy::itsFirst;
        for (const Part part : {Part::spine, Part::neck, Part::head})
            for (const std::uint32_t back : roles.jointsOf(part)) {
                const Pelvis pelvis(*hips, *left, *right, back, by);
                if (skeleton.isBelow(back, *hips) &&
                    std::ranges::all_of(poses, [&](const Globals& pose) { return pelvis.isSeen(pose); }))
                    return pelvis;
                by = BackBy::another;
            }
        return std::nullopt;
    }

    [[nodiscard]] std::uint32_t hips() const { return hips_; }

    [[nodiscard]] glm::dquat turnIn(const Globals& pose) const {
        if (!isSeen(pose))
            return pose.rotations[hips_];
        const glm::dvec3 left = glm::normalize(across(pose));
        const glm::dvec3 up = glm::normalize(core::across(upwards(pose), left));
        return glm::normalize(glm::quat_cast(glm::dmat3(left, up, glm::cross(left, up))));
    }

    /// True if the hips rotate with thighs and back. A back that bends below its first known joint is ignored.
    [[nodiscard]] bool isHips(const std::vector<Globals>& poses) const {
        const glm::dquat first = seenByHips(poses.front());
        const double alike = std::cos(glm::radians(4.0));
        return std::ranges::all_of(poses, [&](const Globals& pose) {
            const glm::dmat3 turn = glm::mat3_cast(seenByHips(pose) * glm::conjugate(first));
            const glm::dvec3 left = first * glm::dvec3(1, 0, 0);
            const glm::dvec3 up = first * glm::dvec3(0, 1, 0);
            return glm::dot(turn * left, left) > alike && (by_ == BackBy::another || glm::dot(turn * up, up) > alike);
        });
    }

  private:
    Pelvis(std::uint32_t hips, std::uint32_t left, std::uint32_t right, std::uint32_t back, BackBy by)
        : hips_(hips), left_(left), right_(right), back_(back), by_(by) {}

    [[nodiscard]] glm::dquat seenByHips(const Globals& pose) const {
        return glm::conjugate(pose.rotations[hips_]) * turnIn(pose);
    }

    [[nodiscard]] glm::dvec3 across(const Globals& pose) const {
        return pose.positions[left_] - pose.positions[right_];
    }
    [[nodiscard]] glm::dvec3 upwards(const Globals& pose) const {
        return pose.positions[back_] - (pose.positions[left_] + pose.positions[right_]) / 2.0;
    }

    /// A back that begins between the thighs shows no direction.
    [[nodiscard]] bool isSeen(const Globals& pose) const {
        constexpr double kApart = 0.2;  // of the distance between the thighs
        const double wide = glm::length(across(pose));
        return wide > 0 && glm::length(core::across(upwards(pose), across(pose) / wide)) > kApart * wide;
    }

    std::uint32_t hips_;
    std::uint32_t left_;
    std::uint32_t right_;
    std::uint32_t back_;
    BackBy by_;
};

/// Gives the hips the rotation of the pelvis in a pose, without moving anything else.
core::Pose turned(const core::Skeleton& skeleton, const Pelvis& pelvis, core::Pose pose) {
    const Globals globals = motion::globalsOf(skeleton, pose);
    const std::vector<glm::dmat4> before = core::globalMatrices(skeleton, pose);
    const std::optional<std::uint32_t> above = skeleton.parentOf(pelvis.hips());
    const glm::dquat carrying = above ? globals.rotations[*above] : motion::kNoTurn;
    pose[pelvis.hips()].rotation = glm::quat(glm::normalize(glm::conjugate(carrying) * pelvis.turnIn(globals)));
    const glm::dmat4 local = core::matrixOf(pose[pelvis.hips()]);
    const glm::dmat4 inside = glm::affineInverse(above ? before[*above] * local : local);
    for (std::uint32_t joint = 0; joint < pose.size(); ++joint)
        if (skeleton.joints[joint].parent == static_cast<int>(pelvis.hips()))
            pose[joint] = core::decomposed(inside * before[joint]);
    return pose;
}

/// The hips and their children.
std::vector<std::uint32_t> turnedJoints(const core::Skeleton& skeleton, const Pelvis& pelvis) {
    std::vector<std::uint32_t> joints{pelvis.hips()};
    for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint)
        if (skeleton.joints[joint].parent == static_cast<int>(pelvis.hips()))
            joints.push_back(joint);
    return joints;
}

void turnIn(core::Clip& clip, const core::Skeleton& skeleton, const Pelvis& pelvis, const core::Limits& limits) {
    const std::vector<std::uint32_t> joints = turnedJoints(skeleton, pelvis);
    const std::uint32_t frames = std::max(clip.frames, 1U);
    core::requireMemory(std::uint64_t{frames} * joints.size() * 2 * sizeof(core::Transform), limits,
                        {"the turns of the pelvis", std::nullopt});
    std::vector<std::vector<glm::quat>> rotations(joints.size());
    std::vector<std::vector<glm::vec3>> places(joints.size());
    for (const float time : core::frameTimes(frames, clip.rate)) {
        const core::Pose pose = turned(skeleton, pelvis, core::samplePose(skeleton, clip, static_cast<double>(time)));
        for (std::size_t i = 0; i < joints.size(); ++i) {
            rotations[i].push_back(pose[joints[i]].rotation);
            places[i].push_back(pose[joints[i]].translation);
        }
    }
    for (std::size_t i = 0; i < joints.size(); ++i) {
        setRotations(clip, joints[i], std::move(rotations[i]));
        if (joints[i] != pelvis.hips())
            setTranslations(clip, joints[i], std::move(places[i]));
    }
}

}  // namespace

bool turnHipsAsPelvis(core::Skeleton& skeleton, std::vector<core::Clip>& clips, const roles::Anatomy& roles,
                      const std::vector<core::Pose>& poses, const core::Limits& limits) {
    const std::vector<Globals> globals = motion::globalsOf(skeleton, poses);
    const std::optional<Pelvis> pelvis = Pelvis::of(skeleton, roles, globals);
    if (!pelvis || pelvis->isHips(globals))
        return false;
    for (core::Clip& clip : clips)
        turnIn(clip, skeleton, *pelvis, limits);
    const core::Pose rest =
        turned(skeleton, *pelvis, roles::standingTurn(skeleton, roles) ? core::restPose(skeleton) : poses.front());
    for (const std::uint32_t joint : turnedJoints(skeleton, *pelvis))
        skeleton.joints[joint].rest = rest[joint];
    return true;
}

}  // namespace reanima::binding
