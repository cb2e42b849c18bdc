#include "tools/reanima/verbs/memoria_back.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/scene_asset.h"
#include "core/text.h"
#include "formats/foreign_files.h"
#include "formats/load.h"
#include "json/json.h"
#include "pipeline/encode_asset.h"
#include "pipeline/memoria_file.h"
#include "pipeline/memoria_folder.h"
#include "tools/reanima/jobs/report.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/verbs/edits_in_words.h"
#include "tools/reanima/verbs/folder_comparison.h"
#include "tools/reanima/verbs/memoria_new_clips.h"
#include "tools/reanima/verbs/turned_axes.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

/// The names in a list: `a, b, c and 4 more`.
std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 3;
    const std::size_t shown = std::min(names.size(), kMost);
    const std::string text =
        fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
    return shown == names.size() ? text : fmt::format("{} and {} more", text, names.size() - shown);
}

/// Adds a scale of 1 to a joint that had a scale: without one, the engine keeps the scale of the previous clip.
void keepScale(const Json& before, Json& entry) {
    constexpr const char* kScale = "localScale";
    if (entry.contains(kScale) || !before.contains(kScale))
        return;
    entry[kScale] = before.at(kScale);
    for (Json& key : entry[kScale])
        for (const char* axis : {"x", "y", "z"})
            key[axis] = 1;
}

/// A clip's file in which unchanged joints keep the entries that they have in the original.
/// @param changed paths of joints
std::string mergedText(const std::string& text, const core::ByteVector& original,
                       const std::set<std::string>& changed) {
    const Json before = parseJson(original);
    std::map<std::string, const Json*> entries;
    for (const Json& entry : before.at("transform"))
        if (entry.contains("bone"))
            entries.insert_or_assign(entry.at("bone").get<std::string>(), &entry);
    Json merged = parseJson(core::Bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));  // NOLINT
    Json kept = Json::array();
    for (Json& entry : merged.at("transform")) {
        const std::string path = entry.at("bone").get<std::string>();
        const auto known = entries.find(path);
        if (changed.contains(path)) {
            if (known != entries.end())
                keepScale(*known->second, entry);
            kept.push_back(std::move(entry));
        } else if (known != entries.end()) {
            kept.push_back(*known->second);
        }
    }
    merged["transform"] = std::move(kept);
    if (before.contains("name"))
        merged["name"] = before.at("name");
    return merged.dump(1) + "\n";
}

class FolderBack {
  public:
    FolderBack(const EncodeMotionOptions& options, const Console& console)
        : options_(options), console_(console), folder_(fromUtf8(options.originals.front())) {}

    int run() {
        readBoth();
        pairJoints();
        pairClips();
        for (const auto& [clip, original] : pairs_)
            compare(*clip, original);
        refuseOtherMotion();
        console_.print(diagnostics_);
        if (console_.policy.fails(diagnostics_))
            return kInputFailed;
        write();
        return kDone;
    }

  private:
    [[nodiscard]] const std::string& edited() const { return options_.edited.front(); }
    [[nodiscard]] const std::string& folder() const { return options_.originals.front(); }
    [[nodiscard]] core::Asset& was() { return encoded_.original; }

    void readBoth() {
        const core::Limits& limits = options_.input.limits;
        Context context{options_.input.values, limits, diagnostics_};
        was() = load(options_.input.read(folder()), {}, context);
        newClips_.emplace(was().skeleton->name, memoriaClipsIn(folder_));
        const File file = options_.input.files->read(edited(), limits);
        std::optional<core::MovingScene> scene = readEdited(file, edited(), options_.input, limits, diagnostics_);
        if (!scene)
            throw core::DecodeError(
                "is not a .glb or .gltf. For other motion, use `reanima convert`, which binds it to a model and writes "
                ".anim files")
                .inFile(edited());
        core::SceneAssetSettings settings;
        settings.source = file.name;
        settings.jointRoot = options_.settings.search.jointRoot;
        // Nodes above the topmost joint are no part of its path, even if another program moved them.
        std::vector<core::SceneNode>& nodes = scene->scene.nodes;
        const std::string& top = was().skeleton->joints.front().name;
        if (settings.jointRoot.empty() && std::ranges::count(nodes, top, &core::SceneNode::name) == 1) {
            settings.jointRoot = top;
            std::ranges::find(nodes, top, &core::SceneNode::name)->parent = core::kNoParent;
        }
        now_ = core::inFile(edited(), [&] { return core::assetOf(*std::move(scene), settings, limits, diagnostics_); });
    }

    /// @throws core::DecodeError if a joint was renamed or moved to another parent, unless losses are allowed
    void pairJoints() {
        SharedJoints shared = sharedJoints(*was().skeleton, *now_.skeleton);
        const std::vector<std::string>& missing = shared.missing;
        const std::size_t all = was().skeleton->joints.size();
        const bool mayLose = options_.settings.allowLoss && !shared.pairs.empty();
        if ((shared.isRearranged || 2 * missing.size() > all) && !mayLose)
            throw core::DecodeError({"nodes", std::nullopt},
                                    fmt::format("{} of the {} joints of {} were renamed, deleted or given another "
                                                "parent: {}. Restore them",
                                                missing.size(), all, folder(), listed(missing)))
                .inFile(edited())
                .withHint({"allow-loss", ""});
        if (!missing.empty()) {
            const auto about = diagnostics_.about(edited());
            diagnostics_.warn(core::Code::jointUnmatched, {},
                              fmt::format("lacks {} of the {} joints of {}. The missing joints keep their motion: {}",
                                          missing.size(), all, folder(), listed(missing)));
        }
        turnAxesBack(was(), now_, shared.pairs);
        comparison_.emplace(was(), now_, std::move(shared.pairs));
    }

    [[nodiscard]] bool isChosen(const core::Clip& clip) const {
        const std::vector<std::string>& chosen = options_.settings.search.clips;
        return chosen.empty() || std::ranges::find(chosen, clip.name) != chosen.end();
    }

    /// Pairs clips by name, then by motion.
    void pairClips() {
        for (const std::string& name : options_.settings.search.clips)
            if (std::ranges::find(now_.clips, name, &core::Clip::name) == now_.clips.end())
                throw core::optionError({"clip", name}, "there is no clip with that name");
        const auto about = diagnostics_.about(edited());
        std::set<std::size_t> taken;
        std::vector<const core::Clip*> others;
        for (const core::Clip& clip : now_.clips) {
            const auto same = std::ranges::find(was().clips, clip.name, &core::Clip::name);
            const auto place = static_cast<std::size_t>(std::distance(was().clips.begin(), same));
            if (same != was().clips.end() && taken.insert(place).second) {
                if (isChosen(clip))
                    pairs_.emplace_back(&clip, place);
                else
                    encoded_.found.unselected.push_back(place);
            } else if (isChosen(clip)) {
                others.push_back(&clip);
            }
        }
        for (const core::Clip* clip : others) {
            if (newClips_->isKnown(clip->name)) {
                diagnostics_.warn(core::Code::ignored, {clip->name, std::nullopt},
                                  "is ignored, since the folder's clip with this name can't be read");
                continue;
            }
            if (options_.settings.search.append) {
                add(*clip);
                continue;
            }
            const auto like = clipLike(*clip, taken);
            if (!like) {
                encoded_.found.unknown.push_back(clip->name);
                continue;
            }
            taken.insert(*like);
            pairs_.emplace_back(clip, *like);
            diagnostics_.note(core::Code::renamed, {clip->name, std::nullopt},
                              fmt::format("was matched to {} by its motion", was().clips[*like].name));
        }
        for (std::size_t clip = 0; clip < was().clips.size(); ++clip)
            if (!taken.contains(clip))
                encoded_.found.missing.push_back(clip);
        if (!encoded_.found.unknown.empty())
            throw unknownClipsError(encoded_.found.unknown, encoded_).withHint({"append"}).inFile(edited());
    }

    /// The folder's clip of the same length in which the fewest joints differ. Empty if half of them or more differ.
    [[nodiscard]] std::optional<std::size_t> clipLike(const core::Clip& clip, const std::set<std::size_t>& taken) {
        std::optional<std::size_t> best;
        std::size_t fewest = (comparison_->joints() + 1) / 2;
        for (std::size_t place = 0; place < was().clips.size(); ++place) {
            const core::Clip& candidate = was().clips[place];
            if (taken.contains(place) || std::abs(clip.duration - candidate.duration) > 1.5 / candidate.rate)
                continue;
            const std::size_t differing = comparison_->editOf(clip, place).joints.size();
            if (differing < fewest) {
                fewest = differing;
                best = place;
            }
        }
        return best;
    }

    void compare(const core::Clip& clip, std::size_t original) {
        constexpr double kSameRate = 0.995;
        const auto about = diagnostics_.about(edited());
        const core::Clip& before = was().clips[original];
        const core::ClipEdit& edit = encoded_.found.clips.emplace_back(comparison_->editOf(clip, original));
        const FolderComparison::Count count = comparison_->countOf(clip, edit);
        moving_ += count.moving;
        differing_ += count.differing;
        if (2 * count.differing > count.moving)
            if (const auto retiming = comparison_->retimingOf(clip, original))
                encoded_.found.retimed.push_back({clip.name, *retiming, clip.rate, before.rate});
        if (!edit.isEdited(before.frames))
            return;
        if (const double rate = sampledRate(clip); rate > 0 && rate < kSameRate * before.rate)
            diagnostics_.warn(
                core::Code::assumed, {clip.name, std::nullopt},
                fmt::format("has keys at {:.4g} frames per second, but the original has {:.4g}, so changes "
                            "are interpolated",
                            rate, before.rate));
        std::set<std::string> changed;
        for (const core::JointEdit& joint : edit.joints)
            changed.insert(pathOfJoint(*was().skeleton, joint.joint));
        const std::string name = before.name + ".anim";
        files_.emplace(name, textOf(clip, name, changed));
    }

    /// @throws core::DecodeError for clips at another speed, or if most joints of all clips differ, unless the user
    /// allows it
    void refuseOtherMotion() const {
        constexpr std::size_t kFew = 2;  // so few differing joints are an edit, even if no other joint moves
        if (options_.settings.allChanged)
            return;
        core::inFile(edited(), [&] { refuseRetimed(encoded_.found); });
        if (2 * differing_ <= moving_ || differing_ <= kFew)
            return;
        std::vector<core::ClipEdit> changed;
        std::ranges::copy_if(encoded_.found.clips, std::back_inserter(changed),
                             [](const core::ClipEdit& edit) { return !edit.joints.empty(); });
        throw otherMotionError(changed, folder()).inFile(edited());
    }

    void add(const core::Clip& clip) {
        const MemoriaNewClips::Place place = core::inFile(edited(), [&] { return newClips_->placeOf(clip.name); });
        said_.push_back(fmt::format("{}: new; {}", clip.name, place.advice));
        core::ClipEdit& edit = encoded_.found.clips.emplace_back();
        edit.use = core::EditUse::adds;
        edit.name = clip.name;
        edit.frames = clip.frames;
        files_.emplace(place.file, MemoriaWriter(*now_.skeleton, now_.clips).textOf(clip, options_.input.limits));
    }

    [[nodiscard]] std::string textOf(const core::Clip& clip, const std::string& name,
                                     const std::set<std::string>& changed) const {
        std::string text = MemoriaWriter(*now_.skeleton, now_.clips).textOf(clip, options_.input.limits);
        const File file = options_.input.files->read(toUtf8(folder_ / fromUtf8(name)), options_.input.limits);
        return beginsLikeJson(file.bytes) ? mergedText(text, file.bytes, changed) : text;
    }

    void write() {
        for (const std::string& line : said_)
            console_.say(line);
        const std::string sum = sayEdits(encoded_, edited(), console_);
        std::vector<fs::path> outputs;
        if (!options_.output.empty())
            for (const auto& [name, text] : files_)
                outputs.push_back(fromUtf8(options_.output) / fromUtf8(name));
        std::vector<fs::path> all = outputs;
        if (!options_.report.empty())
            all.push_back(fromUtf8(options_.report));
        std::vector<fs::path> inputs = {fromUtf8(edited())};
        for (const std::string& name : memoriaClipsIn(folder_))
            inputs.push_back(folder_ / fromUtf8(name));
        refuseClashes(all, inputs);
        refuseOtherThanReport(fromUtf8(options_.report));
        if (!options_.force)
            refuseExisting(all);
        std::deque<OutputFile> files;
        if (!options_.output.empty())
            for (std::size_t i = 0; const auto& [name, text] : files_)
                files.emplace_back(outputs[i++]).append(std::string_view(text));
        if (!options_.report.empty())
            files.emplace_back(fromUtf8(options_.report)).append(toText(reportOf(encoded_, FileWas::there, folder())));
        for (OutputFile& file : files)
            file.commit();
        if (options_.output.empty())
            console_.say(sum + "; nothing is written without -o");
        else if (files_.empty())
            console_.say(sum + "; nothing to write");
        else
            console_.say(fmt::format("wrote {}: {}", options_.output, sum));
    }

    const EncodeMotionOptions& options_;
    const Console& console_;
    fs::path folder_;
    core::Diagnostics diagnostics_;
    EncodedAsset encoded_;  // of the folder; its bytes are not used
    core::Asset now_;
    std::optional<FolderComparison> comparison_;
    std::vector<std::pair<const core::Clip*, std::size_t>> pairs_;  // clips of the scene, and of the folder
    std::optional<MemoriaNewClips> newClips_;
    std::vector<std::string> said_;             // about new clips
    std::map<std::string, std::string> files_;  // texts by file name
    std::size_t moving_ = 0;                    // joints that move, in all clips
    std::size_t differing_ = 0;
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
