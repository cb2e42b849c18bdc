#include "tools/reanima/jobs/models.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/near_names.h"
#include "core/text_pattern.h"
#include "formats/character_links.h"

namespace reanima::tool {

std::string described(std::span<const ModelSummary> models) {
    const auto count = [](std::uint64_t n, const char* what) {
        return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
    };
    std::string text;
    for (const ModelSummary& model : models)
        text += fmt::format("{}{} ({}, {}, {})", text.empty() ? "" : ", ", model.id, count(model.joints, "joint"),
                            count(model.clips, "clip"), count(model.triangles, "triangle"));
    return text;
}

std::vector<ModelSummary> chosenFrom(std::span<const ModelSummary> models, const std::vector<std::string>& selections,
                                     std::vector<std::string>& unused) {
    std::vector<ModelSummary> chosen;
    for (const std::string& selection : selections) {
        const ModelSummary* called = modelCalled(models, selection);
        const auto fits = [&](const ModelSummary& model) {
            return core::isPattern(selection) &&
                   (core::fits(model.id, selection) || core::fits(model.called.title, selection) ||
                    core::fits(model.called.fullName, selection));
        };
        bool isUsed = false;
        for (const ModelSummary& model : models) {
            const bool isMeant = called != nullptr ? &model == called : fits(model);
            isUsed = isUsed || isMeant;
            if (isMeant && std::ranges::find(chosen, model.id, &ModelSummary::id) == chosen.end())
                chosen.push_back(model);
        }
        if (!isUsed)
            unused.push_back(selection);
    }
    return chosen;
}

std::string holdsNoModel(const std::string& id, std::span<const ModelSummary> models) {
    core::NearestName nearest(id);
    for (const ModelSummary& model : models)
        for (const std::string& name : {model.called.title, model.called.fullName, model.id})
            nearest.offer(name);
    return fmt::format("contains no model {}{}{}", id, models.empty() ? "" : ", only " + described(models),
                       nearest.question());
}

}  // namespace reanima::tool
