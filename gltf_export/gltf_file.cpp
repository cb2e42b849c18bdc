#include "gltf_export/gltf_file.h"

#include <sstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "core/byte_reader.h"
#include "gltf_export/gltf_builder.h"

namespace reanima::gltf {

namespace {

/// Appends what is written to a byte vector. tinygltf ignores errors of its stream; memory has none but bad_alloc.
class VectorStream : public std::streambuf {
  public:
    explicit VectorStream(core::ByteVector& out) : out_(out) {}

  protected:
    std::streamsize xsputn(const char* data, std::streamsize count) override {
        out_.insert(out_.end(), data, data + count);
        return count;
    }
    int_type overflow(int_type c) override {
        if (c != traits_type::eof())
            out_.push_back(static_cast<std::uint8_t>(c));
        return c;
    }

  private:
    core::ByteVector& out_;
};

}  // namespace

core::ByteVector writeGlb(const core::Asset& asset, const GltfOptions& options) {
    const tinygltf::Model model = buildModel(asset, options);
    core::ByteVector glb;
    constexpr std::size_t kJsonPerAccessor = 512;  // a rough guess saves most of the reallocations
    glb.reserve(model.buffers.front().data.size() + model.accessors.size() * kJsonPerAccessor);
    VectorStream buffer(glb);
    std::ostream stream(&buffer);
    tinygltf::TinyGLTF writer;
    if (!writer.WriteGltfSceneToStream(&model, stream, /*prettyPrint=*/false, /*writeBinary=*/true))
        throw std::runtime_error("tinygltf could not write the model");
    return glb;
}

GltfPair writeGltf(const core::Asset& asset, const GltfOptions& options, const std::string& bufferName) {
    const core::ByteVector glb = writeGlb(asset, options);
    core::LittleEndianReader reader{core::Bytes(glb)};
    (void)reader.bytes(12, "header");
    const auto chunk = [&reader] {
        const auto size = reader.read<std::uint32_t>("chunk_size");
        (void)reader.read<std::uint32_t>("chunk_type");
        return reader.bytes(size, "chunk");
    };
    const core::Bytes text = chunk();
    auto json = nlohmann::ordered_json::parse(text.begin(), text.end());
    json["buffers"][0]["uri"] = bufferName;
    const core::Bytes data = chunk();
    return {json.dump(2) + "\n", core::copyOf(data.first(json["buffers"][0]["byteLength"].get<std::size_t>()))};
}

}  // namespace reanima::gltf
