/// Choices of a rest pose: which one a skeleton is to have that stores none, or another one than it stores.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "../core/asset.h"
#include "../importers/input.h"

namespace reanima {

/// Opens a file that a setting names, with the files beside it as siblings.
/// @param besides the file that names it, whose folder a relative path starts from; empty: the current folder
/// @param required throw core::DecodeError if it can't be read; otherwise the result is empty if there is no such file
using OpenFile =
    std::function<std::optional<Input>(const std::string& path, const std::string& besides, bool required)>;

struct RestPose {
    enum class Source {
        standard,  ///< the skeleton's own; else the first frame of its own pack, else of the first clip
        zero,      ///< all rotations are the identity
        skeleton,  ///< the skeleton's own
        match,     ///< turned to the rest pose of the rig that it is bound to
        clip,      ///< a frame of a clip
    };

    Source source = Source::standard;
    std::optional<Input> file{};  ///< that the clip is in; none: the asset itself
    std::string clip{};           ///< its name or index; empty: the first
    std::uint32_t frame = 0;
    core::OptionHint saidBy{};  ///< the setting and its text, for messages
};

/// `match`, `zero`, `skeleton`, `CLIP:FRAME` or `FILE[:CLIP:FRAME]`; a colon separates only after a file that exists.
/// @param saidBy the setting, and the text as written
/// @throws core::DecodeError of the kind `option`
[[nodiscard]] RestPose parseRestPose(std::string_view text, core::OptionHint saidBy, const OpenFile& open,
                                     const std::string& besides = {});

/// How far such a text reaches that names a file which `exists` knows: the length of the name; none if it names none.
[[nodiscard]] std::optional<std::size_t> fileLengthInRestPose(std::string_view text,
                                                              const std::function<bool(const std::string&)>& exists);

/// Puts a rest pose on the asset's skeleton. `match` is the binding's matter and is not accepted.
/// @param input the first input that the asset comes from, with its companions
/// @throws core::DecodeError of the kind `option` if the asset has no such pose
void setRestPose(core::Asset& asset, const RestPose& rest, const Input& input, const Companions& companions,
                 Context& context);

}  // namespace reanima
