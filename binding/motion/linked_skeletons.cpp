#include "binding/motion/linked_skeletons.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"

namespace reanima::motion {

double uniformly(const glm::vec3& scale) {
    return scale == glm::vec3(1)
               ? 1
               : std::cbrt(static_cast<double>(scale.x) * static_cast<double>(scale.y) * static_cast<double>(scale.z));
}

Globals globalsOf(const Skeleton& skeleton, const Pose& pose) {
    Globals globals;
    globals.rotations.reserve(pose.size());
    globals.positions.reserve(pose.size());
    globals.scales.reserve(pose.size());
    for (std::size_t i = 0; i < pose.size(); ++i) {
        const int parent = skeleton.joints[i].parent;
        const glm::dquat rotation = normalized(pose[i].rotation);
        const glm::dvec3 translation(pose[i].translation);
        const double scale = uniformly(pose[i].scale);
        if (parent == kNoParent) {
            globals.rotations.push_back(rotation);
            globals.positions.push_back(translation);
            globals.scales.push_back(scale);
        } else {
            const auto p = static_cast<std::size_t>(parent);
            globals.rotations.push_back(globals.rotations[p] * rotation);
            globals.positions.push_back(globals.positions[p] +
                                        globals.rotations[p] * (globals.scales[p] * translation));
            globals.scales.push_back(globals.scales[p] * scale);
        }
    }
    return globals;
}

std::vector<Globals> globalsOf(const Skeleton& skeleton, const std::vector<Pose>& poses) {
    std::vector<Globals> globals;
    globals.reserve(poses.size());
    for (const Pose& pose : poses)
        globals.push_back(globalsOf(skeleton, pose));
    return globals;
}

double extentOf(const std::vector<glm::dvec3>& positions) {
    double extent = 0;
    for (const glm::dvec3& position : positions)
        extent = std::max(extent, glm::distance(position, positions.front()));
    return extent;
}

LinkedSkeletons::LinkedSkeletons(const Skeleton& source, const Skeleton& target, const Binding& binding)
    : source_(source),
      binding_(binding),
      target_(target),
      reference_(globalsOf(source, binding.reference)),
      rest_(globalsOf(target, restPose(target))),
      linkOf_(target.joints.size()) {
    for (const JointLink& link : binding.links)
        linkOf_[link.target] = &link;
    for (const Attachment& attachment : binding.attachments)
        if (std::none_of(binding.links.begin(), binding.links.end(),
                         [&](const JointLink& link) { return link.source == attachment.source; }))
            addJointFor(attachment);
    findConstants();
}

void LinkedSkeletons::findConstants() {
    for (std::uint32_t joint = 0; joint < linkOf_.size(); ++joint) {
        const std::optional<std::uint32_t> parent = target_.parentOf(joint);
        const glm::dquat local = normalized(target_.joints[joint].rest.rotation);
        if (linkOf_[joint] != nullptr)
            constants_.push_back(rest_.rotations[joint] * normalized(linkOf_[joint]->rotateOffset));
        else
            constants_.push_back(parent ? constants_[*parent] * local : local);
    }
}

const TwistShare* LinkedSkeletons::twistOf(std::uint32_t joint) const {
    const auto found = std::ranges::find(binding_.twists, joint, &TwistShare::joint);
    return found == binding_.twists.end() ? nullptr : &*found;
}

const IkTarget* LinkedSkeletons::ikTargetOf(std::uint32_t joint) const {
    const auto found = std::ranges::find(binding_.ikTargets, joint, &IkTarget::joint);
    return found == binding_.ikTargets.end() ? nullptr : &*found;
}

const JointLink* LinkedSkeletons::linkAbove(std::uint32_t joint) const {
    for (const std::uint32_t parent : target_.ancestors(joint))
        if (linkOf_[parent] != nullptr)
            return linkOf_[parent];
    return nullptr;
}

bool LinkedSkeletons::sameParents(const JointLink& link) const {
    const std::optional<std::uint32_t> parent = target_.parentOf(link.target);
    const std::optional<std::uint32_t> sourceParent = source_.parentOf(link.source);
    return parent && sourceParent && linkOf_[*parent] != nullptr && linkOf_[*parent]->source == *sourceParent;
}

glm::dquat LinkedSkeletons::parentConstant(std::uint32_t target, const JointLink* above) const {
    const std::optional<std::uint32_t> parent = target_.parentOf(target);
    const glm::dquat constant = parent ? constants_[*parent] : kNoTurn;
    return above != nullptr ? glm::conjugate(reference_.rotations[above->source]) * constant : constant;
}

std::optional<std::uint32_t> LinkedSkeletons::targetOf(std::uint32_t source) const {
    for (const std::uint32_t joint : source_.upFrom(source))
        for (const JointLink& link : binding_.links)
            if (link.source == joint)
                return link.target;
    return std::nullopt;
}

void LinkedSkeletons::addJointFor(const Attachment& attachment) {
    const std::optional<std::uint32_t> parent = targetOf(attachment.carrier);
    UniqueNames names;
    for (const Joint& joint : target_.joints)
        (void)names.unique(joint.name);
    Joint joint = source_.joints[attachment.source];
    joint.name = names.unique(joint.name);
    joint.parent = parent ? static_cast<int>(*parent) : kNoParent;
    joint.id.reset();
    const glm::dquat turned = parent ? rest_.rotations[*parent] : kNoTurn;
    const glm::dvec3 from = parent ? reference_.positions[attachment.carrier] : glm::dvec3(0);
    joint.rest.rotation = glm::quat(glm::normalize(glm::conjugate(turned) * reference_.rotations[attachment.source]));
    joint.rest.translation =
        glm::vec3(glm::conjugate(turned) * ((reference_.positions[attachment.source] - from) * binding_.scale /
                                            (parent ? rest_.scales[*parent] : 1)));
    added_.emplace_back(attachment.source, static_cast<std::uint32_t>(target_.joints.size()));
    target_.joints.push_back(std::move(joint));
    linkOf_.push_back(nullptr);
    rest_ = globalsOf(target_, restPose(target_));
}

std::uint32_t LinkedSkeletons::followerOf(std::uint32_t source) const {
    for (const auto& [from, to] : added_)
        if (from == source)
            return to;
    return *targetOf(source);
}

}  // namespace reanima::motion
