#include "tools/reanima/jobs/output_names.h"

#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/text.h"
#include "formats/common_options.h"
#include "formats/format.h"
#include "formats/registry.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace {

namespace fs = std::filesystem;

std::string stemOfFile(const PlanItem& item) {
    const std::string name =
        item.path == kStandardStream ? "stdin" : nameOf(item.skeleton.empty() ? item.path : fromUtf8(item.skeleton));
    return std::string(stemOf(name));
}

/// Stems per folder and title, to find outputs with equal names.
class Sharers {
  public:
    void add(const PlanItem& item, const std::string& title, const std::string& stem) {
        stems_[{item.below, core::lowerCase(title)}].insert(stem);
    }

    [[nodiscard]] bool areSeveral(const PlanItem& item, const std::string& title) const {
        return stems_.at({item.below, title}).size() > 1;
    }

  private:
    std::map<std::pair<fs::path, std::string>, std::set<std::string>> stems_;
};

/// Calls use(model, called, stem) for every output of an item. `stem` distinguishes this output from others with the
/// same title.
template <typename Use>
void forEachOutput(const PlanItem& item, const Use& use) {
    const auto stemFor = [](const core::Called& called, const std::string& stem) {
        return called.stem.empty() ? stem : called.stem;
    };
    if (item.isPlain() && !item.isNothing())
        use(std::string(), item.called, stemFor(item.called, item.stems.at("")));
    for (const ModelSummary& model : item.models)
        use(model.id, model.called, stemFor(model.called, item.stems.at(model.id)));
}

/// Adds the character that an item's name suggests, by the tables and the user's files.
void addByName(const PlanItem& item, const InputOptions& options, Sharers& sharers) {
    if (!item.inFolder)
        return;
    const std::string name = nameOf(item.path);
    const auto add = [&](const core::Called& called) {
        if (!called.title.empty())
            sharers.add(item, called.title, called.stem.empty() ? stemOfFile(item) : called.stem);
    };
    for (const Format* format : formats())
        if (format->calledByName != nullptr)
            add(format->calledByName(name));
    if (!options.noCompanion)
        add(options.files->ownNameOf(toUtf8(item.path), options.limits));
}

}  // namespace

void nameOutputs(std::vector<PlanItem>& items, ModelsIn models, const InputOptions& options) {
    for (PlanItem& item : items) {
        const std::string stem = stemOfFile(item);
        item.stems[""] = stem;
        for (const ModelSummary& model : item.models)
            item.stems[model.id] =
                models == ModelsIn::none || model.id == item.onlyModel ? stem : fmt::format("{}_{}", stem, model.id);
    }
    if (namesByOf(options.values) == NamesBy::file)
        return;
    Sharers sharers;
    for (const PlanItem& item : items) {
        addByName(item, options, sharers);
        forEachOutput(item, [&](const std::string& model, const core::Called& called, const std::string& stem) {
            sharers.add(item, called.title.empty() ? item.stems.at(model) : called.title, stem);
        });
    }
    for (PlanItem& item : items) {
        std::map<std::string, std::string> named = item.stems;
        forEachOutput(item, [&](const std::string& model, const core::Called& called, const std::string& stem) {
            if (!called.title.empty())
                named[model] =
                    sharers.areSeveral(item, called.title) ? fmt::format("{}_{}", called.title, stem) : called.title;
        });
        item.stems = std::move(named);
    }
}

}  // namespace reanima::tool
