#include "tools/reanima/recipe.h"

#include <array>

#include <fmt/format.h>

#include "importers/load.h"
#include "tools/reanima/content_key.h"
#include "tools/reanima/files.h"
#include "tools/reanima/platform.h"
#include "tools/reanima/rest.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 2> kInterpolations = {"linear", "step"};

std::string asText(const ConversionOptions& options) {
    std::string text;
    for (const auto& [key, value] : options.input.values.all())
        text += std::visit([&key = key](const auto& v) { return fmt::format("{}={};", key, v); }, value);
    for (const std::string& clip : options.clips)
        text += "clip=" + clip + ";";
    for (const std::string& clip : options.loopKey)
        text += "loop=" + clip + ";";
    return text + asText(options.motion) +
           fmt::format(
               "format={};skeleton-format={};companion={};name={};rest={};interpolation={};loop={};mesh={};"
               "ends={};compact={}",
               options.input.format, options.input.skeletonFormat, !options.input.noCompanion, options.nameTemplate,
               restWithoutFolder(options.rest), options.interpolation, options.loopKeySet, options.proxyMesh,
               options.endJoints, options.compact);
}

Names parseNamesFile(const File& file, const std::string& path) {
    try {
        return parseNames({reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()});  // NOLINT: text
    } catch (const core::DecodeError& error) {
        throw error.inFile(path);
    }
}

}  // namespace

void addConversionOptions(Arguments& arguments, ConversionOptions& options) {
    arguments.list("--model", options.models, "ID",
                   "of a file that holds several models, only this one; repeatable with -o FOLDER/");
    arguments.list("--clip", options.clips, "SEL", "only these clips: an index, a range A-B, or a name; repeatable");
    arguments.text(
        "--names", options.namesFile, "CSV",
        "names as lines clip,INDEX,NAME and joint,ID,NAME[,ROLE] (`reanima info` lists both; old names do, too)");
    arguments.checked(
        "--name",
        [&options](const std::string& pattern) {
            options.nameTemplate = pattern;
            return problemOfTemplate(pattern);
        },
        "TEMPLATE", "clip names from {stem} {index} {index:03} {id} {name}");
    arguments.text("--rest", options.rest, "POSE",
                   "rest pose: zero, skeleton (its own), CLIP:FRAME, or FILE[:CLIP:FRAME]; default: the skeleton's "
                   "own, else the first frame of the first clip");
    arguments.choice(
        "--interpolation", kInterpolations, [&options](const std::string& word) { options.interpolation = word; },
        "between keys");
    arguments.optionalText("--loop-key", options.loopKeySet, options.loopKey, "CLIP",
                           "repeat the first frame at the end, of one clip or of all");
    arguments.flag("--proxy-mesh", options.proxyMesh, "add a mesh: one octahedron per bone, skinned");
    arguments.flag("--end-joints", options.endJoints, "add a joint at the end of every last bone of a chain");
    arguments.flag("--compact", options.compact,
                   "smaller files: rotations as 16-bit integers (Assimp before version 6 misreads them), equal values "
                   "stored once, no extras but the content key");
    addMotionOptions(arguments, options.motion);
    addInputOptions(arguments, options.input,
                    "the game's skeleton, or a rig of any other kind that the motion is bound to");
}

Recipe::Recipe(ConversionOptions conversionOptions) : options(std::move(conversionOptions)) {
    GivenFiles given = options.input.given();
    given_ = std::move(given.companions);
    ContentKey key;
    key.add(asText(options));
    const auto uses = [&](const fs::path& path, const File& file) {
        files.push_back(path);
        key.add(file);
    };
    for (const auto& [role, companion] : given_)
        uses(pathOf(companion.input), companion.input.file);
    if (!options.namesFile.empty()) {
        const File file = readFile(fromUtf8(options.namesFile), options.input.limits);
        names = parseNamesFile(file, options.namesFile);
        uses(fromUtf8(options.namesFile), file);
    }
    std::vector<File> maps;
    for (const std::string& path : options.motion.maps) {
        maps.push_back(readFile(fromUtf8(path), options.input.limits));
        uses(fromUtf8(path), maps.back());
    }
    map = mergedMap(maps, options.motion.maps);
    sourceRest = options.motion.sourceRest.empty() ? map.sourceRest : options.motion.sourceRest;
    for (const std::string& rest : {options.rest, sourceRest})
        if (const std::optional<fs::path> path = fileOfRest(rest))
            uses(*path, readFile(*path, options.input.limits));
    if (given.rig) {
        refuseRest();
        uses(fromUtf8(options.input.skeleton), given.rig->file);
        target_ = readTarget(options.input, *std::move(given.rig), options.motion.keepMesh);
    }
    if (options.motion.reduce && options.interpolation == "step")
        throw UsageError("--reduce: straight lines stand for the keys that it leaves out, not --interpolation step");
    contentKey = key.text();
}

void Recipe::refuseRest() const {
    if (!options.rest.empty())
        throw UsageError("--rest: the rig rests as its file says; --source-rest tells how the source stands then");
}

bool Recipe::isOwnGame(const Format& format) const {
    if (!options.input.sourceSkeleton.empty())
        return true;  // says the user; load() refuses it if it is not
    const auto skeleton = given_.find(Role::skeleton);
    const bool hasSkeleton = format.kind == Kind::animation || format.kind == Kind::skeleton;
    return skeleton == given_.end() || !hasSkeleton || formatOf(skeleton->second.input).game() == format.game();
}

Companions Recipe::givenFor(const Format& format) const {
    Companions companions = given_;
    if (!target_ && !isOwnGame(format))
        companions.erase(Role::skeleton);
    return companions;
}

const Target* Recipe::targetFor(const Format& format) const {
    if (target_ || isOwnGame(format))
        return target_ ? &*target_ : nullptr;
    refuseRest();
    const std::lock_guard lock(otherGameMutex_);
    if (otherGameError_)
        std::rethrow_exception(otherGameError_);
    try {
        if (!otherGame_)
            otherGame_ = readTarget(options.input, given_.at(Role::skeleton).input, options.motion.keepMesh);
    } catch (...) {
        otherGameError_ = std::current_exception();
        throw;
    }
    return &*otherGame_;
}

}  // namespace reanima::tool
