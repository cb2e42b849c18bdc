#include <array>

#include <fmt/format.h>

#include "formats/common_options.h"
#include "formats/ff7/battle_clips.h"
#include "formats/ff7/field_clips.h"
#include "formats/ff7/field_json.h"
#include "formats/ff7/field_resource.h"
#include "formats/ff7/file_names.h"
#include "formats/ff7/mesh_json.h"
#include "formats/ff7/mesh_options.h"
#include "formats/ff7/piece.h"
#include "formats/ff7/texture.h"
#include "formats/palette_option.h"
#include "formats/row_functions.h"

namespace reanima::ff7 {

namespace {

using namespace std::string_view_literals;

constexpr std::array kMeshExtensions = {"p"sv};
constexpr std::array kTextureExtensions = {"tex"sv};
constexpr std::array kResourceExtensions = {"rsd"sv};

constexpr std::array kMeshOptions = {kScaleOption, kLightingOption, kFilterOption};
constexpr std::array kTextureOptions = {kPaletteOption};

std::vector<Need> needsNothing(const File&) { return {}; }

/// A mesh without joints. Meshes with normals belong to fields, meshes without normals to battles.
core::Asset rigidAsset(const ModelParts& parts, const File& file, Context& context) {
    const bool isOfField = !parts.body.front().piece->normals.empty();
    const double usual = isOfField ? FieldSettings{}.scale : ClipSettings{}.scale;
    const MeshSettings settings =
        meshSettingsFrom(context.options, file.name, context.options.number("scale").value_or(usual),
                         isOfField ? MeshSettings::Lighting::field : MeshSettings::Lighting::battle);
    core::Asset asset;
    addMeshes(asset, parts, settings.stem, settings, context);
    return asset;
}

class OpenedMesh final : public OpenedNumbers<OpenedBytes<decodePiece>> {
  public:
    using OpenedNumbers::OpenedNumbers;

    [[nodiscard]] core::Asset asset(const std::string&, core::Diagnostics& diagnostics) override {
        Context work = context().reporting(diagnostics);
        ModelPiece piece;
        piece.file = file().name;
        piece.shownName = diagnostics.file();
        piece.hasList = false;
        piece.piece = {std::shared_ptr<const Piece>(), &native()};  // not owned: it outlives the asset
        ModelParts parts;
        parts.body.push_back(std::move(piece));
        return rigidAsset(parts, file(), work);
    }
};

class OpenedResource final : public OpenedBytes<decodeFieldResource> {
  public:
    using OpenedBytes::OpenedBytes;

    [[nodiscard]] core::Asset asset(const std::string&, core::Diagnostics& diagnostics) override {
        Context work = context().reporting(diagnostics);
        return rigidAsset(parts(work), file(), work);
    }

  private:
    ModelParts parts(Context& work) { return resourceParts(native(), file().name, surroundingsOf(file(), work), work); }
};

class OpenedTexture final : public OpenedBytes<decodeTexture> {
  public:
    using OpenedBytes::OpenedBytes;

    [[nodiscard]] core::Asset asset(const std::string&, core::Diagnostics&) override {
        const Texture& texture = native();
        const std::uint32_t palette = context().options.count(kPaletteOption.key).value_or(0);
        if (palette >= palettesOf(texture))
            throw core::DecodeError(
                {"palette_count", 0x30},
                fmt::format("palette {1} is requested, but there are only {0}", palettesOf(texture), palette))
                .withHint({"palette", "N"});
        core::requireMemory(4 * sizesOf(texture.header).texels, context().limits, {"pixels", std::nullopt});
        core::Asset asset;
        asset.images.push_back(imageOf(texture, palette));
        asset.images.back().name = imageNameOf(file().name);
        return asset;
    }
};

}  // namespace

extern const Format kMesh = {
    .id = "ff7-mesh",
    .label = "Final Fantasy VII (PC) mesh",
    .kind = Kind::mesh,
    .extensions = kMeshExtensions,
    .isUsualName =
        [](std::string_view name) {
            return hasContentLetters(name, kFirstPiece, kLastWeapon) || hasNumberedExtension(name, 'p');
        },
    .options = kMeshOptions,
    .isWhole = isPiece,
    .beginsLike = beginsLikePiece,
    .needs = needsNothing,
    .open = openAs<OpenedMesh>,
    .encode = encodeBy<pieceFromJson, encodePiece>,
};

extern const Format kTexture = {
    .id = "ff7-texture",
    .label = "Final Fantasy VII (PC) texture",
    .kind = Kind::picture,
    .extensions = kTextureExtensions,
    .isUsualName =
        [](std::string_view name) {
            return hasContentLetters(name, kFirstTexture, kLastTexture) || hasNumberedExtension(name, 't');
        },
    .options = kTextureOptions,
    .isWhole = isTexture,
    .beginsLike = beginsLikeTexture,
    .needs = needsNothing,
    .open = openAs<OpenedTexture>,
    .encode = encodeBy<textureFromJson, encodeTexture>,
};

extern const Format kFieldResource = {
    .id = "ff7-field-resource",
    .label = "Final Fantasy VII (PC) field resource",
    .kind = Kind::mesh,
    .extensions = kResourceExtensions,
    .options = kMeshOptions,
    .isWhole = isFieldResource,
    .beginsLike = beginsLikeFieldResource,
    .needs = needsNothing,
    .open = openAs<OpenedResource>,
    .encode = encodeBy<fieldResourceFromJson, encodeFieldResource>,
};

}  // namespace reanima::ff7
