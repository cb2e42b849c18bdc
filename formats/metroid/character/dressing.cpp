#include "formats/metroid/character/dressing.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "formats/common_options.h"
#include "formats/metroid/character/characters.h"
#include "formats/metroid/model/display_list.h"
#include "formats/metroid/model/mesh_options.h"

namespace reanima::metroid {

namespace {

using core::Code;
using core::DecodeError;

std::optional<std::uint32_t> idFrom(std::string_view name) {
    constexpr int kHexadecimal = 16;
    constexpr std::size_t kDigits = 8;
    const std::string_view stem = stemOf(name);
    std::uint32_t id = 0;
    const auto [end, error] = std::from_chars(stem.data(), stem.data() + stem.size(), id, kHexadecimal);
    return error == std::errc() && end == stem.data() + stem.size() && stem.size() == kDigits ? std::optional(id)
                                                                                              : std::nullopt;
}

/// Finds texture files by id: first in the places that the user named, then beside the model.
class TextureFiles {
  public:
    TextureFiles(const Companions& companions, const Siblings* siblings, const core::Limits& limits)
        : companions_(companions), siblings_(siblings), limits_(limits) {}

    [[nodiscard]] std::optional<File> find(std::uint32_t id) const {
        const auto [first, last] = companions_.equal_range(Role::texturePlace);
        for (auto place = first; place != last; ++place) {
            const Input& input = place->second.input;
            std::optional<File> file = input.file.bytes.empty()        ? beside(&input.siblings, id)
                                       : idFrom(input.file.name) == id ? std::optional(input.file)
                                                                       : std::nullopt;
            if (file)
                return file;
        }
        return beside(siblings_, id);
    }

  private:
    [[nodiscard]] std::optional<File> beside(const Siblings* siblings, std::uint32_t id) const {
        if (siblings == nullptr || !*siblings)
            return std::nullopt;
        const Siblings within = siblings->within(limits_);
        for (const std::string& name : namesOfResource(id, "txtr"))
            if (std::optional<File> file = within(name))
                return file;
        return std::nullopt;
    }

    const Companions& companions_;
    const Siblings* siblings_;
    const core::Limits& limits_;
};

/// Returns a function that reads textures and reports unavailable ones.
FindTexture readerOf(const TextureFiles& files, Context& context) {
    return [&files, &context](std::uint32_t id) -> std::shared_ptr<const Txtr> {
        const std::string name = namesOfResource(id, "txtr").front();
        try {
            const std::optional<File> file = files.find(id);
            if (!file) {
                context.diagnostics.warn(Code::missingFile, {},
                                         fmt::format("its texture {} was not found and is left out", name),
                                         {"textures", "PATH"});
                return nullptr;
            }
            const auto about = context.diagnostics.about(file->name);
            return core::inFile(file->name, [&] {
                return std::make_shared<const Txtr>(decodeTxtr(file->bytes, context.limits, context.diagnostics));
            });
        } catch (const DecodeError& error) {
            if (error.kind() != DecodeError::Kind::malformed)
                throw;
            const auto about = context.diagnostics.about(name);
            context.diagnostics.warn(Code::damaged, error);
            return nullptr;
        }
    };
}

/// The result of `decode`. Empty, with a warning, if the file is damaged.
template <typename Decode>
auto decodedOrWarned(const DressFile& dress, core::Diagnostics& diagnostics, const Decode& decode)
    -> std::optional<decltype(decode(core::Bytes()))> {
    const auto about = diagnostics.about(dress.name);
    try {
        return decode(core::Bytes(dress.file->bytes));
    } catch (const DecodeError& error) {
        if (error.kind() != DecodeError::Kind::malformed)
            throw error.inFile(dress.name);
        diagnostics.warn(Code::damaged, error);
        return std::nullopt;
    }
}

}  // namespace

BodySettings bodySettingsFrom(const OptionValues& options) {
    BodySettings settings;
    settings.lighting = litOf(options).value_or(true) ? Lighting::lit : Lighting::unlit;
    if (options.text(kFilterOption.key) == "nearest")
        settings.filter = core::Filter::nearest;
    settings.rows = rowsFrom(options);
    settings.set = options.count(kSetOption.key).value_or(0);
    settings.scale = options.number(kScaleOption.key).value_or(settings.scale);
    return settings;
}

void leaveSkinOut(core::Asset& asset) { asset.character.emplace_back("skinned", false); }

DressFile dressFileAmong(const Companions& companions, Role role) {
    const auto found = companions.find(role);
    if (found == companions.end())
        return {};
    const Input& input = found->second.input;
    return {input.file, input.shownName()};
}

void putOn(core::Asset& asset, const Dress& dress, const BodySettings& settings, const Companions& companions,
           Context& context) {
    if (!dress.model.file) {
        context.diagnostics.warn(Code::missingFile, {},
                                 fmt::format("its model {} was not found, so there is no mesh", dress.model.name));
        return;
    }
    const std::optional<Cmdl> model = decodedOrWarned(
        dress.model, context.diagnostics, [&](core::Bytes bytes) { return decodeCmdl(bytes, context.diagnostics); });
    if (!model)
        return;
    const auto about = context.diagnostics.about(dress.model.name);
    core::inFile(dress.model.name,
                 [&] { putOn(asset, *model, dress, BadSkin::leavesMeshOut, settings, companions, context); });
}

void putOn(core::Asset& asset, const Cmdl& model, const Dress& dress, BadSkin badSkin, const BodySettings& settings,
           const Companions& companions, Context& context) {
    std::optional<Cskr> skin;
    bool isBad = false;
    if (dress.skin.file && asset.skeleton) {
        skin = decodedOrWarned(dress.skin, context.diagnostics,
                               [&](core::Bytes bytes) { return decodeCskr(bytes, context.diagnostics); });
        isBad = !skin;
    } else if (model.isSkinned()) {
        const std::string lacking = !dress.skin.file
                                        ? dress.skin.name.empty() ? "its skin (CSKR)" : "its skin " + dress.skin.name
                                        : "its skeleton";
        context.diagnostics.warn(Code::missingFile, {},
                                 fmt::format("{} was not found, so the mesh follows no joints", lacking));
    }
    if (isBad && badSkin == BadSkin::leavesMeshOut)
        return;
    const TextureFiles files(companions, dress.siblings, context.limits);
    const FindTexture find = readerOf(files, context);
    const auto add = [&](const Cskr* shown) {
        addBody(asset, model, shown, find, settings, context.limits, context.diagnostics);
    };
    if (!skin) {
        add(nullptr);
        if (asset.skeleton)
            leaveSkinOut(asset);
        return;
    }
    try {
        requireFit(*skin, model, *asset.skeleton);
    } catch (const DecodeError& error) {
        const auto about = context.diagnostics.about(dress.skin.name);
        context.diagnostics.warn(Code::damaged, error);
        if (badSkin == BadSkin::leavesMeshStanding)
            add(nullptr);
        return;
    }
    add(&*skin);
}

}  // namespace reanima::metroid
