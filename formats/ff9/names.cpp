#include "formats/ff9/names.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

#include "core/near_names.h"
#include "core/text.h"
#include "formats/names_tables.h"
#include "formats/naming.h"
#include "json/csv.h"

namespace reanima::ff9 {

namespace {

constexpr std::uint32_t kMostIds = 1U << 16U;

std::optional<std::uint32_t> numberOf(std::string_view text) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isOne = error == std::errc() && end == text.data() + text.size() && number < kMostIds;
    return isOne ? std::optional(number) : std::nullopt;
}

/// `ANH_MAIN_F0_ZDN_TURN_L` up to its fourth `_`: `ANH_MAIN_F0_ZDN`. The whole name if it has fewer than four.
std::string_view codeOf(std::string_view animation) {
    std::size_t end = 0;
    for (int parts = 0; parts < 4; ++parts) {
        end = animation.find('_', end);
        if (end == std::string_view::npos)
            return animation;
        ++end;
    }
    return animation.substr(0, end - 1);
}

/// The part after the kind of a name: `MAIN_F0_ZDN` of `GEO_MAIN_F0_ZDN` and `ANH_MAIN_F0_ZDN`.
std::string_view withoutKind(std::string_view name) {
    return name.substr(std::min(name.find('_'), name.size() - 1) + 1);
}

class Animations {
  public:
    Animations() : text_(namesTable("ff9/animations")) {
        forEachLine(text_, [this](std::string_view line) {
            const std::size_t comma = std::min(line.find(','), line.size());
            const std::optional<std::uint32_t> id = numberOf(line.substr(0, comma));
            if (!id || comma == line.size())
                return;
            if (*id >= names_.size())
                names_.resize(*id + std::size_t{1});
            names_[*id] = line.substr(comma + 1);
        });
    }
    Animations(const Animations&) = delete;
    Animations& operator=(const Animations&) = delete;

    [[nodiscard]] std::string_view name(std::uint32_t id) const {
        return id < names_.size() ? names_[id] : std::string_view();
    }

  private:
    std::string text_;
    std::vector<std::string_view> names_;  // by id
};

const Animations& animations() {
    static const Animations kAnimations;
    return kAnimations;
}

struct NamedModel {
    std::string name;
    std::string also;  ///< code of another form whose animations the model also plays
    std::string label;
};

class Models {
  public:
    Models() {
        const std::string text = namesTable("ff9/models");
        for (const CsvLine& line : csvLines(text)) {
            const std::optional<std::uint32_t> id = numberOf(line.fields.front());
            if (!id || line.fields.size() < 4)
                continue;
            models_[*id] = {line.fields[1], line.fields[2], line.fields[3]};
        }
        for (const auto& [id, model] : models_)
            byCode_.try_emplace(std::string(withoutKind(model.name)), id);
        for (const auto& [id, model] : models_)
            if (!model.also.empty())
                byCode_.try_emplace(std::string(withoutKind(model.also)), id);
    }

    [[nodiscard]] const std::map<std::uint32_t, NamedModel>& all() const { return models_; }
    [[nodiscard]] const NamedModel* find(std::uint32_t id) const {
        const auto model = models_.find(id);
        return model == models_.end() ? nullptr : &model->second;
    }
    [[nodiscard]] std::optional<std::uint32_t> withCode(std::string_view code) const {
        const auto model = byCode_.find(std::string(code));
        return model == byCode_.end() ? std::nullopt : std::optional(model->second);
    }

  private:
    std::map<std::uint32_t, NamedModel> models_;
    std::unordered_map<std::string, std::uint32_t> byCode_;  // lowest id with this code, else with this second code
};

const Models& models() {
    static const Models kModels;
    return kModels;
}

/// Words for the numbers of battle animations: `party 000` -> `stand`.
class Suffixes {
  public:
    Suffixes() {
        const std::string text = namesTable("ff9/suffixes");
        for (const CsvLine& line : csvLines(text))
            if (line.fields.size() >= 4)
                words_[line.fields[0] + ' ' + line.fields[1]] =
                    core::titleOf(line.fields[3].substr(0, line.fields[3].find(" (")));
    }

    [[nodiscard]] std::string word(const char* kind, std::string_view suffix) const {
        const auto word = words_.find(std::string(kind) + ' ' + std::string(suffix));
        return word == words_.end() ? std::string() : word->second;
    }

  private:
    std::map<std::string, std::string> words_;
};

}  // namespace

std::string_view animationName(std::uint32_t animation) { return animations().name(animation); }

std::string_view modelName(std::uint32_t model) {
    const NamedModel* known = models().find(model);
    return known == nullptr ? std::string_view() : std::string_view(known->name);
}

std::string shortClipName(std::string_view animationName) {
    const std::string_view code = codeOf(animationName);
    const std::string_view suffix = animationName.substr(std::min(code.size() + 1, animationName.size()));
    if (!std::ranges::all_of(suffix, core::isDigit))
        return clipNameOf(suffix);
    static const Suffixes kSuffixes;
    return kSuffixes.word(code.starts_with("ANH_MON_") ? "monster" : "party", suffix);
}

core::Called calledByTable(std::uint32_t model) {
    const NamedModel* known = models().find(model);
    if (known == nullptr)
        return {};
    return {core::titleOf(known->label), {}, known->name, core::NamedBy::table};
}

std::optional<bool> belongByName(std::uint32_t model, std::uint32_t animation) {
    const NamedModel* known = models().find(model);
    const std::string_view name = animationName(animation);
    if (known == nullptr || name.empty())
        return std::nullopt;
    const std::string_view code = codeOf(name);
    return code == known->also || withoutKind(code) == withoutKind(known->name);
}

std::optional<std::uint32_t> ownerByName(std::uint32_t animation) {
    const std::string_view name = animationName(animation);
    return name.empty() ? std::nullopt : models().withCode(withoutKind(codeOf(name)));
}

std::vector<std::uint32_t> modelsCalled(std::string_view text) {
    const std::string wanted = core::lowerCase(text);
    std::vector<std::uint32_t> found;
    for (const auto& [id, model] : models().all())
        if (std::to_string(id) == wanted ||
            (!model.label.empty() && core::titleOf(model.label) == core::titleOf(wanted)) ||
            core::lowerCase(model.name) == wanted)
            found.push_back(id);
    return found;
}

std::string titleNear(std::string_view text) {
    core::NearestName nearest(core::titleOf(text));
    for (const auto& [id, model] : models().all())
        if (!model.label.empty())
            nearest.offer(core::titleOf(model.label));
    return nearest.found();
}

std::optional<std::uint32_t> numberInName(std::string_view fileName) {
    const std::string_view stem = core::stemOf(fileName);
    return numberOf(stem.substr(0, stem.find('_')));
}

}  // namespace reanima::ff9
