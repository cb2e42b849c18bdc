#include "formats/naming.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <set>

#include <fmt/args.h>
#include <fmt/format.h>

#include "core/axes.h"
#include "core/decode_error.h"
#include "core/text.h"
#include "core/text_pattern.h"
#include "formats/format.h"
#include "json/csv.h"

namespace reanima {

namespace {

std::optional<std::uint32_t> wholeNumber(std::string_view text) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool all = error == std::errc() && end == text.data() + text.size() && !text.empty();
    return all ? std::optional(number) : std::nullopt;
}

/// The number in `id:203`.
std::optional<std::uint32_t> idIn(std::string_view selection) {
    constexpr std::string_view kBeforeId = "id:";
    return selection.starts_with(kBeforeId) ? wholeNumber(selection.substr(kBeforeId.size())) : std::nullopt;
}

/// Whether the case of a name matters. Case is ignored only if no clip matches exactly.
enum class Letters { exact, anyCase };

/// @param number see core::numbersOf()
bool matches(const core::Clip& clip, std::uint32_t number, std::string_view selection, Letters letters) {
    const auto isSame = [&](const std::string& name) {
        return name == selection ||
               (letters == Letters::anyCase && core::lowerCase(name) == core::lowerCase(selection));
    };
    if (isSame(clip.name) || (!clip.fullName.empty() && isSame(clip.fullName)))
        return true;
    if (core::isPattern(selection))
        return core::fits(clip.name, selection) || core::fits(clip.fullName, selection);
    if (const auto id = idIn(selection))
        return clip.id == *id;
    if (const auto index = wholeNumber(selection))
        return number == *index;
    const std::size_t dash = selection.find('-');
    if (dash == std::string_view::npos)
        return false;
    const auto first = wholeNumber(selection.substr(0, dash));
    const auto last = wholeNumber(selection.substr(dash + 1));
    return first && last && number >= *first && number <= *last;
}

using NameMap = std::map<std::string, std::string, std::less<>>;

/// Finds names that the user gave, and lists those that matched nothing.
class GivenNames {
  public:
    explicit GivenNames(const NameMap& names) : names_(names) {}

    const std::string* find(std::optional<std::uint32_t> index, const std::string& name) {
        auto found = names_.find(name);
        if (found == names_.end() && index)
            found = names_.find(std::to_string(*index));
        if (found == names_.end())
            return nullptr;
        used_.insert(found->first);
        return &found->second;
    }

    void addUnused(const char* kind, std::vector<std::string>& lines) const {
        for (const auto& [key, name] : names_)
            if (!used_.contains(key))
                lines.push_back(fmt::format("{} {}", kind, key));
    }

  private:
    const NameMap& names_;
    std::set<std::string_view> used_;
};

std::string tooLong(std::size_t bytes) {
    return fmt::format("makes a name of {} bytes, expected at most {}", bytes, kLongestName);
}

}  // namespace

std::string boneName(std::size_t bone) { return fmt::format("bone{:03}", bone); }

core::Joint chainJoint(std::size_t bone, int parent, std::optional<double> parentLength, double length, double scale) {
    core::Joint joint;
    joint.name = boneName(bone);
    joint.id = static_cast<std::uint32_t>(bone);
    joint.parent = parent;
    if (parentLength)
        joint.rest.translation = core::axes::fromYDown(glm::dvec3(0, 0, *parentLength), scale);
    joint.end = core::axes::fromYDown(glm::dvec3(0, 0, length), scale);
    return joint;
}

core::Skeleton madeUpBones(std::span<const std::uint32_t> ids, double apart, std::string_view root) {
    std::vector<std::string> names;
    if (!root.empty())
        names.emplace_back(root);
    const std::size_t first = names.size();
    for (const std::uint32_t id : ids)
        names.push_back(boneName(id));
    core::Skeleton skeleton = core::madeUpSkeleton(names, apart);
    for (std::size_t bone = 0; bone < ids.size(); ++bone)
        skeleton.joints[first + bone].id = ids[bone];
    return skeleton;
}

core::Skeleton madeUpBones(std::size_t count, double apart, std::string_view root) {
    std::vector<std::uint32_t> ids(count);
    std::iota(ids.begin(), ids.end(), 0U);
    return madeUpBones(std::span<const std::uint32_t>(ids), apart, root);
}

std::string clipNameOf(std::string_view gameName) {
    std::string name = core::lowerCase(gameName);
    std::ranges::replace(name, ' ', '_');
    return name;
}

void makeNamesUnique(std::vector<core::Clip>& clips) {
    std::vector<core::Clip*> inFileOrder;
    inFileOrder.reserve(clips.size());
    for (core::Clip& clip : clips)
        inFileOrder.push_back(&clip);
    std::ranges::stable_sort(inFileOrder, {}, &core::Clip::index);
    core::UniqueNames names;
    for (core::Clip* clip : inFileOrder)
        clip->name = names.unique(clip->name);
}

namespace {

constexpr std::size_t kMostFields = 5;

/// The names for this FILE. Adds an empty list if there is none.
Names& ownOf(Names& names, const std::string& whose) {
    if (whose.empty())
        return names;
    const auto known = std::ranges::find(names.own, whose, &Names::whose);
    if (known != names.own.end())
        return *known;
    names.own.emplace_back().whose = whose;
    return names.own.back();
}

bool isFor(const Names& names, std::string_view file, std::string_view model) {
    const auto asPath = [](std::string_view text) {
        std::string path(text);
        std::ranges::replace(path, ':', '/');
        std::ranges::replace(path, '\\', '/');
        return path;
    };
    const std::string path = asPath(file);
    return (!model.empty() && core::fits(model, names.whose)) || core::fitsPath(path, "**/" + asPath(names.whose)) ||
           core::fits(stemOf(core::fileNameOf(path)), names.whose);
}

}  // namespace

Names namesFor(const Names& names, std::string_view file, std::string_view model) {
    Names result = names;
    result.own.clear();
    for (const Names& own : names.own) {
        if (!isFor(own, file, model)) {
            result.own.push_back(own);
            continue;
        }
        for (const auto& [key, name] : own.clips)
            result.clips.insert_or_assign(key, name);
        for (const auto& [key, name] : own.joints)
            result.joints.insert_or_assign(key, name);
        for (const auto& [key, role] : own.roles)
            result.roles.insert_or_assign(key, role);
    }
    return result;
}

Names parseNames(std::string_view csv) {
    Names all;
    for (const CsvLine& line : csvLines(csv)) {
        const std::vector<std::string>& fields = line.fields;
        const core::Place place{fmt::format("line {}", line.number), std::nullopt};
        for (const std::string& field : fields)
            if (field.size() > kLongestName)
                throw core::DecodeError(place, tooLong(field.size()));
        const std::size_t most = !fields.empty() && fields[0] == "clip" ? kMostFields - 1 : kMostFields;
        if (fields.size() < 3 || fields.size() > most || fields[1].empty() || fields[2].empty())
            throw core::DecodeError(
                place,
                fmt::format("is \"{}\", expected clip,INDEX,NAME[,FILE] or joint,ID,NAME[,ROLE[,FILE]]", line.text));
        Names& names = ownOf(all, fields.size() == most ? fields.back() : "");
        if (fields[0] == "clip")
            names.clips[fields[1]] = fields[2];
        else if (fields[0] == "joint")
            names.joints[fields[1]] = fields[2];
        else
            throw core::DecodeError(place, fmt::format("begins with \"{}\", expected clip or joint", fields[0]));
        if (fields[0] == "joint" && fields.size() > 3 && !fields[3].empty())
            names.roles[core::safeName(fields[2])] = fields[3];
    }
    return all;
}

namespace {

/// Warns if a name that the user gave was changed.
std::string changedIfNeeded(const std::string& given, std::string changed, core::Diagnostics& diagnostics) {
    if (changed != given)
        diagnostics.warn(core::Code::renamed, {}, fmt::format("\"{}\" became \"{}\"", given, changed));
    return changed;
}

}  // namespace

std::vector<std::string> applyNames(core::Asset& asset, const Names& names, core::Diagnostics& diagnostics) {
    GivenNames clips(names.clips);
    GivenNames joints(names.joints);
    if (asset.skeleton) {
        core::UniqueNames unique;
        for (core::Joint& joint : asset.skeleton->joints) {
            const std::string* name = joints.find(joint.id, joint.name);
            const std::string wanted = name == nullptr ? joint.name : core::safeName(*name);
            const std::string& given = name == nullptr ? wanted : *name;
            joint.name = unique.unique(wanted);
            if (!names.joints.empty())  // a given name may have displaced another joint's own name
                (void)changedIfNeeded(given, joint.name, diagnostics);
        }
    }
    core::UniqueNames unique;
    for (core::Clip& clip : asset.clips) {
        const std::string* name = clips.find(clip.index, clip.name);
        for (const Names& own : names.own)
            if (isFor(own, clip.source, {}))
                if (const std::string* ofFile = GivenNames(own.clips).find(clip.index, clip.name))
                    name = ofFile;
        clip.name = name == nullptr ? unique.unique(core::validUtf8(clip.name))
                                    : changedIfNeeded(*name, unique.unique(core::validUtf8(*name)), diagnostics);
    }
    std::vector<std::string> unused;
    clips.addUnused("clip", unused);
    joints.addUnused("joint", unused);
    return unused;
}

std::optional<std::string> problemOfTemplate(std::string_view pattern) {
    constexpr std::uint32_t kWidest = 20;  // more digits than any index has
    bool inside = false;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char c = pattern[i];
        if (!inside && (c == '{' || c == '}') && pattern.substr(i + 1).starts_with(c)) {
            ++i;  // two braces stand for one
        } else if (c == '{' && inside) {
            return "has a placeholder as a width";
        } else if (c == '{' || c == '}') {
            inside = c == '{';
        } else if (inside && c >= '0' && c <= '9') {
            const std::size_t end = std::min(pattern.find_first_not_of("0123456789", i), pattern.size());
            const std::optional<std::uint32_t> width = wholeNumber(pattern.substr(i, end - i));
            const bool isPrecision = pattern[i - 1] == '.';  // a precision only shortens texts
            if (!isPrecision && (!width || *width > kWidest))
                return fmt::format("has a width of {}, expected at most {}", pattern.substr(i, end - i), kWidest);
            i = end - 1;
        }
    }
    return std::nullopt;
}

void applyTemplate(core::Asset& asset, const std::string& pattern, core::Diagnostics& diagnostics) {
    if (const std::optional<std::string> problem = problemOfTemplate(pattern))
        throw core::optionError({"name", pattern}, *problem);
    core::UniqueNames unique;
    for (core::Clip& clip : asset.clips) {
        try {
            const std::string name =
                fmt::format(fmt::runtime(pattern), fmt::arg("stem", stemOf(clip.source)), fmt::arg("index", clip.index),
                            fmt::arg("id", clip.id), fmt::arg("name", clip.name));
            if (name.size() > kLongestName)
                throw core::optionError({"name", pattern}, tooLong(name.size()));
            clip.name = changedIfNeeded(name, unique.unique(core::validUtf8(name)), diagnostics);
        } catch (const fmt::format_error& error) {
            throw core::optionError(
                {"name", pattern},
                fmt::format(
                    "is not a template ({}); expected text with {{stem}} {{index}} {{index:03}} {{id}} {{name}}",
                    error.what()));
        }
        if (clip.name.empty())
            throw core::optionError({"name", pattern}, "makes an empty clip name");
    }
}

std::vector<std::string> keepClips(core::Asset& asset, const std::vector<std::string>& selections) {
    std::vector<std::string> unused;
    std::vector<bool> isKept(asset.clips.size());
    const std::vector<std::uint32_t> numbers = core::numbersOf(asset.clips);
    for (const std::string& selection : selections) {
        const bool isName = std::ranges::find(asset.clips, selection, &core::Clip::name) != asset.clips.end();
        bool isUsed = false;
        for (std::size_t i = 0; i < asset.clips.size(); ++i) {
            const core::Clip& clip = asset.clips[i];
            const bool isMeant = core::isPattern(selection) && isName
                                     ? clip.name == selection
                                     : matches(clip, numbers[i], selection, isName ? Letters::exact : Letters::anyCase);
            isKept[i] = isKept[i] || isMeant;
            isUsed = isUsed || isMeant;
        }
        if (!isUsed)
            unused.push_back(selection);
    }
    std::size_t index = 0;
    std::erase_if(asset.clips, [&](const core::Clip&) { return !isKept[index++]; });
    return unused;
}

const core::Clip* clipNamed(const core::Asset& asset, std::string_view selection) {
    const std::string wanted = core::lowerCase(selection);
    const core::Clip* named = nullptr;
    for (const core::Clip& clip : asset.clips)
        if (clip.name == selection)
            return &clip;
        else if (named == nullptr && core::lowerCase(clip.name) == wanted)
            named = &clip;
    if (named != nullptr)
        return named;
    const auto index = wholeNumber(selection);
    const auto id = idIn(selection);
    const std::vector<std::uint32_t> numbers = core::numbersOf(asset.clips);
    for (std::size_t i = 0; i < asset.clips.size(); ++i)
        if ((index && numbers[i] == *index) || (id && asset.clips[i].id == *id))
            return &asset.clips[i];
    return nullptr;
}

}  // namespace reanima
