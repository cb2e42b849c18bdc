#include "importers/scene_animation.h"

#include <cmath>

#include "core/text.h"
#include "importers/scene_keys.h"

namespace reanima {

namespace {

using core::Channel;
using core::Clip;

/// The tick at a time. Whole frames get whole ticks, although their times in seconds are rounded.
double tickOf(double seconds, double rate) {
    const double tick = seconds * rate;
    const double whole = std::round(tick);
    return std::abs(tick - whole) < 1e-3 ? whole : tick;
}

/// How a constant value is stored as keys.
enum class SingleKey { alone, repeatedAtTheEnd };

template <typename T>
std::size_t keysOf(const Channel<T>& channel, SingleKey single) {
    return channel.isAnimated() ? channel.values.size() : single == SingleKey::alone ? 1 : 2;
}

template <typename Key, typename T>
Key* makeKeys(const Clip& clip, const Channel<T>& channel, const T& rest, unsigned& count, SingleKey single) {
    std::vector<T> values = channel.values;
    if (values.empty())
        values.push_back(rest);
    std::vector<double> ticks = {0};
    if (values.size() > 1) {
        ticks.clear();
        for (const float time : clip.timelines[channel.timeline])
            ticks.push_back(tickOf(static_cast<double>(time), clip.rate));
    }
    if (single == SingleKey::repeatedAtTheEnd && values.size() == 1) {
        values.push_back(values.front());
        ticks.push_back(1);
    }
    count = static_cast<unsigned>(values.size());
    auto* keys = new Key[count];
    for (unsigned i = 0; i < count; ++i)
        keys[i] = Key(ticks[i], toAssimp(values[i]));
    if (channel.interpolation == core::Interpolation::step)
        for (unsigned i = 0; i < count; ++i)
            setStep(keys[i]);
    return keys;
}

void count(core::MemoryCount& memory, std::size_t positions, std::size_t rotations, std::size_t scales) {
    memory.add(sizeof(void*) + core::heapBytes(sizeof(aiNodeAnim)) + core::heapBytes(positions * sizeof(aiVectorKey)) +
               core::heapBytes(rotations * sizeof(aiQuatKey)) + core::heapBytes(scales * sizeof(aiVectorKey)));
}

/// @param unitsPerMetre factor for positions
std::unique_ptr<aiNodeAnim> makeChannel(const aiString& node, const core::JointTrack& track,
                                        const core::Transform& rest, const Clip& clip, float unitsPerMetre,
                                        SingleKey single, core::MemoryCount& memory) {
    count(memory, keysOf(track.translation, single), keysOf(track.rotation, single), keysOf(track.scale, single));
    auto channel = std::make_unique<aiNodeAnim>();
    channel->mNodeName = node;
    channel->mPositionKeys =
        makeKeys<aiVectorKey>(clip, track.translation, rest.translation, channel->mNumPositionKeys, single);
    channel->mRotationKeys =
        makeKeys<aiQuatKey>(clip, track.rotation, rest.rotation, channel->mNumRotationKeys, single);
    channel->mScalingKeys = makeKeys<aiVectorKey>(clip, track.scale, rest.scale, channel->mNumScalingKeys, single);
    if (unitsPerMetre != 1)
        for (unsigned i = 0; i < channel->mNumPositionKeys; ++i)
            channel->mPositionKeys[i].mValue *= unitsPerMetre;
    return channel;
}

/// The displacement of the whole character, added to the position of its node.
std::unique_ptr<aiNodeAnim> makeTravel(const aiNode& whole, const Clip& clip, float unitsPerMetre, SingleKey single,
                                       core::MemoryCount& memory) {
    aiVector3D scale;
    aiQuaternion rotation;
    aiVector3D position;
    whole.mTransformation.Decompose(scale, rotation, position);
    core::JointTrack track;
    track.translation = clip.travel;
    const core::Transform rest{{}, {rotation.w, rotation.x, rotation.y, rotation.z}, {scale.x, scale.y, scale.z}};
    auto channel = makeChannel(whole.mName, track, rest, clip, unitsPerMetre, single, memory);
    for (unsigned i = 0; i < channel->mNumPositionKeys; ++i)
        channel->mPositionKeys[i].mValue += position;
    return channel;
}

}  // namespace

aiMatrix4x4 toAssimp(const core::Transform& transform, float unitsPerMetre) {
    aiMatrix4x4 matrix(toAssimp(transform.rotation).GetMatrix());
    const aiVector3D position = toAssimp(transform.translation) * unitsPerMetre;
    for (unsigned row = 0; row < 3; ++row) {
        for (unsigned column = 0; column < 3; ++column)
            matrix[row][column] *= transform.scale[static_cast<int>(column)];
        matrix[row][3] = position[row];
    }
    return matrix;
}

AnimatedJoints::AnimatedJoints(const core::Skeleton& ofSkeleton, const aiNode& wholeNode)
    : skeleton(&ofSkeleton), whole(&wholeNode) {
    for (std::uint32_t joint = 0; joint < ofSkeleton.joints.size(); ++joint)
        rows.push_back({joint, aiString(ofSkeleton.joints[joint].name)});
}

std::unique_ptr<aiAnimation> makeAnimation(const AnimatedJoints& joints, const Clip& clip, core::MemoryCount& memory) {
    static const core::JointTrack kNoTrack;
    memory.add(core::heapBytes(sizeof(aiAnimation)));
    auto animation = std::make_unique<aiAnimation>();
    animation->mName = core::validUtf8(clip.name);
    animation->mTicksPerSecond = clip.rate;
    // Engines use the time modulo the duration, so it must not be 0.
    const bool isStill = clip.duration <= 0;
    const SingleKey single = isStill ? SingleKey::repeatedAtTheEnd : SingleKey::alone;
    animation->mDuration = isStill ? 1 : tickOf(clip.duration, clip.rate);
    animation->mChannels = new aiNodeAnim*[joints.rows.size() + 1]();
    const auto add = [&](std::unique_ptr<aiNodeAnim> channel) {
        animation->mChannels[animation->mNumChannels++] = channel.release();
    };
    for (const AnimatedJoints::Row& row : joints.rows) {
        const core::JointTrack* track = clip.trackOf(row.joint);
        add(makeChannel(row.node, track == nullptr ? kNoTrack : *track, joints.skeleton->joints[row.joint].rest, clip,
                        joints.unitsPerMetre, single, memory));
    }
    if (clip.travel.isPresent())
        add(makeTravel(*joints.whole, clip, joints.unitsPerMetre, single, memory));
    return animation;
}

}  // namespace reanima
