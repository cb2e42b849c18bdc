#include "gltf_export/model_text.h"

#include <fmt/format.h>
#include <xxhash.h>

#include "gltf_export/gltf_file.h"
#include "gltf_export/json_marks.h"

namespace reanima::gltf {

namespace {

std::string_view typeName(int type) {
    switch (type) {
        case TINYGLTF_TYPE_SCALAR:
            return "SCALAR";
        case TINYGLTF_TYPE_VEC2:
            return "VEC2";
        case TINYGLTF_TYPE_VEC3:
            return "VEC3";
        case TINYGLTF_TYPE_VEC4:
            return "VEC4";
        default:
            return "MAT4";
    }
}

/// Writes what a model consists of. A reference that is -1 is none.
class ElementWriter {
  public:
    explicit ElementWriter(JsonWriter& json) : json_(json) {}

    void write(const tinygltf::Accessor& accessor) {
        json_.StartObject();
        member("bufferView", accessor.bufferView);
        memberUnless("byteOffset", accessor.byteOffset, std::size_t{0});
        member("componentType", accessor.componentType);
        memberUnless("normalized", accessor.normalized, false);
        member("count", accessor.count);
        member("type", typeName(accessor.type));
        memberIfAny("min", accessor.minValues);
        memberIfAny("max", accessor.maxValues);
        json_.EndObject();
    }

    void write(const tinygltf::BufferView& view) {
        json_.StartObject();
        member("buffer", view.buffer);
        memberUnless("byteOffset", view.byteOffset, std::size_t{0});
        member("byteLength", view.byteLength);
        memberUnless("byteStride", view.byteStride, std::size_t{0});
        memberUnless("target", view.target, 0);
        json_.EndObject();
    }

    void write(const tinygltf::Animation& animation) {
        json_.StartObject();
        member("name", animation.name);
        member("channels", animation.channels);
        member("samplers", animation.samplers);
        extras(animation.extras_json_string);
        json_.EndObject();
    }

    void write(const tinygltf::Node& node) {
        json_.StartObject();
        member("name", node.name);
        memberIfAny("children", node.children);
        memberIfAny("translation", node.translation);
        memberIfAny("rotation", node.rotation);
        memberIfAny("scale", node.scale);
        memberUnless("mesh", node.mesh, -1);
        memberUnless("skin", node.skin, -1);
        extras(node.extras_json_string);
        json_.EndObject();
    }

    /// All but the lists that grow with the clips, and the buffer.
    void writeMembers(const tinygltf::Model& model, core::Bytes buffer, const std::string& uri) {
        key("asset");
        writeRaw(json_, R"({"version":"2.0","generator":"reanima )" REANIMA_VERSION R"("})");
        memberIfAny("extensionsUsed", model.extensionsUsed);
        member("scene", 0);
        member("scenes", model.scenes);
        key("buffers");
        json_.StartArray();
        json_.StartObject();
        if (!uri.empty()) {
            member("name", bufferHash(buffer));
            member("uri", uri);
        }
        member("byteLength", buffer.size());
        json_.EndObject();
        json_.EndArray();
        memberIfAny("bufferViews", model.bufferViews);
        member("nodes", model.nodes);
        memberIfAny("skins", model.skins);
        memberIfAny("meshes", model.meshes);
        memberIfAny("materials", model.materials);
        memberIfAny("textures", model.textures);
        memberIfAny("images", model.images);
        memberIfAny("samplers", model.samplers);
    }

  private:
    void write(const tinygltf::AnimationChannel& channel) {
        json_.StartObject();
        member("sampler", channel.sampler);
        key("target");
        json_.StartObject();
        member("node", channel.target_node);
        member("path", channel.target_path);
        json_.EndObject();
        json_.EndObject();
    }

    void write(const tinygltf::AnimationSampler& sampler) {
        json_.StartObject();
        member("input", sampler.input);
        memberUnless("interpolation", sampler.interpolation, "LINEAR");
        member("output", sampler.output);
        json_.EndObject();
    }

    void write(const tinygltf::Scene& scene) {
        json_.StartObject();
        member("name", scene.name);
        member("nodes", scene.nodes);
        extras(scene.extras_json_string);
        json_.EndObject();
    }

    void write(const tinygltf::Skin& skin) {
        json_.StartObject();
        member("name", skin.name);
        member("skeleton", skin.skeleton);
        member("joints", skin.joints);
        member("inverseBindMatrices", skin.inverseBindMatrices);
        json_.EndObject();
    }

    void write(const tinygltf::Primitive& primitive) {
        json_.StartObject();
        key("attributes");
        json_.StartObject();
        for (const auto& [name, accessor] : primitive.attributes)
            member(name, accessor);
        json_.EndObject();
        member("indices", primitive.indices);
        memberUnless("material", primitive.material, -1);
        memberUnless("mode", primitive.mode, TINYGLTF_MODE_TRIANGLES);
        json_.EndObject();
    }

    void write(const tinygltf::Mesh& mesh) {
        json_.StartObject();
        member("name", mesh.name);
        member("primitives", mesh.primitives);
        extras(mesh.extras_json_string);
        json_.EndObject();
    }

    void write(const tinygltf::Material& material) {
        constexpr double kAssumedCutoff = 0.5;
        json_.StartObject();
        member("name", material.name);
        key("pbrMetallicRoughness");
        json_.StartObject();
        if (material.pbrMetallicRoughness.baseColorTexture.index >= 0) {
            key("baseColorTexture");
            json_.StartObject();
            member("index", material.pbrMetallicRoughness.baseColorTexture.index);
            json_.EndObject();
        }
        memberUnless("metallicFactor", material.pbrMetallicRoughness.metallicFactor, 1.0);
        json_.EndObject();
        memberUnless("alphaMode", material.alphaMode, "OPAQUE");
        memberUnless("alphaCutoff", material.alphaCutoff, kAssumedCutoff);
        memberUnless("doubleSided", material.doubleSided, false);
        if (!material.extensions.empty()) {
            key("extensions");
            json_.StartObject();
            for (const auto& [name, value] : material.extensions) {  // being there is all that they say
                key(name);
                json_.StartObject();
                json_.EndObject();
            }
            json_.EndObject();
        }
        extras(material.extras_json_string);
        json_.EndObject();
    }

    void write(const tinygltf::Texture& texture) {
        json_.StartObject();
        member("sampler", texture.sampler);
        member("source", texture.source);
        json_.EndObject();
    }

    void write(const tinygltf::Sampler& sampler) {
        json_.StartObject();
        memberUnless("magFilter", sampler.magFilter, -1);
        memberUnless("minFilter", sampler.minFilter, -1);
        memberUnless("wrapS", sampler.wrapS, TINYGLTF_TEXTURE_WRAP_REPEAT);
        memberUnless("wrapT", sampler.wrapT, TINYGLTF_TEXTURE_WRAP_REPEAT);
        json_.EndObject();
    }

    void write(const tinygltf::Image& image) {
        json_.StartObject();
        member("name", image.name);
        member("mimeType", image.mimeType);
        if (image.uri.empty())
            member("bufferView", image.bufferView);
        else
            member("uri", image.uri);
        extras(image.extras_json_string);
        json_.EndObject();
    }

    void write(bool value) { json_.Bool(value); }
    void write(int value) { json_.Int(value); }
    void write(std::uint64_t value) { json_.Uint64(value); }
    void write(double value) { json_.Double(value); }
    void write(std::string_view value) { writeText(json_, value); }
    void write(const std::string& value) { writeText(json_, value); }

    template <typename T>
    void write(const std::vector<T>& list) {
        json_.StartArray();
        for (const T& value : list)
            write(value);
        json_.EndArray();
    }

    void key(std::string_view name) { writeText(json_, name); }

    template <typename T>
    void member(std::string_view name, const T& value) {
        key(name);
        write(value);
    }

    /// Unless it is the value that glTF assumes.
    template <typename T, typename Assumed>
    void memberUnless(std::string_view name, const T& value, const Assumed& assumed) {
        if (value != assumed)
            member(name, value);
    }

    template <typename T>
    void memberIfAny(std::string_view name, const T& values) {
        if (!values.empty())
            member(name, values);
    }

    void extras(const std::string& json) {
        if (json.empty())
            return;
        key("extras");
        writeRaw(json_, json);
    }

    JsonWriter& json_;
};

std::string_view textOf(const JsonBuffer& buffer) { return {buffer.GetString(), buffer.GetSize()}; }

}  // namespace

// ---------------------------------------------------------------------------------------------------------------------
// Lists

ListText::ListText() : writer_(buffer_) {
    writer_.StartArray();
    buffer_.Clear();
}

template <typename Element>
void ListText::addElement(const Element& element) {
    constexpr std::size_t kMuch = 64U << 10U;
    ElementWriter(writer_).write(element);
    ++count_;
    if (buffer_.GetSize() < kMuch)
        return;
    text_.append(textOf(buffer_));
    buffer_.Clear();
}

void ListText::add(const tinygltf::Accessor& accessor) { addElement(accessor); }
void ListText::add(const tinygltf::Animation& animation) { addElement(animation); }
void ListText::add(const tinygltf::BufferView& view) { addElement(view); }
void ListText::add(const tinygltf::Node& node) { addElement(node); }

ByteBlocks ListText::take() {
    text_.append(textOf(buffer_));
    buffer_.Clear();
    return std::move(text_);
}

// ---------------------------------------------------------------------------------------------------------------------
// The whole

void ModelText::take(tinygltf::Model& model) {
    for (const tinygltf::Accessor& accessor : model.accessors)
        accessors_.add(accessor);
    for (const tinygltf::Animation& animation : model.animations)
        animations_.add(animation);
    model.accessors.clear();
    model.animations.clear();
}

std::string bufferHash(core::Bytes buffer) {
    return fmt::format("xxh3-{:016x}", XXH3_64bits(buffer.data(), buffer.size()));
}

ByteBlocks ModelText::finish(tinygltf::Model&& model, core::Bytes bufferBytes, const std::string& uri) {
    take(model);
    JsonBuffer buffer;
    JsonWriter json(buffer);
    json.StartObject();
    ElementWriter(json).writeMembers(model, bufferBytes, uri);
    ByteBlocks text;
    text.append(textOf(buffer));
    const auto addList = [&text](std::string_view key, ListText& list) {
        if (list.count() == 0)
            return;
        text.append(key);
        text.append(list.take());
        text.append(std::string_view("]"));
    };
    addList(R"(,"accessors":[)", accessors_);
    addList(R"(,"animations":[)", animations_);
    text.append(std::string_view("}"));
    return text;
}

// ---------------------------------------------------------------------------------------------------------------------
// Line breaks

namespace {

/// Breaks the lines of JSON that has no space between its tokens. Lists stay on a line unless they hold objects.
class Indenter {
  public:
    void take(core::Bytes text) {
        for (const std::uint8_t byte : text)
            take(static_cast<char>(byte));
    }

    [[nodiscard]] std::uint64_t size() const { return out_.size(); }

    ByteBlocks result() {
        out_.append(line_ + "\n");
        return std::move(out_);
    }

  private:
    void take(char c) {
        const Mark mark = marks_.next(c);
        if (mark == Mark::text) {
            line_ += c;
            return;
        }
        const bool closes = mark == Mark::closes;
        if (isFirst_ && !closes && (open_.back() == Kind::object || c == '{'))
            open_.back() = Kind::broken;
        const bool isBroken = !open_.empty() && open_.back() == Kind::broken;
        if (closes)
            open_.pop_back();
        if (isBroken && (isFirst_ || closes))
            breakLine();
        isFirst_ = mark == Mark::opens;
        if (isFirst_)
            open_.push_back(c == '{' ? Kind::object : Kind::list);
        line_ += c;
        if (mark == Mark::comma && isBroken)
            breakLine();
        else if (mark == Mark::comma || mark == Mark::colon)
            line_ += ' ';
    }

    void breakLine() {
        out_.append(line_ + "\n");
        line_.assign(2 * open_.size(), ' ');
    }

    using Mark = JsonMarks::Mark;
    enum class Kind { object, list, broken };

    ByteBlocks out_;
    std::string line_;
    std::vector<Kind> open_;
    bool isFirst_ = false;  ///< what comes is the first in an object or a list
    JsonMarks marks_;
};

}  // namespace

ByteBlocks indented(ByteBlocks json, const core::Limits& limits) {
    Indenter indenter;
    std::uint64_t left = json.size();
    json.drain([&](core::Bytes part) {
        indenter.take(part);
        core::requireMemory(left + indenter.size(), limits, {"the glTF file", std::nullopt});
        left -= part.size();
    });
    return indenter.result();
}

}  // namespace reanima::gltf
