/// The orientation of a body's head, hands and feet, independent of bone directions.
///
/// A head bone may point to the crown, to the nose or to the mean of forty hairs; a foot bone may slope by 15 or 45
/// degrees. People see the face, the palm and the sole instead. Over all clips, characters look ahead, stand on their
/// soles, and let their arms hang with the palms at the thighs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "binding/motion/linked_skeletons.h"
#include "binding/motion/source_rest.h"
#include "body.h"
#include "core/body_surface.h"
#include "roles.h"

namespace reanima::roles {

/// A source with its poses.
struct StanceSource {
    const core::Skeleton& skeleton;
    const Anatomy& roles;
    const std::vector<motion::Globals>& poses;  ///< over all clips
    bool hasRest;  ///< it has a real rest pose: looking ahead with level soles, standing or lying
    const core::BodySurface& surface;
};

/// A rig at rest, which looks ahead and stands on its soles.
struct StanceTarget {
    const core::Skeleton& skeleton;
    const Anatomy& roles;
    const core::BodySurface& surface;
};

/// The orientations of source joints that correspond to the target's rest pose.
class Stance {
  public:
    /// @param source, target their members must outlive this
    Stance(const StanceSource& source, const StanceTarget& target);
    Stance(const Stance&) = delete;
    Stance& operator=(const Stance&) = delete;

    /// The model-space rotation of the source's head, hips, chest, hand or foot that corresponds to the target's rest
    /// pose; none for other joints, or if unknown.
    [[nodiscard]] std::optional<motion::FoundStance> of(const motion::TurnedBone& bone) const;

  private:
    /// A mean direction, and how well the poses agree: 0 to 1.
    struct Mean {
        glm::dvec3 direction{0};
        double agreement = 0;
    };

    /// The front and up directions of a head.
    struct Front {
        Frame frame;
        bool isGuess;
    };

    /// What shows where a rig's hand points.
    enum class PointsBy : std::uint8_t { forearm, fingers };

    /// Where a palm faces.
    struct Palm {
        glm::dvec3 direction;
        bool isGuess;
    };

    using Chosen = std::vector<const motion::Globals*>;

    [[nodiscard]] motion::Globals uprightRest() const;
    /// The poses in which the torso is about as upright as usual.
    [[nodiscard]] Chosen uprightOf(const std::vector<motion::Globals>& poses) const;
    [[nodiscard]] static std::optional<Frame> lookingAcross(glm::dvec3 left, const glm::dvec3& seemingLeft,
                                                            const glm::dvec3& up);
    [[nodiscard]] static std::optional<Frame> restingFrame(const motion::Globals& rest, const Anatomy& roles);
    [[nodiscard]] Frame faceOfTarget() const;
    [[nodiscard]] std::optional<glm::dvec3> boneEndOf(std::uint32_t joint) const;
    [[nodiscard]] std::optional<glm::dvec3> crownOf(std::uint32_t head) const;
    [[nodiscard]] std::optional<Front> frontOf(std::uint32_t head) const;
    [[nodiscard]] std::optional<motion::FoundStance> ofHead(std::uint32_t head) const;
    [[nodiscard]] Mean upOfPelvis(std::uint32_t hips) const;
    [[nodiscard]] std::optional<glm::dvec3> backOfPelvis(std::uint32_t hips) const;
    [[nodiscard]] bool isStillOn(std::uint32_t joint, std::uint32_t other) const;
    [[nodiscard]] std::optional<glm::dquat> ofHips(std::uint32_t hips) const;
    [[nodiscard]] static std::optional<glm::dvec3> backAbove(const Anatomy& roles, const motion::Globals& pose,
                                                             std::uint32_t chest, const std::vector<Part>& parts);
    [[nodiscard]] std::optional<glm::dquat> ofChest(std::uint32_t chest) const;
    [[nodiscard]] static std::optional<glm::dquat> liftOfArm(const motion::Globals& rest, const Anatomy& roles,
                                                             Side side, const Frame& facing);
    [[nodiscard]] std::optional<glm::dquat> ofArm(std::uint32_t arm, Side side) const;
    [[nodiscard]] std::optional<glm::dvec3> soleOf(std::uint32_t foot) const;
    [[nodiscard]] bool targetStands() const;
    [[nodiscard]] double lowestOf(std::uint32_t joint, const motion::Globals& pose) const;
    [[nodiscard]] bool restsOnSole(std::uint32_t foot, Side side) const;
    [[nodiscard]] std::optional<glm::dvec3> alongFoot(std::uint32_t foot, Side side) const;
    [[nodiscard]] std::optional<glm::dquat> ofFoot(std::uint32_t foot, Side side, const glm::dquat& turned) const;
    [[nodiscard]] std::optional<Frame> restingHand(std::uint32_t hand, Side side, const glm::dvec3& seen) const;
    [[nodiscard]] std::optional<motion::FoundStance> ofHand(const motion::TurnedBone& bone, Side side) const;
    [[nodiscard]] std::optional<glm::dvec3> alongHand(std::uint32_t hand, Side side) const;
    [[nodiscard]] Mean palmByElbow(std::uint32_t hand, Side side) const;
    [[nodiscard]] std::optional<Palm> palmOf(std::uint32_t hand, Side side, const glm::dvec3& along) const;
    [[nodiscard]] std::optional<glm::dvec3> alongTarget(Side side, PointsBy by) const;
    [[nodiscard]] static Mean meanOf(const std::vector<glm::dvec3>& directions);
    [[nodiscard]] static glm::dquat turnBetween(const Frame& from, const Frame& to);

    StanceSource source_;
    StanceTarget target_;
    std::vector<motion::Globals> sourceRest_;      // empty without a real rest pose
    const std::vector<motion::Globals>& neutral_;  // of the source: poses used to find front and up
    Chosen upright_;                               // of the source's poses over all clips
    Chosen uprightNeutral_;                        // of `neutral_`
    motion::Globals rest_;                         // of the target
    std::optional<Frame> facing_;                  // of the target: front and up
    std::optional<Frame> face_;                    // of its head
    double height_ = 0;                            // of the source
};

}  // namespace reanima::roles
