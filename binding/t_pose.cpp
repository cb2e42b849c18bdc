#include "binding/t_pose.h"

#include <array>
#include <string>
#include <string_view>

#include "binding/bind_plan.h"

namespace reanima::binding {

namespace {

/// A joint of the figure, where it stands: metres.
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

    /// Joints of a source that are called as these would follow by their names.
    static std::string prefixed(const std::string& name) { return "t-pose " + name; }

    Figure figure_;
    std::vector<glm::vec3> places_;
};

}  // namespace

std::optional<core::Pose> tPoseOf(const MovingBody& body) {
    if (body.roles.confidence < roles::kCertain || !body.roles.jointOf(roles::Part::hips) ||
        body.skeleton.origin == core::Skeleton::Origin::madeUp)
        return std::nullopt;
    const Figure figure = FigureMaker().make();
    BindSettings settings;
    settings.sourceRoles = body.roles;
    settings.targetRoles = figure.roles;
    settings.poses = body.poses;
    settings.hasOwnRest = body.hasOwnRest;
    settings.grip = roles::Grip::keep;
    settings.sourceSurface = body.surface;
    core::Diagnostics unsaid;  // nothing is bound
    BindPlan plan = planBinding(body.skeleton, body.clips, figure.skeleton, settings, unsaid);
    return plan.report.roles ? std::optional(std::move(plan.binding.reference)) : std::nullopt;
}

}  // namespace reanima::binding
