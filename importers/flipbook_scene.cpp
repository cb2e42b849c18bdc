#include "importers/flipbook_scene.h"

#include <array>
#include <memory>

#include <assimp/anim.h>
#include <assimp/material.h>
#include <assimp/mesh.h>
#include <fmt/format.h>

#include "core/decode_error.h"
#include "core/flipbook.h"
#include "core/text.h"
#include "formats/format.h"
#include "importers/embedded_png.h"
#include "importers/scene_keys.h"
#include "pictures/album.h"
#include "pictures/png.h"

namespace reanima {

namespace {

/// @param only index of the only picture to show; negative: show all
pictures::Album albumOf(const core::ImageSequence& images, int only) {
    if (only < 0)
        return pictures::Album::ofDistinct(images, pictures::allPictures(images));
    const auto picture = static_cast<std::uint32_t>(only);
    if (picture >= images.count)
        throw core::DecodeError(fmt::format("has no frame {}: the video has {} frames", only, images.count));
    return pictures::Album::ofDistinct(images, {picture});
}

// ---------------------------------------------------------------------------------------------------------------------
// Pages

std::unique_ptr<aiMaterial> materialFor(unsigned page, const std::string& name) {
    auto material = std::make_unique<aiMaterial>();
    const aiString materialName(name);
    material->AddProperty(&materialName, AI_MATKEY_NAME);
    const aiString path("*" + std::to_string(page));
    material->AddProperty(&path, AI_MATKEY_TEXTURE_DIFFUSE(0));
    material->AddProperty(&path, AI_MATKEY_TEXTURE_EMISSIVE(0));
    const aiColor4D white(1, 1, 1, 1);  // without this colour, the emissive texture is black
    material->AddProperty(&white, 1, AI_MATKEY_COLOR_EMISSIVE);
    const aiShadingMode unlit = aiShadingMode_Unlit;  // Assimp's exporters ignore an integer here
    material->AddProperty(&unlit, 1, AI_MATKEY_SHADING_MODEL);
    const int clamp = aiTextureMapMode_Clamp;
    material->AddProperty(&clamp, 1, AI_MATKEY_MAPPINGMODE_U_DIFFUSE(0));
    material->AddProperty(&clamp, 1, AI_MATKEY_MAPPINGMODE_V_DIFFUSE(0));
    return material;
}

void addPages(aiScene& scene, const core::ImageSequence& images, const pictures::Album& album,
              const SceneOptions& options, core::MemoryCount& memory) {
    const unsigned pages = album.layout().pages();
    scene.mTextures = new aiTexture*[pages]();
    scene.mMaterials = new aiMaterial*[pages]();
    const auto cursor = images.open();
    for (unsigned page = 0; page < pages; ++page) {
        refuseIfCancelled(options.cancelled);
        const core::ByteVector png = pictures::encodePng(album.page(page, *cursor));
        memory.add(png.size());
        const std::string name = fmt::format("{}_page{}", core::safeName(images.name), page);
        scene.mTextures[page] = embeddedPng(png, name + ".png").release();
        scene.mNumTextures = page + 1;
        scene.mMaterials[page] = materialFor(page, name).release();
        scene.mNumMaterials = page + 1;
        if (options.progress)
            options.progress((page + 1.0) / pages);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Quads

constexpr std::size_t kCorners = 6;  // corners of the two triangles of a quad

std::uint64_t memoryOfQuad() {
    constexpr std::uint64_t kVectors = 3;  // vectors per vertex: position, normal, texture coordinate
    return sizeof(void*) + core::heapBytes(sizeof(aiMesh)) + kVectors * core::heapBytes(kCorners * sizeof(aiVector3D)) +
           core::heapBytes(sizeof(std::size_t) + 2 * sizeof(aiFace)) + 2 * core::heapBytes(3 * sizeof(unsigned));
}

std::uint64_t memoryOfNode() {
    return sizeof(void*) + core::heapBytes(sizeof(aiNode)) + core::heapBytes(sizeof(unsigned));
}

/// A quad for a picture: one unit high on the ground, centred, facing +Z.
std::unique_ptr<aiMesh> quadFor(const core::ImageSequence& images, const pictures::Album& album, std::uint32_t cell) {
    const pictures::AtlasLayout& layout = album.layout();
    const pictures::Place place = layout.placeOf(cell);
    const auto half = static_cast<ai_real>(0.5 * images.shownWidth() / static_cast<double>(images.shownHeight()));
    const auto share = [](std::uint32_t pixels, std::uint32_t whole) {
        return static_cast<ai_real>(pixels / static_cast<double>(whole));
    };
    const ai_real left = share(place.x, layout.pageWidth());
    const ai_real right = share(place.x + images.shownWidth(), layout.pageWidth());
    const ai_real top = 1 - share(place.y, layout.pageHeight());  // Assimp's textures begin at the bottom
    const ai_real bottom = 1 - share(place.y + images.shownHeight(), layout.pageHeight());
    auto mesh = std::make_unique<aiMesh>();
    mesh->mName = core::frameName(album.distinct()[cell]);
    mesh->mPrimitiveTypes = aiPrimitiveType_TRIANGLE;
    mesh->mMaterialIndex = place.page;
    // Two triangles. Assimp needs a separate vertex for every corner.
    const std::array<aiVector3D, 4> corners = {{{-half, 0, 0}, {half, 0, 0}, {half, 1, 0}, {-half, 1, 0}}};
    const std::array<aiVector3D, 4> coordinates = {
        {{left, bottom, 0}, {right, bottom, 0}, {right, top, 0}, {left, top, 0}}};
    constexpr std::array<std::size_t, kCorners> kTriangles = {0, 1, 2, 0, 2, 3};
    mesh->mNumVertices = kTriangles.size();
    mesh->mVertices = new aiVector3D[kTriangles.size()];
    mesh->mNormals = new aiVector3D[kTriangles.size()];
    mesh->mTextureCoords[0] = new aiVector3D[kTriangles.size()];
    mesh->mNumUVComponents[0] = 2;
    for (std::size_t v = 0; v < kTriangles.size(); ++v) {
        mesh->mVertices[v] = corners[kTriangles[v]];
        mesh->mNormals[v] = aiVector3D(0, 0, 1);
        mesh->mTextureCoords[0][v] = coordinates[kTriangles[v]];
    }
    mesh->mNumFaces = 2;
    mesh->mFaces = new aiFace[2];
    for (unsigned f = 0; f < 2; ++f) {
        mesh->mFaces[f].mNumIndices = 3;
        mesh->mFaces[f].mIndices = new unsigned[3]{3 * f, 3 * f + 1, 3 * f + 2};
    }
    return mesh;
}

void addQuads(aiScene& scene, const core::ImageSequence& images, const pictures::Album& album,
              core::MemoryCount& memory) {
    memory.add(album.distinct().size() * memoryOfQuad() + album.pictures().size() * memoryOfNode());
    scene.mNumMeshes = static_cast<unsigned>(album.distinct().size());
    scene.mMeshes = new aiMesh*[scene.mNumMeshes]();
    for (std::uint32_t cell = 0; cell < scene.mNumMeshes; ++cell)
        scene.mMeshes[cell] = quadFor(images, album, cell).release();
    core::UniqueNames names;  // Assimp's glTF exporter fails if a node has the name of an animation
    (void)names.unique(core::validUtf8(images.name));
    scene.mRootNode = new aiNode(names.unique(core::safeName(images.name)));
    scene.mRootNode->mNumChildren = static_cast<unsigned>(album.pictures().size());
    scene.mRootNode->mChildren = new aiNode*[album.pictures().size()]();
    for (std::size_t i = 0; i < album.pictures().size(); ++i) {
        auto* node = scene.mRootNode->mChildren[i] = new aiNode(core::frameName(album.pictures()[i]));
        node->mParent = scene.mRootNode;
        node->mNumMeshes = 1;
        node->mMeshes = new unsigned[1]{album.cellOf(i)};
        if (i > 0)  // without playing, the first picture is visible
            node->mTransformation = aiMatrix4x4(aiVector3D(static_cast<ai_real>(core::kHiddenScale)), {}, {});
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// The animation, in ticks. Every picture begins at a whole tick

struct Ticks {
    double aSecond = 0;
    double aPicture = 0;
};

/// At least ten thousand ticks per second, so that the guard tick before a change is short.
Ticks ticksOf(const core::ImageSequence& images) {
    constexpr std::uint32_t kFewest = 10000;
    const std::uint32_t times = (kFewest - 1) / images.rateNumerator + 1;
    return {static_cast<double>(images.rateNumerator) * times, static_cast<double>(images.rateDenominator) * times};
}

std::unique_ptr<aiNodeAnim> channelFor(const core::ImageSequence& images, std::uint32_t index,
                                       core::MemoryCount& memory) {
    const double step = ticksOf(images).aPicture;
    const double guard = step > 1 ? 1 : 0.5;
    const std::vector<core::VisibilityKey> keys = core::visibilityKeys(index, images.count, step, guard);
    memory.add(sizeof(void*) + core::heapBytes(sizeof(aiNodeAnim)) + core::heapBytes(sizeof(aiVectorKey)) +
               core::heapBytes(sizeof(aiQuatKey)) + core::heapBytes(keys.size() * sizeof(aiVectorKey)));
    auto channel = std::make_unique<aiNodeAnim>();
    channel->mNodeName = core::frameName(index);
    channel->mNumPositionKeys = channel->mNumRotationKeys = 1;
    channel->mPositionKeys = new aiVectorKey[1]{aiVectorKey(0, aiVector3D())};
    channel->mRotationKeys = new aiQuatKey[1]{aiQuatKey(0, aiQuaternion())};
    channel->mNumScalingKeys = static_cast<unsigned>(keys.size());
    channel->mScalingKeys = new aiVectorKey[keys.size()];
    for (std::size_t k = 0; k < keys.size(); ++k) {
        channel->mScalingKeys[k] =
            aiVectorKey(keys[k].time, aiVector3D(keys[k].visible, keys[k].visible, keys[k].visible));
        setStep(channel->mScalingKeys[k]);
    }
    return channel;
}

void addAnimation(aiScene& scene, const core::ImageSequence& images, core::MemoryCount& memory) {
    scene.mAnimations = new aiAnimation*[1]();
    auto* animation = scene.mAnimations[0] = new aiAnimation;
    scene.mNumAnimations = 1;
    animation->mName = core::validUtf8(images.name);
    animation->mTicksPerSecond = ticksOf(images).aSecond;
    animation->mDuration = images.count * ticksOf(images).aPicture;
    animation->mNumChannels = images.count;
    animation->mChannels = new aiNodeAnim*[images.count]();
    for (std::uint32_t i = 0; i < images.count; ++i)
        animation->mChannels[i] = channelFor(images, i, memory).release();
}

}  // namespace

void fillFlipbook(aiScene& scene, const core::ImageSequence& images, const SceneOptions& options,
                  core::MemoryCount& memory) {
    const pictures::Album album = albumOf(images, options.onlyPicture);
    addPages(scene, images, album, options, memory);
    addQuads(scene, images, album, memory);
    if (options.onlyPicture < 0)
        addAnimation(scene, images, memory);
}

}  // namespace reanima
