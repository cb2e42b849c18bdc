#include <array>

#include "formats/common_options.h"
#include "formats/metroid/cinf.h"
#include "formats/metroid/clips.h"
#include "formats/metroid/cmdl.h"
#include "formats/metroid/cmdl_json.h"
#include "formats/metroid/cskr.h"
#include "formats/metroid/cskr_json.h"
#include "formats/metroid/dressing.h"
#include "formats/metroid/mesh_options.h"
#include "formats/metroid/reading.h"
#include "formats/metroid/txtr.h"
#include "formats/metroid/txtr_json.h"
#include "formats/row_functions.h"

namespace reanima::metroid {

namespace {

using namespace std::string_view_literals;

constexpr std::array kModelExtensions = {"cmdl"sv};
constexpr std::array kSkinExtensions = {"cskr"sv};
constexpr std::array kTextureExtensions = {"txtr"sv};

constexpr std::array kModelOptions = {kScaleOption,  kNoMeshOption, kLitOption, kUnlitOption,
                                      kFilterOption, kRowsOption,   kSetOption};
constexpr std::array kTextureOptions = {kRowsOption};

/// What fills a file up in its archive belongs to that.
void removePadding(const File& file, core::ByteVector& rest, std::size_t content) {
    if (file.padded && isPadding(core::Bytes(rest).subspan(content), file.bytes.size()))
        rest.resize(content);
}

// ---------------------------------------------------------------------------------------------------------------------
// Models

std::vector<Need> modelNeeds(const File& file) {
    return {{Role::skeleton, companionNames(file.name, "cinf")}, {Role::skin, companionNames(file.name, "cskr")}};
}

/// The joints that a skin is made for; nothing, and a warning, if a file that was merely found is damaged.
std::optional<core::Skeleton> skeletonAmong(const Companions& companions, double scale, Context& context) {
    const std::optional<Cinf> cinf =
        decodeCompanion(companions, Role::skeleton, context.diagnostics,
                        [&](core::Bytes bytes) { return decodeCinf(bytes, std::nullopt, context.diagnostics); });
    return cinf && !cinf->bones.empty() ? std::optional(toSkeleton(*cinf, scale)) : std::nullopt;
}

core::Asset loadModel(const File& file, const Companions& companions, Context& context) {
    BodySettings settings = bodySettingsFrom(context.options);
    settings.name = std::string(stemOf(file.name)) + "_mesh";
    settings.identity = {{"model", nullptr}, {"skin", nullptr}, {"overlay", nullptr}};
    const Cmdl model = decodeCmdl(file.bytes, context.diagnostics);
    core::Asset asset;
    Dress dress{{}, dressFileAmong(companions, Role::skin), context.siblings};
    if (dress.skin.file)
        asset.skeleton = skeletonAmong(companions, settings.scale, context);
    if (!context.options.flag(kNoMeshOption.key))
        putOn(asset, model, dress, BadSkin::leavesMeshStanding, settings, companions, context);
    return asset;
}

void readModelParts(const File& file, const Companions& companions, Context& context) {
    if (!context.options.flag(kNoMeshOption.key))
        readTextures(file.bytes, context.siblings, bodySettingsFrom(context.options), companions, context);
}

Json dumpModel(const File& file, const Companions&, Context& context) {
    Cmdl model = decodeCmdl(file.bytes, context.diagnostics);
    removePadding(file, model.trailing, 0);
    return toJson(model, context.limits, context.diagnostics);
}

// ---------------------------------------------------------------------------------------------------------------------
// Skins and textures

Json dumpSkin(const File& file, const Companions&, Context& context) {
    Cskr skin = decodeCskr(file.bytes, context.diagnostics);
    removePadding(file, skin.padding, 0);
    return toJson(skin, context.limits, context.diagnostics);
}

core::Asset loadTexture(const File& file, const Companions&, Context& context) {
    core::Asset asset;
    asset.images.push_back(imageOf(decodeTxtr(file.bytes, context.limits, context.diagnostics),
                                   rowsFrom(context.options), context.limits, context.diagnostics));
    asset.images.back().name = core::validUtf8(stemOf(file.name));
    return asset;
}

Json dumpTexture(const File& file, const Companions&, Context& context) {
    Txtr texture = decodeTxtr(file.bytes, context.limits, context.diagnostics);
    removePadding(file, texture.data, static_cast<std::size_t>(levelBytes(texture)));
    return toJson(texture, context.limits, context.diagnostics);
}

std::vector<Need> needsNothing(const File&) { return {}; }

}  // namespace

extern const Format kModel = {
    .id = "metroid-cmdl",
    .label = "Metroid Prime 1 and 2 model",
    .kind = Kind::mesh,
    .extensions = kModelExtensions,
    .options = kModelOptions,
    .isWhole = isCmdl,
    .beginsLike = beginsLikeCmdl,
    .needs = modelNeeds,
    .load = loadModel,
    .dump = dumpModel,
    .encode = encodeBy<cmdlFromJson, encodeCmdl>,
    .readParts = readModelParts,
    .memoryPerByte = 24,  // commands that draw nothing
};

extern const Format kSkin = {
    .id = "metroid-cskr",
    .label = "Metroid Prime 1 and 2 skin (CSKR)",
    .kind = Kind::skin,
    .extensions = kSkinExtensions,
    .options = {},
    .isWhole = isCskr,
    .needs = needsNothing,
    .load = nullptr,
    .dump = dumpSkin,
    .encode = encodeBy<cskrFromJson, encodeCskr>,
    .memoryPerByte = 16,  // groups of one weight
};

extern const Format kTexture = {
    .id = "metroid-txtr",
    .label = "Metroid Prime 1 and 2 texture",
    .kind = Kind::picture,
    .extensions = kTextureExtensions,
    .options = kTextureOptions,
    .isWhole = isTxtr,
    .needs = needsNothing,
    .load = loadTexture,
    .dump = dumpTexture,
    .encode = encodeBy<txtrFromJson, encodeTxtr>,
    .companion = Role::textures,
    .knownById = true,
};

}  // namespace reanima::metroid
