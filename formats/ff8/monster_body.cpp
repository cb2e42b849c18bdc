#include "formats/ff8/monster_body.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/axes.h"

namespace reanima::ff8 {

namespace {

using Corners = std::array<std::size_t, 3>;

/// The triangles of a face, counter-clockwise seen from the front in glTF's axes. The game's faces are clockwise, and
/// the corners of its quads are in the order of a Z.
std::vector<Corners> trianglesOf(const Face& face) {
    if (face.corners == 3)
        return {{0, 2, 1}};
    return {{0, 2, 1}, {2, 3, 1}};
}

class BodyBuilder {
  public:
    BodyBuilder(core::Asset& asset, const std::vector<Object>& objects, const Textures& textures,
                const BodySettings& settings, const core::Limits& limits)
        : asset_(asset), objects_(objects), textures_(textures), settings_(settings), limits_(limits) {}

    void run(core::Diagnostics& diagnostics) {
        for (const Object& object : objects_)
            survey(object);
        if (withoutTexture_ > 0)
            diagnostics.warn(core::Code::textureOutside, {"mesh", std::nullopt},
                             fmt::format("{} faces show an area outside every texture and are drawn without a texture",
                                         withoutTexture_));
        std::vector<core::Value> groups;
        for (std::size_t i = 0; i < objects_.size(); ++i)
            if (!settings_.hidden.contains(static_cast<std::uint32_t>(i)))
                groups.emplace_back(addObject(i));
        asset_.character.emplace_back("groups", std::move(groups));
    }

  private:
    using Shown = std::optional<Textures::Shown>;
    /// The picture that faces show; empty for faces without a texture.
    using Key = std::optional<PictureKey>;

    [[nodiscard]] Key keyOf(const Shown& shown) const { return shown ? Key(shown->picture) : Key(); }

    /// Records which texels the faces of an object show.
    void survey(const Object& object) {
        for (const Face& face : object.faces) {
            if (!face.isDrawn())
                continue;
            const Shown shown = textures_.shownBy(face);
            if (!shown) {
                ++withoutTexture_;
                continue;
            }
            const auto [place, isNew] = texels_.try_emplace(shown->picture);
            if (isNew)
                core::requireMemory(texels_.size() * sizeof(psx::ShownTexels), limits_, {"textures", std::nullopt});
            for (const Corners& c : trianglesOf(face))
                place->second.add({shown->corners[c[0]], shown->corners[c[1]], shown->corners[c[2]]});
        }
    }

    /// @return the object's entry in the character's properties
    core::Properties addObject(std::size_t index) {
        const Object& object = objects_[index];
        const core::Properties extras = {{"object", static_cast<std::uint32_t>(index)}};
        core::Mesh mesh{fmt::format("{}_object{}", settings_.stem, index), {}, {{"ff8", extras}}};
        std::map<std::uint32_t, std::size_t> primitives;  // by material
        std::uint32_t triangles = 0;
        for (const Face& face : object.faces) {
            if (!face.isDrawn())
                continue;
            const Shown shown = textures_.shownBy(face);
            const std::uint32_t material = materialOf(keyOf(shown));
            const auto [place, isNew] = primitives.try_emplace(material, mesh.primitives.size());
            if (isNew)
                mesh.primitives.push_back({material, {}, {}, {}, {}, {}, {}, {}});
            for (const Corners& corners : trianglesOf(face)) {
                ++triangles;
                addTriangle(mesh.primitives[place->second], object, face, corners, shown);
            }
        }
        if (triangles > 0)
            asset_.meshes.push_back(std::move(mesh));
        return {{"group", static_cast<std::uint32_t>(index)}, {"triangles", triangles}};
    }

    void addTriangle(core::Primitive& primitive, const Object& object, const Face& face, const Corners& corners,
                     const Shown& shown) const {
        constexpr float kWithoutTexture = 0.5F;
        for (const std::size_t corner : corners) {
            const Vertex& vertex = object.vertices[face.vertices[corner]];
            const auto& [x, y, z] = vertex.place;
            primitive.indices.push_back(static_cast<std::uint32_t>(primitive.positions.size()));
            primitive.positions.push_back(core::axes::fromYDown(glm::dvec3(x, y, z), settings_.unit));
            primitive.joints.push_back(vertex.bone);
            if (!shown) {
                primitive.colors.emplace_back(kWithoutTexture, kWithoutTexture, kWithoutTexture, 1);
                continue;
            }
            const auto [width, height] = textures_.sizeOf(shown->picture);
            const psx::PagePlace& texel = shown->corners[corner];
            primitive.textureCoordinates.emplace_back(glm::dvec2(texel[0], texel[1]) / glm::dvec2(width, height));
        }
    }

    std::uint32_t materialOf(const Key& key) {
        const auto [place, isNew] = materials_.try_emplace(key, static_cast<std::uint32_t>(asset_.materials.size()));
        if (!isNew)
            return place->second;
        core::Material& material = asset_.materials.emplace_back();
        material.name = "untextured";
        material.wrap = core::Wrap::clamp;
        material.unlit = !settings_.lit;
        if (!key)
            return place->second;
        const std::size_t number = asset_.images.size();
        material.name = fmt::format("texture{}", number);
        material.image = static_cast<std::uint32_t>(number);
        const core::Properties extras = {{"texture", static_cast<std::uint32_t>(key->texture)},
                                         {"clut", int{key->clut}}};
        material.extras = {{"ff8", extras}};
        const bool showsHoles = addImage(*key, fmt::format("{}_{}", settings_.stem, number));
        material.alphaMode = showsHoles ? core::AlphaMode::mask : core::AlphaMode::opaque;
        return place->second;
    }

    /// @return true if a face shows a transparent texel of the image
    bool addImage(const PictureKey& key, std::string name) {
        const auto [width, height] = textures_.sizeOf(key);
        imageBytes_ += std::uint64_t{4} * width * height;
        core::requireMemory(imageBytes_, limits_, {"images", std::nullopt});
        core::Image& image = asset_.images.emplace_back(core::Image{std::move(name), width, height, {}});
        const psx::ShownTexels& texels = texels_.at(key);
        bool showsHoles = false;
        for (std::uint32_t y = 0; y < height; ++y)
            for (std::uint32_t x = 0; x < width; ++x) {
                const std::uint16_t color = textures_.texel(key, x, y);
                psx::appendColor(image.rgba, color, color == 0 ? 0 : 255);
                showsHoles = showsHoles || (color == 0 && texels.has(x, y));
            }
        return showsHoles;
    }

    core::Asset& asset_;
    const std::vector<Object>& objects_;
    const Textures& textures_;
    const BodySettings& settings_;
    const core::Limits& limits_;
    std::map<PictureKey, psx::ShownTexels> texels_;
    std::map<Key, std::uint32_t> materials_;
    std::size_t withoutTexture_ = 0;
    std::uint64_t imageBytes_ = 0;
};

}  // namespace

void addBody(core::Asset& asset, const std::vector<Object>& objects, const Textures& textures,
             const BodySettings& settings, const core::Limits& limits, core::Diagnostics& diagnostics) {
    BodyBuilder(asset, objects, textures, settings, limits).run(diagnostics);
}

}  // namespace reanima::ff8
