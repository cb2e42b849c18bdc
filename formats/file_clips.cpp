#include "formats/file_clips.h"

#include <fmt/format.h>

#include "core/memory.h"

namespace reanima {

namespace {

/// Checks the memory for added keys. Without added keys no check is needed: clips are then only a few times larger than
/// the decoded frames.
void requireMemoryForAddedKeys(std::span<const AngleAnimation> animations, double subdivide,
                               const core::Limits& limits) {
    std::uint64_t keys = 0;
    for (const AngleAnimation& animation : animations)
        keys += subdivide > 0 && animation.isDivided ? rotationKeys(*animation.frames, subdivide) : 0;
    requireMemoryForKeys(keys, limits);
}

}  // namespace

template <AxisOrder order>
void addFileClips(core::Asset& asset, std::span<const AngleAnimation> animations, const FileClipSettings& settings,
                  const std::function<void(core::Clip& clip, std::size_t index)>& finish, const core::Limits& limits,
                  core::Diagnostics& diagnostics) {
    requireMemoryForAddedKeys(animations, settings.channels.subdivide, limits);
    const std::vector<core::Joint>& joints = asset.skeleton->joints;
    core::MemoryCount memory(limits, fmt::format("{} animations", animations.size()));
    core::LargeSteps largeSteps;
    std::size_t inserted = 0;
    for (std::size_t index = 0; index < animations.size(); ++index) {
        const AngleAnimation& animation = animations[index];
        const AngleFrames& frames = *animation.frames;
        if (frames.count() == 0) {
            if (!animation.isDamaged)
                diagnostics.warn(core::Code::empty, {fmt::format("animations[{}]", index), std::nullopt},
                                 "has no frames, so no clip is made");
            continue;
        }
        core::Clip& clip =
            asset.clips.emplace_back(clipOf(fmt::format("{}_{:03}", settings.stem, index), settings.source,
                                            static_cast<std::uint32_t>(frames.count()), settings.channels.rate));
        clip.index = clip.id = static_cast<std::uint32_t>(index);
        AngleClipSettings of = settings.channels;
        of.subdivide = animation.isDivided ? of.subdivide : 0;
        AngleChannels<order> channels(frames, of, clip, largeSteps);
        for (std::uint32_t joint = 0; joint < joints.size(); ++joint)
            clip.tracks.push_back({joint,
                                   joint == 0 ? channels.translation() : core::Channel<glm::vec3>{},
                                   channels.rotation(joint, joints[joint].name),
                                   {}});
        inserted += channels.inserted();
        if (finish)
            finish(clip, index);
        memory.add(core::memoryOf(clip));
    }
    if (settings.channels.subdivide > 0)
        diagnostics.note(core::Code::keysInserted, {},
                         fmt::format("{} keys were inserted between the keys of the file", inserted));
    largeSteps.report(diagnostics, {"subdivide", "90"});
}

template void addFileClips<AxisOrder::yxz>(core::Asset&, std::span<const AngleAnimation>, const FileClipSettings&,
                                           const std::function<void(core::Clip&, std::size_t)>&, const core::Limits&,
                                           core::Diagnostics&);
template void addFileClips<AxisOrder::zyx>(core::Asset&, std::span<const AngleAnimation>, const FileClipSettings&,
                                           const std::function<void(core::Clip&, std::size_t)>&, const core::Limits&,
                                           core::Diagnostics&);

}  // namespace reanima
