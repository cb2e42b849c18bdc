#include "gltf_export/flipbook_builder.h"

#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include "core/flipbook.h"
#include "core/text.h"
#include "gltf_export/buffer_writer.h"
#include "gltf_export/model_text.h"
#include "gltf_export/scene_extras.h"
#include "pictures/album.h"
#include "pictures/png.h"

namespace reanima::gltf {

namespace {

constexpr std::uint32_t kMostPictures = 65535;  // every picture needs a node, a channel and some JSON

class FlipbookBuilder {
  public:
    FlipbookBuilder(const core::ImageSequence& images, const GltfOptions& options, const core::Limits& limits)
        : images_(images),
          options_(options),
          limits_(limits),
          album_(pictures::Album::ofDistinct(images, pictures::allPictures(images))),
          buffer_(model_),
          extras_({}, options) {}

    GltfParts build(const std::string& uri) {
        addPages();
        addMeshes();
        addNodes();
        addAnimation();
        addScene();
        GltfParts parts{{}, buffer_.take()};
        parts.json = ModelText().finish(std::move(model_), parts.data, uri);
        return parts;
    }

  private:
    using Rectangle = std::array<std::array<float, 2>, 4>;

    void addPages() {
        const auto cursor = images_.open();
        for (std::uint32_t page = 0; page < album_.layout().pages(); ++page) {
            tinygltf::Image& image = model_.images.emplace_back();
            image.name = fmt::format("{}_page{}", core::safeName(images_.name), page);
            image.mimeType = "image/png";
            image.bufferView = buffer_.addView(pictures::encodePng(album_.page(page, *cursor)));
            core::requireMemory(buffer_.size(), limits_, {"the pages of the flip-book", std::nullopt});
            tinygltf::Texture& texture = model_.textures.emplace_back();
            texture.source = static_cast<int>(page);
            texture.sampler = 0;
            addMaterial(image.name, static_cast<int>(page));
        }
        tinygltf::Sampler& sampler = model_.samplers.emplace_back();
        sampler.magFilter = sampler.minFilter = TINYGLTF_TEXTURE_FILTER_NEAREST;
        sampler.wrapS = sampler.wrapT = TINYGLTF_TEXTURE_WRAP_CLAMP_TO_EDGE;
    }

    void addMaterial(const std::string& name, int texture) {
        tinygltf::Material& material = model_.materials.emplace_back();
        material.name = name;
        material.pbrMetallicRoughness.baseColorTexture.index = texture;
        material.pbrMetallicRoughness.metallicFactor = 0;
        if (images_.colorKey) {
            material.alphaMode = "MASK";
            material.alphaCutoff = 0.5;
        }
        material.extensions["KHR_materials_unlit"] = tinygltf::Value(tinygltf::Value::Object());
        if (model_.extensionsUsed.empty())
            model_.extensionsUsed.emplace_back("KHR_materials_unlit");
    }

    /// A quad per distinct picture: one unit high on the ground, centred, facing +Z.
    void addMeshes() {
        const float half = static_cast<float>(0.5 * images_.shownWidth() / static_cast<double>(images_.shownHeight()));
        const std::vector<glm::vec3> corners = {{-half, 0, 0}, {half, 0, 0}, {half, 1, 0}, {-half, 1, 0}};
        const int positions = buffer_.addVertexData({TINYGLTF_TYPE_VEC3}, corners, TINYGLTF_TARGET_ARRAY_BUFFER);
        buffer_.setBounds({-half, 0, 0}, {half, 1, 0});
        const std::vector<std::uint16_t> triangles = {0, 1, 2, 0, 2, 3};
        const int indices = buffer_.addVertexData({TINYGLTF_TYPE_SCALAR, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT},
                                                  triangles, TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER);
        const int view = buffer_.beginView();
        for (std::uint32_t cell = 0; cell < album_.distinct().size(); ++cell) {
            const Rectangle rectangle = textureRectangle(cell);
            tinygltf::Mesh& mesh = model_.meshes.emplace_back();
            mesh.name = core::frameName(album_.distinct()[cell]);
            tinygltf::Primitive& primitive = mesh.primitives.emplace_back();
            primitive.mode = TINYGLTF_MODE_TRIANGLES;
            primitive.attributes["POSITION"] = positions;
            primitive.attributes["TEXCOORD_0"] =
                buffer_.addAccessor(view, {TINYGLTF_TYPE_VEC2}, rectangle.data(), rectangle.size());
            primitive.indices = indices;
            primitive.material = static_cast<int>(album_.layout().placeOf(cell).page);
        }
        buffer_.endView(view);
        buffer_.view(view).target = TINYGLTF_TARGET_ARRAY_BUFFER;
        buffer_.view(view).byteStride = sizeof(Rectangle::value_type);  // because several accessors share it
    }

    /// The texture coordinates of the quad's corners, from the picture's bottom left. Textures begin at the top left.
    [[nodiscard]] Rectangle textureRectangle(std::uint32_t cell) const {
        const pictures::AtlasLayout& layout = album_.layout();
        const pictures::Place place = layout.placeOf(cell);
        const auto share = [](std::uint32_t pixels, std::uint32_t whole) {
            return static_cast<float>(pixels / static_cast<double>(whole));
        };
        const float left = share(place.x, layout.pageWidth());
        const float right = share(place.x + images_.shownWidth(), layout.pageWidth());
        const float top = share(place.y, layout.pageHeight());
        const float bottom = share(place.y + images_.shownHeight(), layout.pageHeight());
        return {{{left, bottom}, {right, bottom}, {right, top}, {left, top}}};
    }

    // Node 0 is the container, picture i is node i + 1.
    void addNodes() {
        model_.nodes.emplace_back().name = core::safeName(images_.name);
        for (std::uint32_t i = 0; i < images_.count; ++i) {
            tinygltf::Node& node = model_.nodes.emplace_back();
            node.name = core::frameName(i);
            node.mesh = static_cast<int>(album_.cellOf(i));
            if (i > 0)
                node.scale =
                    std::vector<double>(3, core::kHiddenScale);  // without playing, the first picture is visible
            model_.nodes.front().children.push_back(static_cast<int>(i) + 1);
        }
    }

    void addAnimation() {
        const double step = images_.timeOf(1);
        const double guard = step / 1000;
        Animation& animation = model_.animations.emplace_back();
        animation.name = core::validUtf8(images_.name);
        animation.extras = extras_.addClip(images_);
        const int view = buffer_.beginView();
        for (std::uint32_t i = 0; i < images_.count; ++i) {
            std::vector<float> times;
            std::vector<glm::vec3> scales;
            for (const core::VisibilityKey& key : core::visibilityKeys(i, images_.count, step, guard)) {
                times.push_back(static_cast<float>(key.time));
                scales.emplace_back(key.visible);
            }
            animation.channels.push_back({static_cast<int>(i), static_cast<int>(i) + 1, "scale"});
            AnimationSampler& sampler = animation.samplers.emplace_back();
            sampler.steps = true;
            sampler.input = buffer_.timeAccessor(view, times);
            sampler.output = options_.compact
                                 ? buffer_.sharedAccessor(view, {TINYGLTF_TYPE_VEC3}, scales.data(), scales.size())
                                 : buffer_.addAccessor(view, {TINYGLTF_TYPE_VEC3}, scales.data(), scales.size());
        }
        buffer_.endView(view);
    }

    void addScene() {
        tinygltf::Scene& scene = model_.scenes.emplace_back();
        scene.name = model_.nodes.front().name;
        scene.nodes = {0};
        scene.extras_json_string = extras_.take();
    }

    const core::ImageSequence& images_;
    const GltfOptions& options_;
    const core::Limits& limits_;
    pictures::Album album_;
    Model model_;
    BufferWriter buffer_;
    SceneExtras extras_;
};

}  // namespace

GltfParts buildFlipbook(const core::ImageSequence& images, const GltfOptions& options, const std::string& uri,
                        const core::Limits& limits) {
    if (images.count > kMostPictures)
        throw std::invalid_argument(
            fmt::format("{} frames are more than the {} that one file may have", images.count, kMostPictures));
    return FlipbookBuilder(images, options, limits).build(uri);
}

}  // namespace reanima::gltf
