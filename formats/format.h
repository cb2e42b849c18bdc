/// A file format: one row of the registry. A new format is a folder beside this file and a line in registry.cpp;
/// nothing else names a format.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/asset.h"
#include "core/text.h"
#include "edited_asset.h"
#include "input.h"
#include "json/json.h"
#include "opened.h"
#include "registry.h"

namespace reanima {

/// A companion that a format looks for.
struct Need {
    Role role;
    std::vector<std::string> names;  ///< names to try, in this order
};

/// @param cancelled may be empty
/// @throws DecodeError if cancelled() returns true
void refuseIfCancelled(const std::function<bool()>& cancelled);

/// The error if a new file (Format::still) lacks a skeleton.
[[nodiscard]] core::DecodeError missingSkeleton();

/// The id of a model as JSON: a number, unless the file's id was changed to be unique.
[[nodiscard]] Json modelIdToJson(const std::string& id);

/// A kind of game file with nothing to convert, so that messages can name it.
struct OtherFile {
    std::string_view label;  ///< `a texture`
    bool (*matches)(core::Bytes bytes, std::string_view name);
    /// States where the animations are: `the animations are in rtda`. An empty text if that is unknown.
    std::string (*advice)(std::string_view name);
};

/// Properties of a format that are known without opening a file.
struct Traits {
    bool isConverted = true;  ///< false for files that are useless without an animation or a model: events
    /// True if poses are written into such files: Opened::written().
    bool isWrittenFromPoses = false;
    /// True if a file may contain several clips. Then Opened::written() can add clips (core::EditUse::adds), and
    /// Format::still makes a file of several clips.
    bool addsClips = false;
    bool isRetimed = false;         ///< files store a pose per frame and can be retimed: Opened::retimed()
    bool holdsModels = false;       ///< a file may contain several skeletons: Opened::models()
    bool tellsCharacter = false;    ///< a game's file or a table names the character: Opened::called()
    bool isKnownById = false;       ///< other files refer to such a file by id, not by order
    bool sharesExtensions = false;  ///< other programs use its extensions, too: content and isUsualName decide
};

/// A row is defined in its game's namespace as `extern const Format kName = {...}`, and listed in registry.cpp.
struct Format {
    std::string_view id;     ///< `ff7-battle-animation`
    std::string_view label;  ///< `Final Fantasy VII battle animations`
    Kind kind;
    std::span<const std::string_view> extensions;  ///< lower case, without dot
    /// True if the name is usual for this format. Names with one of the extensions are always usual. May be null.
    bool (*isUsualName)(std::string_view name) = nullptr;
    std::span<const OptionInfo> options;
    Traits traits{};

    /// True if the whole structure fits to the last byte without warnings. Never throws.
    bool (*isWhole)(core::Bytes bytes);
    /// True if a truncated or damaged file begins like this format. Never throws. Null: such files are not recognised.
    bool (*beginsLike)(core::Bytes bytes) = nullptr;
    /// The companions that this file may need, with the exact names to try. Null: files need none.
    std::vector<Need> (*needs)(const File& file) = nullptr;
    /// Opens a file for all queries.
    std::unique_ptr<Opened> (*open)(const Input& input, const Companions& companions, const Context& context);
    /// The inverse of `dump`. Unedited parts are reproduced byte for byte. Null if a dump is not complete.
    core::ByteVector (*encode)(const JsonReader& json, Context& context);
    /// Makes a new file with a still clip of one frame at each index, for Opened::written() to edit. Null if files
    /// can't be made without an original.
    /// @param companions must include the skeleton
    /// @throws DecodeError for indices that the skeleton's files can't have
    core::ByteVector (*still)(const NewClips& clips, const Companions& companions, Context& context) = nullptr;
    /// Makes a file from pictures. Null unless this is a format of pictures.
    core::ByteVector (*encodeImages)(const core::ImageSequence& images, Context& context) = nullptr;
    /// The format of these animations' skeletons, if the game has several skeleton formats; empty: any of them.
    std::string_view skeleton{};
    /// Files of the same game with nothing to convert.
    std::span<const OtherFile> others{};
    /// The possible character of a file, judged by the file name only. If files may share a title, their outputs
    /// include the stem, so that no output name depends on other files. Null if names don't show the character.
    core::Called (*calledByName)(std::string_view fileName) = nullptr;
    /// True if an entry of one of the game's archives may be a character. Converting the whole archive includes such
    /// entries. If no format of a game has this function, any entry may be a character.
    /// @param type the entry's type in its archive
    bool (*isCharacter)(std::string_view fileName, std::uint32_t type) = nullptr;
    /// The role of such files for other files in the same folder or archive.
    std::optional<Role> companion{};
    /// Upper bound of decoded memory per byte of the file. It also holds for many short texts and counts, and for bytes
    /// that are kept beside the decoded form.
    std::uint32_t memoryPerByte = 8;

    /// The memory in bytes that decoding a whole file may need.
    [[nodiscard]] std::uint64_t memoryFor(const File& file) const {
        return std::uint64_t{memoryPerByte} * file.bytes.size();
    }

    [[nodiscard]] bool offers(std::string_view option) const {
        return std::ranges::any_of(options, [&](const OptionInfo& each) { return each.key == option; });
    }

    /// `ff7`: skeletons and animations of different games can't be combined.
    [[nodiscard]] std::string_view game() const { return id.substr(0, id.find('-')); }

    /// True if files of this format are animations that need a skeleton of the other format.
    [[nodiscard]] bool needsSkeleton(const Format& other) const {
        return kind == Kind::animation && !traits.holdsModels && other.kind == Kind::skeleton &&
               other.game() == game() && (skeleton.empty() || skeleton == other.id);
    }
};

/// True for parts of characters and for files that are useless without others. They are converted separately only if
/// the user names them.
[[nodiscard]] inline bool isPart(const Format& format) {
    return !format.traits.isConverted || format.kind == Kind::mesh || format.kind == Kind::picture;
}

using core::extensionOf;
using core::lowerCase;
using core::stemOf;

/// Converts lower-case `text` to upper case if the letter `sample` is in upper case, since file names occur in both.
[[nodiscard]] std::string inCaseOf(char sample, std::string_view text);
/// The stem of `name`, and the part of it before the last `_`. Companions have these stems.
[[nodiscard]] std::vector<std::string> companionStems(std::string_view name);
/// `run_1.ANIM` -> `run_1.CINF`, `run_1.cinf`, `run.CINF`, `run.cinf`. The file's own case comes first.
/// @param extension the companion's extension, in lower case
[[nodiscard]] std::vector<std::string> companionNames(std::string_view name, std::string_view extension);

}  // namespace reanima
