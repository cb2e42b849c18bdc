#include "tools/reanima/front/binding.h"

#include <algorithm>

#include <fmt/format.h>

#include "formats/load.h"
#include "gltf_export/glb_chunks.h"
#include "gltf_export/gltf_skeleton.h"
#include "tools/reanima/front/rigs.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace {

/// Reads the skeleton of a game's own file, with a rest pose.
core::Rig readNative(const Input& input, const InputOptions& options, Target& target) {
    requireKind(input, Kind::skeleton, "skeleton");
    const core::Limits limits = options.limits.holding(input.file.bytes.size());
    Context context{options.values, limits, target.diagnostics, {}};
    const Companions companions = withFoundCompanions(input, {});
    core::Asset asset = loadWithRest(input, companions, context);
    for (const auto& [role, companion] : companions)
        target.beside.push_back(companion.input.file);
    core::Rig rig;
    rig.skeleton = std::move(*asset.skeleton);
    return rig;
}

/// What was read of the folder of a target.
class FilesOfTarget : public core::Files {
  public:
    explicit FilesOfTarget(const Target& target) : target_(target) {}

    [[nodiscard]] bool exists(const std::string& path) const override { return find(path) != nullptr; }
    [[nodiscard]] File read(const std::string& path, const core::Limits&) const override { return *find(path); }
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

/// Reads the rig and all that it needs of its folder.
/// @throws core::DecodeError, also if all that together is above Limits::memory
core::Rig readGltf(core::Limits limits, gltf::Beside which, Target& target) {
    const gltf::GltfInput input = asGltfInput(target);
    limits.held += target.file.bytes.size();
    for (const std::string& name : gltf::filesBeside(input, limits, which)) {
        std::optional<File> file = core::Siblings(commandFiles(), target.path, limits).below(name);
        if (!file)
            continue;
        limits.held += file->bytes.size();
        target.beside.push_back({name, std::move(file->bytes)});
    }
    return gltf::readRig(input, limits, target.diagnostics);
}

}  // namespace

bool isForeign(const Input& skeleton) { return findFormat(skeleton) == nullptr; }

Target readTarget(const InputOptions& options, Input input, RigFile file) {
    Target target;
    target.path = options.skeleton;
    target.isGltf = gltf::isGltf(input.file.bytes, input.file.name);
    core::Rig rig;
    if (!isForeign(input)) {
        if (options.noCompanion)  // parts of a glTF file are read in any case
            input.siblings = {};
        rig = readNative(input, options, target);
    } else if (target.isGltf) {
        target.file = std::move(input.file);
        const bool isKept = file == RigFile::kept;
        rig = readGltf(options.limits, isKept ? gltf::Beside::buffersAndPictures : gltf::Beside::buffers, target);
        if (!isKept)
            target.file.bytes = {};
    } else {
        rig = readOtherRig(fromUtf8(target.path), std::move(input.file.bytes), options.limits, target.diagnostics);
    }
    rig.source = target.path;
    target.rig = std::make_shared<const core::Rig>(std::move(rig));
    return target;
}

}  // namespace reanima::tool
