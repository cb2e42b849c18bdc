/// The hash that a file of this program's holds of itself, `scene.extras.reanima.hash`: an edit is noticed by it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "byte_blocks.h"
#include "core/bytes.h"
#include "json_text.h"

namespace reanima::gltf {

/// What stands in the place of the hash while the file is hashed: a hash all of whose digits are 0.
inline constexpr std::string_view kBlankHash = "xxh3-0000000000000000";

/// bufferHash() of bytes that come in parts.
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

/// What stands there until the file is whole. Nothing else in the file is the same, as the key depends on all of it.
[[nodiscard]] std::string hashToCome(std::string_view contentKey);

/// Puts the hash of a whole file where hashToCome() stands.
/// @return the hash; empty where nothing stands
std::string hashItself(ByteBlocks& file, std::string_view contentKey);

/// The marks of a file in the JSON of it: the strings, without quotes.
struct OwnMarks {
    std::optional<TextRange> key{};
    std::optional<TextRange> hash{};
};

/// @param json any text
[[nodiscard]] OwnMarks ownMarksIn(std::string_view json);

}  // namespace reanima::gltf
