#include "pipeline/rest_pose.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/edit.h"
#include "formats/load.h"
#include "formats/naming.h"

namespace reanima {

namespace {

[[noreturn]] void refuse(const core::OptionHint& saidBy, std::string problem) {
    throw core::optionError(saidBy, std::move(problem));
}

std::string expected(const core::OptionHint& saidBy) {
    return fmt::format("expected {}zero, skeleton, CLIP:FRAME or FILE[:CLIP:FRAME]",
                       saidBy.key == "rest" ? "" : "match, ");
}

/// `CLIP:FRAME`
bool parseMoment(std::string_view text, RestPose& rest) {
    const std::size_t colon = text.rfind(':');
    if (colon == 0 || colon == std::string_view::npos)
        return false;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data() + colon + 1, last, rest.frame);
    rest.clip = text.substr(0, colon);
    return error == std::errc() && end == last;
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

/// @param from asset with the clip
void setFromClip(core::Asset& asset, const core::Asset& from, const RestPose& rest) {
    const core::Clip* clip =
        rest.clip.empty() && !from.clips.empty() ? &from.clips.front() : clipNamed(from, rest.clip);
    if (clip == nullptr && rest.clip.empty())
        refuse(rest.saidBy, fmt::format("this file contains no animation; {}", expected(rest.saidBy)));
    if (clip == nullptr)
        refuse(rest.saidBy,
               fmt::format("{}; {}",
                           rest.file ? fmt::format("there is no clip {} in {}", rest.clip, rest.file->shownName())
                                     : fmt::format("there is no such file, and no clip {}", rest.clip),
                           knownClips(from)));
    if (rest.frame >= clip->frames)
        refuse(rest.saidBy, fmt::format("{} only has the frames 0 to {}", clip->name, clip->frames - 1));
    core::setRest(asset, *clip, rest.frame / clip->rate);
}

}  // namespace

std::optional<std::size_t> fileLengthInRestPose(std::string_view text,
                                                const std::function<bool(const std::string&)>& exists) {
    for (std::size_t end = text.size(); end != std::string_view::npos && end > 0; end = text.rfind(':', end - 1))
        if (exists(std::string(text.substr(0, end))))
            return end;
    return std::nullopt;
}

RestPose parseRestPose(std::string_view text, core::OptionHint saidBy, const SettingFiles& files) {
    RestPose rest;
    rest.saidBy = std::move(saidBy);
    if (text.empty() || text == "zero" || text == "skeleton" || text == "match") {
        rest.source = text.empty()         ? RestPose::Source::standard
                      : text == "zero"     ? RestPose::Source::zero
                      : text == "skeleton" ? RestPose::Source::skeleton
                                           : RestPose::Source::match;
        return rest;
    }
    rest.source = RestPose::Source::clip;
    const auto tryOpen = [&](const std::string& path) {
        rest.file = files.readIfThere(path);
        return rest.file.has_value();
    };
    const std::optional<std::size_t> file = fileLengthInRestPose(text, tryOpen);
    if (!file && !parseMoment(text, rest))
        refuse(rest.saidBy, fmt::format("is neither a file nor a frame of a clip; {}", expected(rest.saidBy)));
    if (file && *file < text.size() && !parseMoment(text.substr(*file + 1), rest))
        refuse(rest.saidBy, fmt::format("the text after the file name is not CLIP:FRAME; {}", expected(rest.saidBy)));
    return rest;
}

void setRestPose(core::Asset& asset, const RestPose& rest, const Input& input, const Companions& companions,
                 Context& context) {
    using Source = RestPose::Source;
    if (!asset.skeleton) {
        if (rest.source != Source::standard)
            refuse(rest.saidBy, "there are no joints, so there is no rest pose");
        return;
    }
    core::Skeleton& skeleton = *asset.skeleton;
    switch (rest.source) {
        case Source::match:
            refuse(rest.saidBy, "the value match applies only to clips that are bound to a rig");
        case Source::zero:
            for (core::Joint& joint : skeleton.joints)
                joint.rest.rotation = glm::quat(1, 0, 0, 0);
            skeleton.hasRest = true;
            return;
        case Source::skeleton:
            if (!skeleton.hasRest)
                refuse(rest.saidBy, "this format stores no rest pose");
            return;
        case Source::standard:
            setDefaultRest(asset, input, companions, context);
            return;
        case Source::clip:
            break;
    }
    const core::Skeleton stored = skeleton;
    core::Diagnostics replaced;  // about the default pose, which only joints without a track in the clip keep
    Context quiet = context.reporting(replaced);
    setDefaultRest(asset, input, companions, quiet);
    if (!rest.file) {
        setFromClip(asset, asset, rest);
        return;
    }
    core::Asset other;
    other.clips = clipsOn(stored, *rest.file, companions, context);
    setFromClip(asset, other, rest);
}

}  // namespace reanima
