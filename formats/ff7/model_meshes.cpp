#include "formats/ff7/model_meshes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "core/axes.h"
#include "core/linear_color.h"
#include "core/memory.h"
#include "core/text.h"
#include "formats/ff7/battle_clips.h"
#include "formats/ff7/materials.h"

namespace reanima::ff7 {

using core::Code;

namespace {

constexpr double kLiftPerLayer = 0.001;  ///< share of the body's height

/// A position in a piece, with 0 instead of -0.
using Spot = std::array<float, 3>;
/// The sorted corners of a triangle.
using Spots = std::array<Spot, 3>;
/// The number of overlapping textured triangles at each place of a bone.
using Layers = std::map<Spots, std::uint32_t>;

Spot spotOf(const Triple& vertex) { return {vertex[0] + 0.0F, vertex[1] + 0.0F, vertex[2] + 0.0F}; }

/// A triangle of a group, counter-clockwise.
struct Triangle {
    const Polygon* polygon = nullptr;
    std::array<std::uint32_t, 3> corners{};  ///< indices of the polygon's corners
    std::uint32_t layer = 0;                 ///< 0: no triangle is below it
    glm::vec3 normal{0};                     ///< normal of its face, in the output's axes
};

/// How many triangles of a group are drawn and skipped, and how many of the drawn ones are overlays.
struct GroupCounts {
    std::uint32_t triangles = 0;
    std::uint32_t skipped = 0;
    std::uint32_t overlays = 0;
};

glm::vec3 toVector(const Triple& triple) { return {triple[0], triple[1], triple[2]}; }

/// The unit vector of a direction. Empty if the direction has no length.
std::optional<glm::vec3> direction(const glm::dvec3& vector) {
    const double length = glm::length(vector);
    return length > 0 && std::isfinite(length) ? std::optional(glm::vec3(vector / length)) : std::nullopt;
}

/// The drawn triangles of one group.
class GroupTriangles {
  public:
    enum class Image { there, missing };

    GroupTriangles(const Piece& piece, const Group& group, const Layers& earlier, Image image)
        : piece_(piece), group_(group), image_(image) {
        for (std::uint32_t i = 0; i < group.polygonCount; ++i)
            add(piece.polygons[group.firstPolygon + i], earlier);
    }

    [[nodiscard]] const std::vector<Triangle>& triangles() const { return triangles_; }
    [[nodiscard]] const GroupCounts& counts() const { return counts_; }
    [[nodiscard]] const Triple& vertex(const Triangle& triangle, std::size_t corner) const {
        return piece_.vertices[group_.firstVertex + triangle.polygon->vertices[triangle.corners[corner]]];
    }
    /// Adds the layers of this group at each place of the bone.
    void addTo(Layers& layers) const {
        for (const auto& [spots, layer] : own_) {
            std::uint32_t& known = layers[spots];
            known = std::max(known, layer);
        }
    }
    /// The direction in which overlays are lifted at a corner: the mean normal of the faces that meet there.
    [[nodiscard]] glm::vec3 lift(const Triangle& triangle, std::size_t corner) const {
        const auto sum = normals_.find(spotOf(vertex(triangle, corner)));
        const std::optional<glm::vec3> mean = direction(sum->second);
        return mean.value_or(triangle.normal) * static_cast<float>(kLiftPerLayer * triangle.layer);
    }

  private:
    void add(const Polygon& polygon, const Layers& earlier) {
        Triangle triangle{&polygon, {0, 2, 1}, 0, {}};
        Spots spots = {spotOf(vertex(triangle, 0)), spotOf(vertex(triangle, 1)), spotOf(vertex(triangle, 2))};
        const auto normal = faceNormal(triangle);
        std::ranges::sort(spots);
        if (spots[0] == spots[1] || spots[1] == spots[2]) {
            ++counts_.skipped;
            return;
        }
        triangle.normal = normal;
        const auto below = group_.textured != 0 ? earlier.find(spots) : earlier.end();
        if (below != earlier.end()) {
            if (image_ == Image::missing) {
                ++counts_.skipped;
                return;
            }
            ++counts_.overlays;
            triangle.layer = below->second + 1;
            for (std::size_t corner = 0; corner < 3; ++corner)
                normals_[spotOf(vertex(triangle, corner))] += glm::dvec3(normal);
        }
        std::uint32_t& own = own_[spots];
        own = std::max(own, triangle.layer);
        ++counts_.triangles;
        triangles_.push_back(triangle);
    }

    /// The normal of a face. If the corners lie on one line, the normal is arbitrary.
    [[nodiscard]] glm::vec3 faceNormal(const Triangle& triangle) const {
        const glm::dvec3 a(toVector(vertex(triangle, 0)));
        const glm::dvec3 b(toVector(vertex(triangle, 1)));
        const glm::dvec3 c(toVector(vertex(triangle, 2)));
        return core::axes::fromYDown(direction(glm::cross(b - a, c - a)).value_or(glm::vec3(0, 1, 0)));
    }

    const Piece& piece_;
    const Group& group_;
    Image image_;
    std::vector<Triangle> triangles_;
    Layers own_;
    std::map<Spot, glm::dvec3> normals_;  ///< normals of overlays, summed at shared corners
    GroupCounts counts_;
};

/// Adds pieces to a mesh.
class MeshBuilder {
  public:
    MeshBuilder(core::Mesh& mesh, Materials& materials, const MeshSettings& settings, Context& context)
        : mesh_(mesh), materials_(materials), settings_(settings), context_(context) {}

    /// @param joint the joint of the piece; empty without a skeleton
    /// @return facts about the piece, for the extras
    core::Properties add(const ModelPiece& part, std::optional<std::uint32_t> joint, const std::string& jointName,
                         Layers& layers) {
        part_ = &part;
        joint_ = joint;
        std::vector<core::Value> groups;
        for (std::size_t i = 0; i < part.piece->groups.size(); ++i)
            groups.emplace_back(addGroup(i, layers));
        return {{"file", core::validUtf8(part.file)},
                {"joint", jointName},
                {"resource", part.resource.empty() ? core::Value() : core::Value(core::validUtf8(part.resource))},
                {"groups", std::move(groups)}};
    }

    /// Extends the lists of lifts to all vertices of their primitives.
    void finish() {
        for (core::Primitive& primitive : mesh_.primitives)
            if (!primitive.lifts.empty())
                primitive.lifts.resize(primitive.positions.size(), glm::vec3(0));
    }

  private:
    core::Properties addGroup(std::size_t index, Layers& layers) {
        const Piece& piece = *part_->piece;
        const Group& group = piece.groups[index];
        const bool hasState = index < piece.renderStates.size();
        const RenderState state = hasState ? piece.renderStates[index] : RenderState{};
        const std::optional<std::size_t> texture = textureOf(index, hasState ? &state : nullptr);
        const GroupTriangles triangles(piece, group, layers,
                                       texture ? GroupTriangles::Image::there : GroupTriangles::Image::missing);
        triangles.addTo(layers);
        if (!triangles.triangles().empty())
            addTriangles(triangles, group, state,
                         materials_.of({texture, blendOf(state), isDoubleSided(state), isUnlit(state)}));
        std::vector<core::Value> words;
        describe([&words](std::string_view, std::uint32_t word) { words.emplace_back(word); }, state);
        return {{"index", static_cast<std::uint32_t>(index)},
                {"triangles", triangles.counts().triangles},
                {"skipped", triangles.counts().skipped},
                {"overlays", triangles.counts().overlays},
                {"texture", group.textured != 0 ? core::Value(group.texture) : core::Value()},
                {"render_state", hasState ? core::Value(std::move(words)) : core::Value()}};
    }

    /// The texture of a group, if it has one and the texture exists. Warns about texture numbers that don't exist.
    std::optional<std::size_t> textureOf(std::size_t index, const RenderState* state) {
        const Group& group = part_->piece->groups[index];
        const auto warn = [&](Code code, std::string_view field, std::string text) {
            context_.diagnostics.warn(code, {fmt::format("groups[{}].{}", index, field), std::nullopt},
                                      std::move(text));
        };
        if (state != nullptr && blendFlag(*state) != blendOf(*state).has_value())
            warn(Code::countMismatch, "render_state",
                 fmt::format("has blend mode {}, but its blending bit is {}; the mode is used", state->blendMode,
                             blendFlag(*state) ? "set" : "not set"));
        if (group.textured == 0)
            return std::nullopt;
        if (state != nullptr && state->texture != group.texture)
            warn(Code::countMismatch, "texture",
                 fmt::format("is {}, but the render state names texture {}; the texture of the group is used",
                             group.texture, state->texture));
        if (group.texture >= part_->textures.size()) {
            if (part_->hasList)
                warn(Code::textureNumber, "texture",
                     fmt::format("is {}, but the model has {} textures; the group is drawn without a texture",
                                 group.texture, part_->textures.size()));
            else
                warn(Code::missingFile, "texture",
                     fmt::format("is {}, but only the model states the file of this texture; the group is drawn "
                                 "without a texture",
                                 group.texture));
            return std::nullopt;
        }
        const std::optional<std::size_t> texture = part_->textures[group.texture];
        return texture && materials_.isThere(*texture) ? texture : std::nullopt;
    }

    [[nodiscard]] bool isUnlit(const RenderState& state) const {
        using Lighting = MeshSettings::Lighting;
        if (settings_.lighting == Lighting::field)
            return state.shadeMode == 1;
        return settings_.lighting != Lighting::lit;
    }

    /// Battle meshes neither have nor need normals.
    [[nodiscard]] bool needsNormals(const RenderState& state) const {
        return !isUnlit(state) || !part_->piece->normals.empty();
    }

    /// A piece without its model keeps its texture coordinates, although its textures are unknown.
    [[nodiscard]] bool needsCoordinates(std::uint32_t material, const Group& group) const {
        return materials_.hasImage(material) || (group.textured != 0 && !part_->hasList);
    }

    void addTriangles(const GroupTriangles& triangles, const Group& group, const RenderState& state,
                      std::uint32_t material) {
        core::Primitive& primitive = primitiveOf(material, group, state);
        const bool isMapped = needsCoordinates(material, group);
        const float alpha = vertexAlphaOf(state);
        for (const Triangle& triangle : triangles.triangles())
            for (std::size_t corner = 0; corner < 3; ++corner) {
                primitive.indices.push_back(static_cast<std::uint32_t>(primitive.positions.size()));
                const glm::dvec3 place(toVector(triangles.vertex(triangle, corner)));
                primitive.positions.push_back(core::axes::fromYDown(place, settings_.scale));
                if (joint_)
                    primitive.joints.push_back(*joint_);
                primitive.colors.push_back(colorOf(triangle, corner, group, alpha));
                if (isMapped)
                    primitive.textureCoordinates.push_back(coordinatesOf(triangle, corner, group));
                if (needsNormals(state))
                    primitive.normals.push_back(normalOf(triangle, corner));
                if (triangle.layer > 0) {
                    primitive.lifts.resize(primitive.positions.size() - 1, glm::vec3(0));
                    primitive.lifts.push_back(triangles.lift(triangle, corner));
                }
            }
    }

    /// Either all vertices of a primitive have normals, or none has. The same holds for texture coordinates.
    core::Primitive& primitiveOf(std::uint32_t material, const Group& group, const RenderState& state) {
        const auto [known, isNew] = primitives_.try_emplace(
            {material, needsNormals(state), needsCoordinates(material, group)}, mesh_.primitives.size());
        if (isNew)
            mesh_.primitives.emplace_back().material = material;
        return mesh_.primitives[known->second];
    }

    [[nodiscard]] glm::vec4 colorOf(const Triangle& triangle, std::size_t corner, const Group& group,
                                    float alpha) const {
        const std::size_t vertex = group.firstVertex + triangle.polygon->vertices[triangle.corners[corner]];
        if (vertex >= part_->piece->vertexColors.size())
            return {1, 1, 1, alpha};
        const StoredColor& color = part_->piece->vertexColors[vertex];
        return {core::linearFromSrgb(color[2]), core::linearFromSrgb(color[1]), core::linearFromSrgb(color[0]), alpha};
    }

    [[nodiscard]] glm::vec2 coordinatesOf(const Triangle& triangle, std::size_t corner, const Group& group) const {
        const std::uint64_t index =
            std::uint64_t{group.firstTextureCoordinate} + triangle.polygon->vertices[triangle.corners[corner]];
        if (index >= part_->piece->textureCoordinates.size())
            return {0, 0};
        const Pair& pair = part_->piece->textureCoordinates[static_cast<std::size_t>(index)];
        return {pair[0], pair[1]};
    }

    /// The stored normal or, without one, the normal of the face.
    [[nodiscard]] glm::vec3 normalOf(const Triangle& triangle, std::size_t corner) const {
        const std::vector<Triple>& normals = part_->piece->normals;
        const std::size_t index = triangle.polygon->normals[triangle.corners[corner]];
        const std::optional<glm::vec3> stored =
            index < normals.size() ? direction(glm::dvec3(toVector(normals[index]))) : std::nullopt;
        return stored ? core::axes::fromYDown(*stored) : triangle.normal;
    }

    core::Mesh& mesh_;
    Materials& materials_;
    const MeshSettings& settings_;
    Context& context_;
    /// Primitives by material, and by whether their vertices have normals and texture coordinates.
    std::map<std::tuple<std::uint32_t, bool, bool>, std::size_t> primitives_;
    const ModelPiece* part_ = nullptr;
    std::optional<std::uint32_t> joint_;
};

/// Call this before memory is reserved. Counts the corners of all triangles, before equal ones are merged.
void requireMemoryFor(const ModelParts& parts, Context& context) {
    constexpr std::uint64_t kCorner = sizeof(glm::vec3) * 3 + sizeof(glm::vec2) + sizeof(glm::vec4) + 2 * sizeof(int);
    constexpr std::uint64_t kTriangle = sizeof(Triangle) + 3 * kCorner * 2 + 4 * sizeof(Spots);
    core::MemoryCount memory(context.limits, "meshes");
    for (const std::vector<ModelPiece>* list : {&parts.body, &parts.weapons})
        for (const ModelPiece& part : *list)
            for (const Group& group : part.piece->groups)
                memory.add(group.polygonCount * kTriangle);
    for (const ModelTexture& texture : parts.textures)
        if (texture.texture)
            memory.add(4 * sizesOf(texture.texture->header).texels);
}

core::Value listOfTextures(const ModelParts& parts) {
    std::vector<core::Value> textures;
    for (const ModelTexture& texture : parts.textures)
        if (texture.texture)
            textures.emplace_back(core::Properties{{"file", core::validUtf8(texture.file)},
                                                   {"image", texture.image},
                                                   {"palettes", palettesOf(*texture.texture)}});
    return textures;
}

core::Value listOfMissing(const ModelParts& parts) {
    std::vector<core::Value> missing;
    for (const std::string& name : parts.missing)
        missing.emplace_back(core::validUtf8(name));
    return missing;
}

}  // namespace

std::uint32_t weaponJoint(core::Skeleton& skeleton) {
    if (const std::optional<std::uint32_t> known = skeleton.find(kWeaponJoint))
        return *known;
    skeleton.joints.emplace_back().name = kWeaponJoint;
    return static_cast<std::uint32_t>(skeleton.joints.size() - 1);
}

void addMeshes(core::Asset& asset, const ModelParts& parts, const std::string& body, const MeshSettings& settings,
               Context& context) {
    requireMemoryFor(parts, context);
    Materials materials(parts.textures, settings.stem, settings.filter);
    std::map<std::uint32_t, Layers> layers;  // per joint
    const bool isRigid = !asset.skeleton;
    const bool hasBones = asset.skeleton && asset.skeleton->joints.size() > 1;
    std::vector<core::Value> all;
    const auto extras = [&](std::vector<core::Value> pieces) {
        return core::Properties{
            {"pieces", std::move(pieces)}, {"textures", listOfTextures(parts)}, {"missing", listOfMissing(parts)}};
    };
    const auto addMesh = [&](std::span<const ModelPiece> pieces, const std::string& name, const auto& jointOf) {
        core::Mesh mesh;
        mesh.name = name;
        MeshBuilder builder(mesh, materials, settings, context);
        std::vector<core::Value> values;
        for (const ModelPiece& piece : pieces) {
            const auto about = context.diagnostics.about(piece.shownName);
            const std::uint32_t joint = jointOf(piece);
            values.emplace_back(builder.add(piece, isRigid ? std::nullopt : std::optional(joint),
                                            isRigid ? std::string() : asset.skeleton->joints[joint].name,
                                            layers[joint]));
        }
        builder.finish();
        all.insert(all.end(), values.begin(), values.end());
        mesh.extras = {{"ff7", extras(std::move(values))}};
        asset.meshes.push_back(std::move(mesh));
    };
    if (!parts.body.empty())
        addMesh(parts.body, body, [&](const ModelPiece& piece) { return hasBones ? piece.bone + 1 : 0; });
    if (!parts.weapons.empty()) {
        const std::uint32_t joint = weaponJoint(*asset.skeleton);
        for (const ModelPiece& weapon : parts.weapons) {
            layers.erase(joint);  // weapons replace each other, so they never overlap
            addMesh({&weapon, 1}, core::validUtf8(core::stemOf(weapon.file)), [&](const ModelPiece&) { return joint; });
        }
    }
    asset.character = extras(std::move(all));
    materials.moveTo(asset);
}

}  // namespace reanima::ff7
