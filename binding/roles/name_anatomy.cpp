#include "binding/roles/name_anatomy.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "binding/roles/families.h"
#include "core/pose.h"
#include "core/text.h"

namespace reanima::roles {

namespace {

using core::isDigit;
using core::isLetter;
using core::isLower;
using core::isUpper;
using core::Skeleton;

/// `LeftUpLeg_01` -> left, up, leg, 01
std::vector<std::string> splitName(std::string_view name) {
    const std::size_t space = name.find_last_of(":|");
    if (space != std::string_view::npos && space + 1 < name.size())
        name.remove_prefix(space + 1);
    std::vector<std::string> words;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        const bool isForeign = (static_cast<unsigned char>(c) & 0x80U) != 0;
        if (!isLetter(c) && !isDigit(c) && !isForeign)
            continue;
        const char before = i > 0 ? name[i - 1] : ' ';
        const char after = i + 1 < name.size() ? name[i + 1] : ' ';
        const bool afterWord = isLetter(before) || isDigit(before) || (static_cast<unsigned char>(before) & 0x80U) != 0;
        const bool begins = words.empty() || !afterWord || isDigit(c) != isDigit(before) ||
                            (isUpper(c) && (isLower(before) || (isUpper(before) && isLower(after))));
        if (begins)
            words.emplace_back();
        words.back() += core::lowerCase(c);
    }
    return words;
}

struct KeyRole {
    std::string_view key;
    Part part;
    std::uint8_t segment = 0;
};

/// Words of any convention, without side and number.
constexpr std::array kKeys = {
    KeyRole{"hips", Part::hips},           KeyRole{"hip", Part::hips},
    KeyRole{"pelvis", Part::hips},         KeyRole{"cog", Part::hips},
    KeyRole{"lowertorso", Part::hips},     KeyRole{"spine", Part::spine},
    KeyRole{"back", Part::spine},          KeyRole{"lowerback", Part::spine},
    KeyRole{"upperback", Part::spine},     KeyRole{"waist", Part::spine},
    KeyRole{"abdomen", Part::spine},       KeyRole{"ab", Part::spine},
    KeyRole{"abs", Part::spine},           KeyRole{"belly", Part::spine},
    KeyRole{"stomach", Part::spine},       KeyRole{"chest", Part::spine},
    KeyRole{"upperchest", Part::spine},    KeyRole{"lowerchest", Part::spine},
    KeyRole{"torso", Part::spine},         KeyRole{"uppertorso", Part::spine},
    KeyRole{"midtorso", Part::spine},      KeyRole{"thorax", Part::spine},
    KeyRole{"ribcage", Part::spine},       KeyRole{"ribs", Part::spine},
    KeyRole{"body", Part::spine},          KeyRole{"upperbody", Part::spine},
    KeyRole{"trunk", Part::spine},         KeyRole{"spinelower", Part::spine},
    KeyRole{"spineupper", Part::spine},    KeyRole{"spinemid", Part::spine},
    KeyRole{"spineshoulder", Part::spine}, KeyRole{"lowerspine", Part::spine},
    KeyRole{"upperspine", Part::spine},    KeyRole{"midspine", Part::spine},
    KeyRole{"neck", Part::neck},           KeyRole{"lowerneck", Part::neck},
    KeyRole{"upperneck", Part::neck},      KeyRole{"necklower", Part::neck},
    KeyRole{"neckupper", Part::neck},      KeyRole{"head", Part::head},
    KeyRole{"skull", Part::head},          KeyRole{"jaw", Part::jaw},
    KeyRole{"lowerjaw", Part::jaw},        KeyRole{"eye", Part::eye},
    KeyRole{"eyeball", Part::eye},         KeyRole{"clavicle", Part::shoulder},
    KeyRole{"collar", Part::shoulder},     KeyRole{"collarbone", Part::shoulder},
    KeyRole{"clav", Part::shoulder},       KeyRole{"scapula", Part::shoulder},
    KeyRole{"shoulder", Part::shoulder},   KeyRole{"shoulderblade", Part::shoulder},
    KeyRole{"upperarm", Part::upperArm},   KeyRole{"uparm", Part::upperArm},
    KeyRole{"uarm", Part::upperArm},       KeyRole{"armupper", Part::upperArm},
    KeyRole{"armup", Part::upperArm},      KeyRole{"humerus", Part::upperArm},
    KeyRole{"bicep", Part::upperArm},      KeyRole{"shldr", Part::upperArm},
    KeyRole{"arm", Part::upperArm},        KeyRole{"lowerarm", Part::lowerArm},
    KeyRole{"loarm", Part::lowerArm},      KeyRole{"lowarm", Part::lowerArm},
    KeyRole{"armlower", Part::lowerArm},   KeyRole{"armlow", Part::lowerArm},
    KeyRole{"forearm", Part::lowerArm},    KeyRole{"farm", Part::lowerArm},
    KeyRole{"elbow", Part::lowerArm},      KeyRole{"radius", Part::lowerArm},
    KeyRole{"hand", Part::hand},           KeyRole{"wrist", Part::hand},
    KeyRole{"palm", Part::hand},           KeyRole{"fist", Part::hand},
    KeyRole{"upperleg", Part::upperLeg},   KeyRole{"upleg", Part::upperLeg},
    KeyRole{"legupper", Part::upperLeg},   KeyRole{"legup", Part::upperLeg},
    KeyRole{"thigh", Part::upperLeg},      KeyRole{"femur", Part::upperLeg},
    KeyRole{"lowerleg", Part::lowerLeg},   KeyRole{"loleg", Part::lowerLeg},
    KeyRole{"lowleg", Part::lowerLeg},     KeyRole{"leglower", Part::lowerLeg},
    KeyRole{"leglow", Part::lowerLeg},     KeyRole{"leg", Part::lowerLeg},
    KeyRole{"shin", Part::lowerLeg},       KeyRole{"calf", Part::lowerLeg},
    KeyRole{"knee", Part::lowerLeg},       KeyRole{"crus", Part::lowerLeg},
    KeyRole{"tibia", Part::lowerLeg},      KeyRole{"foot", Part::foot},
    KeyRole{"ankle", Part::foot},          KeyRole{"feet", Part::foot},
    KeyRole{"toes", Part::toes},           KeyRole{"toe", Part::toes},
    KeyRole{"toebase", Part::toes},        KeyRole{"ball", Part::toes},
    KeyRole{"football", Part::toes},       KeyRole{"thumb", Part::thumb},
    KeyRole{"index", Part::index},         KeyRole{"indexfinger", Part::index},
    KeyRole{"findex", Part::index},        KeyRole{"handindex", Part::index},
    KeyRole{"middlefinger", Part::middle}, KeyRole{"fmiddle", Part::middle},
    KeyRole{"handmiddle", Part::middle},   KeyRole{"fingers", Part::middle},
    KeyRole{"ringfinger", Part::ring},     KeyRole{"fring", Part::ring},
    KeyRole{"handring", Part::ring},       KeyRole{"pinky", Part::little},
    KeyRole{"pinkyfinger", Part::little},  KeyRole{"littlefinger", Part::little},
    KeyRole{"fpinky", Part::little},       KeyRole{"handpinky", Part::little},
    KeyRole{"handthumb", Part::thumb},     KeyRole{"little", Part::little},
};

/// A word in the names of joints that do not take part in the motion.
struct ExtraWord {
    std::string_view part;
    Part role;
};
constexpr std::array kExtras = {
    ExtraWord{"twist", Part::twist},       ExtraWord{"roll", Part::twist},
    ExtraWord{"捩", Part::twist},          ExtraWord{"ik", Part::ik},
    ExtraWord{"ＩＫ", Part::ik},           ExtraWord{"pole", Part::ik},
    ExtraWord{"target", Part::ik},         ExtraWord{"end", Part::end},
    ExtraWord{"nub", Part::end},           ExtraWord{"endsite", Part::end},
    ExtraWord{"tip", Part::end},           ExtraWord{"weapon", Part::weapon},
    ExtraWord{"prop", Part::weapon},       ExtraWord{"sword", Part::weapon},
    ExtraWord{"gun", Part::weapon},        ExtraWord{"attachment", Part::weapon},
    ExtraWord{"socket", Part::weapon},     ExtraWord{"hair", Part::helper},
    ExtraWord{"corrective", Part::helper}, ExtraWord{"breast", Part::helper},
    ExtraWord{"helper", Part::helper},     ExtraWord{"dummy", Part::helper},
    ExtraWord{"jiggle", Part::helper},     ExtraWord{"sharebone", Part::helper},
    ExtraWord{"share", Part::helper},      ExtraWord{"pectoral", Part::helper},
    ExtraWord{"skirt", Part::helper},      ExtraWord{"cloth", Part::helper},
    ExtraWord{"tail", Part::helper},       ExtraWord{"mch", Part::helper},
    ExtraWord{"org", Part::helper},        ExtraWord{"ctrl", Part::helper},
    ExtraWord{"jsec", Part::helper},
};

std::optional<Part> extraOf(std::string_view name) {
    if (name.starts_with("EndSite_"))  // in BVH files, before the joint's whole name: EndSite_mixamorig:Head
        return Part::end;
    const std::vector<std::string> words = splitName(name);
    for (const ExtraWord& extra : kExtras)
        for (const std::string& word : words)
            if (word == extra.part || (extra.part.size() > 3 && word.find(extra.part) != std::string::npos))
                return extra.role;
    return std::nullopt;
}

bool isLeftWord(std::string_view word) { return word == "l" || word == "left" || word == "lft"; }
bool isRightWord(std::string_view word) { return word == "r" || word == "right" || word == "rgt"; }

Side sideOf(const std::vector<std::string>& words, std::size_t& at) {
    for (at = 0; at < words.size(); ++at) {
        if (isLeftWord(words[at]))
            return Side::left;
        if (isRightWord(words[at]))
            return Side::right;
    }
    return Side::middle;
}

/// Words that do not name a part of the body: they mean a joint, or the middle.
bool isFiller(std::string_view word) {
    constexpr std::array<std::string_view, 12> kFillers = {"x",  "c",   "m",  "jnt", "joint", "bone",
                                                           "bn", "def", "sk", "jt",  "jj",    "bip"};
    return std::find(kFillers.begin(), kFillers.end(), word) != kFillers.end();
}

Words joined(std::vector<std::string> words) {
    Words result;
    std::size_t at = 0;
    const bool isAll =
        std::all_of(words.begin(), words.end(), [](const std::string& w) { return isFiller(w) || isDigit(w.front()); });
    if (!isAll)
        std::erase_if(words, isFiller);
    result.side = sideOf(words, at);
    if (result.side != Side::middle && words.size() > 1)
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
    else
        result.side = Side::middle;
    for (const std::string& word : words)
        if (isDigit(word.front()))
            result.number = word.size() < 6 ? std::stoi(word) : -1;
        else
            result.key += word;
    return result;
}

decltype(kKeys)::const_iterator rowOf(std::string_view key) { return std::ranges::find(kKeys, key, &KeyRole::key); }

/// `lthigh` -> the left side, thigh
Words unglued(Words words) {
    const bool isSided = words.key.starts_with('l') || words.key.starts_with('r');
    if (words.side != Side::middle || !isSided || rowOf(words.key) != kKeys.end() ||
        rowOf(std::string_view(words.key).substr(1)) == kKeys.end())
        return words;
    words.side = words.key.front() == 'l' ? Side::left : Side::right;
    words.key.erase(0, 1);
    return words;
}

// ---------------------------------------------------------------------------------------------------------------------
// Families

std::vector<std::string> spelled(std::string_view list) {
    std::vector<std::string> words;
    while (!list.empty()) {
        const std::size_t space = list.find(' ');
        if (space != 0)
            words.emplace_back(list.substr(0, space));
        list.remove_prefix(space == std::string_view::npos ? list.size() : space + 1);
    }
    return words;
}

/// @param thumbProximal the segment of the thumb that `ThumbP` stands for
Role roleOfFamily(std::string_view text, Side side, std::uint8_t thumbProximal) {
    if (text == "ThumbP")
        return {Part::thumb, side, thumbProximal};
    std::uint8_t segment = 0;
    if (isDigit(text.back())) {
        segment = static_cast<std::uint8_t>(text.back() - '0');
        text.remove_suffix(1);
    }
    for (int part = 0; part <= static_cast<int>(Part::end); ++part) {
        const Role role{static_cast<Part>(part), side, segment};
        std::string name = nameOf({role.part, Side::middle, 0});
        if (isFinger(role.part))
            name.resize(name.find(role.part == Part::thumb ? "Metacarpal" : "Proximal"));
        if (name == text)
            return role;
    }
    return {};
}

class FamilyMatcher {
  public:
    explicit FamilyMatcher(const Skeleton& skeleton) : skeleton_(skeleton) {
        for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint)
            byName_.emplace(plainName(skeleton.joints[joint].name), joint);
    }

    std::optional<Anatomy> match() {
        for (const Family& family : families())
            if (const std::optional<std::string> prefix = prefixOf(family))
                return rolesOf(family, *prefix);
        return std::nullopt;
    }

  private:
    /// The common prefix of all unmistakable names. The longest prefix is used: a rig may have the same names for its
    /// controls, and with a longer prefix for its deform bones.
    [[nodiscard]] std::optional<std::string> prefixOf(const Family& family) const {
        const std::vector<std::string> names = spelled(family.unmistakable);
        std::optional<std::string> best;
        for (const auto& [name, joint] : byName_) {
            if (!name.ends_with(names.front()))
                continue;
            const std::string prefix = name.substr(0, name.size() - names.front().size());
            const bool all = std::all_of(names.begin(), names.end(),
                                         [&](const std::string& n) { return byName_.contains(prefix + n); });
            if (all && (!best || prefix.size() > best->size()))
                best = prefix;
        }
        return best;
    }

    [[nodiscard]] Anatomy rolesOf(const Family& family, const std::string& prefix) const {
        Anatomy anatomy;
        anatomy.roles.resize(skeleton_.joints.size());
        anatomy.from = Anatomy::From::family;
        anatomy.family = family.name;
        const std::uint8_t thumbProximal = byName_.contains(prefix + "leftthumbmetacarpal") ? 1 : 0;
        for (std::string row : spelled(family.joints)) {
            const std::size_t equals = row.rfind('=');
            const std::string role = row.substr(equals + 1);
            row.resize(equals);
            const bool isBare = row.starts_with('!');
            if (isBare)
                row.erase(0, 1);
            const std::size_t mark = row.find_first_of("@%$");
            if (mark == std::string::npos) {
                set(anatomy, prefix + row, roleOfFamily(role, Side::middle, thumbProximal));
                if (isBare)
                    set(anatomy, row, roleOfFamily(role, Side::middle, thumbProximal));
                continue;
            }
            const char kind = row[mark];
            for (const Side side : {Side::left, Side::right}) {
                std::string name = row;
                const bool isLeft = side == Side::left;
                name.replace(mark, 1,
                             kind == '@'   ? (isLeft ? "left" : "right")
                             : kind == '%' ? (isLeft ? "l" : "r")
                                           : (isLeft ? "左" : "右"));
                set(anatomy, prefix + name, roleOfFamily(role, side, thumbProximal));
            }
        }
        return anatomy;
    }

    void set(Anatomy& anatomy, const std::string& name, const Role& role) const {
        const auto [first, last] = byName_.equal_range(name);
        if (first != last && anatomy.roles[first->second].part == Part::none)
            anatomy.roles[first->second] = role;
    }

    const Skeleton& skeleton_;
    std::multimap<std::string, std::uint32_t> byName_;
};

// ---------------------------------------------------------------------------------------------------------------------
// Names of any convention

class WordMatcher {
  public:
    explicit WordMatcher(const Skeleton& skeleton) : skeleton_(skeleton) {
        for (const core::Joint& joint : skeleton.joints)
            split_.push_back(splitName(joint.name));
        dropCommonWords();
        for (const std::vector<std::string>& words : split_)
            words_.push_back(unglued(joined(words)));
    }

    Anatomy match() {
        Anatomy anatomy;
        anatomy.roles.resize(words_.size());
        anatomy.from = Anatomy::From::names;
        for (std::size_t joint = 0; joint < words_.size(); ++joint) {
            const std::optional<Role> role = roleOfWords(words_[joint]);
            if (role && !extraOf(skeleton_.joints[joint].name))
                anatomy.roles[joint] = *role;
        }
        for (const Side side : {Side::left, Side::right})
            tellApart(anatomy, side);
        keepOne(anatomy);
        return anatomy;
    }

  private:
    /// A common prefix of most names is ignored: `hero_hips`, `hero_spine`.
    void dropCommonWords() {
        for (int i = 0; i < 3; ++i) {
            std::map<std::string, std::size_t> first;
            for (const auto& words : split_)
                if (words.size() > 1)
                    ++first[words.front()];
            const auto most = std::max_element(first.begin(), first.end(),
                                               [](const auto& a, const auto& b) { return a.second < b.second; });
            if (most == first.end() || most->second * 10 < split_.size() * 7 || isLeftWord(most->first) ||
                isRightWord(most->first))
                return;
            for (auto& words : split_)
                if (words.size() > 1 && words.front() == most->first)
                    words.erase(words.begin());
        }
    }

    [[nodiscard]] bool has(Side side, std::initializer_list<std::string_view> keys) const {
        return std::any_of(words_.begin(), words_.end(), [&](const Words& w) {
            return w.side == side && std::find(keys.begin(), keys.end(), w.key) != keys.end();
        });
    }

    /// Corrects words that depend on others: an arm is the upper arm, but a leg beside an upper leg is the lower leg.
    void tellApart(Anatomy& anatomy, Side side) {
        const bool hasCollar = has(side, {"clavicle", "collar", "collarbone", "clav", "scapula"});
        const bool hasUpperArm =
            has(side, {"upperarm", "uparm", "uarm", "arm", "armupper", "armup", "humerus", "shldr"});
        const bool hasUpperLeg = has(side, {"upperleg", "upleg", "thigh", "legupper", "legup", "femur"});
        const bool hasLowerLeg =
            has(side, {"lowerleg", "loleg", "lowleg", "leglower", "leglow", "shin", "calf", "knee", "crus", "tibia"});
        const bool hasAnkle = has(side, {"ankle"});
        const bool hasToes = has(side, {"toe", "toes", "toebase", "ball", "football"});
        const bool hasWrist = has(side, {"wrist"});
        for (std::size_t joint = 0; joint < words_.size(); ++joint) {
            if (words_[joint].side != side)
                continue;
            const std::string& key = words_[joint].key;
            Part& part = anatomy.roles[joint].part;
            if (key == "shoulder" && (hasCollar || !hasUpperArm))
                part = hasUpperArm ? Part::helper : Part::upperArm;
            else if ((key == "hip" || key == "hips" || key == "pelvis") && part == Part::hips)
                part = key == "hip" && !hasUpperLeg && hasLowerLeg && !isAboveAnother(joint) ? Part::upperLeg
                                                                                             : Part::helper;
            else if (key == "leg" && !hasUpperLeg)
                part = Part::upperLeg;
            else if (key == "foot" && hasAnkle)
                part = hasToes ? Part::helper : Part::toes;
            else if (key == "hand" && hasWrist)
                part = Part::helper;
        }
    }

    /// True for a helper between hips and thigh, such as CMU's LHipJoint above LeftHip.
    [[nodiscard]] bool isAboveAnother(std::size_t joint) const {
        for (auto below = static_cast<std::uint32_t>(joint) + 1; below < words_.size(); ++below)
            if (words_[below].side == words_[joint].side && words_[below].key == words_[joint].key &&
                skeleton_.isBelow(below, static_cast<std::uint32_t>(joint)))
                return true;
        return false;
    }

    /// Keeps only the first of several joints with the same role.
    void keepOne(Anatomy& anatomy) const {
        std::set<std::tuple<Part, Side, std::uint8_t>> taken;
        for (Role& role : anatomy.roles) {
            const bool isSided = role.part >= Part::shoulder && role.part <= Part::toes;
            if (isSided && role.side == Side::middle)
                role = {};
            if (!isSided && isBody(role.part) && role.side != Side::middle && role.part != Part::eye)
                role = {Part::helper, Side::middle, 0};
            const bool isSeveral = role.part == Part::spine || role.part == Part::neck || role.part == Part::toes;
            if (!isBody(role.part) || isSeveral)
                continue;
            while (isFinger(role.part) && role.segment < 2 && taken.contains({role.part, role.side, role.segment}))
                ++role.segment;
            if (!taken.insert({role.part, role.side, role.segment}).second)
                role = {};
        }
    }

    const Skeleton& skeleton_;
    std::vector<std::vector<std::string>> split_;
    std::vector<Words> words_;
};

/// Finds a missing head or hips by the tree. A joint named hips that does not carry the head is not where legs and
/// spine meet.
void placeHeadAndHips(const Skeleton& skeleton, Anatomy& anatomy) {
    if (!anatomy.jointOf(Part::head))
        if (const std::vector<std::uint32_t> necks = anatomy.jointsOf(Part::neck); necks.size() > 1)
            anatomy.roles[necks.back()] = {Part::head, Side::middle, 0};
    const auto left = anatomy.jointOf(Part::upperLeg, Side::left);
    const auto right = anatomy.jointOf(Part::upperLeg, Side::right);
    const auto head = anatomy.jointOf(Part::head);
    const auto hips = anatomy.jointOf(Part::hips);
    if (!left || !right || !head || (hips && skeleton.isBelow(*head, *hips)))
        return;
    const std::vector<glm::dmat4> globals = core::globalMatrices(skeleton, core::restPose(skeleton));
    const auto apart = [&](std::uint32_t a, std::uint32_t b) {
        return glm::distance(glm::dvec3(globals[a][3]), glm::dvec3(globals[b][3]));
    };
    for (const std::uint32_t j : skeleton.ancestors(*left)) {
        if (!skeleton.isBelow(*right, j) || !skeleton.isBelow(*head, j))
            continue;
        constexpr double kNear = 0.3;  // of the distance from the thighs to the head: a farther joint is on the ground
        if (apart(j, *left) > kNear * apart(*left, *head))
            return;
        if (hips)
            anatomy.roles[*hips] = {Part::helper, Side::middle, 0};
        anatomy.roles[j] = {Part::hips, Side::middle, 0};
        return;
    }
}

/// Ancestors of the hips are not part of the spine, whatever their names: `Body`.
void dropSpineAboveHips(const Skeleton& skeleton, Anatomy& anatomy) {
    const auto hips = anatomy.jointOf(Part::hips);
    if (!hips)
        return;
    for (const std::uint32_t joint : skeleton.ancestors(*hips))
        if (anatomy.roles[joint].part == Part::spine || anatomy.roles[joint].part == Part::neck)
            anatomy.roles[joint] = {};
}

}  // namespace

Words wordsOfName(std::string_view name) { return unglued(joined(splitName(name))); }

std::optional<Role> roleOfWords(const Words& words) {
    const auto row = rowOf(words.key);
    return row == kKeys.end() ? std::nullopt : std::optional(Role{row->part, words.side, 0});
}

namespace {

/// True for a foot that has another parent, as with IK controls, but is at the end of the lower leg.
bool standsBelow(const core::Skeleton& skeleton, std::uint32_t foot, std::uint32_t knee, std::uint32_t thigh) {
    const std::vector<glm::dmat4> globals = core::globalMatrices(skeleton, core::restPose(skeleton));
    const auto at = [&](std::uint32_t joint) { return glm::dvec3(globals[joint][3]); };
    const double upper = glm::distance(at(thigh), at(knee));
    constexpr double kShortest = 0.5;  // shin to thigh
    constexpr double kLongest = 2;
    const double lower = glm::distance(at(knee), at(foot));
    return lower > kShortest * upper && lower < kLongest * upper &&
           glm::distance(at(thigh), at(foot)) > std::max(upper, lower);
}

}  // namespace

std::string missingParts(const core::Skeleton& skeleton, const Anatomy& anatomy) {
    const auto lacks = [&](Part part) {
        return !anatomy.jointOf(part, Side::left) || !anatomy.jointOf(part, Side::right);
    };
    if (lacks(Part::upperLeg) || lacks(Part::lowerLeg) || lacks(Part::foot))
        return "no two legs";
    if (lacks(Part::upperArm) || lacks(Part::lowerArm))
        return "no two arms";
    if (!anatomy.jointOf(Part::head))
        return "no head";
    if (!anatomy.jointOf(Part::hips))
        return "no hips";
    if (!skeleton.isBelow(*anatomy.jointOf(Part::head), *anatomy.jointOf(Part::hips)))
        return "a head that is not connected to the hips";
    for (const Side side : {Side::left, Side::right})
        for (const auto& [lower, upper] :
             {std::pair(Part::lowerArm, Part::upperArm), std::pair(Part::hand, Part::lowerArm),
              std::pair(Part::lowerLeg, Part::upperLeg), std::pair(Part::foot, Part::lowerLeg)}) {
            const auto joint = anatomy.jointOf(lower, side);
            const auto above = anatomy.jointOf(upper, side);
            if (lower == Part::foot && joint && above &&
                standsBelow(skeleton, *joint, *above, *anatomy.jointOf(Part::upperLeg, side)))
                continue;
            if (joint && above && !skeleton.isBelow(*joint, *above))
                return fmt::format("{} is not below {}", skeleton.joints[*joint].name, skeleton.joints[*above].name);
        }
    return {};
}

Anatomy anatomyByNames(const core::Skeleton& skeleton) {
    std::optional<Anatomy> family = FamilyMatcher(skeleton).match();
    if (family) {
        placeHeadAndHips(skeleton, *family);
        family->seen = missingParts(skeleton, *family);
        family->confidence = family->seen.empty() ? 0.98 : 0;
        if (family->seen.empty())
            return *family;
    }
    Anatomy names = WordMatcher(skeleton).match();
    placeHeadAndHips(skeleton, names);
    dropSpineAboveHips(skeleton, names);
    names.seen = missingParts(skeleton, names);
    names.confidence = names.seen.empty() ? 0.9 : 0;
    return names;
}

void nameTheRest(const core::Skeleton& skeleton, Anatomy& anatomy) {
    const std::optional<std::uint32_t> hips = anatomy.jointOf(Part::hips);
    const std::optional<std::uint32_t> ground = anatomy.jointOf(Part::ground);  // found by its name
    for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint) {
        Role& role = anatomy.roles[joint];
        if (role.part != Part::none)
            continue;
        // A node above the joint on the ground is an artefact of the file: an object, or a rotation of the axes.
        const bool isAbove = hips && skeleton.isBelow(*hips, joint) && !(ground && skeleton.isBelow(*ground, joint));
        role = {isAbove ? Part::ground : extraOf(skeleton.joints[joint].name).value_or(Part::helper), Side::middle, 0};
    }
}

}  // namespace reanima::roles
