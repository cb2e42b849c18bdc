#include "tools/reanima/front/binding.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/vector_relational.hpp>

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
#include "pipeline/foreign_motion.h"
#include "pipeline/memoria_body.h"
#include "pipeline/memoria_folder.h"
#include "tools/reanima/front/rigs.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace {

/// Reads files from a target's folder.
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

/// Reads a file with Assimp. Converts it to a .glb if it will be kept.
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

/// Some of the clips in a folder: enough to see whether a model is mirrored.
Input someClipsOf(const std::string& folder, const InputOptions& options) {
    constexpr std::size_t kEnough = 24;
    const std::vector<std::string> all = memoriaClipsIn(fromUtf8(folder));
    std::vector<std::string> some;
    for (std::size_t i = 0; i < std::min(kEnough, all.size()); ++i)
        some.push_back(all[i * all.size() / std::min(kEnough, all.size())]);
    return some.empty() ? options.readSource(folder)
                        : memoriaCharacter(fromUtf8(folder), some, *options.files, options.limits);
}

/// Finds whether a model is mirrored, by comparing it with the clips among the inputs. Empty if there are no clips.
AskWhetherMirrored mirrorTold(const InputOptions& options) {
    std::vector<std::string> clips;
    for (const std::string& path : options.motion)
        if (isFolder(fromUtf8(path)) || core::extensionOf(path) == "anim")
            clips.push_back(path);
    if (clips.empty())
        return {};
    return [options = InputOptions(options), clips = std::move(clips)](const core::Rig& rig) -> std::optional<bool> {
        for (const std::string& path : clips)
            try {
                const Input input = isFolder(fromUtf8(path)) ? someClipsOf(path, options) : options.readSource(path);
                core::Diagnostics unsaid;  // reported by conversion
                Context context{options.values, options.limits, unsaid};
                const core::Asset asset = load(input, {}, context);
                if (input.readMotion && asset.skeleton &&
                    roles::hasJointsNamedAlike(*asset.skeleton, asset.clips, rig.skeleton))
                    return isSeenInMirror(rig.skeleton, asset);
            } catch (const core::DecodeError&) {  // NOLINT: reported by conversion
            }
        return std::nullopt;
    };
}

/// Reads a rig. For other programs' files without a rig, the error names their kind.
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
                                  file == RigFile::read ? gltf::Beside::buffers : gltf::Beside::buffersAndPictures,
                                  target, file == RigFile::drawn ? gltf::Looks::read : gltf::Looks::leftOut);
        read.readMotion = [&target](const core::Limits& within) {
            core::Diagnostics unsaid;  // a rig needs no motion
            return gltf::readMotion(asGltfInput(target), within, unsaid);
        };
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

namespace {

/// @param shown the same body as `rig`; joints that move no mesh may be missing
void takeLooks(core::Rig shown, core::Rig& rig) {
    std::map<std::string, std::uint32_t, std::less<>> joints;
    for (std::uint32_t joint = 0; joint < rig.skeleton.joints.size(); ++joint)
        joints[rig.skeleton.joints[joint].name] = joint;
    for (core::SurfacePoint& point : shown.surface) {
        const auto joint = joints.find(shown.skeleton.joints[point.joint].name);
        if (joint == joints.end())
            return;
        point.joint = joint->second;
    }
    rig.surface = std::move(shown.surface);
    rig.triangles = std::move(shown.triangles);
    rig.look = std::move(shown.look);
}

/// The file of an input as a .glb or .gltf, read with its pictures. Empty for files without meshes.
std::optional<Target> asGltfTarget(const Input& input, const core::Limits& limits, gltf::Looks looks) {
    Target target;
    target.path = input.shownName();
    target.isGltf = gltf::isGltf(input.file.bytes, input.file.name);
    if (target.isGltf) {
        target.file = input.file;
        target.rig = std::make_shared<const core::Rig>(
            readGltf(input.siblings, limits, gltf::Beside::buffersAndPictures, target, looks));
        return target;
    }
    if (input.file.path.empty() || !isReadThroughAssimp(formatOf(input)))
        return std::nullopt;
    core::Diagnostics unsaid;  // already reported while reading its motion
    core::Rig rig = readThroughAssimp(input.file, limits, RigFile::kept, target, unsaid, {});
    if (target.file.bytes.empty())
        return std::nullopt;
    if (looks == gltf::Looks::read)
        takeLooks(gltf::readRig(asGltfInput(target), limits.holding(target.file.bytes.size()), unsaid, looks), rig);
    target.rig = std::make_shared<const core::Rig>(std::move(rig));
    return target;
}

/// @param apart allowed difference of rest poses, in metres and in quaternion components
bool beginsWith(const core::Skeleton& skeleton, const std::vector<core::Joint>& joints, float apart) {
    const auto isSame = [apart](const core::Joint& a, const core::Joint& b) {
        const auto isNear = [apart](const auto& x, const auto& y) {
            return glm::all(glm::lessThanEqual(glm::abs(x - y), std::decay_t<decltype(x)>(apart)));
        };
        const auto asVector = [](const glm::quat& q) { return glm::vec4(q.x, q.y, q.z, q.w); };
        const glm::vec4 turn = asVector(a.rest.rotation);
        const glm::vec4 other = asVector(b.rest.rotation);
        return a.name == b.name && a.parent == b.parent && isNear(a.rest.translation, b.rest.translation) &&
               (isNear(turn, other) || isNear(turn, -other)) && isNear(a.rest.scale, b.rest.scale);
    };
    return joints.size() <= skeleton.joints.size() &&
           std::equal(joints.begin(), joints.end(), skeleton.joints.begin(), isSame);
}

}  // namespace

std::optional<Target> ownTarget(const Input& input, const core::Skeleton& skeleton, const core::Limits& limits,
                                core::Diagnostics& diagnostics, gltf::Looks looks) {
    std::optional<Target> target = asGltfTarget(input, limits, looks);
    if (!target || !target->rig->hasMesh)
        return std::nullopt;
    constexpr float kConverted = 1e-4F;
    if (!beginsWith(skeleton, target->rig->skeleton.joints, target->isGltf ? 0 : kConverted)) {
        diagnostics.warn(core::Code::ignored, {},
                         "the meshes are left out, because options change the joints that they follow");
        return std::nullopt;
    }
    return target;
}

}  // namespace reanima::tool
