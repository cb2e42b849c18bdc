#include "tools/reanima/verbs/edits_in_words.h"

#include <algorithm>
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

std::string sayEdits(const EncodedAsset& encoded, const std::string& edited, const Console& console) {
    if (encoded.binding) {
        std::string words = encoded.binding->inWords();
        while (words.ends_with('\n'))  // the console adds a line end
            words.pop_back();
        if (!words.empty())
            console.sayTable(words);
    }
    std::size_t changed = 0;
    std::size_t added = 0;
    for (const core::ClipEdit& edit : encoded.found.clips)
        if (edit.isEdited(encoded.original.clips[edit.clip].frames)) {
            ++(edit.use == core::EditUse::adds ? added : changed);
            console.say(lineOf(edit, encoded.original));
        }
    for (const std::string& loss : encoded.losses)
        console.say("left out: " + loss);
    const bool isPlaced = std::ranges::any_of(
        encoded.found.clips, [](const core::ClipEdit& edit) { return edit.use != core::EditUse::changes; });
    if (const std::size_t missing = encoded.found.missing.size())
        console.say(encoded.binding || isPlaced
                        ? counted(missing, "other clip") + (missing == 1 ? " stays" : " stay") + " unchanged"
                        : fmt::format("{} {} not in {} and {} unchanged", counted(missing, "clip"),
                                      missing == 1 ? "is" : "are", edited, missing == 1 ? "stays" : "stay"));
    if (const std::size_t left = encoded.found.unselected.size())
        console.say(fmt::format("{} of {} {} not selected with --clip and {} unchanged", counted(left, "clip"), edited,
                                left == 1 ? "is" : "are", left == 1 ? "stays" : "stay"));
    return fmt::format("{} changed, {}{} unchanged", counted(changed, "clip"),
                       added > 0 ? fmt::format("{} added, ", added) : "", encoded.original.clips.size() - changed);
}

namespace {

/// One clip, of which only the number of frames is known.
Json clipInReport(const Json& name, const Json& editedName, const char* status, const std::string& file,
                  std::uint32_t frames) {
    return {{"name", name}, {"edited_name", editedName}, {"status", status},
            {"file", file}, {"frames_before", frames},   {"frames", frames},
            {"joints", 0},  {"turned", nullptr},         {"moved", nullptr}};
}

Json reportOf(const Json& clips, const std::vector<std::string>& losses) {
    return {{"schema", 1}, {"clips", clips}, {"losses", losses}};
}

}  // namespace

Json reportOf(const EncodedAsset& encoded, FileWas was, const std::string& file) {
    Json clips = Json::array();
    for (const core::ClipEdit& edit : encoded.found.clips) {
        const core::Clip& clip = encoded.original.clips[edit.clip];
        const bool isAdded = edit.use == core::EditUse::adds || was == FileWas::made;
        Json row = clipInReport(isAdded ? Json(nullptr) : Json(clip.name), edit.name,
                                isAdded                       ? "added"
                                : !edit.isEdited(clip.frames) ? "kept"
                                : was == FileWas::leftAlone   ? "not_written"
                                                              : "written",
                                file, edit.frames);
        row["frames_before"] = isAdded ? 0 : clip.frames;
        row["joints"] = edit.joints.size();
        if (!isAdded) {
            row["turned"] = largestToJson(edit.turned, encoded.original, "degrees", 1);
            row["moved"] = largestToJson(edit.moved, encoded.original, "millimetres", 1000);
        }
        clips.push_back(std::move(row));
    }
    if (was != FileWas::leftAlone)
        for (const auto* kept : {&encoded.found.missing, &encoded.found.unselected})
            for (const std::size_t clip : *kept)
                clips.push_back(clipInReport(encoded.original.clips[clip].name, nullptr, "kept", file,
                                             encoded.original.clips[clip].frames));
    return reportOf(clips, encoded.losses);
}

Json reportOfUncompared(const std::string& clip, const std::string& file) {
    return reportOf(Json::array({clipInReport(nullptr, clip, "not_compared", file, 0)}), {});
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
