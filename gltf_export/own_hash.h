/// Output files store a hash of their own content, `scene.extras.reanima.hash`, so that edits can be detected.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "byte_blocks.h"
#include "core/bytes.h"
#include "json_text.h"

namespace reanima::gltf {

/// The placeholder for the hash while the file is hashed: all digits 0.
inline constexpr std::string_view kBlankHash = "xxh3-0000000000000000";

/// Computes the bufferHash() of bytes that come in several parts.
class PartsHash {
  public:
    PartsHash();
    ~PartsHash();
    PartsHash(const PartsHash&) = delete;
    PartsHash& operator=(const PartsHash&) = delete;

    void add(core::Bytes bytes);
    void add(std::string_view text);
    [[nodiscard]] std::string text() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The placeholder until the file is complete. It depends on the key, so it is unique in the file.
[[nodiscard]] std::string hashToCome(std::string_view contentKey);

/// Replaces hashToCome() by the hash of the complete file.
/// @return the hash; empty if there is no placeholder
std::string hashItself(ByteBlocks& file, std::string_view contentKey);

/// Key and hash in a file's JSON: the strings, without quotes.
struct OwnMarks {
    std::optional<TextRange> key{};
    std::optional<TextRange> hash{};
};

/// @param json any text
[[nodiscard]] OwnMarks ownMarksIn(std::string_view json);

}  // namespace reanima::gltf
