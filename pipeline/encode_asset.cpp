#include "pipeline/encode_asset.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "formats/common_options.h"
#include "formats/load.h"

namespace reanima {

namespace {

const Format& writableFormat(const Input& input) {
    const Format& format = formatOf(input);
    if (format.fromAsset == nullptr)
        throw core::DecodeError(fmt::format("is a {} file, which can't be written from poses yet", format.id))
            .inFile(input.shownName());
    return format;
}

/// The options without the mesh: it does not move.
OptionValues withoutMesh(const OptionValues& options, const Format& format) {
    OptionValues values = options;
    if (std::ranges::any_of(format.options, [](const OptionInfo& info) { return info.key == kNoMeshOption.key; }))
        values.set(kNoMeshOption.key, 1.0);
    return values;
}

void requireKnown(const core::FoundEdits& found, const core::Asset& original) {
    if (found.unknown.empty())
        return;
    std::vector<std::string> names;
    for (const std::size_t clip : found.missing)
        names.push_back(original.clips[clip].name);
    throw core::DecodeError(
        {"animations", std::nullopt},
        fmt::format("holds \"{}\", which is none of the original's clips, by its name or its motion; "
                    "rename it to one of them{}{}",
                    fmt::join(found.unknown, "\", \""), names.empty() ? "" : ": ", fmt::join(names, ", ")))
        .withHint({"at", "N"});
}

}  // namespace

EncodedAsset encodeAsset(const core::MovingScene& edited, const std::string& editedName, const Input& input,
                         const Companions& given, const EncodeSettings& settings, Context& context) {
    const Format& format = writableFormat(input);
    if (settings.search.append && !format.addsClips)
        throw core::optionError({"append"}, fmt::format("no clip can be added to a {} file", format.id))
            .inFile(input.shownName());
    Input original = input;
    original.format = &format;
    const OptionValues options = withoutMesh(context.options, format);
    core::Diagnostics said;  // what is doubtful in the original is not news
    Context reading{options, context.limits, said};
    reading.siblings = &original.siblings;
    const Companions companions = withFoundCompanions(original, given);
    EncodedAsset result;
    result.original = loadWithRest(original, companions, reading);
    if (!result.original.models.empty() && !context.options.has(kModelOption.key))
        throw core::optionError({"model"}, fmt::format("is one of {}, and must be told for this file",
                                                       fmt::join(result.original.models, ", ")))
            .inFile(original.shownName());
    const core::StoredSteps steps = format.storedSteps(original.file, companions, reading);
    core::inFile(editedName, [&] {
        const auto about = context.diagnostics.about(editedName);
        result.found =
            core::findEdits(result.original, edited, steps, settings.search, context.limits, context.diagnostics);
        requireKnown(result.found, result.original);
    });
    std::vector<core::ClipEdit> changed;
    for (const core::ClipEdit& edit : result.found.clips)
        if (edit.isEdited(result.original.clips[edit.clip].frames))
            changed.push_back(edit);
    if (changed.empty()) {
        result.bytes = original.file.bytes;
        return result;
    }
    if (result.found.mostDiffers && !settings.allChanged)
        throw core::DecodeError(
            {"animations", std::nullopt},
            fmt::format("move most joints otherwise than {} does: bones were rolled in edit mode, it "
                        "is another character's motion, or all was changed on purpose",
                        original.shownName()))
            .inFile(editedName)
            .withHint({"all-changed"});
    const auto about = context.diagnostics.about(original.shownName());
    EditedFile file = core::inFile(original.shownName(), [&] {
        Context writing{options, context.limits, context.diagnostics};
        writing.siblings = &original.siblings;
        return format.fromAsset(original.file, companions, result.original, changed, writing);
    });
    if (!file.losses.empty() && !settings.allowLoss)
        throw core::DecodeError({"animations", std::nullopt},
                                fmt::format("hold what a {} file can't: {}", format.id, fmt::join(file.losses, "; ")))
            .inFile(editedName)
            .withHint({"allow-loss"});
    result.losses = std::move(file.losses);
    result.bytes = std::move(file.bytes);
    return result;
}

}  // namespace reanima
