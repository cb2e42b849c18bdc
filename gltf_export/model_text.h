/// Writes the models of this folder's builders as JSON text: with RapidJSON's writer, and large parts directly.
/// tinygltf's own writer first builds a tree of the whole text, writes default values, and drops nulls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "byte_blocks.h"
#include "core/limits.h"
#include "json_writer.h"
#include "model.h"

namespace reanima::gltf {

/// The elements of a JSON list, separated by commas, without brackets.
///
/// Default values of glTF are not written. Extras come from `extras_json_string`.
class ListText {
  public:
    void add(const Accessor& accessor);
    void add(const Animation& animation);
    void add(const tinygltf::BufferView& view);
    void add(const tinygltf::Node& node);

    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] std::uint64_t size() const { return text_.size() + buffer_.size(); }
    [[nodiscard]] ByteBlocks take();

  private:
    void beginElement();
    void endElement();

    std::size_t count_ = 0;
    std::string buffer_;  ///< the end of the text
    ByteBlocks text_;
};

/// The text of one element.
template <typename Element>
[[nodiscard]] std::string elementText(const Element& element) {
    ListText list;
    list.add(element);
    const core::ByteVector text = list.take().joined();
    return {text.begin(), text.end()};
}

/// The JSON of a model. Lists that grow with every clip are converted to text while the model is built.
class ModelText {
  public:
    /// Converts the model's accessors and animations to text and removes them from the model.
    void take(Model& model);

    /// The size of the converted text in bytes.
    [[nodiscard]] std::uint64_t size() const { return accessors_.size() + animations_.size(); }

    /// The whole text.
    /// @param buffer the bytes of the model's one buffer
    /// @param uri the buffer's URI; the buffer's name is then bufferHash(). Empty: the buffer is the BIN chunk
    [[nodiscard]] ByteBlocks finish(Model&& model, core::Bytes buffer, const std::string& uri);

  private:
    ListText accessors_;
    ListText animations_;
};

/// Adds line breaks to JSON, for people.
/// @throws core::DecodeError of the kind `limit` if it grows too large
[[nodiscard]] ByteBlocks indented(ByteBlocks json, const core::Limits& limits);

}  // namespace reanima::gltf
