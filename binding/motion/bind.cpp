#include "binding/motion/bind.h"

#include <algorithm>
#include <cmath>

#include "binding/motion/linked_skeletons.h"
#include "binding/motion/mixed_tracks.h"
#include "binding/motion/source_motion.h"
#include "core/memory.h"
#include "core/rotation.h"

namespace reanima::motion {

namespace {

bool changes(const Channel<glm::vec3>& channel, double tolerance) {
    return std::any_of(channel.values.begin(), channel.values.end(), [&](const glm::vec3& value) {
        return static_cast<double>(glm::distance(value, channel.values.front())) > tolerance;
    });
}

// ---------------------------------------------------------------------------------------------------------------------
// Binding

/// Makes the tracks of the target's joints.
class Binder {
  public:
    Binder(const Skeleton& source, const Skeleton& target, const Binding& binding)
        : source_(source),
          binding_(binding),
          linked_(source, target, binding),
          target_(linked_.target()),
          reference_(linked_.reference()),
          rest_(linked_.rest()),
          extent_(extentOf(reference_.positions)) {}

    [[nodiscard]] const Skeleton& skeleton() const { return target_; }

    Clip bind(const Clip& clip, const MemoryCount& memory) const {
        Clip bound = withoutKeys(clip);
        const SourceMotion motion(source_, clip);
        std::uint64_t bytes = 0;
        for (const JointLink* link : linked_.links())
            if (link != nullptr && addTrack(bound, motion, *link)) {
                bytes += memoryOf(bound.tracks.back());
                memory.require(bytes);
            }
        if (binding_.mode == BindMode::world)
            MixedTracks(linked_, binding_).addOthers(bound, motion);
        for (const Attachment& attachment : binding_.attachments)
            if (clip.trackOf(attachment.source) != nullptr)
                attach(bound, clip, attachment);
        addTravel(bound, clip);
        return bound;
    }

  private:
    static Clip withoutKeys(const Clip& clip) {
        Clip bound = clip;
        bound.timelines.clear();
        bound.tracks.clear();
        bound.travel = {};
        return bound;
    }

    /// Both skeletons move in the same model space, so only lengths change.
    void addTravel(Clip& bound, const Clip& clip) const {
        bound.travel = clip.travel;
        for (glm::vec3& place : bound.travel.values)
            place = glm::vec3(binding_.scale * glm::dvec3(place));
        if (bound.travel.isAnimated())
            bound.travel.timeline = timelineOf(bound, clip.timelines[clip.travel.timeline]);
    }

    /// @return false if the joint gets no track
    bool addTrack(Clip& bound, const SourceMotion& motion, const JointLink& link) const {
        const JointTrack* own = motion.track(link.source);
        JointTrack track;
        track.joint = link.target;
        if (binding_.mode == BindMode::world) {
            track.rotation = worldRotation(bound, motion, link);
            addWorldTranslation(track, bound, motion, link);
        } else if (own != nullptr) {
            track.rotation = localRotation(bound, motion, link);
            addLocalTranslation(track, bound, motion, link);
        }
        if (!track.rotation.isPresent() && !track.translation.isPresent())
            return false;
        bound.tracks.push_back(std::move(track));
        return true;
    }

    /// q' = (GS_a^-1 B_p)^-1 * (G_a^-1 G_m) * (GS_m^-1 B_j), where joint j follows m, p is j's parent, and a is the
    /// source of the nearest linked joint above. B: see LinkedSkeletons::constant().
    [[nodiscard]] Channel<glm::quat> worldRotation(Clip& bound, const SourceMotion& motion,
                                                   const JointLink& link) const {
        if (MixedTracks::needs(linked_, link.target))
            return MixedTracks(linked_, binding_).rotation(bound, motion, link.target);
        const JointLink* above = linked_.linkAbove(link.target);
        const Path path =
            pathBetween(source_, above != nullptr ? std::optional(above->source) : std::nullopt, link.source);
        const glm::dquat before = glm::conjugate(linked_.parentConstant(link.target, above));
        const glm::dquat after = glm::conjugate(reference_.rotations[link.source]) * linked_.constant(link.target);
        KeyTimes keys(motion);
        keys.addRotations(path.up);
        keys.addRotations(path.down);
        return makeChannel<glm::quat>(bound, keys, [&](float time) {
            return glm::quat(glm::normalize(before * motion.rotation(path, time) * after));
        });
    }

    void addWorldTranslation(JointTrack& track, Clip& bound, const SourceMotion& motion, const JointLink& link) const {
        const JointLink* above = linked_.linkAbove(link.target);
        if (link.carrier)
            track.translation = MixedTracks(linked_, binding_).translation(bound, motion, link);
        else if (above == nullptr)
            track.translation = rootTranslation(bound, motion, link);
        else if (followsTranslation(motion, link))
            track.translation = innerTranslation(bound, motion, link, *above);
    }

    /// For joints without a linked ancestor: the source's motion in model space, times the scale.
    [[nodiscard]] Channel<glm::vec3> rootTranslation(Clip& bound, const SourceMotion& motion,
                                                     const JointLink& link) const {
        std::vector<std::uint32_t> fromRoot = upwards(source_, link.source);
        std::reverse(fromRoot.begin(), fromRoot.end());
        const std::optional<std::uint32_t> parent = target_.parentOf(link.target);
        const glm::dvec3 start = rest_.positions[link.target];
        const glm::dvec3 sourceStart = reference_.positions[link.source];
        const glm::dvec3& offset = binding_.rootOffset;
        const bool isAside = offset != glm::dvec3(0);
        const Path path = pathBetween(source_, std::nullopt, link.source);
        const glm::dquat back = glm::conjugate(reference_.rotations[link.source]);
        KeyTimes keys(motion);
        keys.addTranslations(fromRoot);
        keys.addRotations(isAside ? fromRoot : upwards(source_, source_.parentOf(link.source)));
        return makeChannel<glm::vec3>(bound, keys, [&](float time) {
            glm::dvec3 position = start + binding_.scale * (motion.position(fromRoot, time) - sourceStart);
            if (isAside)
                position += motion.rotation(path, time) * back * offset;
            return glm::vec3(parent ? glm::conjugate(rest_.rotations[*parent]) * (position - rest_.positions[*parent]) /
                                          rest_.scales[*parent]
                                    : position);
        });
    }

    /// t' = t_T + s * (B_p^-1 GS_a) * (G_a^-1 G_p) * (t - t_S), where p is the joint's parent: in B_p the target's, in
    /// G_p the source's.
    [[nodiscard]] Channel<glm::vec3> innerTranslation(Clip& bound, const SourceMotion& motion, const JointLink& link,
                                                      const JointLink& above) const {
        const Path path = pathBetween(source_, above.source, source_.parentOf(link.source));
        const glm::dquat before = glm::conjugate(linked_.parentConstant(link.target, &above));
        const glm::dvec3 start(target_.joints[link.target].rest.translation);
        const glm::dvec3 sourceStart(binding_.reference[link.source].translation);
        const std::optional<std::uint32_t> parent = target_.parentOf(link.target);
        const double scale = binding_.scale * sourceScaleAbove(link) / (parent ? rest_.scales[*parent] : 1);
        KeyTimes keys(motion);
        keys.addTranslations({link.source});
        keys.addRotations(path.up);
        keys.addRotations(path.down);
        return makeChannel<glm::vec3>(bound, keys, [&](float time) {
            const glm::dvec3 moved = motion.translation(link.source, time) - sourceStart;
            return glm::vec3(start + scale * (before * (motion.rotation(path, time) * moved)));
        });
    }

    /// Scale from the space of the source joint's parent to model space.
    [[nodiscard]] double sourceScaleAbove(const JointLink& link) const {
        const std::optional<std::uint32_t> parent = source_.parentOf(link.source);
        return parent ? reference_.scales[*parent] : 1;
    }

    [[nodiscard]] bool followsTranslation(const SourceMotion& motion, const JointLink& link) const {
        const JointTrack* track = motion.track(link.source);
        if (track == nullptr || !track->translation.isPresent())
            return false;
        constexpr double kStill = 1e-5;
        // A rig with the source's own hierarchy keeps even constant translations.
        return link.translate.value_or(linked_.sameParents(link) || changes(track->translation, extent_ * kStill));
    }

    [[nodiscard]] Channel<glm::quat> localRotation(Clip& bound, const SourceMotion& motion,
                                                   const JointLink& link) const {
        glm::dquat before = kNoTurn;
        if (binding_.mode == BindMode::local)
            before = normalized(target_.joints[link.target].rest.rotation) *
                     glm::conjugate(normalized(binding_.reference[link.source].rotation));
        const glm::dquat after = normalized(link.rotateOffset);
        KeyTimes keys(motion);
        keys.addRotations({link.source});
        return makeChannel<glm::quat>(bound, keys, [&](float time) {
            return glm::quat(glm::normalize(before * motion.rotation(link.source, time) * after));
        });
    }

    void addLocalTranslation(JointTrack& track, Clip& bound, const SourceMotion& motion, const JointLink& link) const {
        const bool isRoot = linked_.linkAbove(link.target) == nullptr;
        const bool copies = binding_.mode == BindMode::copy && link.translate.value_or(true);
        if (!motion.track(link.source)->translation.isPresent() ||
            !(isRoot || copies || followsTranslation(motion, link)))
            return;
        const glm::dvec3 start(target_.joints[link.target].rest.translation);
        const glm::dvec3 sourceStart(binding_.reference[link.source].translation);
        const std::optional<std::uint32_t> parent = target_.parentOf(link.target);
        const double scale = binding_.scale * sourceScaleAbove(link) / (parent ? rest_.scales[*parent] : 1);
        KeyTimes keys(motion);
        keys.addTranslations({link.source});
        track.translation = makeChannel<glm::vec3>(bound, keys, [&](float time) {
            const glm::dvec3 value = motion.translation(link.source, time);
            return glm::vec3(binding_.mode == BindMode::copy ? binding_.scale * value
                                                             : start + scale * (value - sourceStart));
        });
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Carried joints in model space

    /// A carried joint rotates in model space as its source does. It keeps the source's offset from its carrier,
    /// scaled.
    void attach(Clip& bound, const Clip& clip, const Attachment& attachment) const {
        const SourceMotion motion(source_, clip);
        const std::uint32_t follower = linked_.followerOf(attachment.source);
        const std::optional<std::uint32_t> carrier = linked_.targetOf(attachment.carrier);
        const std::optional<std::uint32_t> parent = target_.parentOf(follower);
        KeyTimes keys(motion);
        keys.addTranslations({attachment.source});
        keys.addRotations({attachment.source});
        const std::vector<std::uint32_t> above = upwards(source_, attachment.carrier);
        keys.addTranslations(above);
        keys.addRotations(above);

        const glm::dquat after = glm::conjugate(reference_.rotations[attachment.source]) * linked_.constant(follower);
        const auto placed = [&](float time) {
            const auto seconds = static_cast<double>(time);
            const Globals from = globalsOf(source_, samplePose(source_, clip, seconds));
            const Globals to = globalsOf(target_, samplePose(target_, bound, seconds));
            const glm::dquat turned = parent ? to.rotations[*parent] : kNoTurn;
            const glm::dvec3 parentPosition = parent ? to.positions[*parent] : glm::dvec3(0);
            const glm::dvec3 way =
                from.positions[attachment.source] - (carrier ? from.positions[attachment.carrier] : glm::dvec3(0));
            const glm::dvec3 position = (carrier ? to.positions[*carrier] : glm::dvec3(0)) + binding_.scale * way;
            Transform local;
            local.rotation =
                glm::quat(glm::normalize(glm::conjugate(turned) * from.rotations[attachment.source] * after));
            local.translation =
                glm::vec3(glm::conjugate(turned) * (position - parentPosition) / (parent ? to.scales[*parent] : 1));
            return local;
        };
        JointTrack track;
        track.joint = follower;
        track.rotation = makeChannel<glm::quat>(bound, keys, [&](float time) { return placed(time).rotation; });
        track.translation = makeChannel<glm::vec3>(bound, keys, [&](float time) { return placed(time).translation; });
        const auto at = std::lower_bound(bound.tracks.begin(), bound.tracks.end(), follower,
                                         [](const JointTrack& t, std::uint32_t joint) { return t.joint < joint; });
        if (at != bound.tracks.end() && at->joint == follower)
            *at = std::move(track);
        else
            bound.tracks.insert(at, std::move(track));
    }

    const Skeleton& source_;
    const Binding& binding_;
    LinkedSkeletons linked_;
    const Skeleton& target_;
    const Globals& reference_;
    const Globals& rest_;
    double extent_;
};

}  // namespace

BoundMotion bindClips(const Skeleton& source, const std::vector<Clip>& clips, const Skeleton& target,
                      const Binding& binding, const Limits& limits) {
    const Binder binder(source, target, binding);
    BoundMotion motion{binder.skeleton(), {}};
    MemoryCount memory(limits, "bound clips");
    motion.clips.reserve(clips.size());
    for (const Clip& clip : clips) {
        motion.clips.push_back(binder.bind(clip, memory));
        motion.clips.back().tracks.shrink_to_fit();
        memory.add(memoryOf(motion.clips.back()));
    }
    return motion;
}

double scaleBetween(const Skeleton& source, const Pose& reference, const Skeleton& target,
                    const std::vector<JointLink>& links) {
    if (links.empty())
        return 1;
    const Globals from = globalsOf(source, reference);
    const Globals to = globalsOf(target, restPose(target));
    double lowestFrom = from.positions[links.front().source].y;
    double lowestTo = to.positions[links.front().target].y;
    double highestFrom = lowestFrom;
    double lengthFrom = 0;
    double lengthTo = 0;
    const JointLink* root = &links.front();
    for (const JointLink& link : links) {
        lowestFrom = std::min(lowestFrom, from.positions[link.source].y);
        lowestTo = std::min(lowestTo, to.positions[link.target].y);
        highestFrom = std::max(highestFrom, from.positions[link.source].y);
        if (link.target < root->target)
            root = &link;
    }
    for (const JointLink& link : links) {
        // Distances from the root exist in both skeletons, whatever joints are in between.
        lengthFrom += glm::distance(from.positions[link.source], from.positions[root->source]);
        lengthTo += glm::distance(to.positions[link.target], to.positions[root->target]);
    }
    const double heightFrom = from.positions[root->source].y - lowestFrom;
    const double heightTo = to.positions[root->target].y - lowestTo;
    constexpr double kStanding = 0.2;  // of the extent: a lower root is on the ground
    if (heightFrom > kStanding * (highestFrom - lowestFrom) && heightTo > 0)
        return heightTo / heightFrom;
    return lengthFrom > 0 && lengthTo > 0 ? lengthTo / lengthFrom : 1;
}

std::optional<std::uint32_t> findCarrier(const Skeleton& source, const std::vector<Clip>& clips, std::uint32_t joint,
                                         const std::vector<JointLink>& links) {
    constexpr int kLooks = 16;
    constexpr double kLoose = 0.05;
    constexpr double kTurning = 0.01;
    struct Seen {
        glm::dvec3 way;
        glm::dquat turn;
    };
    std::vector<double> spread(links.size());
    std::vector<double> away(links.size());
    double extent = 0;
    for (const Clip& clip : clips) {
        if (clip.trackOf(joint) == nullptr)
            continue;
        std::vector<Seen> first;
        for (int look = 0; look < kLooks; ++look) {
            // Only at frames: between two frames with a large rotation, parts that are rigid in the game move apart.
            const double frame = std::round((clip.frames - 1.0) * look / (kLooks - 1));
            const Globals globals =
                globalsOf(source, samplePose(source, clip, static_cast<double>(frameTime(frame, clip.rate))));
            extent = std::max(extent, extentOf(globals.positions));
            for (std::size_t i = 0; i < links.size(); ++i) {
                const std::uint32_t carrier = links[i].source;
                const glm::dquat back = glm::conjugate(globals.rotations[carrier]);
                const Seen seen{back * (globals.positions[joint] - globals.positions[carrier]),
                                back * globals.rotations[joint]};
                if (look == 0)
                    first.push_back(seen);
                const double turned = 1 - std::abs(glm::dot(seen.turn, first[i].turn));  // a blade may spin in a hand
                spread[i] = std::max(spread[i], glm::distance(seen.way, first[i].way) + turned * extent * kTurning);
                away[i] = std::max(away[i], glm::length(seen.way));
            }
        }
    }
    const auto least = std::min_element(spread.begin(), spread.end());
    if (least == spread.end() || *least > kLoose * extent)
        return std::nullopt;
    constexpr double kSame = 1e-3;  // of the extent; if joints differ by less, the nearest is used: a hand, not its arm
    auto carrier = static_cast<std::size_t>(least - spread.begin());
    for (std::size_t i = 0; i < links.size(); ++i)
        if (spread[i] <= *least + kSame * extent && away[i] < away[carrier])
            carrier = i;
    return links[carrier].source;
}

std::optional<BindMode> bindModeNamed(std::string_view name) {
    const auto found = std::ranges::find(kBindModeNames, name);
    return found == kBindModeNames.end() ? std::nullopt
                                         : std::optional(static_cast<BindMode>(found - kBindModeNames.begin()));
}

std::string_view nameOf(BindMode mode) { return kBindModeNames[static_cast<std::size_t>(mode)]; }

std::string_view matchedByName(MatchedBy by) {
    switch (by) {
        case MatchedBy::file:
            return "map";
        case MatchedBy::name:
            return "name";
        case MatchedBy::similarName:
            return "similar name";
        case MatchedBy::role:
            return "role";
        case MatchedBy::index:
            break;
    }
    return "index";
}

}  // namespace reanima::motion
