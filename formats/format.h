/// What the library knows about a file format: one row of the registry. A new format is a folder beside this file and
/// a line in registry.cpp; nothing else names a format.
#pragma once

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
    std::vector<std::string> names;  ///< to be tried in this order
};

/// @param cancelled may be empty
/// @throws DecodeError if it says so
void refuseIfCancelled(const std::function<bool()>& cancelled);

/// Of a file that is to be made (Format::still) without a skeleton to make it for.
[[nodiscard]] core::DecodeError missingSkeleton();

/// The id of a model as JSON: a number, unless the file's own had to change to be unique.
[[nodiscard]] Json modelIdToJson(const std::string& id);

/// A file that belongs to a game but holds nothing to convert, so that it can be named for what it is.
struct OtherFile {
    std::string_view label;  ///< `a texture`
    bool (*matches)(core::Bytes bytes, std::string_view name);
    /// Where the animations are, or an empty text: `the animations are in rtda`
    std::string (*advice)(std::string_view name);
};

/// What is known of all files of a format, without opening one.
struct Traits {
    bool isConverted = true;  ///< false for what is nothing without an animation or a model: events
    /// True if poses are written into such files: Opened::written().
    bool isWrittenFromPoses = false;
    /// True if a file holds several clips: Opened::written() can add some (core::EditUse::adds), Format::still makes
    /// them together.
    bool addsClips = false;
    bool isRetimed = false;       ///< files store a pose per frame, and it is known how: Opened::retimed()
    bool holdsModels = false;     ///< a file may hold several skeletons: Opened::models()
    bool tellsCharacter = false;  ///< a game's file or a table tells who it is: Opened::called()
    bool hasParts = false;        ///< loading reads more than the companions: Opened::readParts()
    bool isKnownById = false;  ///< others name such a companion by an id, and not by the order in which it lies there
    bool sharesExtensions = false;  ///< many programs use them: content and isUsualName tell what a file is
};

/// A row is defined in its game's namespace as `extern const Format kName = {...}`, and listed in registry.cpp.
struct Format {
    std::string_view id;     ///< `ff7-battle-animation`
    std::string_view label;  ///< `Final Fantasy VII battle animations`
    Kind kind;
    std::span<const std::string_view> extensions;  ///< lower case, without dot
    /// True if files of this format are usually called like that, beyond the extensions. May be null.
    bool (*isUsualName)(std::string_view name) = nullptr;
    std::span<const OptionInfo> options;
    Traits traits{};

    /// True if the whole structure fits, to the last byte, without a doubt. Never throws.
    bool (*isWhole)(core::Bytes bytes);
    /// True if a cut or damaged file begins like one of this format. Never throws; null: such are not recognised.
    bool (*beginsLike)(core::Bytes bytes) = nullptr;
    /// The companions that this file may need, with the exact names to try. Null: none.
    std::vector<Need> (*needs)(const File& file) = nullptr;
    /// Opens a file for all that can be asked of it.
    std::unique_ptr<Opened> (*open)(const Input& input, const Companions& companions, const Context& context);
    /// The way back from `dump`; what was not edited comes out byte for byte. Null where a dump holds not everything.
    core::ByteVector (*encode)(const JsonReader& json, Context& context);
    /// A file in which nothing moves, a frame long, with a clip at each of the places: what Opened::written()
    /// makes others of. Null where files can't be made without an original.
    /// @param companions the skeleton among them
    /// @throws DecodeError for places that the skeleton's files have not
    core::ByteVector (*still)(const NewClips& clips, const Companions& companions, Context& context) = nullptr;
    /// Makes a file from pictures. Null unless this is a format of pictures.
    core::ByteVector (*encodeImages)(const core::ImageSequence& images, Context& context) = nullptr;
    /// The format of the skeletons that these animations move, of a game with several kinds; empty: any of the game's.
    std::string_view skeleton{};
    /// Files of the same game that hold nothing to convert.
    std::span<const OtherFile> others{};
    /// Who the character of a file may be by the file's name alone, whatever it holds: files that may share a title
    /// have their stems in their outputs' names, so that none depends on what can be read of another one. Asked of
    /// files that become outputs; null where names tell nothing.
    core::Called (*calledByName)(std::string_view fileName) = nullptr;
    /// True if an entry of one of the game's archives may be a character: it becomes a file of its own when the whole
    /// archive is converted. Where no row of a game says so, any entry may be one.
    /// @param type of the entry, as its archive has it
    bool (*isCharacter)(std::string_view fileName, std::uint32_t type) = nullptr;
    /// What files of this format are to others if a folder or an archive of them is named.
    std::optional<Role> companion{};
    /// Bytes of memory that a file's byte may become at most while it is decoded: in records of many short texts and
    /// counts, in bytes that are kept beside what was made of them.
    std::uint32_t memoryPerByte = 8;

    /// Bytes that a whole file may take while it is decoded.
    [[nodiscard]] std::uint64_t memoryFor(const File& file) const {
        return std::uint64_t{memoryPerByte} * file.bytes.size();
    }

    /// `ff7`: skeletons and animations of different games do not go together.
    [[nodiscard]] std::string_view game() const { return id.substr(0, id.find('-')); }

    /// True if a skeleton of that format is one that files of this one need: animations without models of their own.
    [[nodiscard]] bool needsSkeleton(const Format& other) const {
        return kind == Kind::animation && !traits.holdsModels && other.kind == Kind::skeleton &&
               other.game() == game() && (skeleton.empty() || skeleton == other.id);
    }
};

/// True for what is part of characters, or of no use without another file: converted alone only where the user names
/// it.
[[nodiscard]] inline bool isPart(const Format& format) {
    return !format.traits.isConverted || format.kind == Kind::mesh || format.kind == Kind::picture;
}

using core::extensionOf;
using core::lowerCase;
using core::stemOf;

/// Lower-case `text` in upper case if the letter `sample` is: files lie under names in either case.
[[nodiscard]] std::string inCaseOf(char sample, std::string_view text);
/// The stem of `name`, and the stem up to its last `_`: what companions are named after.
[[nodiscard]] std::vector<std::string> companionStems(std::string_view name);
/// `run_1.ANIM` -> `run_1.CINF`, `run_1.cinf`, `run.CINF`, `run.cinf`: the case of the file's own extension first.
/// @param extension in lower case
[[nodiscard]] std::vector<std::string> companionNames(std::string_view name, std::string_view extension);

}  // namespace reanima
