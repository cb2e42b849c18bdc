#include "tools/reanima/jobs/mesh_lists.h"

#include <fmt/format.h>

#include "core/text.h"
#include "formats/format.h"
#include "measures/mesh_facts.h"

namespace reanima::tool {

namespace {

const char* alphaModeName(core::AlphaMode mode) {
    return mode == core::AlphaMode::mask ? "mask" : mode == core::AlphaMode::blend ? "blend" : "opaque";
}

std::string imageOf(const core::Asset& asset, const core::Material& material) {
    return material.image ? asset.images[*material.image].name : "";
}

}  // namespace

std::string meshTables(const core::Asset& asset) {
    std::string text;
    if (!asset.meshes.empty())
        text += fmt::format("\n{:<24} {:>9} {:>8} {:>9}\n", "mesh", "triangles", "vertices", "materials");
    for (const core::Mesh& mesh : asset.meshes)
        text += fmt::format("{:<24} {:>9} {:>8} {:>9}\n", core::printable(mesh.name), measures::trianglesOf(mesh),
                            measures::verticesOf(mesh), mesh.primitives.size());
    if (!asset.materials.empty())
        text += fmt::format("\n{:<24} {:<16} {:<7} {:<6} {}\n", "material", "image", "alpha", "sides", "light");
    for (const core::Material& material : asset.materials) {
        const std::string image = imageOf(asset, material);
        text += fmt::format("{:<24} {:<16} {:<7} {:<6} {}\n", core::printable(material.name),
                            image.empty() ? "-" : core::printable(image), alphaModeName(material.alphaMode),
                            material.doubleSided ? "both" : "front", material.unlit ? "unlit" : "lit");
    }
    if (!asset.images.empty())
        text += fmt::format("\n{:<24} {:>11}\n", "image", "pixels");
    for (const core::Image& image : asset.images)
        text += fmt::format("{:<24} {:>11}\n", core::printable(image.name),
                            fmt::format("{} x {}", image.width, image.height));
    return text;
}

void MeshRows::add(const core::Asset& asset, const std::string& model) {
    const auto append = [&](Json& list, Json row) {
        if (!model.empty())
            row["model"] = modelIdToJson(model);
        list.push_back(std::move(row));
    };
    for (const core::Mesh& mesh : asset.meshes) {
        Json used = Json::array();
        for (const core::Primitive& primitive : mesh.primitives)
            used.push_back(asset.materials[primitive.material].name);
        append(meshes, {{"name", mesh.name},
                        {"triangles", measures::trianglesOf(mesh)},
                        {"vertices", measures::verticesOf(mesh)},
                        {"materials", std::move(used)}});
    }
    for (const core::Material& material : asset.materials)
        append(materials, {{"name", material.name},
                           {"texture", material.image ? Json(imageOf(asset, material)) : Json(nullptr)},
                           {"alpha", alphaModeName(material.alphaMode)},
                           {"double_sided", material.doubleSided},
                           {"unlit", material.unlit}});
    for (const core::Image& image : asset.images)
        append(textures, {{"name", image.name}, {"width", image.width}, {"height", image.height}});
}

}  // namespace reanima::tool
