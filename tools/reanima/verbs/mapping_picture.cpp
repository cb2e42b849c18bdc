#include "tools/reanima/verbs/mapping_picture.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/pose.h"
#include "drawing/binding_picture.h"
#include "pictures/png.h"

namespace reanima::tool {

namespace {

/// Some frames of the source, and the same frames after binding.
/// @return empty, with a note, if the mapping can't be applied
std::vector<drawing::PosedFrame> framesOf(const Sides& sides, const JointMap& map, core::Diagnostics& diagnostics) {
    constexpr std::size_t kFrames = 3;
    const std::vector<core::Clip>& clips = sides.source().clips;
    const std::vector<drawing::Moment> moments = drawing::differentMoments(sides.skeleton(), clips, kFrames);
    if (moments.empty())
        return {};
    core::Diagnostics repeated;
    core::Asset bound;
    try {
        bound = sides
                    .bound(
                        [&](Settings& settings) {
                            settings.map = map;
                            settings.nameTemplate.clear();
                            settings.clips.clear();
                            for (const drawing::Moment& moment : moments)
                                settings.clips.push_back(clips[moment.clip].name);
                        },
                        repeated)
                    .asset;
    } catch (const core::DecodeError& error) {
        diagnostics.note(core::Code::ignored, {},
                         fmt::format("the image shows no poses of the motion: {}", error.problem()));
        return {};
    }
    std::vector<drawing::PosedFrame> frames;
    for (const drawing::Moment& moment : moments) {
        const core::Clip& clip = clips[moment.clip];
        const auto result = std::ranges::find(bound.clips, clip.name, &core::Clip::name);
        if (result == bound.clips.end())
            continue;
        const double time = moment.frame / clip.rate;
        core::Pose pose = core::samplePose(*bound.skeleton, *result, time);
        pose.resize(sides.rig().joints.size());  // weapons were added after the rig's joints
        frames.push_back({core::samplePose(sides.skeleton(), clip, time), std::move(pose),
                          fmt::format("{}, frame {}", clip.name, moment.frame)});
    }
    return frames;
}

}  // namespace

core::ByteVector pictureOf(const Sides& sides, const SuggestedLinks& suggested, core::Diagnostics& diagnostics) {
    const std::vector<drawing::PosedFrame> frames = framesOf(sides, suggested.map, diagnostics);
    return pictures::encodePng(
        drawing::drawBinding(sides.skeleton(), sides.rig(), sides.rigName(), suggested.roles, suggested.links, frames));
}

}  // namespace reanima::tool
