#include "gltf_export/rig_surface.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "core/memory.h"

namespace reanima::gltf {

namespace {

using core::DecodeError;

/// Reads the vertices of a document's meshes.
class SurfaceReader {
  public:
    SurfaceReader(Document& document, const core::Scene& scene, const core::Limits& limits, Looks looks)
        : document_(document),
          scene_(scene),
          memory_(limits, "meshes"),
          meshes_(document.root().list("meshes")),
          materials_(document.root().list("materials").size()),
          looks_(looks) {}

    /// Reads the vertices of a node's mesh.
    void read(const Field& node, std::uint32_t index, std::vector<core::SceneSurface>& surfaces) {
        const std::optional<Field> mesh = node.find("mesh");
        if (!mesh || !scene_.nodes[index].isInScene)
            return;
        const std::optional<Field> skin = node.find("skin");
        for (const Field& primitive : meshes_.at(mesh->index(meshes_.size())).list("primitives")) {
            if (read_ > kEnough)
                return;
            const Field attributes = primitive.at("attributes");
            const std::optional<Field> positions = attributes.find("POSITION");
            if (!positions || isPacked(primitive, *positions))
                continue;
            core::SceneSurface surface;
            surface.node = index;
            surface.positions = positionsOf(*positions);
            addShapes(node, meshes_.at(mesh->index(meshes_.size())), primitive, surface.positions);
            surface.indices = trianglesOf(primitive, surface.positions.size());
            if (looks_ == Looks::read) {
                surface.colours = coloursOf(attributes, surface.positions.size());
                const std::optional<Field> material = primitive.find("material");
                surface.material = material ? material->index(materials_) : static_cast<std::uint32_t>(materials_);
            }
            if (skin) {
                surface.skin = skin->index(scene_.skins.size());
                surface.joints = strongestOf(attributes, surface.positions.size());
            }
            surfaces.push_back(std::move(surface));
        }
    }

  private:
    /// The most vertices to read. If a file has many copies of a mesh, the first ones show the surface well enough.
    static constexpr std::uint64_t kEnough = 2'000'000;

    /// True for data that is compressed, or sparse.
    [[nodiscard]] bool isPacked(const Field& primitive, const Field& accessor) const {
        const std::optional<Field> extensions = primitive.find("extensions");
        return (extensions && extensions->find("KHR_draco_mesh_compression")) || document_.isCompressed(accessor);
    }

    std::vector<glm::vec3> positionsOf(const Field& accessor) {
        const Elements elements = document_.elements(accessor, "VEC3");
        read_ += elements.count;
        memory_.add(elements.count * (sizeof(glm::vec3) + sizeof(std::uint32_t) + sizeof(core::SurfacePoint)));
        std::vector<glm::vec3> positions(static_cast<std::size_t>(elements.count));
        for (std::size_t i = 0; i < positions.size(); ++i)
            for (int axis = 0; axis < 3; ++axis)
                positions[i][axis] = static_cast<float>(elements.number(i, static_cast<std::uint64_t>(axis)));
        return positions;
    }

    /// Adds the morph targets that are visible at rest, as far as they can be read.
    void addShapes(const Field& node, const Field& mesh, const Field& primitive, std::vector<glm::vec3>& positions) {
        const std::optional<Field> own = node.find("weights");
        const std::optional<Field> usual = mesh.find("weights");
        const std::vector<Field> targets = primitive.list("targets");
        if (!own && !usual)
            return;
        const Field& weights = own ? *own : *usual;
        for (std::size_t i = 0; i < std::min(targets.size(), weights.size()); ++i) {
            const double weight = weights.at(i).single();
            const std::optional<Field> moves = targets[i].find("POSITION");
            if (weight == 0 || !moves || document_.isCompressed(*moves))
                continue;
            const Elements elements = document_.elements(*moves, "VEC3");
            for (std::size_t k = 0; k < std::min<std::uint64_t>(positions.size(), elements.count); ++k)
                for (int axis = 0; axis < 3; ++axis)
                    positions[k][axis] +=
                        static_cast<float>(weight * elements.number(k, static_cast<std::uint64_t>(axis)));
        }
    }

    /// Texture coordinates and colours, as far as they can be read.
    std::vector<core::SurfaceColour> coloursOf(const Field& attributes, std::size_t vertices) {
        memory_.add(2 * vertices * sizeof(core::SurfaceColour));
        std::vector<core::SurfaceColour> colours(vertices);
        const auto read = [&](const char* name, std::string_view type, const auto& put) {
            const std::optional<Field> accessor = attributes.find(name);
            if (!accessor || document_.isCompressed(*accessor))
                return;
            const Elements elements = document_.elements(*accessor, type);
            for (std::size_t i = 0; i < std::min<std::uint64_t>(vertices, elements.count); ++i)
                for (std::uint64_t k = 0; k < elements.components; ++k)
                    put(colours[i], static_cast<int>(k), static_cast<float>(elements.number(i, k)));
        };
        read("TEXCOORD_0", "VEC2", [](core::SurfaceColour& point, int k, float value) { point.texel[k] = value; });
        if (const std::optional<Field> colour = attributes.find("COLOR_0")) {
            const std::vector<Field> accessors = document_.root().list("accessors");
            read("COLOR_0", accessors[colour->index(accessors.size())].textOrNone("type") == "VEC3" ? "VEC3" : "VEC4",
                 [](core::SurfaceColour& point, int k, float value) { point.colour[k] = value; });
        }
        return colours;
    }

    /// The indices of a primitive, all below `vertices`. Empty for points, lines, strips and fans.
    std::vector<std::uint32_t> trianglesOf(const Field& primitive, std::size_t vertices) {
        constexpr std::uint64_t kTriangles = 4;
        const std::optional<Field> accessor = primitive.find("indices");
        if (primitive.wholeOr("mode", kTriangles) != kTriangles || (accessor && document_.isCompressed(*accessor)))
            return {};
        const std::optional<Elements> elements =
            accessor ? std::optional(document_.elements(*accessor, "SCALAR")) : std::nullopt;
        const auto count = static_cast<std::size_t>(elements ? elements->count : vertices);
        constexpr std::uint64_t kOfVertex = 6;  // indices per vertex in a closed surface
        indicesRead_ += count;
        if (indicesRead_ > kOfVertex * kEnough)
            return {};
        memory_.add(2 * std::uint64_t{count} * sizeof(std::uint32_t));
        std::vector<std::uint32_t> indices(count);
        for (std::size_t i = 0; i < count; ++i) {
            const double index = elements ? elements->number(i, 0) : static_cast<double>(i);
            if (!(index >= 0 && index < static_cast<double>(vertices)))
                accessor->fail("indices of vertices");
            indices[i] = static_cast<std::uint32_t>(index);
        }
        return indices;
    }

    /// Per vertex, the joint with the largest weight; of equal ones, the first.
    std::vector<std::uint32_t> strongestOf(const Field& attributes, std::size_t vertices) {
        std::vector<std::uint32_t> strongest(vertices);
        std::vector<double> most(vertices);
        constexpr std::array<std::array<const char*, 2>, 2> kSets = {
            {{"JOINTS_0", "WEIGHTS_0"}, {"JOINTS_1", "WEIGHTS_1"}}};
        for (const auto& [jointsName, weightsName] : kSets) {
            const std::optional<Field> jointsField = attributes.find(jointsName);
            const std::optional<Field> weightsField = attributes.find(weightsName);
            if (!jointsField || !weightsField)
                break;
            const Elements joints = document_.elements(*jointsField, "VEC4");
            const Elements weights = document_.elements(*weightsField, "VEC4");
            if (joints.count < vertices || weights.count < vertices)
                jointsField->fail("as many elements as there are positions");
            for (std::size_t i = 0; i < vertices; ++i)
                for (std::uint64_t k = 0; k < 4; ++k)
                    if (const double weight = weights.number(i, k); weight > most[i]) {
                        most[i] = weight;
                        const double joint = joints.number(i, k);
                        if (!(joint >= 0 && joint <= std::numeric_limits<std::uint16_t>::max()))
                            jointsField->fail("whole numbers of 16 bits");
                        strongest[i] = static_cast<std::uint32_t>(joint);
                    }
        }
        return strongest;
    }

    Document& document_;
    const core::Scene& scene_;
    core::MemoryCount memory_;
    std::vector<Field> meshes_;
    std::size_t materials_;  // number of the file's materials; one for meshes without a material follows
    Looks looks_;
    std::uint64_t read_ = 0;  // number of vertices read
    std::uint64_t indicesRead_ = 0;
};

}  // namespace

std::vector<core::SceneSurface> surfacesOf(Document& document, const core::Scene& scene, const core::Limits& limits,
                                           core::Diagnostics& diagnostics, Looks looks) {
    std::vector<core::SceneSurface> surfaces;
    SurfaceReader reader(document, scene, limits, looks);
    const std::vector<Field> nodes = document.root().list("nodes");
    for (std::uint32_t node = 0; node < nodes.size(); ++node)
        try {
            reader.read(nodes[node], node, surfaces);
        } catch (const DecodeError& error) {
            if (error.kind() == DecodeError::Kind::limit)
                throw;
            diagnostics.note(core::Code::ignored, error.place(),
                             fmt::format("{}; the mesh is ignored", error.problem()));
        }
    return surfaces;
}

}  // namespace reanima::gltf
