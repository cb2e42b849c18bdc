#include "tools/reanima/jobs/report.h"

#include <nlohmann/json.hpp>

#include "formats/format.h"
#include "json/json.h"
#include "tools/reanima/system/files.h"

namespace reanima::tool {

namespace {

template <typename T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json textOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json errorJson(const std::optional<Failure>& failure) {
    if (!failure)
        return nullptr;
    return {{"code", failure->code()},
            {"message", failure->message},
            {"field", failure->field},
            {"offset", orNull(failure->offset)}};
}

Json feetJson(const std::optional<binding::PlantedFeet>& feet) {
    if (!feet)
        return nullptr;
    Json json = {{"frames", feet->frames},
                 {"slide_mm_per_second", feet->slide * 1000},
                 {"source_slide_mm_per_second", feet->sourceSlide * 1000},
                 {"sink_mm", feet->sink * 1000}};
    if (feet->before)
        json["before"] = {{"slide_mm_per_second", feet->before->slide * 1000}, {"sink_mm", feet->before->sink * 1000}};
    return json;
}

Json floorJson(const std::optional<binding::OffGround>& floor) {
    return floor ? Json{{"floats_mm", floor->floats * 1000}, {"sinks_mm", floor->sinks * 1000}} : Json(nullptr);
}

Json bindingJson(const BindReport& binding) {
    Json matched = Json::array();
    for (const BindReport::Row& row : binding.rows)
        matched.push_back({{"source", row.source},
                           {"target", row.target},
                           {"by", motion::matchedByName(row.by)},
                           {"rest_degrees", row.restDegrees},
                           {"parents_differ", row.parentsDiffer}});
    Json turned = Json::object();
    for (const auto& [joint, degrees] : binding.turned)
        turned[joint] = degrees;
    Json rolls = Json::array();
    for (const BindReport::Roll& roll : binding.rolls)
        rolls.push_back({{"joint", roll.joint},
                         {"degrees", roll.degrees},
                         {"by", motion::nameOf(roll.from)},
                         {"guess", roll.isGuess}});
    return {{"matched", std::move(matched)}, {"missing", binding.missing},     {"unused", binding.unused},
            {"added", binding.added},        {"turned", std::move(turned)},    {"rolls", std::move(rolls)},
            {"scale", binding.scale},        {"feet", feetJson(binding.feet)}, {"floor", floorJson(binding.floor)}};
}

/// The JSON of a reduction. If the error is 0, it names no joint.
Json reductionJson(const ClipsReduction& reduction) {
    const bool isOff = !reduction.worstJoint.empty();
    return {{"keys_before", reduction.keysBefore},
            {"keys_after", reduction.keysAfter},
            {"worst_mm", reduction.worst * 1000},
            {"worst_joint", isOff ? Json(reduction.worstJoint) : Json(nullptr)},
            {"worst_clip", isOff ? Json(reduction.worstClip) : Json(nullptr)},
            {"worst_time", isOff ? Json(reduction.where.time) : Json(nullptr)},
            {"mean_mm", reduction.mean * 1000}};
}

Json asJson(const OutputFacts& stated) {
    return {{"clips", orNull(stated.clips)},         {"frames", orNull(stated.frames)},
            {"joints", orNull(stated.joints)},       {"triangles", orNull(stated.triangles)},
            {"materials", orNull(stated.materials)}, {"textures", orNull(stated.textures)},
            {"height", orNull(stated.height)},       {"bytes", stated.bytes}};
}

/// True for a report. A report of `convert` is recognised by its first line. A report of `encode` is a single JSON
/// text.
bool isReport(const std::string& content) {
    const auto isOurs = [](const Json& json) { return json.is_object() && json.value("schema", Json()) == Json(1); };
    const Json line = Json::parse(content.substr(0, content.find('\n')), nullptr, false);
    if (isOurs(line) && (line.contains("status") || line.contains("sums")))
        return true;
    const Json whole = Json::parse(content, nullptr, false);
    return isOurs(whole) && whole.contains("clips") && whole.contains("losses");
}

}  // namespace

void refuseOtherThanReport(const std::filesystem::path& path) { refuseUnlike(path, "report", isReport); }

const char* InputReport::status() const { return failure ? "failed" : unchanged || skipped ? "skipped" : "ok"; }

std::string InputReport::toLine() const {
    Json warnings = Json::array();
    for (const core::Warning& warning : diagnostics.warnings())
        if (warning.severity == core::Warning::Severity::warning)
            warnings.push_back({{"code", core::codeName(warning.code)},
                                {"message", warning.text},
                                {"field", warning.place.field},
                                {"offset", orNull(warning.place.offset)}});
    Json line = {{"schema", 1},
                 {"input", input},
                 {"output", output},
                 {"format", format},
                 {"clips", clips},
                 {"frames", frames},
                 {"joints", joints},
                 {"triangles", triangles},
                 {"materials", materials},
                 {"textures", textures},
                 {"height", height},
                 {"warnings", std::move(warnings)},
                 {"status", status()},
                 {"error", errorJson(failure)},
                 {"milliseconds", milliseconds},
                 {"bytes", bytes},
                 {"key", textOrNull(key)},
                 {"hash", textOrNull(hash)}};
    if (stated)
        line.update(asJson(*stated));
    if (!model.empty())
        line["model"] = modelIdToJson(model);
    if (binding)
        line["binding"] = bindingJson(*binding);
    if (reduction)
        line["reduction"] = reductionJson(*reduction);
    if (rotationError)
        line["rotation_error_degrees"] = *rotationError;
    return reanima::toLine(line) + "\n";
}

}  // namespace reanima::tool
