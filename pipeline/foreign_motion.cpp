#include "pipeline/foreign_motion.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "core/scene_asset.h"
#include "core/scene_motion.h"
#include "core/text.h"
#include "formats/common_options.h"
#include "formats/foreign_files.h"
#include "formats/format.h"
#include "formats/load.h"
#include "pipeline/bvh_file.h"
#include "pipeline/memoria_body.h"
#include "pipeline/memoria_file.h"
#include "pipeline/upright.h"

namespace reanima {

namespace {

constexpr std::array kOptions = {kRateOption, kScaleOption, kJointRootOption, kUpOption};

class OpenedMotion : public Opened {
  public:
    using Opened::Opened;

    [[nodiscard]] core::Asset asset(const std::string&, core::Diagnostics& diagnostics) override {
        core::MovingScene moving = scene(input().siblings.within(context().limits));
        if (moving.motions.empty())
            throw core::DecodeError("contains no animation, but it can be a rig that motion is bound to")
                .withHint({"skeleton", "RIG"});
        const OptionValues& options = context().options;
        core::SceneAssetSettings settings;
        settings.scale = options.number(kScaleOption.key).value_or(settings.scale);
        settings.rate = options.number(kRateOption.key);
        settings.jointRoot = options.text(kJointRootOption.key).value_or("");
        settings.source = file().name;
        core::Asset asset = core::assetOf(std::move(moving), settings, context().limits, diagnostics);
        if (const auto up = options.text(kUpOption.key))
            standUpright(asset, *up);
        return asset;
    }

  protected:
    [[nodiscard]] core::MovingScene scene(const Siblings& beside) {
        return input().readMotion(file(), beside, context().limits, context().diagnostics);
    }
};

/// Turns the figure upright, since any axis may be up in BVH files.
class OpenedBvh final : public OpenedMotion {
  public:
    using OpenedMotion::OpenedMotion;

    [[nodiscard]] core::Asset asset(const std::string& model, core::Diagnostics& diagnostics) override {
        core::Asset asset = OpenedMotion::asset(model, diagnostics);
        if (!context().options.text(kUpOption.key))
            standUpright(asset, diagnostics);
        return asset;
    }
};

/// All clips of one character are used to analyse it, even if only one is requested.
class OpenedMemoria final : public OpenedMotion {
  public:
    using OpenedMotion::OpenedMotion;

    [[nodiscard]] core::Asset asset(const std::string& model, core::Diagnostics& diagnostics) override {
        core::Asset asset = OpenedMotion::asset(model, diagnostics);
        tellMemoriaBody(asset);
        if (core::extensionOf(file().name) == "anim")
            std::erase_if(asset.clips,
                          [wanted = core::stemOf(file().name)](const core::Clip& clip) { return clip.name != wanted; });
        return asset;
    }
};

/// The format row for files of another program.
template <typename Opening = OpenedMotion>
constexpr Format rowOf(std::string_view id, std::string_view label, std::span<const std::string_view> extensions) {
    Format row{};
    row.id = id;
    row.label = label;
    row.kind = Kind::animation;
    row.extensions = extensions;
    row.options = kOptions;
    row.isWhole = [](core::Bytes) { return false; };  // recognised by its first bytes only
    row.open = openAs<Opening>;
    row.memoryPerByte = 2;  // readers add their own memory
    return row;
}

constexpr std::string_view kBvh = "bvh";
constexpr std::string_view kFbx = "fbx";
constexpr std::string_view kCollada = "collada";
constexpr std::array<std::string_view, 4> kGltfEndings = {"glb", "gltf", "vrm", "vrma"};
constexpr std::array<std::string_view, 1> kBvhEndings = {"bvh"};
constexpr std::array<std::string_view, 1> kMemoriaEndings = {"anim"};
constexpr std::array<std::string_view, 1> kFbxEndings = {"fbx"};
constexpr std::array<std::string_view, 1> kColladaEndings = {"dae"};
const std::array kRows = {
    rowOf("gltf", "glTF animations", kGltfEndings), rowOf<OpenedBvh>(kBvh, "BVH motion", kBvhEndings),
    rowOf<OpenedMemoria>(kMemoriaFormat, "Memoria animations", kMemoriaEndings),
    rowOf(kFbx, "FBX animations", kFbxEndings), rowOf(kCollada, "Collada animations", kColladaEndings)};

core::MovingScene readBvhFile(const File& file, const Siblings&, const core::Limits& limits,
                              core::Diagnostics& diagnostics) {
    return readBvh(file.bytes, file.name, limits, diagnostics);
}

core::MovingScene readMemoriaFile(const File& file, const Siblings&, const core::Limits& limits,
                                  core::Diagnostics& diagnostics) {
    return readMemoriaAnimation(file.bytes, file.name, limits, diagnostics);
}

/// The id of the row that reads a file. Empty if no row does.
std::string_view idOf(const File& file) {
    if (isMemoriaAnimation(file.bytes, file.name))
        return kMemoriaFormat;
    const std::optional<ForeignFile> foreign = foreignFile(file.bytes);
    return foreign ? foreign->scene : std::string_view();
}

}  // namespace

void asSource(Input& input, const MotionReader& readOther) {
    if (findFormat(input) != nullptr)
        return;
    const auto row = std::ranges::find(kRows, idOf(input.file), &Format::id);
    if (row == kRows.end())
        return;
    if (row->id == kBvh)
        input.readMotion = readBvhFile;
    else if (row->id == kMemoriaFormat)
        input.readMotion = readMemoriaFile;
    else if (readOther)
        input.readMotion = readOther;
    else
        return;
    input.format = &*row;
}

const Format& memoriaFormat() { return *std::ranges::find(kRows, kMemoriaFormat, &Format::id); }

bool isReadThroughAssimp(const Format& format) { return format.id == kFbx || format.id == kCollada; }

}  // namespace reanima
