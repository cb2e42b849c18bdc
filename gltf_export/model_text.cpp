#include "gltf_export/model_text.h"

#include <concepts>
#include <span>

#include <fmt/format.h>

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

/// Appends whole numbers and text without characters that JSON escapes. RapidJSON would check every character.
class PlainText {
  public:
    explicit PlainText(std::string& text) : text_(text) {}

    void add(std::string_view text) { text_.append(text); }
    void add(std::string_view text, int number) { add(text, fmt::format_int(number)); }
    void add(std::string_view text, std::size_t number) { add(text, fmt::format_int(number)); }

  private:
    void add(std::string_view text, const fmt::format_int& number) {
        text_.append(text).append(number.data(), number.size());
    }

    std::string& text_;
};

/// Writes the parts of a model. A reference of -1 is omitted.
class ElementWriter {
  public:
    explicit ElementWriter(JsonWriter& json) : json_(json) {}

    void write(const tinygltf::BufferView& view) {
        json_.StartObject();
        member("buffer", view.buffer);
        memberUnless("byteOffset", view.byteOffset, std::size_t{0});
        member("byteLength", view.byteLength);
        memberUnless("byteStride", view.byteStride, std::size_t{0});
        memberUnless("target", view.target, 0);
        json_.EndObject();
    }

    void write(const tinygltf::Node& node) {
        json_.StartObject();
        member("name", node.name);
        memberIfAny("children", node.children);
        memberIfAny("matrix", node.matrix);
        memberIfAny("translation", node.translation);
        memberIfAny("rotation", node.rotation);
        memberIfAny("scale", node.scale);
        memberUnless("mesh", node.mesh, -1);
        memberUnless("skin", node.skin, -1);
        extras(node.extras_json_string);
        json_.EndObject();
    }

    /// Writes all members except the buffer and the lists that grow with the clips.
    void writeMembers(const tinygltf::Model& model, core::Bytes buffer, const std::string& uri) {
        key("asset");
        writeRaw(json_, R"({"version":"2.0","generator":"reanima )" REANIMA_VERSION R"("})");
        memberIfAny("extensionsUsed", model.extensionsUsed);
        if (!model.extensions_json_string.empty()) {
            key("extensions");
            writeRaw(json_, model.extensions_json_string);
        }
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
        memberUnless("skeleton", skin.skeleton, -1);
        member("joints", skin.joints);
        member("inverseBindMatrices", skin.inverseBindMatrices);
        json_.EndObject();
    }

    void write(const tinygltf::Primitive& primitive) {
        json_.StartObject();
        member("attributes", primitive.attributes);
        member("indices", primitive.indices);
        memberUnless("material", primitive.material, -1);
        memberUnless("mode", primitive.mode, TINYGLTF_MODE_TRIANGLES);
        memberIfAny("targets", primitive.targets);
        json_.EndObject();
    }

    void write(const std::map<std::string, int>& target) {
        json_.StartObject();
        for (const auto& [name, accessor] : target)
            member(name, accessor);
        json_.EndObject();
    }

    void write(const tinygltf::Mesh& mesh) {
        json_.StartObject();
        member("name", mesh.name);
        member("primitives", mesh.primitives);
        extras(mesh.extras_json_string);
        json_.EndObject();
    }

    void write(const tinygltf::TextureInfo& texture) {
        json_.StartObject();
        member("index", texture.index);
        memberUnless("texCoord", texture.texCoord, 0);
        json_.EndObject();
    }

    void write(const tinygltf::Material& material) {
        constexpr double kAssumedCutoff = 0.5;
        json_.StartObject();
        member("name", material.name);
        key("pbrMetallicRoughness");
        json_.StartObject();
        memberUnless("baseColorFactor", material.pbrMetallicRoughness.baseColorFactor, std::vector<double>(4, 1));
        if (material.pbrMetallicRoughness.baseColorTexture.index >= 0)
            member("baseColorTexture", material.pbrMetallicRoughness.baseColorTexture);
        memberUnless("metallicFactor", material.pbrMetallicRoughness.metallicFactor, 1.0);
        json_.EndObject();
        if (material.emissiveTexture.index >= 0)
            member("emissiveTexture", material.emissiveTexture);
        if (material.emissiveFactor != std::vector<double>(3, 0))  // the default of tinygltf 2.9
            memberIfAny("emissiveFactor", material.emissiveFactor);
        memberUnless("alphaMode", material.alphaMode, "OPAQUE");
        memberUnless("alphaCutoff", material.alphaCutoff, kAssumedCutoff);
        memberUnless("doubleSided", material.doubleSided, false);
        if (!material.extensions.empty()) {
            key("extensions");
            json_.StartObject();
            for (const auto& [name, value] : material.extensions) {  // extensions of materials have no members here
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
    void write(std::unsigned_integral auto value) { json_.Uint64(value); }
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

    /// Writes a member, unless it is glTF's default.
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

namespace {

/// The text that `write` produces with a JsonWriter.
template <typename Write>
void appendJson(std::string& text, const Write& write) {
    JsonBuffer buffer;
    JsonWriter json(buffer);
    write(json);
    text.append(textOf(buffer));
}

void appendBounds(std::string& text, std::string_view key, const std::vector<double>& bounds) {
    if (bounds.empty())
        return;
    text.append(key);
    appendJson(text, [&bounds](JsonWriter& json) {
        json.StartArray();
        for (const double bound : bounds)
            json.Double(bound);
        json.EndArray();
    });
}

void appendChannels(std::string& text, std::span<const AnimationChannel> channels) {
    PlainText plain(text);
    for (const AnimationChannel& channel : channels) {
        plain.add(&channel == channels.data() ? R"({"sampler":)" : R"(,{"sampler":)", channel.sampler);
        plain.add(R"(,"target":{"node":)", channel.node);
        plain.add(R"(,"path":")");
        plain.add(channel.path);
        plain.add(R"("}})");
    }
}

void appendSamplers(std::string& text, std::span<const AnimationSampler> samplers) {
    PlainText plain(text);
    for (const AnimationSampler& sampler : samplers) {
        plain.add(&sampler == samplers.data() ? R"({"input":)" : R"(,{"input":)", sampler.input);
        plain.add(sampler.steps ? R"(,"interpolation":"STEP","output":)" : R"(,"output":)", sampler.output);
        plain.add("}");
    }
}

}  // namespace

void ListText::beginElement() {
    if (count_ > 0)
        buffer_ += ',';
    ++count_;
}

void ListText::endElement() {
    constexpr std::size_t kMuch = 64U << 10U;
    if (buffer_.size() < kMuch)
        return;
    text_.append(std::string_view(buffer_));
    buffer_.clear();
}

void ListText::add(const Accessor& accessor) {
    beginElement();
    PlainText plain(buffer_);
    plain.add(R"({"bufferView":)", accessor.bufferView);
    if (accessor.byteOffset != 0)
        plain.add(R"(,"byteOffset":)", accessor.byteOffset);
    plain.add(R"(,"componentType":)", accessor.componentType);
    if (accessor.normalized)
        plain.add(R"(,"normalized":true)");
    plain.add(R"(,"count":)", accessor.count);
    plain.add(R"(,"type":")");
    plain.add(typeName(accessor.type));
    plain.add(R"(")");
    appendBounds(buffer_, R"(,"min":)", accessor.minValues);
    appendBounds(buffer_, R"(,"max":)", accessor.maxValues);
    plain.add("}");
    endElement();
}

void ListText::add(const Animation& animation) {
    beginElement();
    buffer_ += R"({"name":)";
    appendJson(buffer_, [&animation](JsonWriter& json) { writeText(json, animation.name); });
    buffer_ += R"(,"channels":[)";
    appendChannels(buffer_, animation.channels);
    buffer_ += R"(],"samplers":[)";
    appendSamplers(buffer_, animation.samplers);
    buffer_ += ']';
    if (!animation.extras.empty())
        buffer_.append(R"(,"extras":)").append(animation.extras);
    buffer_ += '}';
    endElement();
}

void ListText::add(const tinygltf::BufferView& view) {
    beginElement();
    appendJson(buffer_, [&view](JsonWriter& json) { ElementWriter(json).write(view); });
    endElement();
}

void ListText::add(const tinygltf::Node& node) {
    beginElement();
    appendJson(buffer_, [&node](JsonWriter& json) { ElementWriter(json).write(node); });
    endElement();
}

ByteBlocks ListText::take() {
    text_.append(std::string_view(buffer_));
    buffer_.clear();
    return std::move(text_);
}

// ---------------------------------------------------------------------------------------------------------------------
// The whole text

void ModelText::take(Model& model) {
    for (const Accessor& accessor : model.accessors)
        accessors_.add(accessor);
    for (const Animation& animation : model.animations)
        animations_.add(animation);
    model.accessors.clear();
    model.animations.clear();
}

ByteBlocks ModelText::finish(Model&& model, core::Bytes bufferBytes, const std::string& uri) {
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

/// Breaks the lines of JSON without space between its tokens. Lists stay on a line unless they contain objects.
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
    bool isFirst_ = false;  ///< the next value is the first one in an object or list
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
