#include "pipeline/foreign_motion.h"

#include <algorithm>
#include <array>

#include "core/scene_asset.h"
#include "core/scene_motion.h"
#include "formats/common_options.h"
#include "formats/foreign_files.h"
#include "formats/format.h"
#include "formats/load.h"
#include "pipeline/bvh_file.h"
#include "pipeline/memoria_file.h"
#include "pipeline/upright.h"

namespace reanima {

namespace {

constexpr std::array kOptions = {kRateOption, kScaleOption, kJointRootOption};

core::Asset loadForeign(const File& file, const Companions&, Context& context) {
    core::MovingScene moving =
        (*context.readMotion)(file, context.siblings->within(context.limits), context.limits, context.diagnostics);
    if (moving.motions.empty())
        throw core::DecodeError("holds no animation; motion can be bound to it as a rig").withHint({"skeleton", "RIG"});
    core::SceneAssetSettings settings;
    settings.scale = context.options.number(kScaleOption.key).value_or(settings.scale);
    settings.rate = context.options.number(kRateOption.key);
    settings.jointRoot = context.options.text(kJointRootOption.key).value_or("");
    settings.source = file.name;
    return core::assetOf(std::move(moving), settings, context.limits, context.diagnostics);
}

/// Programs write BVH with any axis upwards.
core::Asset loadBvh(const File& file, const Companions& companions, Context& context) {
    core::Asset asset = loadForeign(file, companions, context);
    standUpright(asset, context.diagnostics);
    return asset;
}

/// Of a glTF file the buffers that lie beside it.
void readBuffers(const File& file, const Companions&, Context& context) {
    constexpr std::string_view kBinary = "glTF";  // has them inside
    if (!std::ranges::equal(core::Bytes(file.bytes).first(std::min(file.bytes.size(), kBinary.size())), kBinary))
        (void)(*context.readMotion)(file, *context.siblings, context.limits, context.diagnostics);
}

/// A row for files of another program.
constexpr Format rowOf(std::string_view id, std::string_view label, std::span<const std::string_view> extensions,
                       decltype(Format::load) load = loadForeign, decltype(Format::readParts) readParts = nullptr) {
    Format row{};
    row.id = id;
    row.label = label;
    row.kind = Kind::animation;
    row.extensions = extensions;
    row.options = kOptions;
    row.isWhole = [](core::Bytes) { return false; };  // recognised by its beginning alone
    row.load = load;
    row.readParts = readParts;
    row.memoryPerByte = 2;  // readers count what they take themselves
    return row;
}

constexpr std::string_view kBvh = "bvh";
constexpr std::array<std::string_view, 4> kGltfEndings = {"glb", "gltf", "vrm", "vrma"};
constexpr std::array<std::string_view, 1> kBvhEndings = {"bvh"};
constexpr std::string_view kMemoria = "memoria";
constexpr std::array<std::string_view, 1> kMemoriaEndings = {"anim"};
constexpr std::array<std::string_view, 1> kFbxEndings = {"fbx"};
constexpr std::array<std::string_view, 1> kColladaEndings = {"dae"};
const std::array kRows = {
    rowOf("gltf", "glTF animations", kGltfEndings, loadForeign, readBuffers),
    rowOf(kBvh, "BVH motion", kBvhEndings, loadBvh), rowOf(kMemoria, "Memoria animations", kMemoriaEndings),
    rowOf("fbx", "FBX animations", kFbxEndings), rowOf("collada", "Collada animations", kColladaEndings)};

core::MovingScene readBvhFile(const File& file, const Siblings&, const core::Limits& limits,
                              core::Diagnostics& diagnostics) {
    return readBvh(file.bytes, file.name, limits, diagnostics);
}

core::MovingScene readMemoriaFile(const File& file, const Siblings&, const core::Limits& limits,
                                  core::Diagnostics& diagnostics) {
    return readMemoriaAnimation(file.bytes, file.name, limits, diagnostics);
}

/// The id of the row that reads a file; empty if none does.
std::string_view idOf(const File& file) {
    if (isMemoriaAnimation(file.bytes, file.name))
        return kMemoria;
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
    else if (row->id == kMemoria)
        input.readMotion = readMemoriaFile;
    else if (readOther)
        input.readMotion = readOther;
    else
        return;
    input.format = &*row;
}

}  // namespace reanima
