#include "tools/reanima/jobs/job_sources.h"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/file_system.h"
#include "core/text.h"
#include "formats/character_links.h"
#include "formats/common_options.h"
#include "formats/format.h"
#include "formats/load.h"
#include "pipeline/foreign_motion.h"
#include "pipeline/memoria_folder.h"
#include "tools/reanima/front/content_key.h"
#include "tools/reanima/front/rigs.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

Input sourceOf(Input input) {
    asSource(input, readOtherMotion);
    return input;
}

/// A skeleton among the inputs takes precedence over another one that was found beside an animation.
void addSkeleton(Companions& companions, const InputOfJob& file) {
    if (file.skeleton == nullptr)
        return;
    const auto found = companions.find(Role::skeleton);
    if (found == companions.end() ||
        (!found->second.given && found->second.input.shownName() != file.skeleton->shownName())) {
        companions.erase(Role::skeleton);
        companions.emplace(Role::skeleton, Companion{*file.skeleton, true});
    }
}

/// The file with the joints of a source.
const std::string& skeletonOf(const Source& source) {
    const auto companion = source.companions.find(Role::skeleton);
    return (companion == source.companions.end() ? source.input : companion->second.input).shownName();
}

/// True if an earlier input contains meshes for the same skeleton.
bool isDressed(const Source& source, const std::vector<Source>& earlier) {
    const auto mayShow = [](const Source& each) {
        const Format& format = *each.input.format;
        return !format.traits.holdsModels && format.offers(kNoMeshOption.key);
    };
    const auto shows = [&](const Source& other) { return mayShow(other) && skeletonOf(other) == skeletonOf(source); };
    return mayShow(source) && std::ranges::any_of(earlier, shows);
}

void watchSiblings(Source& source) {
    source.beside.emplace_back(source.input);
    for (auto& [role, companion] : source.companions)
        source.beside.emplace_back(companion.input);
}

}  // namespace

Input readInput(const JobInput& job, const Recipe& recipe, const core::Limits& limits) {
    InputOptions options = recipe.options.input;
    options.limits = limits;
    Input input = job.held ? sourceOf(Input(job.held->take(), {}, nullptr, kShownStandardInput))
                           : options.readSource(toUtf8(job.path));
    input.format = job.format != nullptr ? job.format : &formatOf(input);
    return input;
}

Source readSource(const JobInput& job, InputOfJob file, const Recipe& recipe, const core::Limits& limits,
                  const std::vector<Source>& earlier) {
    Source source{std::move(file.input), recipe.options.input.values};
    if (!job.model.empty())
        source.options.set(kModelOption.key, job.model);
    source.companions = withFoundCompanions(source.input, recipe.companionsFor(*source.input.format));
    addSkeleton(source.companions, file);
    if (!job.pose.empty()) {
        source.companions.erase(Role::animation);
        source.companions.emplace(Role::animation,
                                  Companion{reanima::readInput(recipe.options.input.files, job.pose, limits), false});
    }
    if (file.isDressed || job.isCopy || isDressed(source, earlier))
        source.options.set(kNoMeshOption.key, 1.0);
    ContentKey key;
    const auto uses = [&](const fs::path& where, const File& used) {
        if (where != kStandardStream)
            source.files.push_back(where);
        key.add(used);
    };
    if (!job.model.empty())
        key.add(job.model);
    for (const auto& [name, value] : source.input.file.told)
        key.add(
            fmt::format("{}={}", name, std::visit([](const auto& told) { return fmt::format("{}", told); }, value)));
    uses(fileOf(job.path), source.input.file);
    for (const std::string& clip : memoriaClipsIn(job.path))
        key.add(clip);
    for (const auto& [role, companion] : source.companions)
        if (!companion.given)
            uses(pathOf(companion.input), companion.input.file);
    for (const std::string& teller : {source.input.file.toldBy, job.linkedBy})
        if (!teller.empty())
            source.files.push_back(fileOf(fromUtf8(teller)));  // only listed: its information is in the key already
    if (const std::optional<Input> pack = packOfSkeleton(source.input, source.companions))
        uses(pathOf(*pack), pack->file);
    if (const Target* target = recipe.targetFor(*source.input.format))
        for (const File& beside : target->beside)
            uses(fromUtf8(target->path).parent_path() / fromUtf8(beside.name), beside);
    source.contentKey = key.text();
    watchSiblings(source);
    return source;
}

std::vector<fs::path> partsOf(const std::vector<fs::path>& paths, const archives::OpenArchives& files) {
    std::vector<fs::path> parts;
    for (const fs::path& path : paths) {
        for (const std::string& clip : memoriaClipsIn(path))
            parts.push_back(path / fromUtf8(clip));
        for (const std::string& named : files.partsOf(toUtf8(path))) {
            const fs::path part = path.parent_path() / fromUtf8(named);
            std::error_code error;
            const std::vector<fs::path> names =
                core::isFile(part) ? std::vector<fs::path>{part.filename()} : core::namesIn(path.parent_path(), error);
            for (const fs::path& name : names)
                if (core::lowerCase(toUtf8(name)) == core::lowerCase(named))
                    parts.push_back(path.parent_path() / name);
        }
    }
    return parts;
}

std::uint64_t bytesHeldBy(const Input& input) { return input.file.bytes.size() + kBytesOfInput; }

std::uint64_t bytesHeldBy(const Source& source) {
    std::uint64_t bytes = bytesHeldBy(source.input);
    for (const auto& [role, companion] : source.companions)
        bytes += companion.input.file.bytes.size();
    return bytes;
}

InputOfJob SharedSkeleton::with(Input other) const {
    const bool isIts = input && other.format->needsSkeleton(*input->format);
    return {std::move(other), isIts ? &*input : nullptr, isIts && isDressed};
}

SharedSkeleton skeletonAmong(const std::vector<JobInput>& named, const std::map<std::size_t, Input>& inputs) {
    if (inputs.size() < 2)
        return {};
    for (const auto& [index, input] : inputs)
        if (input.format->kind == Kind::skeleton)
            return {input};
    for (const auto& [index, input] : inputs)
        for (const CharacterLinks* links : characterLinks())
            if (input.format == &links->characters && !named[index].model.empty())
                return {links->skeletonIn(input.file, named[index].model), true};
    return {};
}

bool isOfOtherKind(const Input& animation, const SharedSkeleton& skeleton, const std::vector<Source>& earlier) {
    const auto isPlain = [](const Format& format) {
        return format.kind == Kind::animation && !format.traits.holdsModels;
    };
    if (!isPlain(*animation.format))
        return false;
    if (skeleton.input)
        return !animation.format->needsSkeleton(*skeleton.input->format);
    return !earlier.empty() && isPlain(*earlier.front().input.format) &&
           animation.format != earlier.front().input.format;
}

std::optional<Input> skeletonOfFirst(const std::vector<Source>& sources) {
    if (sources.empty())
        return std::nullopt;
    const auto skeleton = sources.front().companions.find(Role::skeleton);
    if (skeleton == sources.front().companions.end())
        return std::nullopt;
    Input input = skeleton->second.input;
    input.format = &formatOf(input);
    return input;
}

}  // namespace reanima::tool
