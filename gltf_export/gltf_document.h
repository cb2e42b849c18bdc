/// Reads glTF 2.0 files from untrusted sources.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <glm/mat4x4.hpp>

#include "byte_blocks.h"
#include "core/bytes.h"
#include "core/limits.h"
#include "core/skeleton.h"
#include "gltf_input.h"
#include "json_values.h"

namespace reanima::gltf {

/// A value of the document and its path.
using Field = BasicJsonReader<JsonValue>;

/// Numbers of an accessor, in the bytes of a buffer.
struct Elements {
    core::Bytes bytes;  ///< bytes, starting at the first element
    std::uint64_t count = 0;
    std::uint64_t stride = 0;         ///< bytes from one element to the next
    std::uint64_t componentType = 0;  ///< 5120 to 5126
    std::uint64_t components = 0;     ///< components per element
    bool isNormalized = false;

    /// The value as glTF defines it: normalized integers are between -1 and 1.
    /// @param element, component below the counts
    [[nodiscard]] double number(std::uint64_t element, std::uint64_t component) const;
};

/// An opened file: its JSON, as text and as values, and its buffers.
///
/// Nothing is trusted. Counts and offsets are checked before memory is reserved or read, nesting is limited, and other
/// files must be below the file's own folder.
class Document {
  public:
    /// @throws DecodeError if this is not glTF 2.0
    Document(const GltfInput& input, const core::Limits& limits);

    [[nodiscard]] Field root() const { return Field(json_); }
    /// The original JSON, without padding.
    [[nodiscard]] std::string_view text() const { return text_; }
    /// The memory of the JSON's values.
    [[nodiscard]] std::uint64_t memory() const { return memory_; }
    /// The chunks of a .glb after JSON and BIN. They belong to extensions.
    [[nodiscard]] core::Bytes furtherChunks() const { return furtherChunks_; }

    /// The files to which the document refers, in or below its folder, each once.
    [[nodiscard]] std::vector<std::string> filesBeside(Beside which) const;

    /// The bytes of a buffer, exactly as many as stated. @throws DecodeError if bytes are missing
    [[nodiscard]] core::Bytes buffer(std::uint32_t index);
    /// The bytes of a buffer, moved out of the document. For the BIN chunk, the result only refers to the bytes.
    [[nodiscard]] ByteBlocks takeBuffer(std::uint32_t index);
    /// The bytes of a URI: inline data, or a file. Empty if the file can't be found.
    /// @throws DecodeError for a URI outside the file's folder
    [[nodiscard]] std::optional<core::ByteVector> resource(const Field& uri) const;

    /// The elements of an accessor that is not compressed. They refer to the document.
    /// @param type such as "VEC3"
    /// @throws DecodeError unless it contains elements of that type
    [[nodiscard]] Elements elements(const Field& accessorIndex, std::string_view type);
    /// All numbers of an accessor, element by element, as defined by Elements::number(). The accessor may be sparse.
    /// @throws DecodeError as elements() does; of the kind `limit` if they need too much memory
    [[nodiscard]] std::vector<float> numbers(const Field& accessorIndex, std::string_view type);
    /// The unsupported extension that compresses an accessor's data. Empty if the data is not compressed.
    [[nodiscard]] std::string_view compressionOf(const Field& accessorIndex) const;
    [[nodiscard]] bool isCompressed(const Field& accessorIndex) const { return !compressionOf(accessorIndex).empty(); }
    /// The first `count` matrices of an accessor that is not compressed.
    /// @throws DecodeError unless it contains `count` 4x4 float matrices
    [[nodiscard]] std::vector<glm::dmat4> matrices(const Field& accessorIndex, std::size_t count);

  private:
    /// A buffer view.
    struct View {
        core::Bytes bytes;                      ///< bytes of a loaded buffer
        std::optional<std::uint64_t> stride{};  ///< stride as stated
    };

    /// @throws DecodeError if the view is not inside its buffer
    const View& viewOf(const Field& index);
    /// The element type of an accessor, without its bytes.
    static Elements elementKind(const Field& accessor);
    /// @param holder has `bufferView` and `byteOffset`: an accessor, or a part of a sparse accessor
    Elements elementsOf(const Field& holder, Elements kind, std::uint64_t count);
    void openGlb(core::Bytes bytes);
    void parse();

    core::Limits limits_;
    core::Siblings beside_;
    std::string_view text_;
    std::optional<core::Bytes> binary_;
    core::Bytes furtherChunks_;
    JsonDocument json_;
    std::uint64_t memory_ = 0;
    std::map<std::uint32_t, core::ByteVector> loaded_;  // buffers that are not in the BIN chunk
    std::uint64_t loadedBytes_ = 0;
    std::map<std::uint32_t, View> views_;  // views read so far, since accessors share views
};

/// The transform of a node, relative to its parent.
struct NodeTransform {
    glm::dmat4 matrix{1};
    std::optional<core::Transform> parts;  ///< translation, rotation and scale, unless the file states a matrix
};

/// @throws core::DecodeError for values that are not numbers, or a rotation of length 0
[[nodiscard]] NodeTransform transformOf(const Field& node);

}  // namespace reanima::gltf
