#include "tools/reanima/front/output_form.h"

#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text.h"
#include "gltf_export/gltf_file.h"
#include "pipeline/bvh_file.h"
#include "pipeline/memoria_file.h"
#include "tools/reanima/front/content_key.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

ClipFile textFile(const std::string& text) {
    ClipFile file{{text.begin(), text.end()}, {}, {}};
    file.key = keyOfBytes(file.bytes);
    file.hash = gltf::bufferHash(file.bytes);
    return file;
}

ClipWriter bvhWriter(const ClipsToWrite& from, core::Diagnostics& diagnostics) {
    const auto writer = std::make_shared<const BvhWriter>(*from.asset.skeleton, from.asset.clips, from.standing->pose,
                                                          from.standing->hips, diagnostics);
    return
        [writer](const core::Clip& clip, const core::Limits& limits) { return textFile(writer->textOf(clip, limits)); };
}

ClipWriter memoriaWriter(const ClipsToWrite& from, core::Diagnostics&) {
    return [writer = MemoriaWriter(*from.asset.skeleton, from.asset.clips)](
               const core::Clip& clip, const core::Limits& limits) { return textFile(writer.textOf(clip, limits)); };
}

ClipWriter vrmAnimationWriter(const ClipsToWrite& from, core::Diagnostics&) {
    core::Asset alone{from.asset.skeleton, {}};
    alone.character = from.asset.character;
    alone.called = from.asset.called;
    return
        [alone = std::move(alone), key = from.contentKey](const core::Clip& clip, const core::Limits& limits) mutable {
            alone.clips = {clip};
            gltf::GltfOptions options;
            options.contentKey = key;
            options.vrmAnimation = true;
            gltf::GltfFile file = gltf::makeGlbFile(alone, options, limits);
            return ClipFile{std::move(file.bytes).joined(), key.substr(0, kKeyDigits), std::move(file.hash)};
        };
}

bool isNumber(std::string_view name) { return !name.empty() && std::ranges::all_of(name, core::isDigit); }

/// `ANH_SUB_F0_BAK_WALK` for `ANH_MAIN_F0_ZDN_WALK` on the model `GEO_SUB_F0_BAK`. The engine finds the model of a clip
/// by the three words after `ANH_`. Other names stay unchanged.
std::string memoriaNameOn(const std::string& model, const std::string& name) {
    constexpr int kWordsOfModel = 4;  // including `ANH` or `GEO`
    constexpr std::size_t kPrefix = 4;
    std::size_t end = 0;
    for (int word = 0; word < kWordsOfModel && end != std::string::npos; ++word)
        end = name.find('_', end + 1);
    const bool isNamed = name.starts_with("ANH_") && end != std::string::npos;
    return isNamed && !model.empty() ? "ANH_" + model.substr(kPrefix) + name.substr(end) : name;
}

/// The path for a clip that is named like a clip of Memoria, or for a clip of Final Fantasy IX on a model with a known
/// number. Empty for other clips.
fs::path memoriaPlace(const core::Asset& asset, const core::Clip& clip, const std::string& model) {
    if ((clip.name.starts_with("ANH_") || isNumber(clip.name)) && !clip.format.starts_with("ff9")) {
        const fs::path name = fromUtf8(core::portableName(memoriaNameOn(model, clip.name)));
        const std::string& folder = asset.skeleton->name;  // a single clip's skeleton is named after the clip
        const bool isByNumber = isNumber(clip.name) && isNumber(folder) && folder != clip.name && model.empty();
        return isByNumber ? fs::path("Animations") / folder / name : name;
    }
    if (!asset.called.number || clip.id == 0 || !clip.format.starts_with("ff9"))
        return {};
    return fs::path("Animations") / std::to_string(*asset.called.number) / std::to_string(clip.id);
}

using Key = OutputForm::Key;
using Content = OutputForm::Content;

constexpr std::array<OutputForm, 8> kForms = {{
    {"glb", ""},
    {"gltf", "with X.bin", Key::inGltf},
    {"bvh", "one clip", Key::ofBytes, Content::scene, Settings::Body::tPose, bvhWriter},
    {"vrma", "one clip", Key::inGlb, Content::scene, Settings::Body::humanoid, vrmAnimationWriter},
    {"anim", "one clip for Memoria, untested in the game", Key::ofBytes, Content::scene, Settings::Body::asset,
     memoriaWriter, memoriaPlace},
    {"vrm", "with -s AVATAR.vrm", Key::inGlb, Content::avatar},
    {"png", "", Key::inPng, Content::picture},
    {"", "", Key::ofBytes, Content::nothing},
}};

const OutputForm& formNamed(std::string_view ending) {
    for (const OutputForm& form : kForms)
        if (form.ending == ending)
            return form;
    return kForms.back();
}

}  // namespace

const OutputForm& formOf(const fs::path& file) { return formNamed(core::extensionOf(toUtf8(file.filename()))); }

std::span<const std::string_view> outputForms() {
    static const std::vector<std::string_view> words = [] {
        std::vector<std::string_view> all;
        for (const OutputForm& form : kForms)
            if (form.content == Content::scene)
                all.push_back(form.ending);
        return all;
    }();
    return words;
}

const OutputForm& outputFormOf(const std::string& as, const std::string& output) {
    const fs::path path = fromUtf8(output);
    const OutputForm& form = as.empty() ? formOf(path) : formNamed(as);
    return form.content == Content::scene ? form : kForms.front();
}

std::string formsInWords() {
    std::string words;
    for (const OutputForm& form : kForms)
        if (form.holdsMotion())
            words += fmt::format("{}X.{}{}", words.empty() ? "" : ", ", form.ending,
                                 form.note.empty() ? "" : fmt::format(" ({})", form.note));
    return words;
}

std::string endingsOf(const std::string& as) {
    if (!as.empty())
        return "." + as;
    const std::span<const std::string_view> endings = outputForms();
    return fmt::format(".{} or .{}", fmt::join(endings.first(endings.size() - 1), ", ."), endings.back());
}

}  // namespace reanima::tool
