/// Converts angles per frame and bone to channels of clips. The games' Y points down.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "angle_frames.h"
#include "core/axes.h"
#include "core/axis_order.h"
#include "core/clip.h"
#include "core/large_steps.h"
#include "core/limits.h"

namespace reanima {

/// A clip of `frames` frames (1 or more), without channels.
[[nodiscard]] core::Clip clipOf(std::string name, std::string source, std::uint32_t frames, double rate);

/// The channel with a single value if its values never change, otherwise unchanged.
template <typename T>
[[nodiscard]] core::Channel<T> shortened(core::Channel<T> channel) {
    if (channel.values.size() > 1 &&
        std::ranges::all_of(channel.values, [&](const T& value) { return value == channel.values.front(); }))
        channel.values = std::vector<T>{channel.values.front()};  // frees the memory of the other values
    return channel;
}

/// The positions of all frames in metres.
/// @param at returns the x, y and z of a frame in the game's units
template <typename At>
[[nodiscard]] core::Channel<glm::vec3> placesOf(std::uint32_t timeline, std::size_t frames, double scale,
                                                const At& at) {
    core::Channel<glm::vec3> channel{timeline, {}, {}};
    channel.values.reserve(frames);
    for (std::size_t frame = 0; frame < frames; ++frame) {
        const auto& [x, y, z] = at(frame);
        channel.values.push_back(core::axes::fromYDown(glm::dvec3(x, y, z), scale));
    }
    return shortened(std::move(channel));
}

/// The rotations of all frames. Of q and -q, the one nearer to the previous quaternion is used.
/// @param at returns the rotation of a frame
/// @param joint the joint's name, for notes about steps so large that players may interpolate them either way
template <typename At>
[[nodiscard]] core::Channel<glm::quat> rotationsOf(std::uint32_t timeline, std::size_t frames, const At& at,
                                                   const std::string& clip, const std::string& joint,
                                                   core::LargeSteps& largeSteps) {
    core::Channel<glm::quat> channel{timeline, {}, {}};
    channel.values.reserve(frames);
    for (std::size_t frame = 0; frame < frames; ++frame) {
        const glm::quat made = at(frame);
        if (frame == 0) {
            channel.values.push_back(made);
            continue;
        }
        const glm::quat before = channel.values.back();
        channel.values.push_back(core::nearestSign(made, before));
        constexpr float kFar = 0.5F;  // the cosine of half of LargeSteps::kDegrees
        if (const float cosine = std::abs(glm::dot(before, made)); cosine < kFar)
            largeSteps.add(1, 1 - static_cast<double>(cosine), clip, joint, frame);
    }
    return shortened(std::move(channel));
}

using core::AxisOrder;

struct AngleClipSettings {
    double rate = 15;      ///< frames per second
    double scale = 1;      ///< metres per unit of the game
    double subdivide = 0;  ///< largest rotation in degrees between two keys; 0: only the file's keys
};

/// Rejects added keys that need too much memory.
/// @throws core::DecodeError of the kind `limit`
void requireMemoryForKeys(std::uint64_t keys, const core::Limits& limits);

/// The number of rotation keys, including keys added between those of the file.
[[nodiscard]] std::uint64_t rotationKeys(const AngleFrames& frames, double subdivide);

/// Makes the channels of a motion on the clip's timelines.
template <AxisOrder order>
class AngleChannels {
  public:
    /// @param clip has a name; it and the frames must outlive this object
    /// @param largeSteps collects steps that players may interpolate either way
    AngleChannels(const AngleFrames& frames, const AngleClipSettings& settings, core::Clip& clip,
                  core::LargeSteps& largeSteps);

    [[nodiscard]] core::Channel<glm::vec3> translation() const;
    [[nodiscard]] core::Channel<glm::quat> rotation(std::size_t triple, const std::string& joint);

    /// The number of keys that were added between those of the file.
    [[nodiscard]] std::size_t inserted() const { return inserted_; }

  private:
    [[nodiscard]] const AngleTriple& angles(std::size_t frame, std::size_t triple) const {
        return frames_.rotations[frame * triples_ + triple];
    }
    [[nodiscard]] bool isConstant(std::size_t triple) const;

    const AngleFrames& frames_;
    std::size_t triples_;
    AngleClipSettings settings_;
    core::Clip& clip_;
    std::uint32_t timeline_;
    core::LargeSteps& largeSteps_;
    std::size_t inserted_ = 0;
};

extern template class AngleChannels<AxisOrder::yxz>;
extern template class AngleChannels<AxisOrder::zyx>;

}  // namespace reanima
