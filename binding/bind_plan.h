/// Makes a binding from a mapping and two skeletons. Resolves every joint and reports every doubt.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "../core/body_surface.h"
#include "../core/diagnostics.h"
#include "ground.h"
#include "roles/grip.h"
#include "roles/joint_map.h"
#include "roles/roles.h"

namespace reanima::binding {

/// How far the target's feet slide and sink while the source's feet stand. Over all clips, in metres and m/s.
struct PlantedFeet {
    std::size_t frames = 0;  ///< number of frames in which a foot stands, counted per foot; long motions are sampled
    double slide = 0;        ///< mean speed
    double sourceSlide = 0;  ///< mean speed in the source, times the scale of the binding
    double sink = 0;         ///< largest depth of a foot below its rest height

    /// Slide and sink before feet were planted.
    struct Before {
        double slide = 0;
        double sink = 0;
    };
    std::optional<Before> before{};  ///< unset: feet were not planted
};

}  // namespace reanima::binding

namespace reanima {

struct BindSettings {
    JointMap map;
    motion::BindMode mode = motion::BindMode::world;
    std::optional<double>
        scale;              ///< for lengths; unset: computed from the legs, or from the heights if the legs are unknown
    bool matchRest = true;  ///< the source is posed like the target's rest pose; else its own rest pose is used
    bool lifts = true;      ///< with matchRest: also moves the source vertically, so that both stand on the same ground

    std::optional<roles::Anatomy> sourceRoles{};  ///< roles of the source's joints, from all its clips
    std::optional<roles::Anatomy> targetRoles{};
    std::vector<core::Pose> poses{};  ///< poses of the source over all its clips, to find how its bones are rolled
    bool hasOwnRest = false;          ///< the source has a real rest pose, not a frame of a clip
    roles::Grip grip = roles::Grip::automatic;
    core::BodySurface sourceSurface{};
    core::BodySurface targetSurface{};

    // For messages.
    std::string targetFile;  ///< where the target comes from; empty: its own name is shown
};

/// What the binding did with each joint.
struct BindReport {
    struct Row {
        std::string source;
        std::string target;
        motion::MatchedBy by = motion::MatchedBy::name;
        double restDegrees = 0;  ///< angle between the joints' axes in model space; the binding compensates for it
        /// Constant angle between the directions of both bones. It is 0 unless the rig's shape prevents that.
        std::optional<double> directionDegrees{};
        bool parentsDiffer = false;  ///< the nearest matched ancestors are not matched with each other
    };
    std::vector<Row> rows;
    std::vector<std::string> unused;                     ///< moving source joints that no target joint follows
    std::vector<std::string> added;                      ///< source joints for which the output gets a new joint
    std::vector<std::string> missing;                    ///< target joints that follow nothing
    std::vector<std::pair<std::string, double>> turned;  ///< source joints and the degrees by which they were turned
    /// The roll that a source joint's follower gets about its bone. Bone directions do not determine this roll.
    struct Roll {
        std::string joint;
        double degrees = 0;
        motion::RollFrom from = motion::RollFrom::mean;
        bool isGuess = true;                   ///< see motion::FoundStance
        roles::Part part = roles::Part::none;  ///< the joint's part of the body, if known
    };
    std::vector<Roll> rolls;
    std::optional<roles::LinkedRoles> roles;   ///< roles of linked joints, if known
    std::optional<binding::PlantedFeet> feet;  ///< measured after bindClips()
    std::optional<binding::OffGround> floor;   ///< distance of the character to the floor; measured after bindClips()
    double scale = 1;
    std::string summary;  ///< one line about the joints that were bound by roles; empty if none were

    enum class Shown {
        all,    ///< every link
        apart,  ///< links whose bones point more than 10 degrees apart, or whose parents differ; none if fits()
    };
    /// Possible faults, in a few words each: feet that slide more than 30 mm/s faster than the source's, a character
    /// more than 1.5 % of its height off the ground, and parts whose roll is unknown.
    [[nodiscard]] std::vector<std::string> worthALook() const;
    /// True if the character could be examined and nothing is worth a look.
    [[nodiscard]] bool fits() const;
    /// A line with the verdict (the rig fits, or what to look at), then one line each for floor, face, hands and feet.
    [[nodiscard]] std::string inWords() const;
    /// For a terminal: the summary, a row per link, and the joints without a source.
    [[nodiscard]] std::string toTable(Shown links = Shown::all) const;
};

struct BindPlan {
    motion::Binding binding;
    std::vector<roles::ClosedFinger> grip;  ///< fingers of the target, for roles::closeFingers()
    BindReport report;
};

/// @param clips on `source`
/// @throws core::DecodeError if nothing matches, names are ambiguous, or the map contains joints that are in neither
/// skeleton
[[nodiscard]] BindPlan planBinding(const core::Skeleton& source, const std::vector<core::Clip>& clips,
                                   const core::Skeleton& target, const BindSettings& settings,
                                   core::Diagnostics& diagnostics);

}  // namespace reanima
