#include "core/suggest.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/match_joints.h"
#include "core/pose.h"

namespace reanima::core {

namespace {

/// A place where joints stand, one on top of the other. Bones lead from place to place.
struct Place {
    int parent = -1;
    std::vector<std::uint32_t> joints;  // top first; none at the end of a bone
    std::uint32_t driver = 0;           // the joint that turns the bone from the parent to here
    glm::dvec3 position{0};
    std::vector<std::size_t> children;
    // In shares of the whole, so that size does not count:
    double length = 0;     // of the bone to here
    double below = 0;      // of all bones below
    double reach = 0;      // along the longest chain below
    glm::dvec3 centre{0};  // of what is below, from the centre of everything
    std::string name;      // similar name of the first joint that has one
};

/// A skeleton as places and bones.
class Sticks {
  public:
    explicit Sticks(const Skeleton& skeleton) : skeleton_(skeleton) {
        const std::vector<glm::dmat4> globals = globalMatrices(skeleton, restPose(skeleton));
        for (const glm::dmat4& global : globals)
            extent_ = std::max(extent_, glm::distance(glm::dvec3(global[3]), glm::dvec3(globals.front()[3])));
        std::vector<std::size_t> placeOf(globals.size());
        for (std::uint32_t joint = 0; joint < globals.size(); ++joint) {
            const int parent = skeleton.joints[joint].parent;
            const glm::dvec3 position(globals[joint][3]);
            const bool same =
                parent != kNoParent && isNear(position, places_[placeOf[static_cast<std::size_t>(parent)]].position);
            placeOf[joint] =
                same ? placeOf[static_cast<std::size_t>(parent)]
                     : add(parent == kNoParent ? -1 : static_cast<int>(placeOf[static_cast<std::size_t>(parent)]),
                           parent == kNoParent ? joint : static_cast<std::uint32_t>(parent), position);
            Place& place = places_[placeOf[joint]];
            place.joints.push_back(joint);
            if (place.name.empty() && !isNumberedName(skeleton.joints[joint].name))
                place.name = similarName(skeleton.joints[joint].name);
        }
        for (std::uint32_t joint = 0; joint < globals.size(); ++joint)
            if (skeleton.joints[joint].end)
                addEnd(placeOf[joint], joint,
                       glm::dvec3(globals[joint] * glm::dvec4(glm::dvec3(*skeleton.joints[joint].end), 1)));
        measure();
    }

    [[nodiscard]] const std::vector<Place>& places() const { return places_; }
    [[nodiscard]] const Skeleton& skeleton() const { return skeleton_; }

    /// The top places, the one with the longest bones first.
    [[nodiscard]] std::vector<std::size_t> tops() const {
        std::vector<std::size_t> tops;
        for (std::size_t i = 0; i < places_.size(); ++i)
            if (places_[i].parent < 0)
                tops.push_back(i);
        std::stable_sort(tops.begin(), tops.end(),
                         [this](std::size_t a, std::size_t b) { return places_[a].below > places_[b].below; });
        return tops;
    }

  private:
    [[nodiscard]] bool isNear(const glm::dvec3& a, const glm::dvec3& b) const {
        constexpr double kNear = 0.002;
        return glm::distance(a, b) <= kNear * extent_;
    }

    std::size_t add(int parent, std::uint32_t driver, const glm::dvec3& position) {
        Place& place = places_.emplace_back();
        place.parent = parent;
        place.driver = driver;
        place.position = position;
        if (parent >= 0)
            places_[static_cast<std::size_t>(parent)].children.push_back(places_.size() - 1);
        return places_.size() - 1;
    }

    void addEnd(std::size_t place, std::uint32_t joint, const glm::dvec3& end) {
        const auto isThere = [&](std::size_t child) { return isNear(places_[child].position, end); };
        const std::vector<std::size_t>& children = places_[place].children;
        if (!isNear(places_[place].position, end) && std::none_of(children.begin(), children.end(), isThere))
            (void)add(static_cast<int>(place), joint, end);
    }

    void measure() {
        glm::dvec3 centre(0);
        double all = 0;
        double longest = 0;
        for (const Place& place : places_)
            centre += place.position / static_cast<double>(places_.size());
        std::vector<std::size_t> count(places_.size(), 1);
        for (std::size_t i = places_.size(); i-- > 0;) {
            Place& place = places_[i];
            place.centre += place.position - centre;
            if (place.parent >= 0) {
                Place& parent = places_[static_cast<std::size_t>(place.parent)];
                place.length = glm::distance(place.position, parent.position);
                parent.below += place.below + place.length;
                parent.reach = std::max(parent.reach, place.reach + place.length);
                parent.centre += place.centre;
                count[static_cast<std::size_t>(place.parent)] += count[i];
            } else {
                all += place.below;
                longest = std::max(longest, place.reach);
            }
        }
        for (std::size_t i = 0; i < places_.size(); ++i) {
            Place& place = places_[i];
            place.centre /= static_cast<double>(count[i]) * std::max(longest, 1e-12);
            place.below /= std::max(all, 1e-12);
            place.length /= std::max(longest, 1e-12);
            place.reach /= std::max(longest, 1e-12);
        }
    }

    const Skeleton& skeleton_;
    double extent_ = 0;
    std::vector<Place> places_;
};

/// How alike two places are, 0 to 1, whatever their children are.
double likeness(const Place& a, const Place& b) {
    const bool named = !a.name.empty() && a.name == b.name;
    const double apart = std::abs(a.length - b.length) * 2 + std::abs(a.below - b.below) * 2 +
                         std::abs(a.reach - b.reach) * 2 + std::abs(a.centre.x - b.centre.x) * 2 +
                         std::abs(a.centre.y - b.centre.y) + std::abs(a.centre.z - b.centre.z) * 0.5;
    const double shape = std::exp(-apart);
    return named ? std::max(shape, 0.5) + 0.5 : shape;
}

/// The best way to lay one tree on the other. Places with a single child may be passed over.
class Alignment {
  public:
    Alignment(const Sticks& source, const Sticks& target)
        : a_(source.places()), b_(target.places()), best_(a_.size() * b_.size(), Best{-1, How::unknown, {}}) {}

    /// Pairs of places, with their likeness; a place of the target is in one pair at most.
    struct Pair {
        std::size_t a;
        std::size_t b;
        double likeness;
        bool direct;  ///< nothing was passed over between this pair and the one above
    };
    std::vector<Pair> pairs(std::size_t a, std::size_t b) {
        std::vector<Pair> pairs;
        collect(a, b, true, pairs);
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
        constexpr double kPassing = 0.35;  // what it costs to pass a place over
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

    /// Best first; children are few.
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
        // Alike before large: a long arm must not take a leg's place for its many fingers.
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

    void collect(std::size_t a, std::size_t b, bool direct, std::vector<Pair>& pairs) {
        const Best best = bestOf(a, b);
        if (best.how == How::passA)
            return collect(a_[a].children.front(), b, false, pairs);
        if (best.how == How::passB)
            return collect(a, b_[b].children.front(), false, pairs);
        pairs.push_back({a, b, alike(a, b), direct});
        for (const auto& [childA, childB] : best.children)
            collect(childA, childB, true, pairs);
    }

    const std::vector<Place>& a_;
    const std::vector<Place>& b_;
    std::vector<Best> best_;
};

/// Joints out of pairs of places.
class Linker {
  public:
    Linker(const Sticks& source, const Sticks& target) : source_(source), target_(target) {}

    void link(const std::vector<Alignment::Pair>& pairs) {
        for (const Alignment::Pair& pair : pairs) {
            const Place& a = source_.places()[pair.a];
            const Place& b = target_.places()[pair.b];
            if (!a.joints.empty() && !b.joints.empty())
                add(a.joints.front(), b.joints.front(), pair.likeness);
        }
        for (const Alignment::Pair& pair : pairs) {  // the further joints of a place, each by the bone that it turns
            const Place& a = source_.places()[pair.a];
            const Place& b = target_.places()[pair.b];
            if (pair.direct && a.parent >= 0 && b.parent >= 0)
                add(a.driver, b.driver, pair.likeness);
        }
    }

    std::vector<Suggestion> take() {
        std::vector<Suggestion> list;
        for (auto& [target, suggestion] : byTarget_)
            list.push_back(std::move(suggestion));
        return list;
    }

  private:
    void add(std::uint32_t source, std::uint32_t target, double likeness) {
        if (byTarget_.contains(target) || std::any_of(byTarget_.begin(), byTarget_.end(), [source](const auto& entry) {
                return entry.second.link.source == source;
            }))
            return;
        const std::string& a = source_.skeleton().joints[source].name;
        const std::string& b = target_.skeleton().joints[target].name;
        const bool named = !isNumberedName(a) && similarName(a) == similarName(b);
        byTarget_.emplace(target, Suggestion{{source, target, {1, 0, 0, 0}, {}},
                                             std::min(1.0, named ? 0.9 + 0.1 * likeness : likeness * 0.9),
                                             named ? "the names agree" : "its place in the tree and its proportions"});
    }

    const Sticks& source_;
    const Sticks& target_;
    std::map<std::uint32_t, Suggestion> byTarget_;
};

}  // namespace

std::vector<Suggestion> suggestLinks(const Skeleton& source, const Skeleton& target) {
    if (source.joints.empty() || target.joints.empty())
        return {};
    const Sticks a(source);
    const Sticks b(target);
    const std::vector<std::size_t> topsA = a.tops();
    const std::vector<std::size_t> topsB = b.tops();
    Alignment alignment(a, b);
    Linker linker(a, b);
    for (std::size_t i = 0; i < std::min(topsA.size(), topsB.size()); ++i)
        linker.link(alignment.pairs(topsA[i], topsB[i]));
    return linker.take();
}

}  // namespace reanima::core
