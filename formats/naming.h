/// Selects clips and names clips and joints.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../core/asset.h"
#include "../core/diagnostics.h"

namespace reanima {

/// The short name for a game's clip name, in lower case and with `_` for blanks: `TURN_L` -> `turn_l`.
[[nodiscard]] std::string clipNameOf(std::string_view gameName);

/// Makes clip names unique, in the order of the file. The second `run` becomes `run_2`.
void makeNamesUnique(std::vector<core::Clip>& clips);

/// Names that the user gave, as lines `clip,INDEX,NAME[,FILE]` and `joint,ID,NAME[,ROLE[,FILE]]`. INDEX is a clip's
/// index in its file; ID is the file's own number of a joint (`bone007` is 7). Both may also be current names (`root`).
/// FILE limits a line to one file, entry or model. It is a file name with or without extension and folders, the id of a
/// model, or a pattern for these. Empty lines and lines that begin with `#` are ignored.
struct Names {
    std::string whose{};                                     ///< FILE of these lines; empty: any file
    std::map<std::string, std::string, std::less<>> clips;   ///< names of clips by index or name
    std::map<std::string, std::string, std::less<>> joints;  ///< names of joints by id or name
    std::map<std::string, std::string, std::less<>> roles;   ///< roles by the joint's new name
    std::vector<Names> own{};                                ///< names for lines with a FILE
};

/// The names for one character. Names for the character's file or model override general names. Names for other files
/// stay in Names::own, since clips of a character may come from several files.
[[nodiscard]] Names namesFor(const Names& names, std::string_view file, std::string_view model);

/// The name of a bone if the file has no names: `bone007`.
[[nodiscard]] std::string boneName(std::size_t bone);

/// The joint of a bone in a skeleton without a rest pose. The joint is at its parent's end, along the parent's Z.
/// @param parent index of the parent's joint, or core::kNoParent
/// @param parentLength length of the parent in the game's units; empty: the joint is where its parent is
/// @param scale metres per unit
[[nodiscard]] core::Joint chainJoint(std::size_t bone, int parent, std::optional<double> parentLength, double length,
                                     double scale);

/// Joints for bones of which only the ids are known. Placed as by core::madeUpSkeleton(), named by boneName().
/// @param root name of a root joint above all bones; without it the first bone is the root
[[nodiscard]] core::Skeleton madeUpBones(std::span<const std::uint32_t> ids, double apart, std::string_view root = {});
/// Joints for bones 0 to `count` - 1.
[[nodiscard]] core::Skeleton madeUpBones(std::size_t count, double apart, std::string_view root = {});

/// The longest possible name in bytes: the limit of Assimp's names.
inline constexpr std::size_t kLongestName = 1023;

/// @throws core::DecodeError that names the line
[[nodiscard]] Names parseNames(std::string_view csv);

/// Renames joints and clips. Names stay unique and safe; a warning reports names that had to be changed.
/// @return the lines that match nothing, in the form `clip 77`
std::vector<std::string> applyNames(core::Asset& asset, const Names& names, core::Diagnostics& diagnostics);

/// The problem with the widths in a name template, if any.
[[nodiscard]] std::optional<std::string> problemOfTemplate(std::string_view pattern);

/// Renames clips by a template of {stem} {index} {index:03} {id} {name}. Names stay unique; a warning reports names
/// that had to be changed.
/// @throws core::DecodeError for a wrong template, or one that makes a name longer than kLongestName
void applyTemplate(core::Asset& asset, const std::string& pattern, core::Diagnostics& diagnostics);

/// Keeps the clips that match at least one selection: a number (`7`, see core::numbersOf()), a range (`3-9`), an id
/// (`id:203`), a name, or a pattern for names (`*win*`). Case is ignored if no clip matches exactly.
/// @return the selections that match no clip
std::vector<std::string> keepClips(core::Asset& asset, const std::vector<std::string>& selections);

/// The clip for a selection (an index, an id or a name), or null.
[[nodiscard]] const core::Clip* clipNamed(const core::Asset& asset, std::string_view selection);

}  // namespace reanima
