#include "tools/reanima/report.h"

#include <nlohmann/json.hpp>

#include "importers/json.h"

namespace reanima::tool {

namespace {

template <typename T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json errorJson(const std::optional<Failure>& failure) {
    if (!failure)
        return nullptr;
    return {{"message", failure->message}, {"field", failure->field}, {"offset", orNull(failure->offset)}};
}

}  // namespace

const char* InputReport::status() const { return failure ? "failed" : unchanged ? "skipped" : "ok"; }

std::string InputReport::toLine() const {
    Json warnings = Json::array();
    for (const core::Warning& warning : diagnostics.warnings())
        if (warning.severity == core::Warning::Severity::warning)
            warnings.push_back({{"code", core::codeName(warning.code)},
                                {"message", warning.text},
                                {"field", warning.place.field},
                                {"offset", orNull(warning.place.offset)}});
    const Json line = {{"schema", 1},
                       {"input", input},
                       {"output", output},
                       {"format", format},
                       {"clips", clips},
                       {"frames", frames},
                       {"joints", joints},
                       {"height", height},
                       {"warnings", std::move(warnings)},
                       {"status", status()},
                       {"error", errorJson(failure)},
                       {"milliseconds", milliseconds},
                       {"bytes", bytes}};
    return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace reanima::tool
