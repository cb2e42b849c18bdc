#include "binding/t_pose.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include "binding/bind_plan.h"
#include "binding/ground.h"

namespace reanima::binding {

namespace {

/// A joint of the figure and its position in metres.
struct Row {
    std::string_view role;
    std::string_view parent;
    glm::vec3 at;
    bool isSpine = false;
};

/// Half of a figure of 1.7 m: its middle and its left side.
constexpr std::array<Row, 31> kFigure = {{
    {"hips", "", {0, 0.95F, 0}},
    {"spine", "hips", {0, 1.05F, 0}, true},
    {"chest", "spine", {0, 1.18F, 0}, true},
    {"upperChest", "chest", {0, 1.31F, 0}, true},
    {"neck", "upperChest", {0, 1.45F, 0}},
    {"head", "neck", {0, 1.53F, 0}},
    {"leftUpperLeg", "hips", {0.09F, 0.9F, 0}},
    {"leftLowerLeg", "leftUpperLeg", {0.09F, 0.49F, 0}},
    {"leftFoot", "leftLowerLeg", {0.09F, 0.08F, 0}},
    {"leftToes", "leftFoot", {0.09F, 0.02F, 0.13F}},
    {"leftShoulder", "upperChest", {0.03F, 1.4F, 0}},
    {"leftUpperArm", "leftShoulder", {0.15F, 1.4F, 0}},
    {"leftLowerArm", "leftUpperArm", {0.42F, 1.4F, 0}},
    {"leftHand", "leftLowerArm", {0.66F, 1.4F, 0}},
    {"leftThumbMetacarpal", "leftHand", {0.68F, 1.39F, 0.02F}},
    {"leftThumbProximal", "leftThumbMetacarpal", {0.71F, 1.39F, 0.05F}},
    {"leftThumbDistal", "leftThumbProximal", {0.73F, 1.39F, 0.07F}},
    {"leftIndexProximal", "leftHand", {0.75F, 1.4F, 0.025F}},
    {"leftIndexIntermediate", "leftIndexProximal", {0.79F, 1.4F, 0.025F}},
    {"leftIndexDistal", "leftIndexIntermediate", {0.815F, 1.4F, 0.025F}},
    {"leftMiddleProximal", "leftHand", {0.755F, 1.4F, 0}},
    {"leftMiddleIntermediate", "leftMiddleProximal", {0.8F, 1.4F, 0}},
    {"leftMiddleDistal", "leftMiddleIntermediate", {0.828F, 1.4F, 0}},
    {"leftRingProximal", "leftHand", {0.75F, 1.4F, -0.02F}},
    {"leftRingIntermediate", "leftRingProximal", {0.79F, 1.4F, -0.02F}},
    {"leftRingDistal", "leftRingIntermediate", {0.815F, 1.4F, -0.02F}},
    {"leftLittleProximal", "leftHand", {0.74F, 1.4F, -0.04F}},
    {"leftLittleIntermediate", "leftLittleProximal", {0.772F, 1.4F, -0.04F}},
    {"leftLittleDistal", "leftLittleIntermediate", {0.79F, 1.4F, -0.04F}},
    {"leftToesEnd", "leftToes", {0.09F, 0.02F, 0.2F}},
    {"headEnd", "head", {0, 1.7F, 0}},
}};

struct Figure {
    core::Skeleton skeleton;
    roles::Anatomy roles;
};

std::string mirrored(std::string_view name) {
    constexpr std::string_view kLeft = "left";
    return "right" + std::string(name.substr(kLeft.size()));
}

class FigureMaker {
  public:
    Figure make() {
        figure_.skeleton.name = "T-pose";
        figure_.skeleton.hasRest = true;
        figure_.roles.from = roles::Anatomy::From::stated;
        figure_.roles.confidence = 1;
        for (const Row& row : kFigure)
            add(row, std::string(row.role), std::string(row.parent), row.at);
        for (const Row& row : kFigure)
            if (row.role.starts_with("left"))
                add(row, mirrored(row.role),
                    row.parent.starts_with("left") ? mirrored(row.parent) : std::string(row.parent),
                    row.at * glm::vec3(-1, 1, 1));
        return std::move(figure_);
    }

    /// Prevents the joint from matching a joint of a source by name.
    static std::string prefixed(const std::string& name) { return "t-pose " + name; }

  private:
    void add(const Row& row, const std::string& name, const std::string& parent, const glm::vec3& at) {
        core::Joint joint;
        joint.name = prefixed(name);
        const std::optional<std::uint32_t> above =
            parent.empty() ? std::nullopt : figure_.skeleton.find(prefixed(parent));
        joint.parent = above ? static_cast<int>(*above) : core::kNoParent;
        joint.rest.translation = above ? at - places_[*above] : at;
        const std::optional<roles::Role> role = roles::roleNamed(name);
        figure_.roles.roles.push_back(name.ends_with("End") ? roles::Role{roles::Part::end}
                                      : row.isSpine         ? roles::Role{roles::Part::spine}
                                                            : role.value_or(roles::Role{}));
        figure_.skeleton.joints.push_back(std::move(joint));
        places_.push_back(at);
    }

    Figure figure_;
    std::vector<glm::vec3> places_;
};

/// VRM's names for the joints of a spine, from the hips up.
constexpr std::array<std::string_view, 3> kSpine = {"spine", "chest", "upperChest"};

constexpr std::array<std::string_view, 15> kRequired = {
    "hips",         "spine",         "head",          "leftUpperLeg",  "leftLowerLeg",
    "leftFoot",     "rightUpperLeg", "rightLowerLeg", "rightFoot",     "leftUpperArm",
    "leftLowerArm", "leftHand",      "rightUpperArm", "rightLowerArm", "rightHand"};

/// Makes a humanoid from a body.
class HumanoidMaker {
  public:
    HumanoidMaker(const MovingBody& body, const core::Pose& tPose) : body_(body), pose_(core::restPose(body.skeleton)) {
        for (std::size_t joint = 0; joint < pose_.size(); ++joint)
            pose_[joint].rotation = tPose[joint].rotation;
        globals_ = core::globalMatrices(body.skeleton, pose_);
        nameSpine();
    }

    Humanoid make() {
        made_.skeleton.name = "humanoid";
        made_.skeleton.hasRest = true;
        made_.roles.from = roles::Anatomy::From::stated;
        made_.roles.confidence = 1;
        for (const Row& row : kFigure)
            add(row, std::string(row.role), row.at);
        for (const Row& row : kFigure)
            if (row.role.starts_with("left"))
                add(row, mirrored(row.role), row.at * glm::vec3(-1, 1, 1));
        for (const std::string_view role : kRequired)
            if (!sourceOf(std::string(role)))
                made_.missing.emplace_back(role);
        if (!made_.skeleton.joints.empty())
            placeHips();
        return std::move(made_);
    }

  private:
    /// VRM has three joints for the spine. Of more joints, the first, the middle one and the last are used.
    void nameSpine() {
        const std::vector<std::uint32_t> spine = body_.roles.jointsOf(roles::Part::spine);
        for (std::size_t i = 0; i < std::min(spine.size(), kSpine.size()); ++i)
            spine_[std::string(kSpine[i])] =
                spine.size() <= kSpine.size() ? spine[i] : spine[i * (spine.size() - 1) / 2];
    }

    [[nodiscard]] std::optional<std::uint32_t> sourceOf(const std::string& role) const {
        if (const auto known = spine_.find(role); known != spine_.end())
            return known->second;
        if (std::ranges::find(kSpine, role) != kSpine.end() || role.ends_with("End"))
            return std::nullopt;
        const auto found = std::ranges::find(body_.roles.roles, *roles::roleNamed(role));
        return found == body_.roles.roles.end()
                   ? std::nullopt
                   : std::optional(static_cast<std::uint32_t>(found - body_.roles.roles.begin()));
    }

    void add(const Row& row, const std::string& name, const glm::vec3& at) {
        const std::optional<std::uint32_t> source = sourceOf(name);
        const std::optional<roles::Role> role = roles::roleNamed(name);
        const bool isFinger = !name.ends_with("End") && roles::isFinger(role->part);
        std::optional<glm::dvec3> place = source ? std::optional(placeOf(*source)) : std::nullopt;
        if (!place && isFinger)
            place = placeOfFinger(role->side, at);
        if (!place && !name.ends_with("End") && role->part == roles::Part::toes)
            place = placeOfToes(role->side);
        if (!place)
            return;
        core::Joint joint;
        joint.name = FigureMaker::prefixed(name);
        joint.role = name;
        const std::optional<std::uint32_t> above = parentOf(row, name);
        joint.parent = above ? static_cast<int>(*above) : core::kNoParent;
        joint.rest.translation = glm::vec3(above ? *place - places_[*above] : *place);
        if (source && body_.skeleton.joints[*source].end)
            joint.end = glm::vec3(glm::dmat3(globals_[*source]) * glm::dvec3(*body_.skeleton.joints[*source].end));
        made_.skeleton.joints.push_back(std::move(joint));
        made_.roles.roles.push_back(row.isSpine ? roles::Role{roles::Part::spine} : *role);
        made_.isKnown.push_back(source.has_value());
        places_.push_back(*place);
    }

    [[nodiscard]] glm::dvec3 placeOf(std::uint32_t source) const { return glm::dvec3(globals_[source][3]); }

    /// The position of a finger for a hand without fingers.
    [[nodiscard]] std::optional<glm::dvec3> placeOfFinger(roles::Side side, const glm::vec3& at) const {
        const auto arm = body_.roles.jointOf(roles::Part::lowerArm, side);
        const auto hand = body_.roles.jointOf(roles::Part::hand, side);
        const bool hasFingers = std::ranges::any_of(body_.roles.roles, [side](const roles::Role& role) {
            return role.side == side && roles::isFinger(role.part);
        });
        if (!arm || !hand || hasFingers)
            return std::nullopt;
        const double sign = side == roles::Side::left ? 1 : -1;
        constexpr double kForearm = 0.24;  // of the figure
        const glm::dvec3 wrist(sign * 0.66, 1.4, 0);
        return placeOf(*hand) + (glm::dvec3(at) - wrist) * (glm::distance(placeOf(*arm), placeOf(*hand)) / kForearm);
    }

    /// The position of toes for a foot without toes, to show its orientation.
    [[nodiscard]] std::optional<glm::dvec3> placeOfToes(roles::Side side) const {
        const auto knee = body_.roles.jointOf(roles::Part::lowerLeg, side);
        const auto foot = body_.roles.jointOf(roles::Part::foot, side);
        if (!knee || !foot)
            return std::nullopt;
        if (const std::optional<glm::vec3>& end = body_.skeleton.joints[*foot].end)
            return placeOf(*foot) + glm::dmat3(globals_[*foot]) * glm::dvec3(*end);
        constexpr double kShin = 0.41;  // of the figure
        return placeOf(*foot) + glm::dvec3(0, -0.06, 0.13) * (glm::distance(placeOf(*knee), placeOf(*foot)) / kShin);
    }

    /// The nearest existing ancestor in VRM's tree.
    [[nodiscard]] std::optional<std::uint32_t> parentOf(const Row& row, const std::string& name) const {
        std::string_view parent = row.parent;
        while (!parent.empty()) {
            const bool isSide = name.starts_with("right") && parent.starts_with("left");
            const std::string above = FigureMaker::prefixed(isSide ? mirrored(parent) : std::string(parent));
            if (const auto found = made_.skeleton.find(above))
                return found;
            parent = std::ranges::find(kFigure, parent, &Row::role)->parent;
        }
        return std::nullopt;
    }

    /// Puts the hips above the origin, at their height over the soles.
    void placeHips() {
        core::Skeleton standing = body_.skeleton;
        for (std::size_t joint = 0; joint < standing.joints.size(); ++joint)
            standing.joints[joint].rest = pose_[joint];
        const core::BodySurface surface =
            body_.surface.isKnown() ? body_.surface : surfaceOfJoints({standing, body_.roles, body_.surface, true});
        const double floor = LowestPoint(standing, surface).of(pose_);
        made_.skeleton.joints.front().rest.translation = {0, static_cast<float>(places_.front().y - floor), 0};
    }

    const MovingBody& body_;
    core::Pose pose_;
    std::vector<glm::dmat4> globals_;
    std::map<std::string, std::uint32_t, std::less<>> spine_;
    std::vector<glm::dvec3> places_;  // of the new joints
    Humanoid made_;
};

}  // namespace

BindSettings settingsFor(const MovingBody& body, const roles::Anatomy& target) {
    BindSettings settings;
    settings.sourceRoles = body.roles;
    settings.targetRoles = target;
    settings.poses = body.poses;
    settings.hasOwnRest = body.hasOwnRest;
    settings.grip = roles::Grip::keep;
    settings.sourceSurface = body.surface;
    return settings;
}

std::optional<core::Pose> tPoseOf(const MovingBody& body) {
    if (body.roles.confidence < roles::kCertain || !body.roles.jointOf(roles::Part::hips) ||
        body.skeleton.origin == core::Skeleton::Origin::madeUp)
        return std::nullopt;
    const Figure figure = FigureMaker().make();
    BindSettings settings = settingsFor(body, figure.roles);
    settings.lifts = false;    // only rotations are used
    core::Diagnostics unsaid;  // not shown, because nothing is bound
    BindPlan plan = planBinding(body.skeleton, body.clips, figure.skeleton, settings, unsaid);
    return plan.report.roles ? std::optional(std::move(plan.binding.reference)) : std::nullopt;
}

Humanoid humanoidOf(const MovingBody& body, const core::Pose& tPose) { return HumanoidMaker(body, tPose).make(); }

}  // namespace reanima::binding
