#include "gltf_export/rig_look.h"

#include <fmt/format.h>

#include "core/memory.h"
#include "pictures/picture_files.h"

namespace reanima::gltf {

namespace {

class MaterialReader {
  public:
    MaterialReader(Document& document, const core::Limits& limits)
        : document_(document), limits_(limits), memory_(limits, "images") {}

    core::RigLook read() {
        readImages();
        for (const Field& material : document_.root().list("materials"))
            look_.materials.push_back(materialOf(material));
        core::Material& plain = look_.materials.emplace_back();
        plain.name = "no_material";
        plain.unlit = false;
        return std::move(look_);
    }

  private:
    void readImages() {
        for (const Field& image : document_.root().list("images"))
            try {
                const core::ByteVector held = fileOf(image);
                pictures::Picture picture = pictures::readPictureFile(held, limits_);
                memory_.add(2 * picture.pixels.size() * sizeof(pictures::Rgba));
                core::Image& shown = look_.images.emplace_back();
                shown.name = fmt::format("image{}", look_.images.size());
                shown.width = picture.width;
                shown.height = picture.height;
                for (const pictures::Rgba& pixel : picture.pixels)
                    shown.rgba.insert(shown.rgba.end(), pixel.begin(), pixel.end());
                numbers_.emplace_back(static_cast<std::uint32_t>(look_.images.size() - 1));
            } catch (const core::DecodeError& error) {
                if (error.kind() == core::DecodeError::Kind::limit)
                    throw;
                numbers_.emplace_back(std::nullopt);  // unreadable or missing
            }
    }

    core::ByteVector fileOf(const Field& image) {
        const std::optional<Field> number = image.find("bufferView");
        if (!number)
            return document_.resource(image.at("uri")).value_or(core::ByteVector());
        const std::vector<Field> views = document_.root().list("bufferViews");
        const Field& view = views[number->index(views.size())];
        const core::Bytes buffer = document_.buffer(view.at("buffer").integer<std::uint32_t>());
        const std::uint64_t begin = view.wholeOr("byteOffset", 0);
        const std::uint64_t length = view.at("byteLength").whole();
        if (begin > buffer.size() || length > buffer.size() - begin)
            return {};
        const core::Bytes bytes = buffer.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(length));
        return {bytes.begin(), bytes.end()};
    }

    core::Material materialOf(const Field& field) {
        core::Material material;
        material.name = field.textOrNone("name");
        material.doubleSided = field.has("doubleSided") && field.at("doubleSided").flag();
        const std::optional<Field> extensions = field.find("extensions");
        material.unlit = extensions && extensions->contains("KHR_materials_unlit");
        const std::string mode = field.textOrNone("alphaMode");
        material.alphaMode = mode == "MASK"    ? core::AlphaMode::mask
                             : mode == "BLEND" ? core::AlphaMode::blend
                                               : core::AlphaMode::opaque;
        if (const std::optional<Field> cutoff = field.find("alphaCutoff"))
            material.alphaCutoff = cutoff->single();
        if (const std::optional<Field> colours = field.find("pbrMetallicRoughness")) {
            if (const std::optional<Field> factor = colours->find("baseColorFactor"))
                for (int i = 0; i < 4; ++i)
                    material.factor[i] = factor->at(static_cast<std::size_t>(i)).single();
            if (const std::optional<Field> texture = colours->find("baseColorTexture"))
                addTexture(*texture, material);
        }
        return material;
    }

    /// Adds a texture, unless it uses other texture coordinates than the first set.
    void addTexture(const Field& reference, core::Material& material) {
        if (reference.wholeOr("texCoord", 0) != 0)
            return;
        const std::vector<Field> textures = document_.root().list("textures");
        const Field& texture = textures[reference.at("index").index(textures.size())];
        if (const std::optional<Field> source = texture.find("source"))
            material.image = numbers_[source->index(numbers_.size())];
        const std::optional<Field> number = texture.find("sampler");
        const std::vector<Field> samplers = document_.root().list("samplers");
        constexpr std::uint64_t kClampToEdge = 33071;
        if (number && samplers[number->index(samplers.size())].wholeOr("wrapS", 0) == kClampToEdge)
            material.wrap = core::Wrap::clamp;
    }

    Document& document_;
    const core::Limits& limits_;
    core::MemoryCount memory_;
    core::RigLook look_;
    std::vector<std::optional<std::uint32_t>> numbers_;  // per image of the file: its index among those that were read
};

}  // namespace

core::RigLook materialsOf(Document& document, const core::Limits& limits) {
    return MaterialReader(document, limits).read();
}

}  // namespace reanima::gltf
