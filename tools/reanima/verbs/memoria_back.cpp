#include "tools/reanima/verbs/memoria_back.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glm/geometric.hpp>
#include <nlohmann/json.hpp>

#include "core/pose.h"
#include "core/scene_asset.h"
#include "core/text.h"
#include "formats/foreign_files.h"
#include "formats/load.h"
#include "json/json.h"
#include "pipeline/memoria_file.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

std::string inUpperCase(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return text;
}

std::string pathOfJoint(const core::Skeleton& skeleton, std::uint32_t joint) {
    std::string path = skeleton.joints[joint].name;
    for (const std::uint32_t above : skeleton.ancestors(joint))
        path = skeleton.joints[above].name + "/" + path;
    return path;
}

/// A joint in a clip, or at rest.
struct JointOfClip {
    const core::Clip& clip;
    const core::JointTrack& track;
    const core::Transform& rest;

    [[nodiscard]] core::Transform at(double time) const {
        return {core::sampleChannel(clip, track.translation, time, rest.translation),
                core::sampleChannel(clip, track.rotation, time, rest.rotation),
                core::sampleChannel(clip, track.scale, time, rest.scale)};
    }
};

/// True if joints differ by more than the rounding of other programs.
bool differ(const JointOfClip& was, const JointOfClip& is, const std::vector<double>& times) {
    constexpr double kDegrees = 0.01;
    constexpr float kUnit = 1.0F / 256;
    constexpr float kShare = 1e-4F;
    return std::ranges::any_of(times, [&](double time) {
        const core::Transform a = was.at(time);
        const core::Transform b = is.at(time);
        return core::degreesBetween(glm::dquat(a.rotation), glm::dquat(b.rotation)) > kDegrees ||
               glm::distance(a.translation, b.translation) > kUnit / 100 || glm::distance(a.scale, b.scale) > kShare;
    });
}

class FolderBack {
  public:
    FolderBack(const EncodeMotionOptions& options, const Console& console)
        : options_(options), console_(console), folder_(fromUtf8(options.originals.front())) {}

    int run() {
        readBoth();
        for (const core::Clip& clip : now_.clips)
            if (const auto& chosen = options_.settings.search.clips;
                chosen.empty() || std::ranges::find(chosen, clip.name) != chosen.end())
                look(clip);
        if (!unknown_.empty())
            throw core::DecodeError(
                {"animations", std::nullopt},
                fmt::format("{} has no clip {}", options_.originals.front(), fmt::join(unknown_, ", ")))
                .withHint({"append", ""})
                .inFile(options_.edited.front());
        console_.print(diagnostics_);
        if (console_.policy.fails(diagnostics_))
            return kInputFailed;
        write();
        return kDone;
    }

  private:
    void readBoth() {
        const std::string& edited = options_.edited.front();
        const core::Limits& limits = options_.input.limits;
        Context context{options_.input.values, limits, diagnostics_};
        was_ = load(options_.input.read(options_.originals.front()), {}, context);
        const File file = options_.input.files->read(edited, limits);
        std::optional<core::MovingScene> scene = readEdited(file, edited, options_.input, limits, diagnostics_);
        if (!scene)
            throw core::DecodeError(
                "is not a .glb or .gltf. For other motion, use `reanima convert`, which binds it to a model and writes "
                ".anim files")
                .inFile(edited);
        core::SceneAssetSettings settings;
        settings.source = file.name;
        settings.jointRoot = options_.settings.search.jointRoot;
        now_ = core::inFile(edited, [&] { return core::assetOf(*std::move(scene), settings, limits, diagnostics_); });
        std::map<std::string, std::uint32_t> known;
        for (std::uint32_t joint = 0; joint < was_.skeleton->joints.size(); ++joint)
            known.emplace(pathOfJoint(*was_.skeleton, joint), joint);
        for (std::uint32_t joint = 0; joint < now_.skeleton->joints.size(); ++joint)
            if (const auto same = known.find(pathOfJoint(*now_.skeleton, joint)); same != known.end())
                sameAs_.emplace(joint, same->second);
        if (2 * sameAs_.size() < known.size())
            throw core::DecodeError(
                fmt::format("has {} of the {} joints of {}", sameAs_.size(), known.size(), options_.originals.front()))
                .inFile(edited);
    }

    void look(const core::Clip& clip) {
        const auto before = std::ranges::find(was_.clips, clip.name, &core::Clip::name);
        if (before == was_.clips.end()) {
            if (options_.settings.search.append)
                add(clip);
            else
                unknown_.push_back(clip.name);
            return;
        }
        const std::vector<double> times = core::keyTimesAndMiddles({&*before, &clip});
        std::set<std::string> changed;
        for (const auto& [now, was] : sameAs_) {
            static const core::JointTrack kStill;
            const core::JointTrack* is = clip.trackOf(now);
            const core::JointTrack* had = before->trackOf(was);
            const core::Transform& rest = now_.skeleton->joints[now].rest;
            if ((is != nullptr || had != nullptr) && differ({*before, had != nullptr ? *had : kStill, rest},
                                                            {clip, is != nullptr ? *is : kStill, rest}, times))
                changed.insert(pathOfJoint(*now_.skeleton, now));
        }
        if (changed.empty()) {
            ++unchanged_;
            return;
        }
        console_.say(fmt::format("{}: {} joint{} changed", clip.name, changed.size(), changed.size() == 1 ? "" : "s"));
        const std::string name = clip.name + ".anim";
        files_.emplace(name, textOf(clip, name, changed));
    }

    /// Adds a new clip. `12599_wave` in the folder of GEO_MAIN_F0_ZDN becomes the clip ANH_MAIN_F0_ZDN_WAVE with the
    /// number 12599.
    void add(const core::Clip& clip) {
        const std::string model = was_.skeleton->name;
        const std::size_t digits = clip.name.find_first_not_of("0123456789");
        const bool isNumbered =
            digits != 0 && digits != std::string::npos && clip.name[digits] == '_' && model.starts_with("GEO_");
        std::string name = clip.name;
        if (isNumbered) {
            name = fmt::format("ANH_{}_{}", model.substr(4), inUpperCase(clip.name.substr(digits + 1)));
            console_.say(fmt::format("{}: new; DictionaryPatch.txt of the mod needs the line `3DModelAnimation {} {}`",
                                     clip.name, clip.name.substr(0, digits), name));
        } else {
            console_.say(fmt::format("{}: new", clip.name));
        }
        files_.emplace(core::portableName(name) + ".anim",
                       MemoriaWriter(*now_.skeleton, now_.clips).textOf(clip, options_.input.limits));
    }

    /// The clip's file. Unchanged joints keep their entries of the original.
    [[nodiscard]] std::string textOf(const core::Clip& clip, const std::string& name,
                                     const std::set<std::string>& changed) const {
        std::string text = MemoriaWriter(*now_.skeleton, now_.clips).textOf(clip, options_.input.limits);
        const File file = options_.input.files->read(toUtf8(folder_ / fromUtf8(name)), options_.input.limits);
        if (!beginsLikeJson(file.bytes))
            return text;  // binary: all keys are rewritten
        const Json before = parseJson(file.bytes);
        std::map<std::string, const Json*> entries;
        for (const Json& entry : before.at("transform"))
            if (entry.contains("bone"))
                entries.insert_or_assign(entry.at("bone").get<std::string>(), &entry);
        Json merged =
            parseJson(core::Bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));  // NOLINT
        Json kept = Json::array();
        for (Json& entry : merged.at("transform")) {
            const std::string path = entry.at("bone").get<std::string>();
            const auto known = entries.find(path);
            if (changed.contains(path))
                kept.push_back(std::move(entry));
            else if (known != entries.end())
                kept.push_back(*known->second);
        }
        merged["transform"] = std::move(kept);
        if (before.contains("name"))
            merged["name"] = before.at("name");
        return merged.dump(1) + "\n";
    }

    void write() {
        const std::string sum = fmt::format("{} changed or new, {} unchanged", files_.size(), unchanged_);
        if (options_.output.empty())
            return console_.say(sum + "; nothing is written without -o");
        std::vector<fs::path> outputs;
        for (const auto& [name, text] : files_)
            outputs.push_back(fromUtf8(options_.output) / fromUtf8(name));
        refuseClashes(outputs, {fromUtf8(options_.edited.front())});
        if (!options_.force)
            refuseExisting(outputs);
        std::deque<OutputFile> files;
        for (std::size_t i = 0; const auto& [name, text] : files_)
            files.emplace_back(outputs[i++]).append(std::string_view(text));
        for (OutputFile& file : files)
            file.commit();
        console_.say(fmt::format("wrote {}: {}", options_.output, sum));
    }

    const EncodeMotionOptions& options_;
    const Console& console_;
    fs::path folder_;
    core::Diagnostics diagnostics_;
    core::Asset was_;
    core::Asset now_;
    std::map<std::uint32_t, std::uint32_t> sameAs_;  // joints of the scene, by joints of the folder
    std::map<std::string, std::string> files_;       // texts by file name
    std::vector<std::string> unknown_;
    std::size_t unchanged_ = 0;
};

}  // namespace

int encodeIntoFolder(const EncodeMotionOptions& options, const Console& console) {
    if (options.originals.size() > 1 || options.edited.size() > 1)
        throw UsageError("encode --into FOLDER/: expected one .glb and one folder of clips");
    if (!options.settings.search.at.empty())
        throw UsageError(
            "--at: does not apply to a folder, where each clip is a separate file. Use --append to write new files, "
            "named after the clips");
    if (!options.output.empty() && !namesFolder(options.output))
        throw UsageError(
            fmt::format("-o {0}: each clip is a separate file, expected a folder. Use -o {0}/", options.output));
    return FolderBack(options, console).run();
}

}  // namespace reanima::tool
