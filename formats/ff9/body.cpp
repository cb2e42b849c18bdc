#include "formats/ff9/body.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "core/axes.h"
#include "core/linear_color.h"
#include "core/memory.h"
#include "formats/ff9/surfaces.h"

namespace reanima::ff9 {

namespace {

constexpr std::uint16_t kStp = 0x8000;  // bit of a colour: semi-transparent faces blend texels that have it
constexpr std::size_t kBlendModes = 4;
constexpr std::array<const char*, kBlendModes> kBlendNames = {"_average", "_additive", "_subtractive", "_quarter"};
constexpr std::array<std::uint8_t, kBlendModes> kTexelAlpha = {128, 255, 255, 64};
constexpr std::array<float, kBlendModes> kColorAlpha = {0.5F, 1, 1, 0.25F};

/// Factors for linear light: the console multiplies texels, which have a gamma of about 2.2, by c / 128 up to white.
constexpr std::array<float, 256> factorTable() {
    std::array<float, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double share = std::min(1.0, static_cast<double>(i) / 128);
        table[i] = static_cast<float>(share * share * core::fifthRoot(share));
    }
    return table;
}
constexpr std::array<float, 256> kFactors = factorTable();

std::optional<std::uint8_t> blendModeOf(const Face& face) {
    if ((face.flags & kSemiTransparent) == 0)
        return std::nullopt;
    return static_cast<std::uint8_t>((face.flags & kBlendModeBits) >> kBlendModeShift);
}

core::Image imageOf(const Surface& surface, std::string name, std::optional<std::uint8_t> blend) {
    core::Image image{std::move(name), surface.width, surface.height, {}};
    image.rgba.reserve(4 * surface.texels.size());
    for (const MaterialTexels::Texel& texel : surface.texels) {
        const bool isHole = texel.owner == 0 || texel.color == 0;
        const bool isMixed = blend && (texel.color & kStp) != 0;
        psx::appendColor(image.rgba, isHole ? 0 : texel.color, isHole ? 0 : isMixed ? kTexelAlpha[*blend] : 255);
    }
    return image;
}

core::Value valueOf(const std::optional<std::uint8_t>& number) {
    return number ? core::Value(int{*number}) : core::Value(nullptr);
}

/// Builds the meshes of one model.
class BodyBuilder {
  public:
    BodyBuilder(core::Asset& asset, const Model& model, const Look& look, const BodySettings& settings,
                const core::Limits& limits, core::Diagnostics& diagnostics)
        : asset_(asset),
          model_(model),
          look_(look),
          settings_(settings),
          limits_(limits),
          surfaces_(model, look, limits, diagnostics) {}

    void run() {
        std::vector<core::Value> groups;
        for (std::size_t i = 0; i < model_.groups.size(); ++i)
            if (!model_.groups[i].damaged && !settings_.hidden.contains(static_cast<std::uint32_t>(i)))
                groups.emplace_back(addGroup(i));
        describe(std::move(groups));
    }

  private:
    /// The key of an output material. `number` is empty for faces without texture coordinates.
    struct MaterialKey {
        std::optional<std::uint8_t> number;
        Depth depth = Depth::stated;
        std::optional<std::uint8_t> blend;
        bool twoSided = false;

        friend auto operator<=>(const MaterialKey&, const MaterialKey&) = default;  // NOLINT: no pointer
    };

    [[nodiscard]] MaterialKey keyOf(const Face& face) const {
        MaterialKey key;
        key.blend = blendModeOf(face);
        key.twoSided = (face.flags & kTwoSided) != 0;
        if (layoutOf(face.kind).uv)
            std::tie(key.number, key.depth) = surfaces_.keyOf(face);
        return key;
    }

    [[nodiscard]] const Surface* surfaceOf(const MaterialKey& key) const {
        return key.number ? surfaces_.find({*key.number, key.depth}) : nullptr;
    }

    /// @return the group's entry in the character's properties
    core::Properties addGroup(std::size_t index) {
        const Group& group = model_.groups[index];
        const std::vector<std::uint8_t> bones = bonesByCounts(group);
        const core::Properties extras = {{"group", static_cast<std::uint32_t>(index)}, {"depth", int{group.depth}}};
        core::Mesh mesh{fmt::format("{}_group{}", settings_.name, index), {}, {{"ff9", extras}}};
        std::map<std::uint32_t, std::size_t> primitives;  // by material
        std::uint32_t triangles = 0;
        std::uint32_t skipped = 0;
        for (const Face& face : group.faces)
            for (const auto& corners : trianglesOf(layoutOf(face.kind).corners)) {
                if (isFlat(group, bones, face, corners)) {
                    ++skipped;
                    continue;
                }
                ++triangles;
                const MaterialKey key = keyOf(face);
                const std::uint32_t material = materialOf(key);
                const auto [place, isNew] = primitives.try_emplace(material, mesh.primitives.size());
                if (isNew)
                    mesh.primitives.push_back({material, {}, {}, {}, {}, {}, {}, {}});
                addTriangle(mesh.primitives[place->second], group, bones, face, corners, surfaceOf(key));
            }
        for (core::Primitive& primitive : mesh.primitives)
            if (std::all_of(primitive.colors.begin(), primitive.colors.end(),
                            [](const glm::vec4& color) { return color == glm::vec4(1); }))
                primitive.colors.clear();
        if (triangles > 0)
            asset_.meshes.push_back(std::move(mesh));
        return {{"group", static_cast<std::uint32_t>(index)},
                {"triangles", triangles},
                {"skipped", skipped},
                {"depth", int{group.depth}}};
    }

    /// True if two corners of a triangle coincide.
    static bool isFlat(const Group& group, const std::vector<std::uint8_t>& bones, const Face& face,
                       const std::array<std::size_t, 3>& corners) {
        const auto isSame = [&](std::size_t a, std::size_t b) {
            const std::uint16_t i = face.vertices[corners[a]];
            const std::uint16_t k = face.vertices[corners[b]];
            const Vertex& v = group.vertices[i];
            const Vertex& w = group.vertices[k];
            return bones[i] == bones[k] && v.x == w.x && v.y == w.y && v.z == w.z;
        };
        return isSame(0, 1) || isSame(1, 2) || isSame(2, 0);
    }

    void addTriangle(core::Primitive& primitive, const Group& group, const std::vector<std::uint8_t>& bones,
                     const Face& face, const std::array<std::size_t, 3>& corners, const Surface* surface) const {
        for (const std::size_t corner : corners) {
            const std::uint16_t index = face.vertices[corner];
            const Vertex& vertex = group.vertices[index];
            primitive.indices.push_back(static_cast<std::uint32_t>(primitive.positions.size()));
            primitive.positions.push_back(
                core::axes::fromYDown(glm::dvec3(vertex.x, vertex.y, vertex.z), settings_.scale));
            primitive.joints.push_back(bones[index]);
            primitive.colors.push_back(colorOf(group, face, corner, surface));
            if (surface != nullptr)
                primitive.textureCoordinates.push_back(coordinateOf(group, face, corner, *surface));
        }
    }

    [[nodiscard]] glm::vec2 coordinateOf(const Group& group, const Face& face, std::size_t corner,
                                         const Surface& surface) const {
        const auto place = surfaces_.source().placeOf(face.material, group.uv[face.uv[corner]]);
        return {glm::dvec2(place[0] - surface.origin[0], place[1] - surface.origin[1]) /
                glm::dvec2(surface.width, surface.height)};
    }

    static glm::vec4 colorOf(const Group& group, const Face& face, std::size_t corner, const Surface* surface) {
        const bool isTextured = surface != nullptr;
        const FaceLayout& layout = layoutOf(face.kind);
        std::array<std::uint8_t, 3> stored = face.rgb;
        if (layout.colors)
            std::copy_n(group.colors[face.colors[corner]].begin(), stored.size(), stored.begin());
        constexpr float kWithoutTexture = 0.5F;
        glm::vec4 color(1);
        for (glm::length_t channel = 0; channel < 3; ++channel) {
            const std::uint8_t value = stored[static_cast<std::size_t>(channel)];
            color[channel] = !layout.uv   ? core::linearFromSrgb(value)
                             : isTextured ? kFactors[value]
                                          : kFactors[value] * kWithoutTexture;
        }
        if (const auto blend = blendModeOf(face); blend && !isTextured)
            color.a = kColorAlpha[*blend];
        return color;
    }

    [[nodiscard]] static std::string endingOf(const MaterialKey& key) {
        return fmt::format("{}{}", key.blend ? kBlendNames[*key.blend] : "", key.twoSided ? "_double" : "");
    }

    std::uint32_t materialOf(const MaterialKey& key) {
        const auto [place, isNew] = materials_.try_emplace(key, static_cast<std::uint32_t>(asset_.materials.size()));
        if (!isNew)
            return place->second;
        const Surface* surface = surfaceOf(key);
        const char* depth = key.depth == Depth::deep ? "_deep" : "";
        core::Material& material = asset_.materials.emplace_back();
        material.name = (key.number ? fmt::format("material{}", *key.number) : "colors") + endingOf(key) + depth;
        if (surface != nullptr)
            material.image = imageFor(key, *surface);
        material.wrap = core::Wrap::clamp;
        material.unlit = !settings_.lit;
        material.alphaMode = key.blend                                   ? core::AlphaMode::blend
                             : surface != nullptr && surface->showsHoles ? core::AlphaMode::mask
                                                                         : core::AlphaMode::opaque;
        material.doubleSided = key.twoSided;
        const MaterialPlace* stored = key.number ? surfaces_.source().placeOf(*key.number) : nullptr;
        const auto word = [&](std::uint16_t MaterialPlace::*member) {
            return stored != nullptr ? core::Value(int{stored->*member}) : core::Value(nullptr);
        };
        const core::Properties extras = {{"material", valueOf(key.number)},
                                         {"page", word(&MaterialPlace::page)},
                                         {"clut", word(&MaterialPlace::clut)},
                                         {"blend", valueOf(key.blend)}};
        material.extras = {{"ff9", extras}};
        return place->second;
    }

    /// One image for each blend mode of a surface.
    std::uint32_t imageFor(MaterialKey key, const Surface& surface) {
        key.twoSided = false;
        const auto [place, isNew] = images_.try_emplace(key, static_cast<std::uint32_t>(asset_.images.size()));
        if (isNew) {
            imageBytes_ += 4 * surface.texels.size();
            core::requireMemory(surfaces_.memory() + imageBytes_, limits_, {"images", std::nullopt});
            asset_.images.push_back(imageOf(surface,
                                            fmt::format("{}_{}{}{}", settings_.name, *key.number, endingOf(key),
                                                        key.depth == Depth::deep ? "_deep" : ""),
                                            key.blend));
        }
        return place->second;
    }

    void describe(std::vector<core::Value> groups) {
        std::vector<core::Value> materials;
        std::set<std::uint8_t> described;
        for (const auto& [key, surface] : surfaces_.all()) {
            if (!described.insert(key.first).second)
                continue;
            core::Value textures = nullptr;
            core::Value rectangle = nullptr;
            if (surface) {
                textures = idsOf(*surface);
                rectangle =
                    std::vector<core::Value>{surface->origin[0], surface->origin[1], surface->width, surface->height};
            }
            materials.emplace_back(core::Properties{
                {"material", int{key.first}}, {"tim", std::move(textures)}, {"rect", std::move(rectangle)}});
        }
        const bool isByPlace = surfaces_.source().placement() == Placement::place;
        asset_.character = settings_.identity;
        asset_.character.emplace_back(
            "textures", look_.textures.empty() ? core::Value(nullptr) : core::Value(isByPlace ? "place" : "vram"));
        asset_.character.emplace_back("groups", std::move(groups));
        asset_.character.emplace_back("materials", std::move(materials));
    }

    /// Ids of the textures that a surface's texels come from, in file order and without duplicates.
    [[nodiscard]] core::Value idsOf(const Surface& surface) const {
        std::set<std::uint16_t> owners;
        for (const MaterialTexels::Texel& texel : surface.texels)
            if (texel.owner != 0)
                owners.insert(texel.owner);
        std::vector<core::Value> ids;
        ids.reserve(owners.size());
        for (const std::uint16_t owner : owners)
            ids.emplace_back(int{look_.textures[owner - 1U].id});
        return ids;
    }

    core::Asset& asset_;
    const Model& model_;
    const Look& look_;
    const BodySettings& settings_;
    const core::Limits& limits_;
    Surfaces surfaces_;
    std::map<MaterialKey, std::uint32_t> materials_;
    std::map<MaterialKey, std::uint32_t> images_;
    std::uint64_t imageBytes_ = 0;
};

}  // namespace

void addBody(core::Asset& asset, const Model& model, const Look& look, const BodySettings& settings,
             const core::Limits& limits, core::Diagnostics& diagnostics) {
    constexpr std::uint64_t kBytesPerTriangle = std::uint64_t{3} * (12 + 8 + 16 + 4 + 4);  // before vertices are shared
    std::uint64_t triangles = 0;
    for (const Group& group : model.groups)
        triangles += 2 * group.faces.size();
    const core::Limits rest =
        limits.holding(memoryOf(look.textures) + core::memoryOf(asset) + triangles * kBytesPerTriangle);
    core::requireMemory(0, rest, {"mesh_groups", std::nullopt});
    BodyBuilder(asset, model, look, settings, rest, diagnostics).run();
}

}  // namespace reanima::ff9
