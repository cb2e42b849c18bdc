#include "binding/roles/shape_links.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "binding/roles/match_joints.h"
#include "core/pose.h"

namespace reanima::roles {

namespace {

/// A position with one or more coincident joints. Bones connect branch points.
struct BranchPoint {
    int parent = -1;
    std::vector<std::uint32_t> joints;  // topmost first; none at the end of a bone
    std::uint32_t driver = 0;           // the joint that turns the bone from the parent to here
    glm::dvec3 position{0};
    std::vector<std::size_t> children;
    // As shares of the whole skeleton, independent of its size:
    double length = 0;     // of the bone to here
    double below = 0;      // of all bones below
    double reach = 0;      // along the longest chain below
    glm::dvec3 centre{0};  // of this branch point and those below, relative to the centre of all branch points
    std::string name;      // similarName() of the first joint without a numbered name
};

enum class Ends { included, leftOut };

/// A skeleton as branch points and bones.
class BoneGraph {
  public:
    BoneGraph(const Skeleton& skeleton, Ends ends) : skeleton_(skeleton) {
        const std::vector<glm::dmat4> globals = globalMatrices(skeleton, restPose(skeleton));
        for (const glm::dmat4& global : globals)
            extent_ = std::max(extent_, glm::distance(glm::dvec3(global[3]), glm::dvec3(globals.front()[3])));
        std::vector<std::size_t> pointOf(globals.size());
        for (std::uint32_t joint = 0; joint < globals.size(); ++joint) {
            const int parent = skeleton.joints[joint].parent;
            const glm::dvec3 position(globals[joint][3]);
            const bool same =
                parent != kNoParent && isNear(position, points_[pointOf[static_cast<std::size_t>(parent)]].position);
            pointOf[joint] =
                same ? pointOf[static_cast<std::size_t>(parent)]
                     : add(parent == kNoParent ? -1 : static_cast<int>(pointOf[static_cast<std::size_t>(parent)]),
                           parent == kNoParent ? joint : static_cast<std::uint32_t>(parent), position);
            BranchPoint& point = points_[pointOf[joint]];
            point.joints.push_back(joint);
            if (point.name.empty() && !isNumberedName(skeleton.joints[joint].name))
                point.name = similarName(skeleton.joints[joint].name);
        }
        for (std::uint32_t joint = 0; joint < globals.size(); ++joint)
            if (ends == Ends::included && skeleton.joints[joint].end)
                addEnd(pointOf[joint], joint,
                       glm::dvec3(globals[joint] * glm::dvec4(glm::dvec3(*skeleton.joints[joint].end), 1)));
        measure();
    }

    [[nodiscard]] const std::vector<BranchPoint>& points() const { return points_; }
    [[nodiscard]] const Skeleton& skeleton() const { return skeleton_; }

    /// The top branch points; the one with the longest bones below it is the first.
    [[nodiscard]] std::vector<std::size_t> tops() const {
        std::vector<std::size_t> tops;
        for (std::size_t i = 0; i < points_.size(); ++i)
            if (points_[i].parent < 0)
                tops.push_back(i);
        std::stable_sort(tops.begin(), tops.end(),
                         [this](std::size_t a, std::size_t b) { return points_[a].below > points_[b].below; });
        return tops;
    }

  private:
    [[nodiscard]] bool isNear(const glm::dvec3& a, const glm::dvec3& b) const {
        constexpr double kNear = 0.002;
        return glm::distance(a, b) <= kNear * extent_;
    }

    /// A new branch point, or another child of the parent at the same position.
    std::size_t add(int parent, std::uint32_t driver, const glm::dvec3& position) {
        if (parent >= 0)
            for (const std::size_t child : points_[static_cast<std::size_t>(parent)].children)
                if (isNear(points_[child].position, position))
                    return child;
        BranchPoint& point = points_.emplace_back();
        point.parent = parent;
        point.driver = driver;
        point.position = position;
        if (parent >= 0)
            points_[static_cast<std::size_t>(parent)].children.push_back(points_.size() - 1);
        return points_.size() - 1;
    }

    void addEnd(std::size_t point, std::uint32_t joint, const glm::dvec3& end) {
        const auto isThere = [&](std::size_t child) { return isNear(points_[child].position, end); };
        const std::vector<std::size_t>& children = points_[point].children;
        if (!isNear(points_[point].position, end) && std::none_of(children.begin(), children.end(), isThere))
            (void)add(static_cast<int>(point), joint, end);
    }

    /// The horizontal direction of the feet, if any: the last bones of the two lowest chains. Motions often begin
    /// turned away from +Z.
    [[nodiscard]] glm::dvec3 front() const {
        std::vector<const BranchPoint*> tips;
        for (const BranchPoint& point : points_)
            if (point.children.empty() && point.parent >= 0)
                tips.push_back(&point);
        std::sort(tips.begin(), tips.end(),
                  [](const BranchPoint* a, const BranchPoint* b) { return a->position.y < b->position.y; });
        glm::dvec3 sum(0);
        double length = 0;
        for (std::size_t i = 0; i < std::min<std::size_t>(2, tips.size()); ++i) {
            const glm::dvec3 bone = tips[i]->position - points_[static_cast<std::size_t>(tips[i]->parent)].position;
            sum += glm::dvec3(bone.x, 0, bone.z);
            length += glm::length(bone);
        }
        constexpr double kLevel = 0.3;
        return glm::length(sum) > kLevel * length ? glm::normalize(sum) : glm::dvec3(0, 0, 1);
    }

    void measure() {
        const glm::dvec3 ahead = front();
        glm::dvec3 centre(0);
        for (const BranchPoint& point : points_)
            centre += point.position / static_cast<double>(points_.size());
        std::vector<std::size_t> count(points_.size(), 1);
        for (std::size_t i = points_.size(); i-- > 0;) {
            BranchPoint& point = points_[i];
            point.centre += point.position - centre;
            if (point.parent >= 0) {
                BranchPoint& parent = points_[static_cast<std::size_t>(point.parent)];
                point.length = glm::distance(point.position, parent.position);
                parent.below += point.below + point.length;
                parent.reach = std::max(parent.reach, point.reach + point.length);
                parent.centre += point.centre;
                count[static_cast<std::size_t>(point.parent)] += count[i];
            }
        }
        // Only the body is compared: a joint on the ground that carries it is not one of its bones.
        std::size_t body = tops().front();
        while (points_[body].children.size() == 1)
            body = points_[body].children.front();
        if (points_[body].children.empty())  // a single chain
            body = tops().front();
        const double all = points_[body].below;
        const double longest = points_[body].reach;
        for (std::size_t i = 0; i < points_.size(); ++i) {
            BranchPoint& point = points_[i];
            const glm::dvec3 c = point.centre;
            point.centre = {c.x * ahead.z - c.z * ahead.x, c.y, c.x * ahead.x + c.z * ahead.z};  // as if it faced +Z
            point.centre /= static_cast<double>(count[i]) * std::max(longest, 1e-12);
            point.below /= std::max(all, 1e-12);
            point.length /= std::max(longest, 1e-12);
            point.reach /= std::max(longest, 1e-12);
        }
    }

    const Skeleton& skeleton_;
    double extent_ = 0;
    std::vector<BranchPoint> points_;
};

/// The similarity of two branch points, 0 to 1, without their children.
double likeness(const BranchPoint& a, const BranchPoint& b) {
    const bool named = !a.name.empty() && a.name == b.name;
    const double apart = std::abs(a.length - b.length) * 2 + std::abs(a.below - b.below) * 2 +
                         std::abs(a.reach - b.reach) * 2 + std::abs(a.centre.x - b.centre.x) * 2 +
                         std::abs(a.centre.y - b.centre.y) + std::abs(a.centre.z - b.centre.z) * 0.5;
    const double shape = std::exp(-apart);
    return named ? std::max(shape, 0.5) + 0.5 : shape;
}

/// The best match of one tree with the other. Branch points with a single child may be skipped.
class Alignment {
  public:
    Alignment(const BoneGraph& source, const BoneGraph& target)
        : a_(source.points()), b_(target.points()), best_(a_.size() * b_.size(), Best{-1, How::unknown, {}}) {}

    /// Pairs of branch points with their similarity; a branch point of the target is in at most one pair.
    enum class Reached {
        directly,
        passing,  ///< branch points were skipped between this pair and the pair above
    };
    struct Pair {
        std::size_t a;
        std::size_t b;
        double likeness;
        Reached reached;
    };
    std::vector<Pair> pairs(std::size_t a, std::size_t b) {
        std::vector<Pair> pairs;
        collect(a, b, Reached::directly, pairs);
        return pairs;
    }

  private:
    enum class How { unknown, pair, passA, passB };
    struct Best {
        double score;
        How how;
        std::vector<std::pair<std::size_t, std::size_t>> children;
    };

    Best& bestOf(std::size_t a, std::size_t b) {
        Best& best = best_[a * b_.size() + b];
        if (best.how != How::unknown)
            return best;
        constexpr double kPassing = 0.35;  // cost of skipping a branch point
        Best paired{likeness(a_[a], b_[b]), How::pair, {}};
        matchChildren(a, b, paired);
        Best chosen = std::move(paired);
        if (a_[a].children.size() == 1)
            if (const double score = bestOf(a_[a].children.front(), b).score - kPassing; score > chosen.score)
                chosen = {score, How::passA, {}};
        if (b_[b].children.size() == 1)
            if (const double score = bestOf(a, b_[b].children.front()).score - kPassing; score > chosen.score)
                chosen = {score, How::passB, {}};
        return best_[a * b_.size() + b] = std::move(chosen);
    }

    /// Matches the most similar children first; there are few children.
    void matchChildren(std::size_t a, std::size_t b, Best& best) {
        struct Candidate {
            double score;
            std::size_t a;
            std::size_t b;
        };
        std::vector<Candidate> candidates;
        for (const std::size_t childA : a_[a].children)
            for (const std::size_t childB : b_[b].children)
                candidates.push_back({bestOf(childA, childB).score, childA, childB});
        // Similarity takes precedence over size: a long arm with many fingers must not take a leg's branch point.
        std::stable_sort(candidates.begin(), candidates.end(),
                         [this](const Candidate& x, const Candidate& y) { return alike(x.a, x.b) > alike(y.a, y.b); });
        std::vector<std::size_t> usedA;
        std::vector<std::size_t> usedB;
        const auto isIn = [](const std::vector<std::size_t>& list, std::size_t value) {
            return std::find(list.begin(), list.end(), value) != list.end();
        };
        for (const Candidate& candidate : candidates) {
            if (isIn(usedA, candidate.a) || isIn(usedB, candidate.b))
                continue;
            usedA.push_back(candidate.a);
            usedB.push_back(candidate.b);
            best.children.emplace_back(candidate.a, candidate.b);
            best.score += candidate.score;
        }
    }

    [[nodiscard]] double alike(std::size_t a, std::size_t b) const { return likeness(a_[a], b_[b]); }

    void collect(std::size_t a, std::size_t b, Reached reached, std::vector<Pair>& pairs) {
        const Best best = bestOf(a, b);
        if (best.how == How::passA)
            return collect(a_[a].children.front(), b, Reached::passing, pairs);
        if (best.how == How::passB)
            return collect(a, b_[b].children.front(), Reached::passing, pairs);
        pairs.push_back({a, b, alike(a, b), reached});
        for (const auto& [childA, childB] : best.children)
            collect(childA, childB, Reached::directly, pairs);
    }

    const std::vector<BranchPoint>& a_;
    const std::vector<BranchPoint>& b_;
    std::vector<Best> best_;
};

/// Converts pairs of branch points to pairs of joints.
class Linker {
  public:
    Linker(const BoneGraph& source, const BoneGraph& target) : source_(source), target_(target) {}

    void link(const std::vector<Alignment::Pair>& pairs) {
        for (const Alignment::Pair& pair : pairs) {  // match joints that turn the same bone
            const BranchPoint& a = source_.points()[pair.a];
            const BranchPoint& b = target_.points()[pair.b];
            if (pair.reached == Alignment::Reached::directly && a.parent >= 0 && b.parent >= 0)
                add(a.driver, b.driver, pair.likeness);
        }
        linkParents();
        for (const Alignment::Pair& pair : pairs) {
            const BranchPoint& a = source_.points()[pair.a];
            const BranchPoint& b = target_.points()[pair.b];
            if (!a.joints.empty() && !b.joints.empty())
                add(a.joints.front(), b.joints.front(), pair.likeness);
        }
    }

    /// Matches coincident joints that rotate no bone: in order, if their parents are matched.
    void linkRest(const std::vector<Alignment::Pair>& pairs) {
        for (const Alignment::Pair& pair : pairs)
            for (const std::uint32_t a : source_.points()[pair.a].joints)
                for (const std::uint32_t b : target_.points()[pair.b].joints)
                    if (parentsAreLinked(a, b))
                        add(a, b, pair.likeness / 2);
    }

    std::vector<ShapeLink> take() {
        std::vector<ShapeLink> list;
        for (auto& [target, link] : byTarget_)
            list.push_back(std::move(link));
        return list;
    }

  private:
    /// Also matches the parents of matched joints.
    void linkParents() {
        std::vector<ShapeLink> linked;
        for (const auto& [target, link] : byTarget_)
            linked.push_back(link);
        for (const ShapeLink& link : linked) {
            int a = source_.skeleton().joints[link.link.source].parent;
            int b = target_.skeleton().joints[link.link.target].parent;
            while (a != kNoParent && b != kNoParent &&
                   add(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), link.confidence)) {
                a = source_.skeleton().joints[static_cast<std::size_t>(a)].parent;
                b = target_.skeleton().joints[static_cast<std::size_t>(b)].parent;
            }
        }
    }

    [[nodiscard]] bool parentsAreLinked(std::uint32_t a, std::uint32_t b) const {
        const auto parent = byTarget_.find(static_cast<std::uint32_t>(target_.skeleton().joints[b].parent));
        return parent != byTarget_.end() &&
               static_cast<int>(parent->second.link.source) == source_.skeleton().joints[a].parent;
    }

    /// @return false if one of them is already matched
    bool add(std::uint32_t source, std::uint32_t target, double likeness) {
        if (byTarget_.contains(target) || std::any_of(byTarget_.begin(), byTarget_.end(), [source](const auto& entry) {
                return entry.second.link.source == source;
            }))
            return false;
        const std::string& a = source_.skeleton().joints[source].name;
        const std::string& b = target_.skeleton().joints[target].name;
        const bool named = !isNumberedName(a) && similarName(a) == similarName(b);
        byTarget_.emplace(target, ShapeLink{{source, target, {1, 0, 0, 0}, {}},
                                            std::min(1.0, named ? 0.9 + 0.1 * likeness : likeness * 0.9),
                                            named ? "the names agree" : "its place in the tree and its proportions"});
        return true;
    }

    const BoneGraph& source_;
    const BoneGraph& target_;
    std::map<std::uint32_t, ShapeLink> byTarget_;
};

}  // namespace

namespace {

std::vector<ShapeLink> linksBetween(const BoneGraph& source, const BoneGraph& target) {
    const std::vector<std::size_t> topsA = source.tops();
    const std::vector<std::size_t> topsB = target.tops();
    Alignment alignment(source, target);
    Linker linker(source, target);
    for (std::size_t i = 0; i < std::min(topsA.size(), topsB.size()); ++i) {
        const std::vector<Alignment::Pair> pairs = alignment.pairs(topsA[i], topsB[i]);
        linker.link(pairs);
        linker.linkRest(pairs);
    }
    return linker.take();
}

double trustIn(const std::vector<ShapeLink>& links) {
    double sum = 0;
    for (const ShapeLink& link : links)
        sum += link.confidence;
    return sum;
}

}  // namespace

std::vector<ShapeLink> linksByShape(const Skeleton& source, const Skeleton& target) {
    if (source.joints.empty() || target.joints.empty())
        return {};
    // One skeleton may have joints where the other only has ends of bones, or nothing.
    std::vector<ShapeLink> best;
    for (const Ends sourceEnds : {Ends::leftOut, Ends::included})
        for (const Ends targetEnds : {Ends::leftOut, Ends::included}) {
            std::vector<ShapeLink> links = linksBetween(BoneGraph(source, sourceEnds), BoneGraph(target, targetEnds));
            if (trustIn(links) > trustIn(best))
                best = std::move(links);
        }
    return best;
}

}  // namespace reanima::roles
