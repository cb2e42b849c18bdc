#include "tools/reanima/jobs/mesh_lists.h"

#include <fmt/format.h>

#include "core/text.h"
#include "formats/format.h"
#include "measures/mesh_facts.h"
#include "tools/reanima/front/text_table.h"

namespace reanima::tool {

namespace {

const char* alphaModeName(core::AlphaMode mode) {
    return mode == core::AlphaMode::mask ? "mask" : mode == core::AlphaMode::blend ? "blend" : "opaque";
}

std::string imageOf(const core::Asset& asset, const core::Material& material) {
    return material.image ? asset.images[*material.image].name : "";
}

}  // namespace

std::string meshTables(const core::Asset& asset, std::size_t width) {
    constexpr auto kLeft = TableColumn::Side::left;
    TextTable meshes({{.head = "mesh", .side = kLeft}, {"triangles"}, {"vertices"}, {"materials"}});
    for (const core::Mesh& mesh : asset.meshes)
        meshes.addRow({core::printable(mesh.name), fmt::format("{}", measures::trianglesOf(mesh)),
                       fmt::format("{}", measures::verticesOf(mesh)), fmt::format("{}", mesh.primitives.size())});
    TextTable materials({{.head = "material", .side = kLeft},
                         {.head = "image", .side = kLeft},
                         {.head = "alpha", .side = kLeft, .leftOut = 1},
                         {.head = "sides", .side = kLeft, .leftOut = 2},
                         {.head = "light", .side = kLeft, .leftOut = 3}});
    for (const core::Material& material : asset.materials) {
        const std::string image = imageOf(asset, material);
        materials.addRow({core::printable(material.name), image.empty() ? "-" : core::printable(image),
                          alphaModeName(material.alphaMode), material.doubleSided ? "both" : "front",
                          material.unlit ? "unlit" : "lit"});
    }
    TextTable images(
        {{.head = "image", .side = kLeft}, {"pixels"}, {.head = "stored as", .side = kLeft, .leftOut = 1}});
    for (const core::Image& image : asset.images)
        images.addRow({core::printable(image.name), fmt::format("{} x {}", image.width, image.height),
                       image.format.empty()
                           ? ""
                           : fmt::format("{}, {} level{}", image.format, image.levels, image.levels == 1 ? "" : "s")});
    std::string text;
    for (const TextTable* table : {&meshes, &materials, &images})
        if (const std::string lines = table->text(width); !lines.empty())
            text += "\n" + lines;
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
    for (const core::Image& image : asset.images) {
        Json row = {{"name", image.name}, {"width", image.width}, {"height", image.height}};
        if (!image.format.empty()) {
            row["format"] = image.format;
            row["levels"] = image.levels;
        }
        append(textures, std::move(row));
    }
}

}  // namespace reanima::tool
