/// Models as JSON text: what the builders of this folder put into them, by RapidJSON's writer, and without it where
/// there is much. tinygltf's own would build the whole text as a tree first, writes values that need not be said, and
/// leaves out nulls.
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
/// Values that glTF assumes where nothing is said are not written. Extras are those in `extras_json_string`.
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
    std::string buffer_;  ///< the last of the text
    ByteBlocks text_;
};

/// The JSON of a model, of which the lists that grow with every clip become text while it is built.
class ModelText {
  public:
    /// Turns the model's accessors and animations into text and takes them out of it.
    void take(Model& model);

    /// Bytes of what was taken.
    [[nodiscard]] std::uint64_t size() const { return accessors_.size() + animations_.size(); }

    /// The whole text.
    /// @param buffer the bytes of the model's one buffer
    /// @param uri of the buffer, whose name is bufferHash() then; empty: it is the BIN chunk
    [[nodiscard]] ByteBlocks finish(Model&& model, core::Bytes buffer, const std::string& uri);

  private:
    ListText accessors_;
    ListText animations_;
};

/// The same JSON with line breaks, for people.
/// @throws core::DecodeError of the kind `limit` if it grows too large
[[nodiscard]] ByteBlocks indented(ByteBlocks json, const core::Limits& limits);

}  // namespace reanima::gltf
