#include "binding/roles/match_joints.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "core/decode_error.h"
#include "core/text.h"

namespace reanima::roles {

namespace {

/// `LeftUpLeg_01` -> left up leg 01
std::vector<std::string> wordsOf(std::string_view name) {
    const std::size_t prefix = name.find_last_of(":|");
    if (prefix != std::string_view::npos)
        name.remove_prefix(prefix + 1);
    std::vector<std::string> words;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (!isLetter(c) && !isDigit(c))
            continue;
        const char before = i > 0 ? name[i - 1] : ' ';
        const char after = i + 1 < name.size() ? name[i + 1] : ' ';
        const bool begins = words.empty() || (!isLetter(before) && !isDigit(before)) || isDigit(c) != isDigit(before) ||
                            (isUpper(c) && (isLower(before) || isLower(after)));
        if (begins)
            words.emplace_back();
        words.back() += lowerCase(c);
    }
    return words;
}

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool isNumber(std::string_view word) { return std::all_of(word.begin(), word.end(), isDigit); }

bool allNumbers(const std::vector<std::string>& words, std::size_t from) {
    return std::all_of(words.begin() + static_cast<std::ptrdiff_t>(from), words.end(), isNumber);
}

/// Drops prefixes that programs add to every name.
void dropPrefixes(std::vector<std::string>& words) {
    while (words.size() > 1 && !allNumbers(words, 1) &&
           isOneOf(words.front(), {"mixamorig", "bip", "def", "org", "mch", "jnt", "joint", "bone", "valve", "biped",
                                   "armature", "rig", "character", "cc", "base"})) {
        words.erase(words.begin());
        if (words.size() > 1 && isNumber(words.front()))  // the 01 of Bip01
            words.erase(words.begin());
    }
}

/// Removes the first word that means left or right.
std::string takeSide(std::vector<std::string>& words) {
    for (auto word = words.begin(); word != words.end(); ++word) {
        const bool left = isOneOf(*word, {"l", "left", "lft", "lf"});
        if (!left && !isOneOf(*word, {"r", "right", "rgt", "rt"}))
            continue;
        if (words.size() == 1)
            break;
        words.erase(word);
        return left ? " left" : " right";
    }
    return {};
}

using Known = std::vector<JointMatch>;

bool isSource(const std::vector<JointMatch>& matches, std::uint32_t joint) {
    return std::any_of(matches.begin(), matches.end(), [joint](const JointMatch& m) { return m.link.source == joint; });
}

JointMatch made(std::uint32_t source, std::uint32_t target, MatchedBy by) {
    return {{source, target, {1, 0, 0, 0}, {}}, by};
}

/// Matches free joints by names.
class Namer {
  public:
    Namer(const Skeleton& source, const Skeleton& target, Known known, const std::vector<std::string>& leftOut)
        : source_(source), target_(target), matches_(std::move(known)), leftOut_(leftOut) {}

    Known match() {
        addExact(Names::words);
        addNumbered();
        addSimilar();
        if (matches_.empty())
            addByIndex();
        std::sort(matches_.begin(), matches_.end(),
                  [](const JointMatch& a, const JointMatch& b) { return a.link.target < b.link.target; });
        return std::move(matches_);
    }

  private:
    [[nodiscard]] bool isLeftOut(const std::string& name) const {
        return std::find(leftOut_.begin(), leftOut_.end(), name) != leftOut_.end();
    }
    [[nodiscard]] bool isFreeSource(std::uint32_t joint) const {
        return !isSource(matches_, joint) && !isLeftOut(source_.joints[joint].name);
    }
    [[nodiscard]] bool isFreeTarget(std::uint32_t joint) const {
        return matchOf(matches_, joint) == nullptr && !isLeftOut(target_.joints[joint].name);
    }

    enum class Names { words, numbers };

    Known addExact(Names names) {
        Known added;
        for (std::uint32_t t = 0; t < target_.joints.size(); ++t) {
            const std::string& name = target_.joints[t].name;
            const std::optional<std::uint32_t> s = source_.find(name);
            if (isNumberedName(name) == (names == Names::numbers) && s && isFreeTarget(t) && isFreeSource(*s))
                added.push_back(made(*s, t, MatchedBy::name));
        }
        matches_.insert(matches_.end(), added.begin(), added.end());
        return added;
    }

    void addNumbered() {
        const Known before = matches_;
        const Known added = addExact(Names::numbers);
        const bool agree = std::all_of(added.begin(), added.end(), [this](const JointMatch& m) {
            return parentsAgree(source_, target_, matches_, m.link);
        });
        if (!agree)
            matches_ = before;
    }

    void addSimilar() {
        struct Candidates {
            std::vector<std::uint32_t> sources;
            std::vector<std::uint32_t> targets;
        };
        std::map<std::string, Candidates> byName;
        for (std::uint32_t s = 0; s < source_.joints.size(); ++s)
            if (isFreeSource(s) && !isNumberedName(source_.joints[s].name))
                byName[similarName(source_.joints[s].name)].sources.push_back(s);
        for (std::uint32_t t = 0; t < target_.joints.size(); ++t)
            if (isFreeTarget(t) && !isNumberedName(target_.joints[t].name))
                byName[similarName(target_.joints[t].name)].targets.push_back(t);
        for (const auto& [name, candidates] : byName) {
            if (candidates.sources.empty() || candidates.targets.empty())
                continue;
            if (candidates.sources.size() > 1 || candidates.targets.size() > 1)
                throw DecodeError(
                    {},
                    fmt::format("joints can't be told apart by their names: {} and {}. State in a mapping file which "
                                "joint follows which",
                                namesOf(source_, candidates.sources), namesOf(target_, candidates.targets)),
                    DecodeError::Kind::ambiguousNames);
            matches_.push_back(made(candidates.sources.front(), candidates.targets.front(), MatchedBy::similarName));
        }
    }

    static std::string namesOf(const Skeleton& skeleton, const std::vector<std::uint32_t>& joints) {
        std::string text;
        for (const std::uint32_t joint : joints)
            text += (text.empty() ? "" : ", ") + skeleton.joints[joint].name;
        return text;
    }

    void addByIndex() {
        const bool agree =
            std::equal(source_.joints.begin(), source_.joints.end(), target_.joints.begin(), target_.joints.end(),
                       [](const Joint& a, const Joint& b) { return a.parent == b.parent; });
        if (!agree)
            return;
        for (std::uint32_t i = 0; i < source_.joints.size(); ++i)
            if (isFreeSource(i) && isFreeTarget(i))
                matches_.push_back(made(i, i, MatchedBy::index));
    }

    const Skeleton& source_;
    const Skeleton& target_;
    Known matches_;
    const std::vector<std::string>& leftOut_;
};

}  // namespace

std::string similarName(std::string_view name) {
    std::vector<std::string> words = wordsOf(name);
    dropPrefixes(words);
    const std::string side = takeSide(words);
    std::string result;
    for (const std::string& word : words)
        result += word;
    return result + side;
}

bool isNumberedName(std::string_view name) {
    const std::vector<std::string> words = wordsOf(name);
    return words.empty() ||
           (allNumbers(words, 1) && (isNumber(words.front()) ||
                                     (words.size() > 1 && isOneOf(words.front(), {"bone", "joint", "node", "jnt"}))));
}

std::vector<JointLink> linksOf(const std::vector<JointMatch>& matches) {
    std::vector<JointLink> links;
    links.reserve(matches.size());
    for (const JointMatch& match : matches)
        links.push_back(match.link);
    return links;
}

const JointMatch* matchOf(const std::vector<JointMatch>& matches, std::uint32_t target) {
    const auto found =
        std::find_if(matches.begin(), matches.end(), [target](const JointMatch& m) { return m.link.target == target; });
    return found == matches.end() ? nullptr : &*found;
}

bool parentsAgree(const Skeleton& source, const Skeleton& target, const std::vector<JointMatch>& matches,
                  const JointLink& link) {
    const JointMatch* above = nullptr;
    for (const std::uint32_t joint : target.ancestors(link.target)) {
        above = matchOf(matches, joint);
        if (above != nullptr)
            break;
    }
    for (const std::uint32_t joint : source.ancestors(link.source))
        if (isSource(matches, joint))
            return above != nullptr && above->link.source == joint;
    return above == nullptr;
}

std::vector<JointMatch> matchByNames(const Skeleton& source, const Skeleton& target, std::vector<JointMatch> known,
                                     const std::vector<std::string>& leftOut) {
    return Namer(source, target, std::move(known), leftOut).match();
}

}  // namespace reanima::roles
