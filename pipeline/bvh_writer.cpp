#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/memory.h"
#include "core/nearest_angles.h"
#include "core/text.h"
#include "pipeline/bvh_file.h"
#include "pipeline/decimal_text.h"

namespace reanima {

namespace {

constexpr double kCentimetres = 100;       // per metre
constexpr core::Factors kZxy = {2, 0, 1};  // Rz * Rx * Ry
constexpr double kDegrees = 360.0 / core::kFullTurn;
constexpr double kNoLength = 1e-4;  // centimetres
constexpr double kStill = 5e-5;     // metres: half of the allowed error of a joint

glm::dquat unitOf(const glm::quat& rotation) { return glm::normalize(glm::dquat(rotation)); }

/// Rotations of all joints in model space.
std::vector<glm::dquat> rotationsIn(const core::Skeleton& skeleton, const core::Pose& pose) {
    std::vector<glm::dquat> rotations;
    for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint) {
        const auto parent = skeleton.parentOf(joint);
        const glm::dquat own = unitOf(pose[joint].rotation);
        rotations.push_back(parent ? glm::normalize(rotations[*parent] * own) : own);
    }
    return rotations;
}

/// The position of a joint in model space.
glm::dvec3 placeIn(const core::Skeleton& skeleton, const core::Pose& pose, std::uint32_t joint) {
    glm::dvec4 place(0, 0, 0, 1);
    for (const std::uint32_t above : skeleton.upFrom(joint))
        place = core::matrixOf(pose[above]) * place;
    return place;
}

void addNumbers(const glm::dvec3& values, std::string& text) {
    for (int axis = 0; axis < 3; ++axis) {
        text += ' ';
        addDecimal(values[axis], Zeros::kept, text);
    }
}

/// `Spine, Chest and 7 more`.
std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 5;
    const std::vector<std::string> first(names.begin(),
                                         names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMost)));
    return names.size() > kMost ? fmt::format("{} and {} more", fmt::join(first, ", "), names.size() - kMost)
                                : fmt::format("{}", fmt::join(first, ", "));
}

/// True if a joint's translation changes.
bool isMoved(const core::JointTrack& track) {
    const std::vector<glm::vec3>& places = track.translation.values;
    return std::ranges::any_of(places, [&](const glm::vec3& place) {
        return glm::distance(glm::dvec3(place), glm::dvec3(places[0])) > kStill;
    });
}

/// True if a joint's scale differs from its rest pose.
bool isScaled(const core::JointTrack& track, const glm::vec3& rest) {
    constexpr float kSame = 1e-4F;
    return std::ranges::any_of(track.scale.values, [&](const glm::vec3& scale) {
        const glm::vec3 change = glm::abs(scale - rest);
        return std::max({change.x, change.y, change.z}) > kSame;
    });
}

/// Replaces blanks and braces: readers split lines at blanks, this library's reader also at braces.
std::string wordOf(std::string name) {
    for (char& c : name)
        if (static_cast<unsigned char>(c) <= ' ' || c == '{' || c == '}' || c == '\x7F')
            c = '_';
    return name.empty() ? "_" : name;
}

/// The number of frames at the clip's rate, plus one if the clip ends between two frames.
/// @throws DecodeError of the kind `limit` if they exceed the memory limit
std::size_t framesOf(const core::Clip& clip, const core::Limits& limits) {
    constexpr double kRounding = 1e-3;  // tolerance, as a part of a frame
    const double frames = std::ceil(std::max(clip.duration, 0.0) * clip.rate - kRounding) + 1;
    const auto most = static_cast<double>(std::min(limits.memory, std::uint64_t{1} << 40U));
    if (!(frames < most))
        core::requireMemory(std::numeric_limits<std::uint64_t>::max(), limits, {"the BVH file", std::nullopt});
    return static_cast<std::size_t>(std::min(frames, most));
}

}  // namespace

BvhWriter::BvhWriter(const core::Skeleton& skeleton, const std::vector<core::Clip>& clips, core::Pose standing,
                     std::optional<std::uint32_t> hips, core::Diagnostics& diagnostics)
    : skeleton_(skeleton), standing_(std::move(standing)), standingRotations_(rotationsIn(skeleton, standing_)) {
    addNodes(hips ? *hips : rootOfLargest(clips));
    sayWhatIsLost(clips, diagnostics);
}

/// Adds the ROOT and its descendants, depth first.
void BvhWriter::addNodes(std::uint32_t root) {
    std::vector<std::vector<std::uint32_t>> children(skeleton_.joints.size());
    for (std::uint32_t joint = 0; joint < skeleton_.joints.size(); ++joint)
        if (const auto parent = skeleton_.parentOf(joint))
            children[*parent].push_back(joint);
    core::UniqueNames names;
    std::vector<Node> open = {{root}};
    while (!open.empty()) {
        Node node = std::move(open.back());
        open.pop_back();
        node.name = names.unique(wordOf(skeleton_.joints[node.joint].name));
        const std::size_t index = nodes_.size();
        const std::vector<std::uint32_t>& below = children[node.joint];
        for (auto child = below.rbegin(); child != below.rend(); ++child)
            open.push_back({*child, index, node.depth + 1});
        nodes_.push_back(std::move(node));
    }
}

std::uint32_t BvhWriter::rootOfLargest(const std::vector<core::Clip>& clips) const {
    std::vector<std::size_t> sizes(skeleton_.joints.size());
    std::vector<std::vector<std::uint32_t>> children(skeleton_.joints.size());
    for (std::uint32_t joint = 0; joint < skeleton_.joints.size(); ++joint) {
        ++sizes[skeleton_.rootOf(joint)];
        if (const auto parent = skeleton_.parentOf(joint))
            children[*parent].push_back(joint);
    }
    auto root = static_cast<std::uint32_t>(std::ranges::max_element(sizes) - sizes.begin());
    const auto moves = [&](std::uint32_t joint) {
        return std::ranges::any_of(clips, [joint](const core::Clip& clip) {
            const core::JointTrack* track = clip.trackOf(joint);
            return track != nullptr && isMoved(*track);
        });
    };
    while (children[root].size() == 1 && moves(children[root].front()))
        root = children[root].front();
    return root;
}

void BvhWriter::sayWhatIsLost(const std::vector<core::Clip>& clips, core::Diagnostics& diagnostics) {
    std::vector<bool> isHeld(skeleton_.joints.size());
    for (const Node& node : nodes_)
        isHeld[node.joint] = true;
    for (const std::uint32_t above : skeleton_.ancestors(nodes_.front().joint))
        isHeld[above] = true;  // the ROOT's motion includes it
    std::vector<std::string> beside;
    for (std::uint32_t joint = 0; joint < skeleton_.joints.size(); ++joint)
        if (!isHeld[joint])
            beside.push_back(skeleton_.joints[joint].name);
    std::vector<std::string> moving;
    std::vector<std::string> scaled;
    for (Node& node : nodes_) {
        const core::Joint& joint = skeleton_.joints[node.joint];
        bool scales = false;
        for (const core::Clip& clip : clips)
            if (const core::JointTrack* track = clip.trackOf(node.joint)) {
                node.moves = node.moves || isMoved(*track);
                scales = scales || isScaled(*track, joint.rest.scale);
            }
        if (node.moves && &node != &nodes_.front())
            moving.push_back(joint.name);
        if (scales)
            scaled.push_back(joint.name);
    }
    const auto warn = [&](const std::vector<std::string>& names, std::string_view what) {
        if (!names.empty())
            diagnostics.warn(core::Code::ignored, {},
                             fmt::format("a BVH file {}: {} ({} joint{})", what, listed(names), names.size(),
                                         names.size() == 1 ? "" : "s"));
    };
    warn(beside, fmt::format("can only contain {} and the joints below it, so other joints are left out",
                             skeleton_.joints[nodes_.front().joint].name));
    warn(moving, "can't move joints relative to their parents, so these joints stay in place");
    warn(scaled, "can't scale joints, so these joints are not scaled");
}

/// The standing pose. Joints that no clip translates have their position in this clip.
core::Pose BvhWriter::heldPose(const core::Clip& clip) const {
    core::Pose pose = core::restPose(skeleton_);
    for (std::size_t joint = 0; joint < pose.size(); ++joint)
        pose[joint].rotation = standing_[joint].rotation;
    for (const Node& node : nodes_) {
        const core::JointTrack* track = clip.trackOf(node.joint);
        if (track != nullptr && track->translation.isPresent() && !node.moves)
            pose[node.joint].translation = track->translation.values.front();
    }
    return pose;
}

BvhWriter::Offsets BvhWriter::offsetsIn(const core::Clip& clip) const {
    const std::vector<glm::dmat4> globals = core::globalMatrices(skeleton_, heldPose(clip));
    Offsets offsets{{}, std::vector<std::optional<glm::dvec3>>(nodes_.size())};
    std::vector<double> heights;
    std::vector<bool> carries(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const Node& node = nodes_[i];
        const glm::dvec3 place(globals[node.joint][3]);
        const glm::dvec3 above(globals[nodes_[node.parent].joint][3]);
        offsets.joints.push_back((place - above) * kCentimetres);
        heights.push_back(place.y * kCentimetres);
        if (i > 0)
            carries[node.parent] = true;
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (carries[i])
            continue;
        const core::Joint& joint = skeleton_.joints[nodes_[i].joint];
        glm::dvec3 end =
            joint.end ? glm::dmat3(globals[nodes_[i].joint]) * glm::dvec3(*joint.end) * kCentimetres : glm::dvec3(0);
        constexpr double kShare = 0.1;  // length of an end site, relative to the bone before it
        for (std::size_t bone = i; glm::length(end) < kNoLength && bone > 0; bone = nodes_[bone].parent)
            end = offsets.joints[bone] * kShare;
        if (glm::length(end) < kNoLength)
            end = {0, 1, 0};  // a skeleton of one joint
        offsets.ends[i] = end;
        heights.push_back(heights[i] + end.y);
    }
    offsets.joints[0] = {0, heights[0] - *std::ranges::min_element(heights), 0};
    return offsets;
}

void BvhWriter::addHierarchy(const Offsets& offsets, std::string& text) const {
    const auto addLine = [&text](std::size_t depth, std::string_view line) {
        text.append(depth, '\t').append(line);
        text += '\n';
    };
    const auto addOffset = [&text](std::size_t depth, const glm::dvec3& offset) {
        text.append(depth, '\t') += "OFFSET";
        addNumbers(offset, text);
        text += '\n';
    };
    text += "HIERARCHY\n";
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const std::size_t depth = nodes_[i].depth;
        addLine(depth, (i == 0 ? "ROOT " : "JOINT ") + nodes_[i].name);
        addLine(depth, "{");
        addOffset(depth + 1, offsets.joints[i]);
        addLine(depth + 1, i == 0 ? "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
                                  : "CHANNELS 3 Zrotation Xrotation Yrotation");
        if (offsets.ends[i]) {
            addLine(depth + 1, "End Site");
            addLine(depth + 1, "{");
            addOffset(depth + 2, *offsets.ends[i]);
            addLine(depth + 1, "}");
        }
        const std::size_t next = i + 1 < nodes_.size() ? nodes_[i + 1].depth : 0;
        for (std::size_t open = depth + 1; open > next; --open)
            addLine(open - 1, "}");
    }
}

std::string BvhWriter::textOf(const core::Clip& clip, const core::Limits& limits) const {
    const std::size_t frames = framesOf(clip, limits);
    constexpr std::uint64_t kNumber = 12;  // characters
    constexpr std::uint64_t kNode = 300;
    core::requireMemory(2 * nodes_.size() * (kNode + 3 * kNumber * std::uint64_t{frames}), limits,
                        {"the BVH file", std::nullopt});
    std::string text;
    addHierarchy(offsetsIn(clip), text);
    text += fmt::format("MOTION\nFrames: {}\nFrame Time: {:.7f}\n", frames, 1 / clip.rate);
    std::vector<core::RealAngles> angles(nodes_.size());
    std::vector<glm::dquat> written(nodes_.size());  // in model space
    for (std::size_t frame = 0; frame < frames; ++frame) {
        const double seconds = std::min(static_cast<double>(frame) / clip.rate, clip.duration);
        const core::Pose pose = core::samplePose(skeleton_, clip, seconds);
        const std::vector<glm::dquat> rotations = rotationsIn(skeleton_, pose);
        const glm::dvec3 travel(core::sampleChannel(clip, clip.travel, seconds, glm::vec3(0)));
        std::string numbers;
        addNumbers((placeIn(skeleton_, pose, nodes_.front().joint) + travel) * kCentimetres, numbers);
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const std::uint32_t joint = nodes_[i].joint;
            const glm::dquat turned = rotations[joint] * glm::conjugate(standingRotations_[joint]);
            const glm::dquat above = i == 0 ? glm::dquat(1, 0, 0, 0) : written[nodes_[i].parent];
            angles[i] = core::nearestAngles(glm::normalize(glm::conjugate(above) * turned), kZxy, angles[i],
                                            core::Closeness::text);
            // Relative to the parent's written angles, so that errors near the pole do not add up along a limb.
            written[i] = glm::normalize(above * core::rotationOf(angles[i], kZxy));
            addNumbers(glm::dvec3(angles[i][2], angles[i][0], angles[i][1]) * kDegrees, numbers);
        }
        text.append(numbers, 1);
        text += '\n';
    }
    return text;
}

}  // namespace reanima
