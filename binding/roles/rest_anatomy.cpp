#include "binding/roles/rest_anatomy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>

#include <glm/geometric.hpp>
#include <glm/vec4.hpp>

#include "binding/roles/body.h"
#include "binding/roles/mirrored_joints.h"
#include "binding/roles/name_anatomy.h"

namespace reanima::roles {

namespace {

using Joint = MirroredJoints::Joint;

/// One leg of a pair; the other one consists of the counterparts.
struct RestingLeg {
    Joint top;  ///< the first joint off the middle
    Joint hip;
    Joint knee;
    Joint ankle;
    double length;
    bool hasFoot;  ///< a bone below the ankle points in another direction than the leg
};

/// One arm of a pair.
struct RestingArm {
    Joint top;
    Joint shoulder;
    Joint elbow;
    Joint hand;
    std::optional<Joint> collar;
    double length;
    double likeness;  ///< to an arm
    bool hasFingers;
};

/// The joints of a body that stands along `up`.
struct RestingBody {
    RestingLeg leg;
    RestingArm arm;
    Joint hips;
    Joint head;
    std::vector<Joint> spine;
    std::vector<Joint> neck;
};

/// Chains may be longer than limbs in damaged files.
constexpr std::size_t kLongestChain = 40;

/// The joints of a body and their heights along `up`. Lengths are compared with the whole height.
class RestingOutline {
  public:
    RestingOutline(const MirroredJoints& joints, const glm::dvec3& up) : joints_(joints), up_(up) {
        findTops();
        if (!tops_.empty())
            measureHeight();
    }

    /// False if there are no pairs of limbs, or if nothing stands upright.
    [[nodiscard]] bool stands() const {
        constexpr double kStands = 30;  // times nothing()
        return height_ > kStands * joints_.nothing();
    }
    [[nodiscard]] const std::vector<Joint>& tops() const { return tops_; }
    [[nodiscard]] double heightOf(Joint joint) const { return glm::dot(up_, joints_.at(joint)) - floor_; }
    [[nodiscard]] double height() const { return height_; }
    [[nodiscard]] double asideOf(Joint joint) const { return std::abs(joints_.aside(joint)); }
    [[nodiscard]] bool areMated(std::initializer_list<Joint> all) const {
        return std::ranges::all_of(all, [&](Joint j) { return joints_.mate(j) && !joints_.isMiddle(j); });
    }

  private:
    [[nodiscard]] double lowestBelow(Joint top) const {
        double low = heightOf(top);
        for (const Joint joint : joints_.within(top))
            low = std::min(low, heightOf(joint));
        return low;
    }

    /// Finds the first joints off the middle, on one side.
    void findTops() {
        for (Joint joint = 0; joint < joints_.count(); ++joint) {
            const auto isMiddle = [&](Joint above) { return joints_.isMiddle(above); };
            if (joints_.mate(joint) && !joints_.isMiddle(joint) && joints_.aside(joint) > 0 &&
                std::ranges::all_of(joints_.skeleton().ancestors(joint), isMiddle))
                tops_.push_back(joint);
        }
    }

    /// Puts the floor at the lowest limb. Only joints with counterparts are measured, since props have none.
    void measureHeight() {
        double lowest = 1e30;
        double highest = -1e30;
        for (const Joint top : tops_) {
            double reach = 0;
            for (const Joint joint : joints_.within(top))
                reach = std::max(reach, joints_.between(top, joint));
            constexpr double kLimb = 10;  // times nothing(): a tenth of the whole
            if (reach > kLimb * joints_.nothing())
                lowest = std::min(lowest, lowestBelow(top));
        }
        for (Joint joint = 0; joint < joints_.count(); ++joint)
            if (joints_.mate(joint))
                highest = std::max(highest, heightOf(joint));
        floor_ = lowest;
        height_ = highest - lowest;
    }

    const MirroredJoints& joints_;
    glm::dvec3 up_;
    double floor_ = 0;
    double height_ = 0;
    std::vector<Joint> tops_;  ///< the first joints off the middle, on one side
};

/// Finds the legs and arms of a body.
class RestingLimbs {
  public:
    RestingLimbs(const MirroredJoints& joints, const RestingOutline& outline) : joints_(joints), outline_(outline) {}

    [[nodiscard]] std::optional<RestingLeg> findLeg() const {
        std::vector<RestingLeg> legs;
        for (const Joint top : outline_.tops())
            if (const auto leg = legBelow(top))
                legs.push_back(*leg);
        // Chains of clothes may reach the floor, too, but have no feet.
        if (std::ranges::count(legs, true, &RestingLeg::hasFoot) == 1)
            std::erase_if(legs, [](const RestingLeg& leg) { return !leg.hasFoot; });
        return legs.size() == 1 ? std::optional(legs.front()) : std::nullopt;
    }

    /// Wings or long hair may look like arms. If only one pair has fingers, it is the arms.
    [[nodiscard]] std::optional<RestingArm> findArm(const RestingLeg& leg) const {
        std::vector<RestingArm> arms;
        for (const Joint top : outline_.tops()) {
            std::optional<RestingArm> best;
            if (top == leg.top)
                continue;
            for (const Joint tip : joints_.within(top))
                if (joints_.children(tip).empty())
                    if (const auto arm = armTo(top, tip, leg); arm && (!best || arm->likeness > best->likeness))
                        best = arm;
            constexpr double kAbove = 0.05;
            if (best && outline_.heightOf(best->shoulder) > outline_.heightOf(leg.hip) + kAbove * outline_.height())
                arms.push_back(*best);
        }
        if (std::ranges::count(arms, true, &RestingArm::hasFingers) == 1)
            std::erase_if(arms, [](const RestingArm& arm) { return !arm.hasFingers; });
        return arms.size() == 1 ? std::optional(arms.front()) : std::nullopt;
    }

  private:
    /// The leg that ends at an ankle: a straight chain downwards, with a joint near its middle.
    [[nodiscard]] std::optional<RestingLeg> legTo(Joint top, Joint ankle) const {
        const std::vector<Joint> path = joints_.path(top, ankle);
        if (path.size() > kLongestChain)
            return std::nullopt;
        for (std::size_t first = 0; first + 2 < path.size(); ++first) {
            const Joint hip = path[first];
            const double length = joints_.between(hip, ankle);
            const auto next = std::find_if(path.begin() + static_cast<std::ptrdiff_t>(first) + 1, path.end(),
                                           [&](Joint j) { return joints_.between(hip, j) > joints_.nothing(); });
            constexpr double kShortest = 0.2;
            constexpr double kDown = 0.85;
            constexpr double kThighDown = 0.75;
            if (next == path.end() || outline_.heightOf(hip) < kShortest * outline_.height() ||
                length < kShortest * outline_.height() ||
                outline_.heightOf(hip) - outline_.heightOf(ankle) < kDown * length ||
                outline_.heightOf(hip) - outline_.heightOf(*next) < kThighDown * joints_.between(hip, *next))
                continue;
            constexpr double kStraight = 1.05;
            constexpr std::pair kKnee(0.36, 0.66);
            const std::vector<double> along = lengthsAlong(path, first);
            if (along.back() > kStraight * length)
                continue;
            if (const auto knee = nearest(path, first, along, kKnee); knee && outline_.areMated({hip, *knee, ankle}))
                return RestingLeg{top, hip, *knee, ankle, length, hasFootBelow(hip, ankle)};
        }
        return std::nullopt;
    }

    [[nodiscard]] std::vector<double> lengthsAlong(const std::vector<Joint>& path, std::size_t first) const {
        std::vector<double> along{0};
        for (std::size_t i = first + 1; i < path.size(); ++i)
            along.push_back(along.back() + joints_.between(path[i - 1], path[i]));
        return along;
    }

    /// The joint that is nearest to the middle of a limb. Twist joints are at other places.
    [[nodiscard]] static std::optional<Joint> nearest(const std::vector<Joint>& path, std::size_t first,
                                                      const std::vector<double>& along,
                                                      const std::pair<double, double>& within) {
        std::optional<Joint> found;
        double least = 1;
        for (std::size_t i = 1; i + 1 < along.size(); ++i) {
            const double share = along[i] / along.back();
            if (share > within.first && share < within.second && std::abs(share - 0.5) < least) {
                least = std::abs(share - 0.5);
                found = path[first + i];
            }
        }
        return found;
    }

    [[nodiscard]] bool hasFootBelow(Joint hip, Joint ankle) const {
        const double bent = std::cos(glm::radians(20.0));
        const glm::dvec3 leg = glm::normalize(joints_.at(ankle) - joints_.at(hip));
        return std::ranges::any_of(joints_.children(ankle), [&](Joint below) {
            const glm::dvec3 bone = joints_.at(below) - joints_.at(ankle);
            return glm::length(bone) > joints_.nothing() && glm::dot(bone, leg) < bent * glm::length(bone);
        });
    }

    /// The ankle is the highest joint near the floor with a foot; without feet, the end of the longest leg.
    [[nodiscard]] std::optional<RestingLeg> legBelow(Joint top) const {
        std::optional<RestingLeg> best;
        constexpr double kAnkle = 0.14;
        for (const Joint ankle : joints_.within(top)) {
            if (outline_.heightOf(ankle) > kAnkle * outline_.height())
                continue;
            const std::optional<RestingLeg> leg = legTo(top, ankle);
            if (!leg || (!leg->hasFoot && !joints_.children(ankle).empty()))
                continue;
            if (!best || (leg->hasFoot && !best->hasFoot) ||
                (leg->hasFoot == best->hasFoot && (leg->length < best->length) == leg->hasFoot))
                best = leg;
        }
        return best;
    }

    /// Upper arm and forearm are equally long, and the hand is shorter than both. Fingers begin at the hand.
    [[nodiscard]] std::optional<RestingArm> armTo(Joint top, Joint tip, const RestingLeg& leg) const {
        const std::vector<Joint> path = joints_.path(top, tip);
        std::optional<RestingArm> best;
        constexpr double kOutside = 0.8;  // of the hip's distance from the middle: a shoulder is at least as far away
        constexpr std::pair kLength(0.45, 1.5);
        constexpr std::pair kElbow(0.4, 0.62);
        constexpr double kUsual = 0.52;
        constexpr double kStraight = 1.15;
        for (std::size_t s = 0; s < path.size() && path.size() <= kLongestChain; ++s) {
            if (outline_.asideOf(path[s]) < kOutside * outline_.asideOf(leg.hip))
                continue;
            for (std::size_t h = s + 2; h < path.size(); ++h) {
                const double length = joints_.between(path[s], path[h]);
                if (length < kLength.first * leg.length || length > kLength.second * leg.length)
                    continue;
                for (std::size_t e = s + 1; e < h; ++e) {
                    const double upper = joints_.between(path[s], path[e]);
                    const double whole = upper + joints_.between(path[e], path[h]);
                    if (whole > kStraight * length || upper < kElbow.first * whole || upper > kElbow.second * whole ||
                        !outline_.areMated({path[s], path[e], path[h]}))
                        continue;
                    const std::size_t fingers = fingersOf(path[h], whole);
                    if (fingers == kTooLong)
                        continue;
                    const double likeness = 1 - 2 * std::abs(upper / whole - kUsual) +
                                            (fingers > 2    ? 0.5
                                             : fingers == 2 ? 0.2
                                                            : 0);
                    if (!best || likeness > best->likeness + 1e-9)
                        best = RestingArm{top,   path[s],  path[e],    path[h], collarAbove(path, s),
                                          whole, likeness, fingers > 2};
                }
            }
        }
        return best;
    }

    static constexpr std::size_t kTooLong = 1000;

    /// The number of bones below a hand; kTooLong if they are too long for a hand.
    [[nodiscard]] std::size_t fingersOf(Joint hand, double arm) const {
        constexpr double kHand = 0.6;
        for (const Joint joint : joints_.within(hand))
            if (joints_.between(hand, joint) > kHand * arm)
                return kTooLong;
        return static_cast<std::size_t>(std::ranges::count_if(joints_.children(hand), [&](Joint below) {
            return joints_.between(hand, below) > 2 * joints_.nothing() || !joints_.children(below).empty();
        }));
    }

    [[nodiscard]] std::optional<Joint> collarAbove(const std::vector<Joint>& path, std::size_t shoulder) const {
        for (std::size_t i = shoulder; i-- > 0;)
            if (joints_.between(path[i], path[shoulder]) > joints_.nothing() && outline_.areMated({path[i]}))
                return path[i];
        return std::nullopt;
    }

    const MirroredJoints& joints_;
    const RestingOutline& outline_;
};

/// Finds hips, spine, neck and head between the limbs.
class RestingTorso {
  public:
    RestingTorso(const MirroredJoints& joints, const RestingOutline& outline) : joints_(joints), outline_(outline) {}

    /// @param seen set to the reason if there is no torso
    std::optional<RestingBody> of(const RestingLeg& leg, const RestingArm& arm, std::string& seen) const {
        const std::optional<Joint> chest = joints_.skeleton().parentOf(arm.top);
        seen = "no hips that connect the limbs";
        const std::optional<Joint> hips = chest ? hipsOf(leg, *chest) : std::nullopt;
        if (!hips)
            return std::nullopt;
        RestingBody body{leg, arm, *hips, *hips, joints_.path(*hips, *chest), {}};
        body.spine.erase(body.spine.begin());
        // Collar bones may hang on the neck, which is above the shoulders.
        std::vector<Joint> line;
        if (body.spine.size() > 1 && outline_.heightOf(body.spine.back()) > outline_.heightOf(arm.shoulder)) {
            body.neck.push_back(body.spine.back());
            body.spine.pop_back();
        }
        for (std::optional<Joint> next = aboveIt(*chest); next; next = aboveIt(*next))
            line.push_back(*next);
        seen = "no head";
        const std::optional<std::size_t> head = headAlong(line, body);
        if (!head)
            return std::nullopt;
        body.head = line[*head];
        body.neck.insert(body.neck.end(), line.begin(), line.begin() + static_cast<std::ptrdiff_t>(*head));
        constexpr double kBelow = 0.02;
        if (outline_.heightOf(body.head) < outline_.heightOf(arm.shoulder) - kBelow * outline_.height())
            return std::nullopt;
        seen.clear();
        return body;
    }

  private:
    /// The joint that carries legs, arms and head: the one nearest to the hip joints, or the lowest if several are in
    /// one place.
    [[nodiscard]] std::optional<Joint> hipsOf(const RestingLeg& leg, Joint chest) const {
        const glm::dvec3 middle = (joints_.at(leg.hip) + joints_.at(*joints_.mate(leg.hip))) / 2.0;
        std::optional<Joint> hips;
        double least = 1e30;
        for (const Joint joint : joints_.skeleton().upFrom(chest)) {
            const double apart = glm::distance(joints_.at(joint), middle);
            if (joints_.skeleton().isBelow(leg.top, joint) && apart < least - joints_.nothing()) {
                least = apart;
                hips = joint;
            }
        }
        constexpr double kFar = 0.12;
        return hips && std::abs(outline_.heightOf(*hips) - outline_.heightOf(leg.hip)) < kFar * outline_.height()
                   ? hips
                   : std::nullopt;
    }

    /// The joint in the middle that continues the neck.
    [[nodiscard]] std::optional<Joint> aboveIt(Joint joint) const {
        std::optional<Joint> next;
        std::size_t most = 0;
        for (const Joint child : joints_.children(joint)) {
            const double length = joints_.between(joint, child);
            const bool isAbove =
                length <= joints_.nothing() || outline_.heightOf(child) - outline_.heightOf(joint) > 0.5 * length;
            const std::size_t size = joints_.within(child).size();
            if (joints_.isMiddle(child) && isAbove && size > most) {
                most = size;
                next = child;
            }
        }
        return next;
    }

    /// The head is the first joint with several children; else the last joint, or the one below it if the last one is
    /// as high as a crown.
    [[nodiscard]] std::optional<std::size_t> headAlong(const std::vector<Joint>& line, const RestingBody& body) const {
        if (line.empty())
            return std::nullopt;
        // Heights of a crown above the shoulders, relative to the height from the hips to the shoulders. In a line of
        // two joints, the lower one may be a neck instead of a head, so the upper one must be higher.
        constexpr double kCrown = 0.3;
        constexpr double kCrownOfTwo = 0.45;
        const double shoulder = outline_.heightOf(body.arm.shoulder);
        std::size_t head = 0;
        while (head + 1 < line.size() && joints_.children(line[head]).size() < 2)
            ++head;
        if (head > 0 && joints_.children(line[head]).empty() &&
            outline_.heightOf(line[head]) - shoulder >
                (head > 1 ? kCrown : kCrownOfTwo) * (shoulder - outline_.heightOf(body.leg.hip)))
            --head;
        while (head > 0 && joints_.between(line[head], line[head - 1]) < 0.5 * joints_.nothing())
            --head;
        return head;
    }

    const MirroredJoints& joints_;
    const RestingOutline& outline_;
};

/// @param seen set to the reason if there is no body
std::optional<RestingBody> restingBodyOf(const MirroredJoints& joints, const RestingOutline& outline,
                                         std::string& seen) {
    seen = "no pair of limbs";
    if (!outline.stands())
        return std::nullopt;
    const RestingLimbs limbs(joints, outline);
    seen = "no two legs";
    const std::optional<RestingLeg> leg = limbs.findLeg();
    if (!leg)
        return std::nullopt;
    seen = "no two arms";
    const std::optional<RestingArm> arm = limbs.findArm(*leg);
    if (!arm)
        return std::nullopt;
    return RestingTorso(joints, outline).of(*leg, *arm, seen);
}

/// Finds the side on which joints have a positive distance from the plane.
class SideFinder {
  public:
    SideFinder(const MirroredJoints& joints, const RestingBody& body, const glm::dvec3& up, double height)
        : joints_(joints),
          body_(body),
          up_(up),
          ahead_(glm::normalize(glm::cross(joints.across(), up))),
          height_(height) {}

    /// By the front of the feet: toes, else the mesh. `middle` if they do not show it.
    [[nodiscard]] Side byFeet(const core::BodySurface& surface) const {
        constexpr double kToes = 0.025;
        const Joint ankle = body_.leg.ankle;
        double ahead = 0;
        for (const Joint joint : joints_.within(ankle)) {
            const double way = glm::dot(ahead_, joints_.at(joint) - joints_.at(ankle));
            ahead = std::abs(way) > std::abs(ahead) ? way : ahead;
        }
        if (std::abs(ahead) > kToes * height_)
            return sideAhead(ahead);
        double front = 0;
        double back = 0;
        for (const Joint joint : joints_.within(ankle))
            for (const glm::vec3& point : surface.of(joint)) {
                const glm::dvec3 place(joints_.global(joint) * glm::dvec4(point, 1));
                const double way = glm::dot(ahead_, place - joints_.at(ankle));
                front = std::max(front, way);
                back = std::max(back, -way);
            }
        constexpr double kLonger = 1.5;  // the toes are farther from the ankle than the heel
        if (std::max(front, back) < kToes * height_ || std::max(front, back) < kLonger * std::min(front, back))
            return Side::middle;
        return sideAhead(front - back);
    }

    /// By the names of the limbs.
    [[nodiscard]] Side byNames() const {
        int left = 0;
        for (const Joint joint :
             {body_.leg.hip, body_.leg.knee, body_.leg.ankle, body_.arm.shoulder, body_.arm.elbow, body_.arm.hand}) {
            left += vote(joint);
            left -= vote(*joints_.mate(joint));
        }
        return left > 0 ? Side::left : left < 0 ? Side::right : Side::middle;
    }

    /// By the convention of glTF, that a body looks along +Z.
    [[nodiscard]] Side byConvention() const { return sideAhead(ahead_.z); }

  private:
    [[nodiscard]] int vote(Joint joint) const {
        const Side side = wordsOfName(joints_.skeleton().joints[joint].name).side;
        return side == Side::left ? 1 : side == Side::right ? -1 : 0;
    }

    /// A positive `ahead` means that the front is along `ahead_`. Left = up x front.
    [[nodiscard]] Side sideAhead(double ahead) const {
        const glm::dvec3 left = glm::cross(up_, ahead > 0 ? ahead_ : -ahead_);
        return glm::dot(left, joints_.across()) > 0 ? Side::left : Side::right;
    }

    const MirroredJoints& joints_;
    const RestingBody& body_;
    glm::dvec3 up_;
    glm::dvec3 ahead_;
    double height_;
};

/// Writes the roles of a body.
class RestingRoles {
  public:
    RestingRoles(const MirroredJoints& joints, const RestingBody& body, Side side, std::vector<Role>& roles)
        : joints_(joints), body_(body), side_(side), roles_(roles) {}

    void set(const RestingOutline& outline) {
        const auto middle = [&](Joint joint, Part part) { roles_[joint] = {part, Side::middle, 0}; };
        for (const Joint joint : body_.spine)
            middle(joint, Part::spine);
        for (const Joint joint : body_.neck)
            middle(joint, Part::neck);
        middle(body_.hips, Part::hips);
        middle(body_.head, Part::head);
        both(body_.leg.hip, Part::upperLeg);
        both(body_.leg.knee, Part::lowerLeg);
        both(body_.leg.ankle, Part::foot);
        if (body_.arm.collar)
            both(*body_.arm.collar, Part::shoulder);
        both(body_.arm.shoulder, Part::upperArm);
        both(body_.arm.elbow, Part::lowerArm);
        both(body_.arm.hand, Part::hand);
        setToes(outline);
        setFingers();
        setTwists(body_.leg.hip, body_.leg.knee);
        setTwists(body_.leg.knee, body_.leg.ankle);
        setTwists(body_.arm.shoulder, body_.arm.elbow);
        setTwists(body_.arm.elbow, body_.arm.hand);
    }

  private:
    void both(Joint joint, Part part, std::uint8_t segment = 0) {
        const Side other = side_ == Side::left ? Side::right : Side::left;
        roles_[joint] = {part, side_, segment};
        roles_[*joints_.mate(joint)] = {part, other, segment};
    }

    /// Finds the first joint near the floor on the path to the joint farthest from the ankle. A joint in the middle of
    /// the foot is higher.
    void setToes(const RestingOutline& outline) {
        const Joint ankle = body_.leg.ankle;
        Joint tip = ankle;
        for (const Joint joint : joints_.within(ankle))
            if (joints_.between(ankle, joint) > joints_.between(ankle, tip))
                tip = joint;
        std::vector<Joint> path = joints_.path(ankle, tip);
        std::erase_if(path, [&](Joint joint) {
            return joints_.between(ankle, joint) <= 2 * joints_.nothing() || !joints_.mate(joint);
        });
        constexpr double kLow = 0.4;  // of the ankle's height
        const auto low = std::ranges::find_if(
            path, [&](Joint joint) { return outline.heightOf(joint) < kLow * outline.heightOf(ankle); });
        if (!path.empty())
            both(low == path.end() ? path.front() : *low, Part::toes);
    }

    /// The longest chain that begins at a joint.
    [[nodiscard]] std::vector<Joint> chainFrom(Joint joint) const {
        std::vector<Joint> longest;
        for (const Joint end : joints_.within(joint))
            if (std::vector<Joint> chain = joints_.path(joint, end); chain.size() > longest.size())
                longest = std::move(chain);
        return longest;
    }

    /// Five chains are fingers, ordered across the hand. Of the two outer chains, the thumb is the one that ends nearer
    /// to the wrist.
    void setFingers() {
        constexpr std::size_t kFingers = 5;
        const glm::dvec3 wrist = joints_.at(body_.arm.hand);
        std::vector<std::vector<Joint>> fingers;
        glm::dvec3 along(0);
        for (const Joint child : joints_.children(body_.arm.hand)) {
            std::vector<Joint> chain = chainFrom(child);
            if (chain.size() < 2 || !joints_.mate(chain.back()))
                continue;
            along += joints_.at(chain.back()) - wrist;
            fingers.push_back(std::move(chain));
        }
        if (fingers.size() != kFingers || !unit(along))
            return;
        along = *unit(along);
        const auto wayTo = [&](Joint joint) { return glm::dot(along, joints_.at(joint) - wrist); };
        glm::dvec3 across(0);
        for (const auto& one : fingers)
            for (const auto& other : fingers) {
                const glm::dvec3 apart = joints_.at(one.back()) - joints_.at(other.back());
                const glm::dvec3 level = apart - glm::dot(apart, along) * along;
                across = glm::length(level) > glm::length(across) ? level : across;
            }
        std::ranges::sort(fingers, {}, [&](const auto& finger) { return glm::dot(across, joints_.at(finger.back())); });
        if (wayTo(fingers.front().back()) > wayTo(fingers.back().back()))
            std::ranges::reverse(fingers);
        constexpr double kThumb = 0.85;
        if (wayTo(fingers.front().back()) > kThumb * wayTo(fingers.back().back()))
            return;
        constexpr std::array kParts = {Part::thumb, Part::index, Part::middle, Part::ring, Part::little};
        for (std::size_t i = 0; i < kFingers; ++i)
            setFinger(fingers[i], kParts[i], wayTo);
    }

    /// @param wayTo the distance of a joint along the hand. Bones that begin near the wrist are metacarpals, not
    /// segments, except in a thumb
    template <typename WayTo>
    void setFinger(const std::vector<Joint>& chain, Part part, const WayTo& wayTo) {
        constexpr double kKnuckle = 0.3;
        std::uint8_t segment = 0;
        for (const Joint joint : chain) {
            const bool isSegment = part == Part::thumb || wayTo(joint) > kKnuckle * wayTo(chain.back());
            if (isSegment && segment < 3 && joints_.mate(joint))
                both(joint, part, segment++);
        }
    }

    /// Finds the joints on the line of a bone, whether in its chain or beside it.
    void setTwists(Joint start, Joint end) {
        const glm::dvec3 bone = joints_.at(end) - joints_.at(start);
        for (const Joint joint : joints_.within(start)) {
            const glm::dvec3 way = joints_.at(joint) - joints_.at(start);
            const double share = glm::dot(way, bone) / glm::dot(bone, bone);
            constexpr double kInside = 0.05;
            if (roles_[joint].part == Part::none && !joints_.skeleton().isBelow(joint, end) && share > kInside &&
                share < 1 - kInside && glm::distance(way, share * bone) < 2 * joints_.nothing() && joints_.mate(joint))
                roles_[joint] = roles_[*joints_.mate(joint)] = {Part::twist, Side::middle, 0};
        }
    }

    const MirroredJoints& joints_;
    const RestingBody& body_;
    Side side_;
    std::vector<Role>& roles_;
};

/// Two legs, two arms and a head have five ends.
bool hasLimbs(const MirroredJoints& joints) {
    constexpr std::size_t kLimbs = 4;
    std::size_t ends = 0;
    for (Joint joint = 0; joint < joints.count(); ++joint)
        ends += joints.children(joint).empty() ? 1 : 0;
    return ends >= kLimbs;
}

}  // namespace

Anatomy anatomyAtRest(const core::Skeleton& rig, const core::BodySurface& surface) {
    Anatomy anatomy;
    anatomy.roles.resize(rig.joints.size());
    anatomy.from = Anatomy::From::shape;
    constexpr std::size_t kMostJoints = 1000;
    anatomy.seen = "more than 1000 joints, and no names of limbs";
    if (rig.joints.size() > kMostJoints)
        return anatomy;
    const MirroredJoints joints(rig);
    anatomy.seen = hasLimbs(joints) ? "left and right do not mirror each other" : "no two legs";
    if (!joints.isFound())
        return anatomy;
    const std::array ups = {kUpwards,
                            glm::dvec3(0, 0, 1),
                            glm::dvec3(0, 0, -1),
                            glm::dvec3(1, 0, 0),
                            glm::dvec3(-1, 0, 0),
                            glm::dvec3(0, -1, 0)};
    constexpr double kAcross = 0.3;
    std::string seen;
    for (const glm::dvec3& up : ups) {
        if (std::abs(glm::dot(up, joints.across())) > kAcross)
            continue;
        const RestingOutline outline(joints, up);
        const std::optional<RestingBody> body = restingBodyOf(joints, outline, seen);
        if (up == ups.front() || body)
            anatomy.seen = seen;
        if (!body)
            continue;
        const SideFinder sides(joints, *body, up, outline.height());
        const Side seenSide = sides.byFeet(surface);
        const Side named = sides.byNames();
        const Side side = seenSide != Side::middle ? seenSide : named;
        constexpr double kSeen = 0.85;  // measured: see docs/binding.md
        constexpr double kGuessed = 0.6;
        anatomy.confidence = kSeen;
        if (side == Side::middle || (named != Side::middle && named != side)) {
            anatomy.confidence = kGuessed;
            anatomy.seen = side == Side::middle ? "left and right can't be told apart"
                                                : "left and right are exchanged, according to the toes";
        }
        RestingRoles(joints, *body, side == Side::middle ? sides.byConvention() : side, anatomy.roles).set(outline);
        return anatomy;
    }
    return anatomy;
}

}  // namespace reanima::roles
