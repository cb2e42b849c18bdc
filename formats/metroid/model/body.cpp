#include "formats/metroid/model/body.h"

#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glm/geometric.hpp>

#include "core/axes.h"
#include "core/linear_color.h"
#include "core/pose.h"
#include "formats/metroid/model/display_list.h"

namespace reanima::metroid {

namespace {

using core::Code;
using core::DecodeError;

/// The joints that the vertices of a model follow.
class SkinnedPositions {
  public:
    /// @throws DecodeError for bones that the skeleton lacks, or for more positions than the model has
    SkinnedPositions(const Cskr& skin, const core::Skeleton& skeleton, const Cmdl& model) {
        if (const std::uint64_t covered = verticesOf(skin); covered > model.positions.size())
            throw DecodeError({"groups", std::nullopt},
                              fmt::format("cover {} positions, but the model has {}", covered, model.positions.size()));
        for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint)
            if (skeleton.joints[joint].id)
                joints_.try_emplace(*skeleton.joints[joint].id, joint);
        for (const core::Joint& joint : skeleton.joints)
            binds_.emplace_back(joint.bind ? glm::dvec3((*joint.bind)[3]) : glm::dvec3(0));
        for (std::size_t i = 0; i < skin.groups.size(); ++i) {
            groups_.push_back(followedBy(skin.groups[i], i));
            groupOf_.insert(groupOf_.end(), skin.groups[i].vertices, static_cast<std::uint32_t>(i));
        }
    }

    /// @throws DecodeError for a position that no group covers
    void require(std::uint16_t index) const {
        if (index >= groupOf_.size())
            throw DecodeError(
                {"groups", std::nullopt},
                fmt::format("cover {} positions, but the model uses position {}", groupOf_.size(), index));
    }

    /// Adds the joints of a vertex.
    void add(core::Primitive& primitive, std::uint16_t index, const glm::vec3& position) const {
        require(index);
        const std::vector<Followed>& group = groups_[groupOf_[index]];
        const auto within = [&](std::uint32_t joint) { return glm::vec3(glm::dvec3(position) - binds_[joint]); };
        primitive.joints.push_back(group.front().joint);
        primitive.positions.push_back(within(group.front().joint));
        core::Influences& others = primitive.others.emplace_back();
        for (std::size_t i = 1; i < group.size(); ++i)
            others.at(i - 1) = {group[i].joint, group[i].weight, within(group[i].joint)};
    }

  private:
    struct Followed {
        std::uint32_t joint;
        float weight;
    };

    /// The weights that the game uses: the first of a group, scaled so that their sum is 1.
    std::vector<Followed> followedBy(const SkinGroup& group, std::size_t index) const {
        std::vector<std::pair<std::uint32_t, double>> weights;
        double sum = 0;
        for (std::size_t i = 0; i < std::min(kMostSkinWeights, group.weights.size()); ++i) {
            const auto joint = joints_.find(group.weights[i].bone);
            if (joint == joints_.end())
                throw DecodeError({fmt::format("groups[{}].weights[{}].bone", index, i), std::nullopt},
                                  fmt::format("is {}, but the skeleton has no such bone", group.weights[i].bone));
            const auto weight = static_cast<double>(group.weights[i].weight);
            const auto known = std::ranges::find(weights, joint->second, &std::pair<std::uint32_t, double>::first);
            if (known != weights.end())
                known->second += weight;
            else
                weights.emplace_back(joint->second, weight);
            sum += weight;
        }
        std::vector<Followed> followed;
        float left = 1;  // the sum of rounded shares may exceed 1
        for (const auto& [joint, weight] : weights)
            if (weight > 0) {
                followed.push_back({joint, std::min(static_cast<float>(weight / sum), left)});
                left -= followed.size() > 1 ? followed.back().weight : 0;
            }
        if (followed.empty())
            followed.push_back({weights.front().first, 1});
        return followed;
    }

    std::unordered_map<std::uint32_t, std::uint32_t> joints_;  // index of a joint by the id of its bone
    std::vector<glm::dvec3> binds_;
    std::vector<std::vector<Followed>> groups_;
    std::vector<std::uint32_t> groupOf_;  // per position: index of its group
};

/// The images of a model: one for each texture.
class Images {
  public:
    Images(core::Asset& asset, const FindTexture& find, Rows rows, const core::Limits& limits,
           core::Diagnostics& diagnostics)
        : asset_(asset), find_(find), rows_(rows), limits_(limits), diagnostics_(diagnostics) {}

    /// The index of the image of a texture. Empty if the texture is missing or damaged.
    std::optional<std::uint32_t> of(std::uint32_t id) {
        const auto [known, isNew] = known_.try_emplace(id);
        if (isNew)
            known->second = add(id);
        return known->second;
    }

    /// The console's graphics hardware repeats only textures whose sides are powers of two.
    [[nodiscard]] core::Wrap wrapOf(std::uint32_t image) const {
        const core::Image& shown = asset_.images[image];
        return std::has_single_bit(shown.width) && std::has_single_bit(shown.height) ? core::Wrap::repeat
                                                                                     : core::Wrap::clamp;
    }

    /// The character's properties about textures.
    [[nodiscard]] std::vector<core::Value> takeList() { return std::move(list_); }

  private:
    std::optional<std::uint32_t> add(std::uint32_t id) {
        const std::shared_ptr<const Txtr> txtr = find_(id);
        if (!txtr)
            return std::nullopt;
        const std::string name = fmt::format("{:08X}", id);
        const auto about = diagnostics_.about(name + ".TXTR");
        core::Image image = imageOf(*txtr, rows_, limits_, diagnostics_);
        limits_ = limits_.holding(image.rgba.size());
        image.name = name;
        list_.emplace_back(core::Properties{{"id", id},
                                            {"format", std::string(nameOf(txtr->format))},
                                            {"width", std::uint32_t{txtr->width}},
                                            {"height", std::uint32_t{txtr->height}}});
        asset_.images.push_back(std::move(image));
        return static_cast<std::uint32_t>(asset_.images.size() - 1);
    }

    core::Asset& asset_;
    const FindTexture& find_;
    Rows rows_;
    core::Limits limits_;
    core::Diagnostics& diagnostics_;
    std::map<std::uint32_t, std::optional<std::uint32_t>> known_;
    std::vector<core::Value> list_;
};

core::Value valueOf(const std::optional<ShownTexture>& texture) {
    return texture ? core::Value(texture->id) : core::Value(nullptr);
}

core::Properties extrasOf(const CmdlMaterial& material, std::uint32_t index, const MaterialSet& set,
                          const MaterialLook& look) {
    std::vector<core::Value> textures;
    for (const std::uint32_t texture : material.textures)
        textures.emplace_back(set.textures[texture]);
    core::Value konst = nullptr;
    if ((material.flags & kHasKonst) != 0) {
        std::vector<core::Value> colors;
        for (const auto& [red, green, blue, alpha] : material.konst)
            colors.emplace_back(std::vector<core::Value>{int{red}, int{green}, int{blue}, int{alpha}});
        konst = std::move(colors);
    }
    std::vector<core::Value> animations;
    for (const UvAnimation& animation : material.animations)
        animations.emplace_back(animation.type);
    std::vector<core::Value> notShown;
    for (const std::string& word : look.notShown)
        notShown.emplace_back(word);
    const core::Properties extras = {
        {"material", index},
        {"flags", material.flags},
        {"blend", std::vector<core::Value>{int{material.source}, int{material.destination}}},
        {"base", valueOf(look.base)},
        {"emissive", valueOf(look.emissive)},
        {"textures", std::move(textures)},
        {"konst", std::move(konst)},
        {"animations", std::move(animations)},
        {"not_shown", std::move(notShown)}};
    return {{"metroid", extras}};
}

class BodyBuilder {
  public:
    BodyBuilder(core::Asset& asset, const Cmdl& model, const Cskr* skin, const FindTexture& textures,
                const BodySettings& settings, const core::Limits& limits, core::Diagnostics& diagnostics)
        : asset_(asset),
          model_(model),
          settings_(settings),
          set_(model.sets[settings.set]),
          diagnostics_(diagnostics),
          images_(asset, textures, settings.rows, limits, diagnostics) {
        if (skin != nullptr)
            skin_.emplace(*skin, *asset.skeleton, model);
    }

    void run() {
        for (const CmdlSurface& surface : model_.surfaces)
            addSurface(surface);
        if (!mesh_.primitives.empty()) {
            mesh_.name = settings_.name;
            asset_.meshes.push_back(std::move(mesh_));
        }
        note();
        describe();
    }

  private:
    /// A visible material, with its texture coordinates.
    struct Shown {
        MaterialLook look;
        std::size_t primitive = 0;
        std::optional<std::size_t> uv;          ///< index of TEXCOORD_0
        std::optional<std::size_t> emissiveUv;  ///< index for the emissive texture, if different
    };

    void addSurface(const CmdlSurface& surface) {
        const CmdlMaterial& material = set_.materials[surface.material];
        const VertexLayout layout(material.vertexWord);
        for (const DrawCall& call : surface.calls) {
            const auto triangles = trianglesOf(call);
            if ((material.flags & kShadowCaster) != 0 || triangles.empty()) {
                skipped_ += static_cast<std::uint32_t>(std::max<std::size_t>(triangles.size(), 1));
                continue;
            }
            const std::uint16_t* numbers = surface.numbers.data() + call.first;
            const auto positionOf = [&](std::uint32_t vertex) {
                return numbers[vertex * layout.numbers + layout.places[VertexLayout::position]];
            };
            std::vector<std::array<std::uint32_t, 3>> drawn;
            for (const std::array<std::uint32_t, 3>& triangle : triangles) {
                const auto [a, b, c] = triangle;
                if (positionOf(a) == positionOf(b) || positionOf(b) == positionOf(c) || positionOf(c) == positionOf(a))
                    ++skipped_;
                else
                    drawn.push_back(triangle);
            }
            if (!drawn.empty())
                addTriangles(surface.material, layout, numbers, call.vertices, drawn);
        }
    }

    void addTriangles(std::uint32_t material, const VertexLayout& layout, const std::uint16_t* numbers,
                      std::uint16_t vertices, const std::vector<std::array<std::uint32_t, 3>>& triangles) {
        const Shown& shown = shownOf(material);
        core::Primitive& primitive = mesh_.primitives[shown.primitive];
        const auto first = static_cast<std::uint32_t>(primitive.positions.size());
        for (std::uint16_t vertex = 0; vertex < vertices; ++vertex)
            addVertex(primitive, shown, set_.materials[material], layout, numbers + vertex * layout.numbers);
        for (const std::array<std::uint32_t, 3>& triangle : triangles)
            for (const std::uint32_t corner : triangle)
                primitive.indices.push_back(first + corner);
        triangles_ += static_cast<std::uint32_t>(triangles.size());
    }

    void addVertex(core::Primitive& primitive, const Shown& shown, const CmdlMaterial& material,
                   const VertexLayout& layout, const std::uint16_t* numbers) {
        const auto index = [&](std::size_t field) { return numbers[layout.places[field]]; };
        const std::uint16_t place = index(VertexLayout::position);
        const std::array<float, 3>& p = model_.positions[place];
        const glm::vec3 position = core::axes::fromZUp(glm::dvec3(p[0], p[1], p[2]), settings_.scale);
        if (skin_)
            skin_->add(primitive, place, position);
        else
            primitive.positions.push_back(position);
        if (layout.has(VertexLayout::normal))
            primitive.normals.push_back(normalOf(index(VertexLayout::normal)));
        if (layout.has(VertexLayout::color0))
            primitive.colors.push_back(colorOf(index(VertexLayout::color0)));
        const auto uv = [&](std::size_t set) {
            const bool isShort = set == 0 && (material.flags & kShortUv) != 0;
            return coordinateOf(index(VertexLayout::uv0 + set), isShort);
        };
        if (shown.uv)
            primitive.textureCoordinates.push_back(uv(*shown.uv));
        if (shown.emissiveUv)
            primitive.emissiveCoordinates.push_back(uv(*shown.emissiveUv));
    }

    [[nodiscard]] glm::vec3 normalOf(std::uint16_t index) const {
        constexpr double kOne = 16384;
        glm::dvec3 normal(0);
        if ((model_.flags & kShortNormals) != 0) {
            const std::array<std::int16_t, 3>& n = model_.shortNormals[index];
            normal = glm::dvec3(n[0], n[1], n[2]) / kOne;
        } else {
            const std::array<float, 3>& n = model_.normals[index];
            normal = glm::dvec3(n[0], n[1], n[2]);
        }
        const double length = glm::length(normal);
        return length > 0 ? core::axes::fromZUp(glm::vec3(normal / length)) : glm::vec3(0, 1, 0);
    }

    [[nodiscard]] glm::vec4 colorOf(std::uint16_t index) const {
        constexpr float kWhole = 255;
        const std::array<std::uint8_t, 4>& c = model_.colors[index];
        return {core::linearFromSrgb(c[0]), core::linearFromSrgb(c[1]), core::linearFromSrgb(c[2]),
                static_cast<float>(c[3]) / kWhole};
    }

    [[nodiscard]] glm::vec2 coordinateOf(std::uint16_t index, bool isShort) const {
        constexpr float kOne = 32768;
        glm::vec2 uv(0);
        if (isShort)
            uv = glm::vec2(model_.shortUv[index][0], model_.shortUv[index][1]) / kOne;
        else
            uv = {model_.uv[index][0], model_.uv[index][1]};
        return settings_.rows == Rows::bottomUp ? glm::vec2(uv.x, 1 - uv.y) : uv;
    }

    Shown& shownOf(std::uint32_t index) {
        const auto [known, isNew] = shown_.try_emplace(index);
        Shown& shown = known->second;
        if (!isNew)
            return shown;
        const CmdlMaterial& stored = set_.materials[index];
        shown.look = lookOf(stored, set_, settings_.lighting);
        const MaterialLook& look = shown.look;
        core::Material material;
        material.name = fmt::format("material{}", index);
        material.filter = settings_.filter;
        material.factor = look.factor;
        material.alphaMode = look.alphaMode;
        material.alphaCutoff = look.alphaCutoff;
        material.unlit = settings_.lighting == Lighting::unlit;
        if (look.base)
            material.image = images_.of(look.base->id);
        if (look.emissive && settings_.lighting == Lighting::lit)
            material.emissive = images_.of(look.emissive->id);
        if (material.image) {
            material.wrap = images_.wrapOf(*material.image);
            shown.uv = look.base->uv;
        }
        if (material.emissive) {
            material.emissiveWrap = images_.wrapOf(*material.emissive);
            if (!shown.uv)
                shown.uv = look.emissive->uv;
            else if (*shown.uv != look.emissive->uv)
                shown.emissiveUv = look.emissive->uv;
        }
        material.extras = extrasOf(stored, index, set_, look);
        shown.primitive = mesh_.primitives.size();
        mesh_.primitives.emplace_back().material = static_cast<std::uint32_t>(asset_.materials.size());
        asset_.materials.push_back(std::move(material));
        return shown;
    }

    /// Gives notes about valid parts that look different in the game.
    void note() const {
        std::map<std::string, std::vector<std::uint32_t>> notShown;
        std::vector<std::uint32_t> bare;
        for (const auto& [index, shown] : shown_) {
            for (const std::string& word : shown.look.notShown)
                notShown[word].push_back(index);
            if (!shown.look.base)
                bare.push_back(index);
        }
        for (const auto& [word, materials] : notShown)
            diagnostics_.note(
                Code::ignored, {"materials", std::nullopt},
                fmt::format("{}: drawn by the game, but not in the output: {}", fmt::join(materials, ", "), word));
        if (!bare.empty())
            diagnostics_.note(
                Code::assumed, {"materials", std::nullopt},
                fmt::format("{}: drawn in a single color, because there is no base texture", fmt::join(bare, ", ")));
        if (model_.sets.size() > 1)
            diagnostics_.note(
                Code::ignored, {"material_sets", std::nullopt},
                fmt::format("there are {}, but only number {} is converted", model_.sets.size(), settings_.set),
                {"set", "N"});
    }

    void describe() {
        asset_.character = settings_.identity;
        asset_.character.emplace_back("set", settings_.set);
        asset_.character.emplace_back("sets", static_cast<std::uint32_t>(model_.sets.size()));
        asset_.character.emplace_back("surfaces", static_cast<std::uint32_t>(model_.surfaces.size()));
        asset_.character.emplace_back("triangles", triangles_);
        asset_.character.emplace_back("skipped", skipped_);
        asset_.character.emplace_back("textures", images_.takeList());
    }

    core::Asset& asset_;
    const Cmdl& model_;
    const BodySettings& settings_;
    const MaterialSet& set_;
    core::Diagnostics& diagnostics_;
    Images images_;
    std::optional<SkinnedPositions> skin_;
    core::Mesh mesh_;
    std::map<std::uint32_t, Shown> shown_;  ///< by number of the material
    std::uint32_t triangles_ = 0;
    std::uint32_t skipped_ = 0;
};

/// Call this before vertices are made. Checks the memory that they need.
void requireRoom(const Cmdl& model, const core::Limits& limits) {
    constexpr std::uint64_t kVertex = 12 + 12 + 8 + 8 + 16 + 4 + sizeof(core::Influences) + 48;
    std::uint64_t vertices = 0;
    for (const CmdlSurface& surface : model.surfaces)
        for (const DrawCall& call : surface.calls)
            vertices += call.vertices;
    core::requireMemory(2 * vertices * kVertex, limits, {"surfaces", std::nullopt});
}

}  // namespace

void setBind(core::Skeleton& skeleton) {
    const std::vector<glm::dmat4> globals = core::globalMatrices(skeleton, core::restPose(skeleton));
    for (std::size_t i = 0; i < globals.size(); ++i)
        if (skeleton.joints[i].id)
            skeleton.joints[i].bind = globals[i];
}

void requireFit(const Cskr& skin, const Cmdl& model, const core::Skeleton& skeleton) {
    const SkinnedPositions positions(skin, skeleton, model);
    for (const CmdlSurface& surface : model.surfaces) {
        const VertexLayout layout(model.sets.front().materials[surface.material].vertexWord);
        for (std::size_t place = layout.places[VertexLayout::position]; place < surface.numbers.size();
             place += layout.numbers)
            positions.require(surface.numbers[place]);
    }
}

void addBody(core::Asset& asset, const Cmdl& model, const Cskr* skin, const FindTexture& textures,
             const BodySettings& settings, const core::Limits& limits, core::Diagnostics& diagnostics) {
    if (settings.set >= model.sets.size())
        throw DecodeError(fmt::format("has no material set {}, only {}", settings.set, model.sets.size()))
            .withHint({"set", "N"});
    requireRoom(model, limits);
    if (skin != nullptr)
        setBind(*asset.skeleton);
    BodyBuilder(asset, model, skin, textures, settings, limits, diagnostics).run();
}

}  // namespace reanima::metroid
