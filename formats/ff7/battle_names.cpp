#include "formats/ff7/battle_names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "core/text.h"
#include "formats/ff7/text_lines.h"
#include "formats/names_tables.h"

namespace reanima::ff7 {

namespace {

constexpr std::size_t kCodeLetters = 2;
constexpr std::array<std::string_view, 3> kKinds = {"enemy", "location", "player"};  // by BattleSkeleton::kind
constexpr std::uint32_t kEnemy = 0;
constexpr std::uint32_t kPlayer = 2;
constexpr std::string_view kFrog = "rs";  // its scripts differ from those of all other players

struct Model {
    std::uint32_t kind = 0;
    std::string name;
};

struct Limit {
    std::string file;  ///< a stem, or its beginning and `*`
    std::vector<std::string> codes;
    std::string name;  ///< name of the attack; empty: unknown
};

/// Calls `use` for every row of a table without quotes. Skips rows with fewer than `columns` fields.
template <typename Use>
void forEachRow(std::string_view table, std::size_t columns, const Use& use) {
    const std::string text = namesTable(table);
    forEachLine(text, [&](std::string_view line) {
        const std::vector<std::string_view> fields = plainFields(line);
        if (fields.size() >= columns)
            use(fields);
    });
}

const std::map<std::string, Model, std::less<>>& models() {
    static const auto kModels = [] {
        std::map<std::string, Model, std::less<>> models;
        forEachRow("ff7/battle", 5, [&](const std::vector<std::string_view>& fields) {
            const auto kind = std::ranges::find(kKinds, fields[2]);
            if (kind != kKinds.end())
                models[std::string(fields[0])] = {static_cast<std::uint32_t>(kind - kKinds.begin()),
                                                  std::string(fields[3])};
        });
        return models;
    }();
    return kModels;
}

/// Names by the number in a table's first column. Columns after the name may be quoted.
const std::map<std::uint32_t, std::string>& numbered(std::string_view table) {
    const auto read = [](std::string_view name) {
        std::map<std::uint32_t, std::string> names;
        forEachRow(name, 2, [&](const std::vector<std::string_view>& fields) {
            if (const auto number = numberFrom<std::uint32_t>(fields[0]))
                names[*number] = fields[1];
        });
        return names;
    };
    static const std::map<std::uint32_t, std::string> kClips = read("ff7/clips");
    static const std::map<std::uint32_t, std::string> kActions = read("ff7/actions");
    return table == "ff7/clips" ? kClips : kActions;
}

const std::vector<Limit>& limits() {
    static const auto kLimits = [] {
        std::vector<Limit> limits;
        forEachRow("ff7/limits", 5, [&](const std::vector<std::string_view>& fields) {
            Limit limit{std::string(fields[0]), {}, std::string(fields[4])};
            for (const std::string_view code : wordsOf(fields[1]))
                limit.codes.emplace_back(code);
            limits.push_back(std::move(limit));
        });
        return limits;
    }();
    return kLimits;
}

std::string codeOf(std::string_view file) { return core::lowerCase(file.substr(0, kCodeLetters)); }

const Limit* limitNamed(std::string_view file) {
    const std::string stem = core::lowerCase(core::stemOf(file));
    const auto found = std::ranges::find_if(limits(), [&](const Limit& limit) {
        return limit.file.ends_with('*') ? stem.starts_with(limit.file.substr(0, limit.file.size() - 1))
                                         : stem == limit.file;
    });
    return found == limits().end() ? nullptr : &*found;
}

/// Names clips so that all names differ.
class Namer {
  public:
    explicit Namer(ClipNames names) : names_(std::move(names)) {
        for (const auto& [index, name] : names_)
            taken_.insert(name);
    }

    /// Gives the name to every listed clip that has none. A number is appended if the name is taken.
    void add(const std::vector<std::uint8_t>& clips, const std::string& name) {
        for (const std::uint8_t clip : clips)
            if (clip != 0 && !names_.contains(clip))
                names_.emplace(clip, freeName(name));
    }

    ClipNames take() { return std::move(names_); }

  private:
    std::string freeName(const std::string& wanted) {
        std::string name = wanted;
        for (int number = 2; !taken_.insert(name).second; ++number)
            name = fmt::format("{} {}", wanted, number);
        return name;
    }

    ClipNames names_;
    std::set<std::string> taken_;
};

ClipNames namesOfPlayer(const ActionScripts& scripts) {
    // Attack scripts first: a shared clip gets the name of the first script that plays it.
    constexpr std::array<std::uint32_t, 11> kInTurn = {20, 21, 34, 36, 38, 40, 42, 44, 22, 24, 28};
    Namer namer(numbered("ff7/clips"));
    const std::map<std::uint32_t, std::string>& actions = numbered("ff7/actions");
    for (const std::uint32_t script : kInTurn) {
        const auto action = actions.find(script);
        if (script < scripts.size() && action != actions.end())
            namer.add(scripts[script], action->second);
    }
    return namer.take();
}

ClipNames namesOfEnemy(const ActionScripts& scripts) {
    if (scripts.empty())
        return {};
    Namer namer({{0, "idle"}, {1, "hurt"}});
    for (std::size_t script = 2; script < scripts.size(); ++script)
        namer.add(scripts[script], fmt::format("action {}", script));
    return namer.take();
}

}  // namespace

namespace {

/// If a player has several models, the table numbers them. The title omits that number.
std::string_view withoutNumber(const Model& model) {
    std::string_view name = model.name;
    if (model.kind != kPlayer)
        return name;
    while (!name.empty() && core::isDigit(name.back()))
        name.remove_suffix(1);
    return trimmed(name);
}

}  // namespace

core::Called battleCharacter(std::string_view file) {
    constexpr std::size_t kNameLetters = 4;
    const auto model = file.size() == kNameLetters ? models().find(codeOf(file)) : models().end();
    if (model == models().end() || model->second.name.empty())
        return {};
    return {core::titleOf(withoutNumber(model->second)), model->first, model->second.name, core::NamedBy::table};
}

core::Called battleCharacter(std::string_view file, std::uint32_t kind) {
    const auto model = models().find(codeOf(file));
    return model != models().end() && model->second.kind == kind ? battleCharacter(file) : core::Called{};
}

core::Called enemyCalled(std::string_view name, std::string_view file, std::uint32_t kind) {
    const auto model = models().find(codeOf(file));
    if (kind != kEnemy || model == models().end() || model->second.kind != kind)
        return {};
    return {core::titleOf(name), model->first, std::string(name), core::NamedBy::game};
}

ClipNames clipNamesOf(std::string_view file, std::uint32_t kind, const ActionScripts& scripts) {
    constexpr std::size_t kNameLetters = 4;
    const auto model = file.size() == kNameLetters ? models().find(codeOf(file)) : models().end();
    if (model == models().end() || model->second.kind != kind || model->first == kFrog)
        return {};
    return kind == kPlayer ? namesOfPlayer(scripts) : kind == kEnemy ? namesOfEnemy(scripts) : ClipNames{};
}

bool isLimitOf(std::string_view file, std::string_view character) {
    const Limit* limit = limitNamed(file);
    return limit != nullptr && std::ranges::find(limit->codes, codeOf(character)) != limit->codes.end();
}

bool isLimit(std::string_view file) { return limitNamed(file) != nullptr; }

std::string skeletonOfLimit(std::string_view file) {
    const Limit* limit = limitNamed(file);
    return limit == nullptr || limit->codes.empty() ? std::string() : limit->codes.front() + "aa";
}

std::string limitBreak(std::string_view file) {
    const Limit* limit = limitNamed(file);
    return limit == nullptr ? std::string() : limit->name;
}

}  // namespace reanima::ff7
