#include "tools/reanima/jobs/models.h"

#include <fmt/format.h>

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

std::string holdsNoModel(const std::string& id, std::span<const ModelSummary> models) {
    return fmt::format("holds no model {}{}", id, models.empty() ? "" : ", but " + described(models));
}

}  // namespace reanima::tool
