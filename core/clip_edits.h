/// What was changed of clips outside of the game: frame by frame, on the skeleton that the game has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

namespace reanima::core {

/// Relative to the joint's parent, as Transform is.
struct RotationEdit {
    std::uint32_t frame = 0;
    glm::dquat rotation{1, 0, 0, 0};
};
struct TranslationEdit {
    std::uint32_t frame = 0;
    glm::dvec3 translation{0};  ///< metres
};

/// The frames of a joint that are no longer what they were, ascending.
struct JointEdit {
    std::uint32_t joint = 0;  ///< index into the skeleton
    std::vector<RotationEdit> rotations{};
    std::vector<TranslationEdit> translations{};
    bool isScaled = false;  ///< it is larger or smaller than it was
};

/// The largest change of one kind.
struct LargestEdit {
    double value = 0;  ///< degrees or metres
    std::uint32_t joint = 0;
    std::uint32_t frame = 0;
};

/// What becomes of the clip that an edit counts from.
enum class EditUse {
    changes,   ///< it is the one that was changed
    replaces,  ///< another one takes its place
    adds,      ///< it stays, and a copy of it becomes a clip of its own, to be changed
};

struct ClipEdit {
    std::size_t clip = 0;  ///< index into Asset::clips
    EditUse use = EditUse::changes;
    std::string name{};               ///< what it is called where it was changed
    std::uint32_t frames = 0;         ///< that it has now: those that were added are like the last one, but for edits
    std::vector<JointEdit> joints{};  ///< in the order of joints; none: nothing moves otherwise
    LargestEdit turned{};
    LargestEdit moved{};

    /// False for a clip that stays as it is.
    [[nodiscard]] bool isEdited(std::uint32_t framesBefore) const {
        return use == EditUse::adds || !joints.empty() || frames != framesBefore;
    }
};

/// How exactly a file stores poses: what differs by less is the same to it.
struct StoredSteps {
    double degrees = 0;  ///< half of what the least change of an angle turns
    double metres = 0;   ///< half of the least change of a place
};

}  // namespace reanima::core
