#include "tools/reanima/jobs/own_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/text.h"
#include "tools/reanima/front/output_form.h"
#include "tools/reanima/jobs/gltf_output.h"
#include "tools/reanima/system/failure.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

std::optional<Target> ownFile(const Recipe& recipe, const Source& source, const core::Asset& asset,
                              const core::Limits& limits, core::Diagnostics& diagnostics, gltf::Looks looks) {
    if (holdsOneClip(recipe.options.form) || recipe.settings.proxyMesh || !source.input.readMotion || !asset.skeleton)
        return std::nullopt;
    return ownTarget(source.input, *asset.skeleton, limits, diagnostics, looks);
}

gltf::GltfFile keptFile(const Job& job, const Target& kept, Whose whose, const core::Asset& asset,
                        gltf::GltfOptions options, const core::Limits& limits, core::Diagnostics& diagnostics) {
    const ConversionOptions& asked = job.recipe->options;
    const auto isGiven = [](const auto& setting) { return !setting.second.empty(); };
    const bool changesClips = std::ranges::any_of(asked.settings, isGiven) || !asked.input.values.all().empty();
    const std::string bufferName = bufferNameOf(job.output);
    if (whose == Whose::inputs && kept.isGltf && !changesClips) {
        core::Asset without;
        without.skeleton = asset.skeleton;
        return fileOnRig(kept, without, options, limits, diagnostics, bufferName);
    }
    options.replacesAnimations = whose == Whose::inputs;
    return fileOnRig(kept, asset, options, limits, diagnostics, bufferName);
}

void refuseAvatar(const Job& job) {
    if (lowerCase(toUtf8(job.output.extension())) == ".vrm")
        throw UsageError(fmt::format("-o {}: an avatar keeps its joints. Leave out the options that change joints",
                                     toUtf8(job.output)));
}

}  // namespace reanima::tool
