/// A picture of a mapping, to check it at a glance.
#pragma once

#include <string>
#include <vector>

#include "../binding/roles/proposed_links.h"
#include "../core/clip.h"
#include "../core/pose.h"
#include "../pictures/picture.h"

namespace reanima::drawing {

/// A pose of the source, and the rig's pose at the same moment.
struct PosedFrame {
    core::Pose source;
    core::Pose rig;
    std::string caption;
};

/// A frame of one of the source's clips.
struct Moment {
    std::size_t clip = 0;
    std::uint32_t frame = 0;
};
/// The frames whose poses differ most, in order. @param count how many; fewer if there are fewer frames
[[nodiscard]] std::vector<Moment> differentMoments(const core::Skeleton& source, const std::vector<core::Clip>& clips,
                                                   std::size_t count);

/// Draws both skeletons in the rest pose from the front, with names and roles of linked joints. Below them are the
/// frames, seen from the side. Linked joints have the same colour; joints without a counterpart are grey.
/// @param links at least one
/// @param rigName caption of the rig
[[nodiscard]] pictures::Picture drawBinding(const core::Skeleton& source, const core::Skeleton& rig,
                                            const std::string& rigName, const roles::BothRoles& roles,
                                            const std::vector<roles::ProposedLink>& links,
                                            const std::vector<PosedFrame>& frames);

}  // namespace reanima::drawing
