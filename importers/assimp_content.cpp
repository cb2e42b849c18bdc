#include "importers/assimp_content.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>

#include <assimp/IOStream.hpp>
#include <assimp/material.h>
#include <fmt/format.h>
#include <glm/gtc/matrix_inverse.hpp>
#include <glm/matrix.hpp>

#include "core/memory.h"
#include "core/text.h"
#include "importers/scene_values.h"
#include "pictures/picture_files.h"
#include "pictures/png.h"

namespace reanima {

namespace {

std::string mimeTypeOf(core::Bytes bytes) {
    constexpr std::string_view kPng = "\x89PNG";
    constexpr std::string_view kJpeg = "\xFF\xD8\xFF";
    const auto beginsLike = [&](std::string_view sign) {
        return bytes.size() > sign.size() && std::equal(sign.begin(), sign.end(), bytes.begin(), [](char a, auto b) {
                   return static_cast<std::uint8_t>(a) == b;
               });
    };
    return beginsLike(kPng) ? "image/png" : beginsLike(kJpeg) ? "image/jpeg" : "";
}

/// Reads materials and their pictures.
class MaterialReader {
  public:
    MaterialReader(const aiScene& scene, RigIOSystem& files, core::MemoryCount& memory, core::Diagnostics& diagnostics,
                   core::SceneContent& content)
        : scene_(scene), files_(files), memory_(memory), diagnostics_(diagnostics), content_(content) {}

    void read() {
        for (unsigned i = 0; i < scene_.mNumMaterials; ++i)
            read(*scene_.mMaterials[i]);
        if (content_.materials.empty())
            content_.materials.emplace_back();
    }

  private:
    void read(const aiMaterial& material) {
        core::SceneMaterial& added = content_.materials.emplace_back();
        aiString name;
        if (material.Get(AI_MATKEY_NAME, name) == aiReturn_SUCCESS)
            added.name = textOf(name);
        aiColor4D color;
        if (material.Get(AI_MATKEY_BASE_COLOR, color) == aiReturn_SUCCESS ||
            material.Get(AI_MATKEY_COLOR_DIFFUSE, color) == aiReturn_SUCCESS)
            added.baseColor = glm::clamp(glm::vec4(color.r, color.g, color.b, color.a), 0.0F, 1.0F);
        float opacity = 1;
        if (material.Get(AI_MATKEY_OPACITY, opacity) == aiReturn_SUCCESS)
            added.baseColor.a = std::clamp(opacity, 0.0F, 1.0F);
        int twoSided = 0;
        added.doubleSided = material.Get(AI_MATKEY_TWOSIDED, twoSided) == aiReturn_SUCCESS && twoSided != 0;
        for (const aiTextureType type : {aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE}) {
            aiString path;
            if (added.image || material.GetTexture(type, 0, &path) != aiReturn_SUCCESS || path.length == 0)
                continue;
            added.image = imageOf(textOf(path));
            if (added.image)
                added.baseColor = {1, 1, 1, added.baseColor.a};  // in FBX files, the picture replaces this colour
        }
    }

    std::optional<std::uint32_t> imageOf(const std::string& path) {
        const auto [known, isNew] = imageOf_.try_emplace(path);
        if (isNew)
            known->second = readImage(path);
        return known->second;
    }

    std::optional<std::uint32_t> readImage(const std::string& path) {
        core::SceneImage image;
        image.name = core::stemOf(core::fileNameOf(path));
        try {
            if (const aiTexture* texture = scene_.GetEmbeddedTexture(path.c_str()))
                readEmbedded(*texture, image);
            else
                readBeside(path, image);
            if (image.bytes.empty())
                throw core::DecodeError("is missing");
            image.mimeType = mimeTypeOf(image.bytes);
            if (image.mimeType.empty())
                setPng(readOtherKind(image.bytes), image);
        } catch (const core::DecodeError& error) {
            diagnostics_.warn(core::Code::missingFile, {},
                              fmt::format("the image {} is left out, because it {}", path, error.problem()));
            return std::nullopt;
        }
        memory_.add(image.bytes.size());
        content_.images.push_back(std::move(image));
        return static_cast<std::uint32_t>(content_.images.size() - 1);
    }

    pictures::Picture readOtherKind(core::Bytes file) {
        constexpr std::uint64_t kOfLargestSize = 8;
        core::Limits limits = memory_.limits();
        const std::uint64_t left = kOfLargestSize * limits.picturePixels - pixels_;
        limits.picturePixels = std::min(limits.picturePixels, left);
        pictures::Picture picture = pictures::readPictureFile(file, limits);
        pixels_ += picture.pixels.size();
        return picture;
    }

    static void setPng(const pictures::Picture& picture, core::SceneImage& image) {
        image.bytes = pictures::encodePng(picture);
        image.mimeType = "image/png";
    }

    void readEmbedded(const aiTexture& texture, core::SceneImage& image) {
        if (texture.mFilename.length > 0)
            image.name = core::stemOf(core::fileNameOf(textOf(texture.mFilename)));
        if (texture.mHeight == 0) {
            const auto* begin = reinterpret_cast<const std::uint8_t*>(texture.pcData);  // NOLINT: a file's bytes
            memory_.require(texture.mWidth);
            image.bytes.assign(begin, begin + texture.mWidth);
            return;
        }
        const std::size_t count = std::size_t{texture.mWidth} * texture.mHeight;
        if (count == 0)
            throw core::DecodeError("has no pixels");
        memory_.require(count * 2 * sizeof(pictures::Rgba));
        pictures::Picture picture{texture.mWidth, texture.mHeight, {}};
        picture.pixels.reserve(count);
        for (const aiTexel& texel : std::span(texture.pcData, count))
            picture.pixels.push_back({texel.r, texel.g, texel.b, texel.a});
        setPng(picture, image);
    }

    /// Reads a picture at the stated path, otherwise the picture of that name beside the scene. Stated paths are often
    /// from another computer.
    void readBeside(const std::string& path, core::SceneImage& image) {
        std::string found = path;
        std::replace(found.begin(), found.end(), '\\', '/');
        const std::string last(core::fileNameOf(found));
        for (const std::string& name : {found, last, files_.nameLike(last).value_or(last)}) {
            const auto close = [this](Assimp::IOStream* stream) { files_.Close(stream); };
            const std::unique_ptr<Assimp::IOStream, decltype(close)> stream(files_.Open(name.c_str(), "rb"), close);
            if (!stream)
                continue;
            memory_.require(stream->FileSize());
            image.bytes.resize(stream->FileSize());
            if (stream->Read(image.bytes.data(), 1, image.bytes.size()) != image.bytes.size())
                image.bytes.clear();
            image.file = files_.nameOf(name);
            return;
        }
    }

    const aiScene& scene_;
    RigIOSystem& files_;
    core::MemoryCount& memory_;
    core::Diagnostics& diagnostics_;
    core::SceneContent& content_;
    std::map<std::string, std::optional<std::uint32_t>> imageOf_;
    std::uint64_t pixels_ = 0;  // number of pixels in pictures that were converted to PNG
};

/// Reads the meshes of nodes.
class PartReader {
  public:
    PartReader(const aiScene& scene, const SceneNodes& nodes, core::MemoryCount& memory, core::SceneContent& content)
        : scene_(scene), nodes_(nodes), memory_(memory), content_(content) {}

    void read() {
        for (std::uint32_t node = 0; node < nodes_.nodes.size(); ++node) {
            bonesOfNode_.reset();
            for (unsigned i = 0; i < nodes_.nodes[node]->mNumMeshes; ++i)
                if (const unsigned mesh = nodes_.nodes[node]->mMeshes[i]; mesh < scene_.mNumMeshes)
                    readPart(node, *scene_.mMeshes[mesh]);
        }
    }

    /// The number of vertices that more than four bones move.
    [[nodiscard]] std::size_t cut() const { return cut_; }

  private:
    /// The memory for a part and for sorting its weights, counted once for every node that shows the mesh.
    static std::uint64_t memoryOf(const aiMesh& mesh) {
        constexpr std::uint64_t kBytesOfVertex = 160;
        constexpr std::uint64_t kBytesOfFace = 3 * sizeof(std::uint32_t);
        constexpr std::uint64_t kBytesOfBone = 256;
        constexpr std::uint64_t kBytesOfWeight = 2 * sizeof(std::pair<double, std::size_t>);
        std::uint64_t weights = 0;
        for (unsigned b = 0; b < mesh.mNumBones; ++b)
            weights += mesh.mBones[b]->mNumWeights;
        return kBytesOfVertex * mesh.mNumVertices + kBytesOfFace * mesh.mNumFaces + kBytesOfBone * mesh.mNumBones +
               kBytesOfWeight * weights;
    }

    void readPart(std::uint32_t node, const aiMesh& mesh) {
        memory_.add(memoryOf(mesh));
        core::ScenePart part;
        for (unsigned i = 0; i < mesh.mNumFaces; ++i)
            if (const aiFace& face = mesh.mFaces[i];
                face.mNumIndices == 3 &&
                std::all_of(face.mIndices, face.mIndices + 3, [&](unsigned v) { return v < mesh.mNumVertices; }))
                part.indices.insert(part.indices.end(), face.mIndices, face.mIndices + 3);
        if (part.indices.empty() || !areFinite(mesh.mVertices, mesh.mNumVertices))
            return;
        part.name = textOf(nodes_.nodes[node]->mName.length > 0 ? nodes_.nodes[node]->mName : mesh.mName);
        part.node = node;
        part.material = std::min<std::uint32_t>(mesh.mMaterialIndex, std::max(1U, scene_.mNumMaterials) - 1);
        readVertices(mesh, part);
        readBones(mesh, part);
        for (unsigned i = 0; i < mesh.mNumAnimMeshes; ++i)
            readShape(*mesh.mAnimMeshes[i], mesh, part);
        content_.parts.push_back(std::move(part));
    }

    static bool areFinite(const aiVector3D* values, unsigned count) {
        return values != nullptr && std::all_of(values, values + count, [](const aiVector3D& v) {
                   return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
               });
    }

    void readVertices(const aiMesh& mesh, core::ScenePart& part) const {
        const auto metres = static_cast<float>(nodes_.metresPerUnit);
        const bool hasNormals = mesh.HasNormals() && areFinite(mesh.mNormals, mesh.mNumVertices);
        const bool hasPlaces =
            mesh.HasTextureCoords(0) && areFinite(mesh.mTextureCoords[0], mesh.mNumVertices);  // NOLINT: Assimp's array
        for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
            part.positions.push_back(metres * toGlm(mesh.mVertices[i]));
            if (hasNormals)
                part.normals.push_back(unitOr(toGlm(mesh.mNormals[i])));
            if (hasPlaces) {
                const aiVector3D& at = mesh.mTextureCoords[0][i];  // NOLINT: Assimp's array
                part.textureCoordinates.emplace_back(at.x, 1 - at.y);
            }
            if (mesh.HasVertexColors(0)) {
                const aiColor4D& color = mesh.mColors[0][i];  // NOLINT: Assimp's array
                part.colors.push_back(glm::clamp(glm::vec4(color.r, color.g, color.b, color.a), 0.0F, 1.0F));
            }
        }
    }

    static glm::vec3 unitOr(const glm::vec3& v) {
        const float length = glm::length(v);
        return length > 1e-6F ? v / length : glm::vec3(0, 1, 0);
    }

    /// The parts of one node share a list of bones, as long as their bind matrices agree.
    void readBones(const aiMesh& mesh, core::ScenePart& part) {
        std::vector<std::pair<std::uint32_t, glm::dmat4>>
            bones;  // node, and the transform from mesh space to the node's space
        std::vector<std::vector<std::pair<double, std::size_t>>> weights(mesh.mNumVertices);
        for (unsigned b = 0; b < mesh.mNumBones; ++b) {
            const aiBone& bone = *mesh.mBones[b];
            const auto node = nodes_.indexOf.find(textOf(bone.mName));
            if (node == nodes_.indexOf.end())
                continue;
            for (unsigned w = 0; w < bone.mNumWeights; ++w)
                if (const aiVertexWeight& weight = bone.mWeights[w];
                    weight.mVertexId < weights.size() && weight.mWeight > 0 && std::isfinite(weight.mWeight))
                    weights[weight.mVertexId].emplace_back(weight.mWeight,
                                                           bones.size());  // as double: sums may exceed float's range
            bones.emplace_back(node->second, withLengthsTimes(nodes_.metresPerUnit, toGlm(bone.mOffsetMatrix)));
        }
        if (bones.empty() || bones.size() > kMostBones)
            return;
        const std::vector<std::uint16_t> listed = listBones(bones);
        part.bones = *bonesOfNode_;
        for (std::vector<std::pair<double, std::size_t>>& ofVertex : weights) {
            joinEqual(ofVertex, listed);
            std::stable_sort(ofVertex.begin(), ofVertex.end(),
                             [](const auto& a, const auto& b) { return a.first > b.first; });
            constexpr std::size_t kMost = 4;
            cut_ += ofVertex.size() > kMost ? 1 : 0;
            ofVertex.resize(std::min(ofVertex.size(), kMost));
            double sum = 0;
            for (const auto& [weight, bone] : ofVertex)
                sum += weight;
            std::array<std::uint16_t, 4>& joints = part.joints.emplace_back();
            glm::vec4& shares = part.weights.emplace_back(0);
            if (ofVertex.empty())
                shares.x = 1;  // the vertex follows the first bone, since a skinned mesh can't follow its node
            for (std::size_t i = 0; i < ofVertex.size(); ++i) {
                joints.at(i) = static_cast<std::uint16_t>(ofVertex[i].second);
                shares[static_cast<int>(i)] = static_cast<float>(ofVertex[i].first / sum);
            }
        }
    }

    /// Converts a vertex's weights from bones to listed joints. Weights of one joint are merged, as glTF requires.
    static void joinEqual(std::vector<std::pair<double, std::size_t>>& weights,
                          const std::vector<std::uint16_t>& listed) {
        for (auto& [weight, bone] : weights)
            bone = listed[bone];
        std::stable_sort(weights.begin(), weights.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
        std::vector<std::pair<double, std::size_t>> joined;
        for (const auto& [weight, joint] : weights)
            if (!joined.empty() && joined.back().second == joint)
                joined.back().first += weight;
            else
                joined.emplace_back(weight, joint);
        weights = std::move(joined);
    }

    /// The indices of the bones in the node's list. If bones disagree with the list, a new list replaces the old one.
    std::vector<std::uint16_t> listBones(const std::vector<std::pair<std::uint32_t, glm::dmat4>>& bones) {
        if (!bonesOfNode_ || !agrees(bones)) {
            bonesOfNode_ = content_.bones.size();
            content_.bones.emplace_back();
            placeOf_.clear();
        }
        core::SceneBones& list = content_.bones[*bonesOfNode_];
        std::vector<std::uint16_t> listed;
        for (const auto& [node, offset] : bones) {
            const auto [place, isNew] = placeOf_.try_emplace(node, list.joints.size());
            listed.push_back(static_cast<std::uint16_t>(place->second));
            if (isNew) {
                list.joints.push_back(node);
                list.inverseBinds.push_back(offset);
            }
        }
        return listed;
    }

    /// True if the bones have the bind matrices of the node's list, and 16 bits are enough to number all bones.
    [[nodiscard]] bool agrees(const std::vector<std::pair<std::uint32_t, glm::dmat4>>& bones) const {
        constexpr double kRounding = 1e-5;
        const core::SceneBones& list = content_.bones[*bonesOfNode_];
        return list.joints.size() + bones.size() <= kMostBones && std::ranges::all_of(bones, [&](const auto& bone) {
                   const auto place = placeOf_.find(bone.first);
                   if (place == placeOf_.end())
                       return true;
                   const glm::dmat4& known = list.inverseBinds[place->second];
                   for (int column = 0; column < 4; ++column)
                       if (glm::distance(known[column], bone.second[column]) >
                           kRounding * (1 + glm::length(known[column])))
                           return false;
                   return true;
               });
    }

    void readShape(const aiAnimMesh& shape, const aiMesh& mesh, core::ScenePart& part) {
        if (shape.mNumVertices != mesh.mNumVertices || !areFinite(shape.mVertices, shape.mNumVertices))
            return;
        memory_.add(2 * sizeof(glm::vec3) * std::uint64_t{shape.mNumVertices});
        core::SceneShape& added = part.shapes.emplace_back();
        added.name = textOf(shape.mName);
        for (unsigned i = 0; i < shape.mNumVertices; ++i)
            added.positions.push_back(static_cast<float>(nodes_.metresPerUnit) *
                                      (toGlm(shape.mVertices[i]) - toGlm(mesh.mVertices[i])));
    }

    static constexpr std::size_t kMostBones = std::numeric_limits<std::uint16_t>::max();

    const aiScene& scene_;
    const SceneNodes& nodes_;
    core::MemoryCount& memory_;
    core::SceneContent& content_;
    std::optional<std::size_t> bonesOfNode_;                  // index of the current node's list of bones
    std::unordered_map<std::uint32_t, std::size_t> placeOf_;  // index of a node in this list
    std::size_t cut_ = 0;
};

/// The keys of one kind, in seconds. Keys that are not later than the previous one are left out.
template <typename Key, typename Value, typename Convert>
void readKeys(const Key* keys, unsigned count, double ticks, const Convert& convert, std::vector<float>& times,
              std::vector<Value>& values) {
    for (unsigned i = 0; i < count; ++i) {
        const auto time = static_cast<float>(std::max(0.0, keys[i].mTime / ticks));
        const Value value = convert(keys[i].mValue);
        if (!std::isfinite(time) || !std::isfinite(glm::dot(value, value)) || (!times.empty() && time <= times.back()))
            continue;
        times.push_back(time);
        values.push_back(value);
    }
}

core::SceneAnimation animationOf(const aiAnimation& animation, const SceneNodes& nodes, core::MemoryCount& memory) {
    core::SceneAnimation result{textOf(animation.mName), {}};
    const double ticks = ticksPerSecond(animation);
    const auto metres = static_cast<float>(nodes.metresPerUnit);
    for (unsigned c = 0; c < animation.mNumChannels; ++c) {
        const aiNodeAnim& channel = *animation.mChannels[c];
        const auto node = nodes.indexOf.find(textOf(channel.mNodeName));
        if (node == nodes.indexOf.end())
            continue;
        constexpr std::uint64_t kBytesOfKey = 20;
        memory.add(kBytesOfKey *
                   (std::uint64_t{channel.mNumPositionKeys} + channel.mNumRotationKeys + channel.mNumScalingKeys));
        core::SceneTrack& track = result.tracks.emplace_back();
        track.node = node->second;
        readKeys(
            channel.mPositionKeys, channel.mNumPositionKeys, ticks,
            [&](const aiVector3D& v) { return metres * toGlm(v); }, track.translationTimes, track.translations);
        readKeys(
            channel.mRotationKeys, channel.mNumRotationKeys, ticks,
            [](const aiQuaternion& q) { return glm::normalize(glm::quat(q.w, q.x, q.y, q.z)); }, track.rotationTimes,
            track.rotations);
        readKeys(
            channel.mScalingKeys, channel.mNumScalingKeys, ticks, [](const aiVector3D& v) { return toGlm(v); },
            track.scaleTimes, track.scales);
    }
    return result;
}

}  // namespace

core::SceneContent contentOf(const aiScene& scene, const SceneNodes& nodes, RigIOSystem& files,
                             const core::Limits& limits, core::Diagnostics& diagnostics) {
    core::SceneContent content;
    core::MemoryCount memory(limits, "the rig");
    content.scene.name = nodes.scene.name;
    content.scene.nodes = nodes.scene.nodes;
    MaterialReader(scene, files, memory, diagnostics, content).read();
    PartReader parts(scene, nodes, memory, content);
    parts.read();
    if (parts.cut() > 0)
        diagnostics.note(
            core::Code::assumed, {},
            fmt::format("{} vertices have more than four weights; only their four largest weights are kept",
                        parts.cut()));
    for (unsigned i = 0; i < scene.mNumAnimations; ++i)
        content.animations.push_back(animationOf(*scene.mAnimations[i], nodes, memory));
    return content;
}

std::vector<core::SceneMotion> motionsOf(const aiScene& scene, const SceneNodes& nodes, const core::Limits& limits) {
    constexpr std::uint64_t kTwice = 2;  // the keys exist twice: while they are read, and in the result
    core::MemoryCount memory(limits, "the animations");
    std::vector<core::SceneMotion> motions;
    for (unsigned i = 0; i < scene.mNumAnimations; ++i) {
        core::MemoryCount reading(memory.limits(), "the animations");
        core::SceneAnimation animation = animationOf(*scene.mAnimations[i], nodes, reading);
        memory.add(kTwice * (reading.limits().held - memory.limits().held));
        core::SceneMotion& motion = motions.emplace_back(core::SceneMotion{std::move(animation.name), {}});
        std::vector<bool> seen(nodes.scene.nodes.size(), false);
        for (core::SceneTrack& track : animation.tracks) {
            if (seen[track.node])
                continue;
            seen[track.node] = true;
            using core::KeyStyle;
            motion.tracks.push_back(
                {track.node,
                 {KeyStyle::linear, std::move(track.translationTimes), std::move(track.translations)},
                 {KeyStyle::linear, std::move(track.rotationTimes), std::move(track.rotations)},
                 {KeyStyle::linear, std::move(track.scaleTimes), std::move(track.scales)}});
        }
    }
    return motions;
}

}  // namespace reanima
