#include "formats/ff8/scale_fit.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <glm/gtc/quaternion.hpp>

#include "core/rotation.h"
#include "formats/angle_clips.h"

namespace reanima::ff8 {

namespace {

template <typename T>
T valueAt(const core::Channel<T>& channel, std::size_t frame, const T& rest) {
    return channel.values.empty() ? rest : channel.values[channel.isAnimated() ? frame : 0];
}

bool isUneven(const glm::dvec3& size) { return size.x != size.y || size.y != size.z; }

glm::dmat3 scaled(const glm::dmat3& m, const glm::dvec3& s) { return {m[0] * s.x, m[1] * s.y, m[2] * s.z}; }

bool isUsable(const glm::dmat3& m) {
    constexpr double kFlat = 1e-9;  // smallest determinant; flatter matrices can't be inverted
    const double volume = glm::determinant(m);
    return std::isfinite(volume) && std::abs(volume) > kFlat;
}

/// True if the difference of two matrices is below the precision of floats.
bool areAlike(const glm::dmat3& a, const glm::dmat3& b) {
    constexpr double kSmall = 1e-20;  // limit for the sum of squared differences
    const glm::dmat3 d = a - b;
    return glm::dot(d[0], d[0]) + glm::dot(d[1], d[1]) + glm::dot(d[2], d[2]) < kSmall;
}

/// The rotation nearest to a matrix; `otherwise` if it can't be computed.
glm::dmat3 nearestRotation(glm::dmat3 m, const glm::dmat3& otherwise) {
    constexpr int kMostSteps = 24;
    for (int i = 0; i < kMostSteps; ++i) {
        if (!isUsable(m))
            return otherwise;
        const glm::dmat3 before = m;
        m = (m + glm::transpose(glm::inverse(m))) * 0.5;
        if (areAlike(m, before))
            break;
    }
    return glm::determinant(m) > 0 ? m : otherwise;
}

struct Fit {
    glm::dmat3 rotation;
    glm::dvec3 scale;
};

/// The rotation R and the scale S for which R S is closest to a matrix.
/// @param guess start of the search
Fit fitted(const glm::dmat3& m, Fit guess) {
    constexpr int kMostSteps = 32;
    for (int i = 0; i < kMostSteps; ++i) {
        const glm::dmat3 before = guess.rotation;
        for (glm::length_t axis = 0; axis < 3; ++axis)
            guess.scale[axis] = glm::dot(guess.rotation[axis], m[axis]);
        guess.rotation = nearestRotation(scaled(m, guess.scale), guess.rotation);
        if (areAlike(guess.rotation, before))
            break;
    }
    return guess;
}

template <typename T>
void setAt(core::Channel<T>& channel, std::size_t frame, std::size_t frames, const T& before, const T& value) {
    if (channel.values.size() != frames)
        channel.values.assign(frames, channel.values.empty() ? before : channel.values.front());
    channel.values[frame] = value;
}

}  // namespace

std::vector<bool> ScaleFit::jointsBelowUneven(const core::Clip& clip) const {
    const std::size_t joints = skeleton_.joints.size();
    std::vector<bool> below(joints);
    std::vector<glm::dvec3> sizes(joints);
    for (std::size_t frame = 0; frame < clip.frames; ++frame)
        for (std::size_t joint = 0; joint < joints; ++joint) {
            const auto parent = skeleton_.parentOf(static_cast<std::uint32_t>(joint));
            sizes[joint] = glm::dvec3(valueAt(clip.tracks[joint].scale, frame, glm::vec3(1)));
            if (!parent)
                continue;
            below[joint] = below[joint] || below[*parent] || isUneven(sizes[*parent]);
            sizes[joint] *= sizes[*parent];
        }
    return below;
}

ScaleFit::Placed ScaleFit::placedBy(const core::Clip& clip, std::uint32_t joint, std::size_t frame,
                                    const std::vector<Placed>& earlier) const {
    const core::JointTrack& track = clip.tracks[joint];
    const core::Transform& rest = skeleton_.joints[joint].rest;
    Placed placed;
    placed.rotation = glm::mat3_cast(glm::dquat(valueAt(track.rotation, frame, rest.rotation)));
    placed.size = glm::dvec3(valueAt(track.scale, frame, rest.scale));
    placed.place = glm::dvec3(valueAt(track.translation, frame, rest.translation));
    if (const auto parent = skeleton_.parentOf(joint)) {
        const Placed& above = earlier[*parent];
        placed.place = above.place + above.rotation * (above.size * placed.place);
        placed.rotation = above.rotation * placed.rotation;
        placed.size *= above.size;
    }
    placed.node = scaled(placed.rotation, placed.size);
    return placed;
}

void ScaleFit::note(const Placed& placed, const std::string& clip, std::uint32_t joint, std::size_t frame) {
    const glm::dmat3 difference = scaled(placed.rotation, placed.size) - placed.node;
    for (unsigned corner = 0; corner < 8; ++corner) {
        glm::dvec3 at;
        for (glm::length_t axis = 0; axis < 3; ++axis)
            at[axis] = boxes_[joint][corner >> static_cast<unsigned>(axis) & 1U][axis];
        const double error = glm::length(difference * at);
        if (error > worst_) {
            worst_ = error;
            where_ = fmt::format("{}, {}, frame {}", clip, skeleton_.joints[joint].name, frame);
        }
    }
}

void ScaleFit::apply(core::Clip& clip) {
    const std::vector<bool> below = jointsBelowUneven(clip);
    if (std::ranges::find(below, true) == below.end())
        return;
    const core::Clip stored = clip;
    std::vector<Placed> placed(below.size());
    for (std::size_t frame = 0; frame < clip.frames; ++frame)
        for (std::uint32_t joint = 0; joint < below.size(); ++joint) {
            placed[joint] = placedBy(stored, joint, frame, placed);
            const auto parent = skeleton_.parentOf(joint);
            if (!below[joint] || !isUsable(placed[*parent].node))
                continue;
            const glm::dmat3 back = glm::inverse(placed[*parent].node);
            const core::JointTrack& was = stored.tracks[joint];
            const core::Transform& rest = skeleton_.joints[joint].rest;
            const glm::quat turned = valueAt(was.rotation, frame, rest.rotation);
            const glm::vec3 size = valueAt(was.scale, frame, rest.scale);
            const Fit fit = fitted(back * placed[joint].node, {glm::mat3_cast(glm::dquat(turned)), glm::dvec3(size)});
            core::JointTrack& track = clip.tracks[joint];
            setAt(track.translation, frame, clip.frames, rest.translation,
                  glm::vec3(back * (placed[joint].place - placed[*parent].place)));
            setAt(track.rotation, frame, clip.frames, turned, glm::normalize(glm::quat(glm::quat_cast(fit.rotation))));
            setAt(track.scale, frame, clip.frames, size, glm::vec3(fit.scale));
            placed[joint].node = placed[*parent].node * scaled(fit.rotation, fit.scale);
            note(placed[joint], clip.name, joint, frame);
        }
    for (core::JointTrack& track : clip.tracks) {
        for (std::size_t frame = 1; frame < track.rotation.values.size(); ++frame)
            track.rotation.values[frame] =
                core::nearestSign(track.rotation.values[frame], track.rotation.values[frame - 1]);
        core::forEachChannel(track, [](auto& channel) { channel = shortened(std::move(channel)); });
    }
}

void ScaleFit::report(core::Diagnostics& diagnostics) const {
    constexpr double kMillimetres = 1000;
    constexpr double kVisible = 0.05;  // millimetres
    if (worst_ * kMillimetres >= kVisible)
        diagnostics.warn(core::Code::nonUniformScale, {},
                         fmt::format("bones are scaled by different factors along their axes, which joints can't "
                                     "represent; vertices are off by up to {:.1f} mm ({})",
                                     worst_ * kMillimetres, where_));
}

}  // namespace reanima::ff8
