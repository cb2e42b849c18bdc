/// Edits of clips, frame by frame, on the game's skeleton.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

namespace reanima::core {

/// Rotations and translations are relative to the joint's parent, as in Transform.
struct RotationEdit {
    std::uint32_t frame = 0;
    glm::dquat rotation{1, 0, 0, 0};
};
struct TranslationEdit {
    std::uint32_t frame = 0;
    glm::dvec3 translation{0};  ///< metres
};

/// The changed frames of a joint, ascending.
struct JointEdit {
    std::uint32_t joint = 0;  ///< index into the skeleton
    std::vector<RotationEdit> rotations{};
    std::vector<TranslationEdit> translations{};
    bool isScaled = false;  ///< the joint's size changed
};

/// The largest change of one kind (rotation or position).
struct LargestEdit {
    double value = 0;  ///< degrees or metres
    std::uint32_t joint = 0;
    std::uint32_t frame = 0;
};

/// How an edit uses the original clip.
enum class EditUse {
    changes,   ///< this clip was edited
    replaces,  ///< another clip replaces it
    adds,      ///< the original clip stays; an edited copy becomes a new clip
};

struct ClipEdit {
    std::size_t clip = 0;  ///< index into Asset::clips
    EditUse use = EditUse::changes;
    std::string name{};               ///< its name in the edited scene
    std::uint32_t frames = 0;         ///< new number of frames; added frames repeat the last one unless edited
    std::vector<JointEdit> joints{};  ///< in the order of joints; empty: no joint changed
    LargestEdit turned{};
    LargestEdit moved{};

    /// False for an unchanged clip.
    [[nodiscard]] bool isEdited(std::uint32_t framesBefore) const {
        return use == EditUse::adds || !joints.empty() || frames != framesBefore;
    }
};

/// The precision of stored poses; smaller differences are ignored.
struct StoredSteps {
    double degrees = 0;  ///< half the smallest step of an angle, as a rotation
    double metres = 0;   ///< half the smallest step of a position
};

}  // namespace reanima::core
