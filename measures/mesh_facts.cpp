#include "measures/mesh_facts.h"

namespace reanima::measures {

std::size_t verticesOf(const core::Mesh& mesh) {
    std::size_t vertices = 0;
    for (const core::Primitive& primitive : mesh.primitives)
        vertices += primitive.positions.size();
    return vertices;
}

std::size_t trianglesOf(const core::Mesh& mesh) {
    std::size_t indices = 0;
    for (const core::Primitive& primitive : mesh.primitives)
        indices += primitive.indices.size();
    return indices / 3;
}

std::size_t trianglesOf(const core::Asset& asset) {
    std::size_t triangles = 0;
    for (const core::Mesh& mesh : asset.meshes)
        triangles += trianglesOf(mesh);
    return triangles;
}

}  // namespace reanima::measures
