#include "tools/reanima/rest.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "core/edit.h"
#include "importers/load.h"
#include "importers/naming.h"
#include "tools/reanima/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

struct Moment {
    std::string clip;  ///< empty: the first
    std::uint32_t frame = 0;
};

[[noreturn]] void refuse(const RestChoice& choice, const char* problem) {
    throw UsageError(fmt::format("{} {}: {}; expected {}zero, skeleton, CLIP:FRAME or FILE[:CLIP:FRAME]", choice.option,
                                 choice.pose, problem, choice.isSource ? "match, " : ""));
}

std::optional<Moment> parseMoment(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    if (colon == 0)
        return std::nullopt;
    Moment moment;
    moment.clip = text.substr(0, colon);
    const char* first = text.data() + colon + 1;
    const auto [end, error] = std::from_chars(first, text.data() + text.size(), moment.frame);
    if (colon == std::string::npos || error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return moment;
}

/// `the clips are walk, idle and 7 more`.
std::string knownClips(const core::Asset& asset) {
    constexpr std::size_t kMost = 5;
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < std::min(asset.clips.size(), kMost); ++i)
        names.push_back(asset.clips[i].name);
    const std::string more =
        asset.clips.size() > kMost ? fmt::format(" and {} more", asset.clips.size() - kMost) : std::string();
    return names.empty() ? "there are no clips" : fmt::format("the clips are {}{}", fmt::join(names, ", "), more);
}

/// @param file where the clips come from, if the choice names a file
void setRestFrom(const RestChoice& choice, core::Skeleton& skeleton, const core::Asset& asset, const Moment& moment,
                 const std::string& file = {}) {
    const core::Clip* clip =
        moment.clip.empty() && !asset.clips.empty() ? &asset.clips.front() : clipNamed(asset, moment.clip);
    if (clip == nullptr && moment.clip.empty())
        refuse(choice, "there is no animation in it");
    if (clip == nullptr)
        throw UsageError(fmt::format("{} {}: {}; {}", choice.option, choice.pose,
                                     file.empty()
                                         ? fmt::format("there is neither such a file nor a clip {}", moment.clip)
                                         : fmt::format("there is no clip {} in {}", moment.clip, file),
                                     knownClips(asset)));
    if (moment.frame >= clip->frames)
        throw UsageError(fmt::format("{}: {} has the frames 0 to {}", choice.option, clip->name, clip->frames - 1));
    core::setRest(skeleton, *clip, moment.frame / clip->rate);
}

}  // namespace

std::optional<fs::path> fileOfRest(const std::string& choice, const fs::path& folder) {
    for (std::size_t end = choice.size(); end != std::string::npos && end > 0; end = choice.rfind(':', end - 1)) {
        const fs::path path = fromUtf8(choice.substr(0, end));
        std::error_code error;
        if (fs::is_regular_file(folder / path, error))
            return folder / path;
    }
    return std::nullopt;
}

std::string restWithoutFolder(const std::string& choice) {
    const std::optional<fs::path> file = fileOfRest(choice);
    return file ? toUtf8(file->filename()) + choice.substr(toUtf8(*file).size()) : choice;
}

void setRestAsAsked(core::Asset& asset, const RestChoice& choice, const Input& input, const Companions& companions,
                    const InputOptions& options, Context& context) {
    if (asset.skeletons.empty()) {
        if (!choice.pose.empty())
            throw UsageError(fmt::format("{}: pictures have no rest pose", choice.option));
        return;
    }
    core::Skeleton& skeleton = asset.skeletons.front();
    if (choice.pose == "zero") {
        for (core::Joint& joint : skeleton.joints)
            joint.rest.rotation = glm::quat(1, 0, 0, 0);
        skeleton.hasRest = true;
        return;
    }
    if (choice.pose == "skeleton" && !skeleton.hasRest)
        throw UsageError(fmt::format("{} skeleton: this format stores no rest pose", choice.option));
    core::Skeleton stored = skeleton;
    if (choice.pose.empty() || choice.pose == "skeleton") {
        setDefaultRest(asset, input, companions, context);
        return;
    }
    core::Diagnostics replaced;  // of the default, which joints keep that the chosen clip does not move
    Context quiet{context.options, context.limits, replaced, context.cancelled};
    setDefaultRest(asset, input, companions, quiet);
    const std::optional<fs::path> file = fileOfRest(choice.pose);
    if (!file) {
        const std::optional<Moment> moment = parseMoment(choice.pose);
        if (!moment)
            refuse(choice, "is neither a file nor a frame of a clip");
        setRestFrom(choice, skeleton, asset, *moment);
        return;
    }
    const std::string path = toUtf8(*file);
    core::Asset other;
    other.clips = clipsOn(stored, options.read(path), companions, context);
    const std::optional<Moment> moment =
        path.size() < choice.pose.size() ? parseMoment(choice.pose.substr(path.size() + 1)) : Moment{};
    if (!moment)
        refuse(choice, "what follows the file is no CLIP:FRAME");
    setRestFrom(choice, skeleton, other, *moment, path);
}

}  // namespace reanima::tool
