#include <array>

#include "formats/common_options.h"
#include "formats/metroid/animation/clips.h"
#include "formats/metroid/character/dressing.h"
#include "formats/metroid/cinf.h"
#include "formats/metroid/model/cmdl.h"
#include "formats/metroid/model/cmdl_json.h"
#include "formats/metroid/model/cskr.h"
#include "formats/metroid/model/cskr_json.h"
#include "formats/metroid/model/mesh_options.h"
#include "formats/metroid/model/txtr.h"
#include "formats/metroid/model/txtr_json.h"
#include "formats/metroid/opened_padded.h"
#include "formats/metroid/reading.h"
#include "formats/row_functions.h"

namespace reanima::metroid {

namespace {

using namespace std::string_view_literals;

constexpr std::array kModelExtensions = {"cmdl"sv};
constexpr std::array kSkinExtensions = {"cskr"sv};
constexpr std::array kTextureExtensions = {"txtr"sv};

constexpr std::array kModelOptions = {kScaleOption,  kNoMeshOption, kLightingOption,
                                      kFilterOption, kRowsOption,   kSetOption};
constexpr std::array kTextureOptions = {kRowsOption};

/// Removes padding that an archive added after the content.
void removePadding(const File& file, core::ByteVector& rest, std::size_t content) {
    if (file.padded && isPadding(core::Bytes(rest).subspan(content), file.bytes.size()))
        rest.resize(content);
}

// ---------------------------------------------------------------------------------------------------------------------
// Models

std::vector<Need> modelNeeds(const File& file) {
    return {{Role::skeleton, companionNames(file.name, "cinf")}, {Role::skin, companionNames(file.name, "cskr")}};
}

/// The joints that a skin needs. A damaged file that the user did not name gives a warning, and the result is empty.
std::optional<core::Skeleton> skeletonAmong(const Companions& companions, double scale, Context& context) {
    const std::optional<Cinf> cinf =
        decodeCompanion(companions, Role::skeleton, context.diagnostics,
                        [&](core::Bytes bytes) { return decodeCinf(bytes, std::nullopt, context.diagnostics); });
    return cinf && !cinf->bones.empty() ? std::optional(toSkeleton(*cinf, scale)) : std::nullopt;
}

void removePaddingOfModel(Cmdl& model, const File& file) { removePadding(file, model.trailing, 0); }

class OpenedModel final : public OpenedPadded<decodeCmdl, removePaddingOfModel> {
  public:
    using OpenedPadded::OpenedPadded;

    [[nodiscard]] core::Asset asset(const std::string&, core::Diagnostics& diagnostics) override {
        Context work = context().reporting(diagnostics);
        BodySettings settings = bodySettingsFrom(work.options);
        settings.name = std::string(stemOf(file().name)) + "_mesh";
        settings.identity = {{"model", nullptr}, {"skin", nullptr}, {"overlay", nullptr}};
        const Cmdl& model = native();
        core::Asset asset;
        Dress dress{{}, dressFileAmong(companions(), Role::skin), &input().siblings};
        if (dress.skin.file)
            asset.skeleton = skeletonAmong(companions(), settings.scale, work);
        if (!work.options.flag(kNoMeshOption.key))
            putOn(asset, model, dress, BadSkin::leavesMeshStanding, settings, companions(), work);
        return asset;
    }
};

// ---------------------------------------------------------------------------------------------------------------------
// Skins and textures

void removePaddingOfSkin(Cskr& skin, const File& file) { removePadding(file, skin.padding, 0); }

void removePaddingOfTexture(Txtr& texture, const File& file) {
    removePadding(file, texture.data, static_cast<std::size_t>(levelBytes(texture)));
}

class OpenedTexture final : public OpenedPadded<decodeTxtr, removePaddingOfTexture> {
  public:
    using OpenedPadded::OpenedPadded;

    [[nodiscard]] core::Asset asset(const std::string&, core::Diagnostics& diagnostics) override {
        core::Asset asset;
        asset.images.push_back(imageOf(native(), rowsFrom(context().options), context().limits, diagnostics));
        asset.images.back().name = core::validUtf8(stemOf(file().name));
        return asset;
    }
};

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
    .open = openAs<OpenedModel>,
    .encode = encodeBy<cmdlFromJson, encodeCmdl>,
    .memoryPerByte = 24,  // many commands draw nothing
};

extern const Format kSkin = {
    .id = "metroid-cskr",
    .label = "Metroid Prime 1 and 2 skin (CSKR)",
    .kind = Kind::skin,
    .extensions = kSkinExtensions,
    .options = {},
    .traits = {.isConverted = false},
    .isWhole = isCskr,
    .needs = needsNothing,
    .open = openAs<OpenedPadded<decodeCskr, removePaddingOfSkin>>,
    .encode = encodeBy<cskrFromJson, encodeCskr>,
    .memoryPerByte = 16,  // groups may have one weight
};

extern const Format kTexture = {
    .id = "metroid-txtr",
    .label = "Metroid Prime 1 and 2 texture",
    .kind = Kind::picture,
    .extensions = kTextureExtensions,
    .options = kTextureOptions,
    .traits = {.isKnownById = true},
    .isWhole = isTxtr,
    .needs = needsNothing,
    .open = openAs<OpenedTexture>,
    .encode = encodeBy<txtrFromJson, encodeTxtr>,
    .companion = Role::textures,
};

}  // namespace reanima::metroid
