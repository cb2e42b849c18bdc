#include "tools/reanima/front/binding.h"

#include <algorithm>

#include <fmt/format.h>

#include "binding/roles/role_matches.h"
#include "formats/animation_links.h"
#include "formats/foreign_files.h"
#include "formats/load.h"
#include "gltf_export/glb_chunks.h"
#include "gltf_export/gltf_motion.h"
#include "gltf_export/gltf_skeleton.h"
#include "gltf_export/scene_file.h"
#include "pipeline/cast.h"
#include "pipeline/character_files.h"
#include "pipeline/memoria_body.h"
#include "pipeline/memoria_folder.h"
#include "tools/reanima/front/rigs.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace {

/// The files read from a target's folder.
class FilesOfTarget : public core::Files {
  public:
    explicit FilesOfTarget(const Target& target) : target_(target) {}

    [[nodiscard]] bool exists(const std::string& path) const override { return find(path) != nullptr; }
    [[nodiscard]] File read(const std::string& path, const core::Limits&) const override {
        if (const File* file = find(path))
            return *file;
        throw core::DecodeError("can't be read").inFile(path);
    }
    [[nodiscard]] std::shared_ptr<const core::Source> open(const std::string&) const override { return nullptr; }

  private:
    [[nodiscard]] const File* find(const std::string& name) const {
        const auto file = std::ranges::find(target_.beside, name, &File::name);
        return file == target_.beside.end() ? nullptr : &*file;
    }

    const Target& target_;
};

}  // namespace

gltf::GltfInput asGltfInput(const Target& target) {
    return {target.file.bytes, target.path, {std::make_shared<FilesOfTarget>(target), {}}};
}

namespace {

/// Reads the rig and the files that it needs.
/// @throws core::DecodeError, also if the total exceeds Limits::memory
core::Rig readGltf(const core::Siblings& siblings, core::Limits limits, gltf::Beside which, Target& target,
                   gltf::Looks looks = gltf::Looks::leftOut) {
    const gltf::GltfInput input = asGltfInput(target);
    limits.held += target.file.bytes.size();
    for (const std::string& name : gltf::filesBeside(input, limits, which)) {
        std::optional<File> file = siblings.within(limits).below(name);
        if (!file)
            continue;
        limits.held += file->bytes.size();
        target.beside.push_back({name, std::move(file->bytes)});
    }
    return gltf::readRig(input, limits, target.diagnostics, looks);
}

/// Uses the clips of a glTF file to learn more about its rig; they are optional.
void addMotionOf(const Target& target, const core::Limits& limits, core::Rig& rig) {
    core::Diagnostics unsaid;
    try {
        addOwnMotion(gltf::readMotion(asGltfInput(target), limits, unsaid), limits, rig);
    } catch (const core::DecodeError&) {  // NOLINT: in a way that is not read as motion
    }
}

/// Reads a file with Assimp; if it is to be kept, it is converted to a .glb.
core::Rig readThroughAssimp(File rig, const core::Limits& limits, RigFile file, Target& target,
                            core::Diagnostics& diagnostics, const AskWhetherMirrored& isMirrored) {
    core::SceneContent content;
    core::Rig read = readOtherRig(fromUtf8(target.path), std::move(rig.bytes), limits,
                                  file == RigFile::kept ? &content : nullptr, diagnostics, isMirrored);
    if (content.parts.empty())
        return read;
    target.file.name = rig.name;
    target.file.bytes = gltf::makeSceneFile(content, limits);
    for (core::SceneImage& image : content.images)
        if (!image.file.empty())
            target.beside.push_back({image.file, std::move(image.bytes)});
    return read;
}

/// A sample of the clips in a folder, which is as informative as all.
Input someClipsOf(const std::string& folder, const InputOptions& options) {
    constexpr std::size_t kEnough = 24;
    const std::vector<std::string> all = memoriaClipsIn(fromUtf8(folder));
    std::vector<std::string> some;
    for (std::size_t i = 0; i < std::min(kEnough, all.size()); ++i)
        some.push_back(all[i * all.size() / std::min(kEnough, all.size())]);
    return some.empty() ? options.readSource(folder)
                        : memoriaCharacter(fromUtf8(folder), some, *options.files, options.limits);
}

/// Facts about a model from the clips among the inputs; empty if there are none.
AskWhetherMirrored mirrorTold(const InputOptions& options) {
    std::vector<std::string> clips;
    for (const std::string& path : options.motion)
        if (isFolder(fromUtf8(path)) || core::extensionOf(path) == "anim")
            clips.push_back(path);
    if (clips.empty())
        return {};
    return [options, clips](const core::Rig& rig) -> std::optional<bool> {
        for (const std::string& path : clips)
            try {
                const Input input = isFolder(fromUtf8(path)) ? someClipsOf(path, options) : options.readSource(path);
                core::Diagnostics unsaid;  // converting says it
                Context context{options.values, options.limits, unsaid};
                const core::Asset asset = load(input, {}, context);
                if (input.readMotion && asset.skeleton &&
                    roles::hasJointsNamedAlike(*asset.skeleton, asset.clips, rig.skeleton))
                    return isSeenInMirror(rig.skeleton, asset);
            } catch (const core::DecodeError&) {  // NOLINT: converting says so
            }
        return std::nullopt;
    };
}

/// Other programs' files that are not rigs are named in the message.
RigOfFile readRigOrSayWhatItIs(Input input, const Settings& settings, const RigReader& readOther, CharacterFiles& files,
                               core::Diagnostics& diagnostics) {
    const core::Bytes bytes = input.file.bytes;
    const std::optional<ForeignFile> foreign = foreignFile(bytes.first(std::min(bytes.size(), kForeignHead)));
    const std::string name = input.shownName();
    try {
        return readRigOf(std::move(input), settings, readOther, files, diagnostics);
    } catch (const core::DecodeError& error) {
        if (foreign && foreign->scene.empty() && error.kind() == core::DecodeError::Kind::malformed)
            throw foreign->asError().inFile(name);
        throw;
    }
}

}  // namespace

Target readTarget(const InputOptions& options, Input input, RigFile file) {
    Target target;
    target.path = options.skeleton;
    target.isGltf = gltf::isGltf(input.file.bytes, input.file.name);
    const bool isKept = file == RigFile::kept;
    const auto readOther = [&](File rig, const core::Siblings&, const core::Limits& limits,
                               core::Diagnostics& diagnostics) {
        if (!target.isGltf)
            return readThroughAssimp(std::move(rig), limits, file, target, diagnostics, mirrorTold(options));
        target.file = std::move(rig);
        core::Rig read = readGltf(core::Siblings(commandFiles(), target.path), limits,
                                  isKept ? gltf::Beside::buffersAndPictures : gltf::Beside::buffers, target);
        if (isUnsure(read))
            addMotionOf(target, limits, read);
        return read;
    };
    Settings settings;
    settings.options = options.values;
    settings.limits = options.limits;
    CharacterFiles files(options.files, options.limits, options.values.text(kFieldsOption.key).value_or(""));
    RigOfFile found = readRigOrSayWhatItIs(std::move(input), settings, readOther, files, target.diagnostics);
    if (!isKept)
        target.file.bytes = {};
    found.rig.source = target.path;
    target.leavesOwnMesh = found.leavesOwnMesh;
    target.beside.insert(target.beside.end(), found.beside.begin(), found.beside.end());
    target.rig = std::make_shared<const core::Rig>(std::move(found.rig));
    return target;
}

std::optional<Target> ownTarget(const Input& input, const core::Skeleton& skeleton, const core::Limits& limits,
                                core::Diagnostics& diagnostics, gltf::Looks looks) {
    if (!gltf::isGltf(input.file.bytes, input.file.name))
        return std::nullopt;
    Target target;
    target.path = input.shownName();
    target.isGltf = true;
    target.file = input.file;
    core::Rig rig = readGltf(input.siblings, limits, gltf::Beside::buffersAndPictures, target, looks);
    const std::vector<core::Joint>& joints = rig.skeleton.joints;
    const auto isSame = [](const core::Joint& a, const core::Joint& b) {
        return a.name == b.name && a.parent == b.parent && a.rest.translation == b.rest.translation &&
               a.rest.rotation == b.rest.rotation && a.rest.scale == b.rest.scale;
    };
    if (!rig.hasMesh)
        return std::nullopt;
    if (joints.size() > skeleton.joints.size() ||
        !std::equal(joints.begin(), joints.end(), skeleton.joints.begin(), isSame)) {
        diagnostics.warn(core::Code::ignored, {},
                         "its meshes are left out: options change the joints that they follow");
        return std::nullopt;
    }
    target.rig = std::make_shared<const core::Rig>(std::move(rig));
    return target;
}

}  // namespace reanima::tool
