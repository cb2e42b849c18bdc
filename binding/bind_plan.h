/// From a mapping and two skeletons to a binding: every joint resolved, every doubt said.
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

/// While a foot of the source stands, over all clips. Metres and metres per second on the target.
struct PlantedFeet {
    std::size_t frames = 0;  ///< in which a foot stands, each foot counted; of long motions some of them
    double slide = 0;        ///< mean speed
    double sourceSlide = 0;  ///< the source's, by the scale of the binding
    double sink = 0;         ///< how far below its height at rest a foot comes at most

    /// What slide and sink were before feet were put in their places.
    struct Before {
        double slide = 0;
        double sink = 0;
    };
    std::optional<Before> before{};  ///< unset: they were left where they came
};

}  // namespace reanima::binding

namespace reanima {

struct BindSettings {
    JointMap map;
    motion::BindMode mode = motion::BindMode::world;
    std::optional<double> scale;  ///< of lengths; unset: by the legs, where they are not known by the heights of both
    bool matchRest = true;        ///< the source is turned to the target's rest pose; else its own rest pose counts
    bool lifts = true;            ///< a source that is turned is put so high that the target stands where it does

    std::optional<roles::Anatomy> sourceRoles{};  ///< what the source's joints are for, over all its clips
    std::optional<roles::Anatomy> targetRoles{};
    std::vector<core::Pose> poses{};  ///< the source over all its clips: how its bones are turned
    bool hasOwnRest = false;          ///< the source's rest pose is its own, not a frame of a clip
    roles::Grip grip = roles::Grip::automatic;
    core::BodySurface sourceSurface{};
    core::BodySurface targetSurface{};

    // For messages.
    std::string targetFile;  ///< where the target comes from; empty: its own name is shown
};

/// What became of the joints.
struct BindReport {
    struct Row {
        std::string source;
        std::string target;
        motion::MatchedBy by = motion::MatchedBy::name;
        double restDegrees = 0;  ///< between the bones' axes in model space: what the binding makes up for
        /// Between the bones' directions, at all times: the rig's own shape where the source can't be turned to it.
        std::optional<double> directionDegrees{};
        bool parentsDiffer = false;  ///< the nearest matched joints above are not each other's
    };
    std::vector<Row> rows;
    std::vector<std::string> unused;   ///< source joints that move, but that no joint of the target follows
    std::vector<std::string> added;    ///< source joints that get a joint of their own in the output
    std::vector<std::string> missing;  ///< target joints that follow nothing
    std::vector<std::pair<std::string, double>> turned;  ///< source joints and the degrees by which they were turned
    /// What follows a source joint is turned about its bone by this, which no direction tells: a guess unless a mapping
    /// states it.
    struct Roll {
        std::string joint;
        double degrees = 0;
        motion::RollFrom from = motion::RollFrom::mean;
        roles::Part part = roles::Part::none;  ///< what the joint is for, if that is known
    };
    std::vector<Roll> rolls;
    std::optional<roles::LinkedRoles> roles;   ///< of linked joints, where they are known
    std::optional<binding::PlantedFeet> feet;  ///< what bindClips() made of them
    std::optional<binding::OffGround> floor;   ///< likewise, of the whole figure
    double scale = 1;
    std::string summary;  ///< what was bound by roles, for one line; empty: nothing

    enum class Shown {
        all,    ///< every link
        apart,  ///< those whose bones point more than 10 degrees apart, or whose parents differ
    };
    /// What a person sees first, in lines: floor, face, hands, feet.
    [[nodiscard]] std::string inWords() const;
    /// For a terminal: the same, a row per link, and what follows nothing.
    [[nodiscard]] std::string toTable(Shown links = Shown::all) const;
};

struct BindPlan {
    motion::Binding binding;
    std::vector<roles::ClosedFinger> grip;  ///< of the target, for roles::closeFingers()
    BindReport report;
};

/// @param clips on `source`
/// @throws core::DecodeError where nothing matches, names are ambiguous, or the map names joints that neither has
[[nodiscard]] BindPlan planBinding(const core::Skeleton& source, const std::vector<core::Clip>& clips,
                                   const core::Skeleton& target, const BindSettings& settings,
                                   core::Diagnostics& diagnostics);

}  // namespace reanima
