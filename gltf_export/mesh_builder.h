/// Converts meshes, materials and images of the common model to parts of a glTF model.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "buffer_writer.h"
#include "core/asset.h"
#include "core/bake.h"
#include "core/bytes.h"
#include "core/limits.h"
#include "gltf_file.h"
#include "model.h"

namespace reanima::gltf {

/// Adds an asset's meshes, materials and images to a model without meshes. Indices stay the same.
///
/// Vertices are baked into the bind pose. Joint indices refer to a skin that lists all joints of the asset's skeleton.
class MeshBuilder {
  public:
    /// @param bufferName names the images' files; empty: they become views of the buffer
    /// @param limits the limit of memory, and the memory already in use (Limits::held)
    MeshBuilder(Model& model, BufferWriter& buffer, const GltfOptions& options, std::string bufferName,
                const core::Limits& limits)
        : model_(model), buffer_(buffer), options_(options), bufferName_(std::move(bufferName)), limits_(limits) {}

    /// Adds meshes and materials.
    /// @throws core::DecodeError of the kind `limit`, or for vertices that are too far away
    void add(const core::Asset& asset);
    /// Adds the images of the materials.
    /// @param pngs one file per image
    void addImages(const core::Asset& asset, std::vector<core::ByteVector> pngs);

    /// The files of the images.
    [[nodiscard]] std::vector<ImageFile> takeImages() { return std::move(images_); }

  private:
    void addImage(const core::Image& image, core::ByteVector png, std::string fileName);
    void addMaterial(const core::Material& material);
    using SamplerKey = std::pair<core::Filter, core::Wrap>;
    /// @return the index of the texture with that image and sampler
    int textureOf(std::uint32_t imageIndex, const SamplerKey& key);
    void addMesh(const core::Mesh& mesh, const core::RestBaker& baker);
    [[nodiscard]] tinygltf::Primitive makePrimitive(const core::Primitive& primitive, const core::RestBaker& baker);
    void addJoints(tinygltf::Primitive& to, const core::Primitive& primitive);
    void addIndices(tinygltf::Primitive& to, const core::Primitive& primitive);
    void requireMemory(std::uint64_t more) const;

    Model& model_;
    BufferWriter& buffer_;
    const GltfOptions& options_;
    std::string bufferName_;
    core::Limits limits_;
    std::vector<ImageFile> images_;
    std::map<SamplerKey, int> samplers_;
    std::map<std::pair<int, int>, int> textures_;  ///< textures by image and sampler
};

}  // namespace reanima::gltf
