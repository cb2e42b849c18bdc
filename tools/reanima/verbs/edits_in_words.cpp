#include "tools/reanima/verbs/edits_in_words.h"

#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace reanima::tool {

namespace {

std::set<std::uint32_t> framesOf(const core::ClipEdit& edit) {
    std::set<std::uint32_t> frames;
    for (const core::JointEdit& joint : edit.joints) {
        for (const core::RotationEdit& turned : joint.rotations)
            frames.insert(turned.frame);
        for (const core::TranslationEdit& moved : joint.translations)
            frames.insert(moved.frame);
    }
    return frames;
}

Json largestToJson(const core::LargestEdit& largest, const core::Asset& original, const char* unit, double factor) {
    if (largest.value == 0)
        return nullptr;
    return {{"joint", original.skeleton->joints[largest.joint].name},
            {"frame", largest.frame},
            {unit, largest.value * factor}};
}

}  // namespace

std::string counted(std::size_t number, const char* what) {
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string lineOf(const core::ClipEdit& edit, const core::Asset& original) {
    const core::Clip& clip = original.clips[edit.clip];
    if (edit.use == core::EditUse::adds)
        return fmt::format("{}: added, {}", edit.name, counted(edit.frames, "frame"));
    const auto jointName = [&original](std::uint32_t joint) { return original.skeleton->joints[joint].name; };
    std::vector<std::string> parts;
    if (!edit.joints.empty())
        parts.push_back(counted(edit.joints.size(), "joint") + " in " + counted(framesOf(edit).size(), "frame"));
    if (edit.turned.value > 0)
        parts.push_back(fmt::format("{} by {:.1f} degrees in frame {}", jointName(edit.turned.joint), edit.turned.value,
                                    edit.turned.frame));
    if (edit.moved.value > 0)
        parts.push_back(fmt::format("{} by {:.1f} mm in frame {}", jointName(edit.moved.joint), 1000 * edit.moved.value,
                                    edit.moved.frame));
    if (edit.frames != clip.frames)
        parts.push_back(fmt::format("{} instead of {}", counted(edit.frames, "frame"), clip.frames));
    if (edit.use == core::EditUse::replaces)
        parts.insert(parts.begin(), fmt::format("replaced by {}", edit.name));
    return fmt::format("{}: {}", clip.name, fmt::join(parts, "; "));
}

Json reportOf(const EncodedAsset& encoded, FileWas was) {
    Json clips = Json::array();
    for (const core::ClipEdit& edit : encoded.found.clips) {
        const core::Clip& clip = encoded.original.clips[edit.clip];
        const bool isAdded = edit.use == core::EditUse::adds || was == FileWas::made;
        clips.push_back(
            {{"name", isAdded ? Json(nullptr) : Json(clip.name)},
             {"edited_name", edit.name},
             {"status", isAdded                      ? "added"
                        : edit.isEdited(clip.frames) ? "written"
                                                     : "kept"},
             {"frames_before", isAdded ? 0 : clip.frames},
             {"frames", edit.frames},
             {"joints", edit.joints.size()},
             {"turned", isAdded ? Json(nullptr) : largestToJson(edit.turned, encoded.original, "degrees", 1)},
             {"moved", isAdded ? Json(nullptr) : largestToJson(edit.moved, encoded.original, "millimetres", 1000)}});
    }
    for (const std::size_t clip : encoded.found.missing)
        clips.push_back({{"name", encoded.original.clips[clip].name},
                         {"edited_name", nullptr},
                         {"status", "kept"},
                         {"frames_before", encoded.original.clips[clip].frames},
                         {"frames", encoded.original.clips[clip].frames},
                         {"joints", 0},
                         {"turned", nullptr},
                         {"moved", nullptr}});
    return {{"schema", 1}, {"clips", clips}, {"losses", encoded.losses}};
}

void addToReport(Json& report, Json more) {
    if (report.is_null()) {
        report = std::move(more);
        return;
    }
    for (const char* list : {"clips", "losses"})
        for (Json& element : more.at(list))
            report.at(list).push_back(std::move(element));
}

}  // namespace reanima::tool
