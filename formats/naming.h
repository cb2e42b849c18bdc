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

/// The short name for a game's clip name: lower case, blanks as `_`: `TURN_L` -> `turn_l`.
[[nodiscard]] std::string clipNameOf(std::string_view gameName);

/// Makes clip names unique, in the order of the file: the second `run` becomes `run_2`.
void makeNamesUnique(std::vector<core::Clip>& clips);

/// Names given by the user: lines `clip,INDEX,NAME[,FILE]` and `joint,ID,NAME[,ROLE[,FILE]]`. INDEX is that of a clip
/// in its file, ID the file's own number of a joint (`bone007` is 7); both may also be current names (`root`). FILE
/// limits a line to a file: the name of a file or an entry, with or without its extension and folders, the id of a
/// model, or a pattern for them. Empty lines and lines that begin with `#` are ignored.
struct Names {
    std::string whose{};                                     ///< the FILE of these lines; empty: any
    std::map<std::string, std::string, std::less<>> clips;   ///< by index or name
    std::map<std::string, std::string, std::less<>> joints;  ///< by id or name
    std::map<std::string, std::string, std::less<>> roles;   ///< by the joint's new name
    std::vector<Names> own{};                                ///< of lines with a FILE
};

/// The names for one character: general ones, overridden by those for its file or model. Names for other files stay in
/// Names::own, since clips of a character may come from several files.
[[nodiscard]] Names namesFor(const Names& names, std::string_view file, std::string_view model);

/// The name of a bone if the file has no names: `bone007`.
[[nodiscard]] std::string boneName(std::size_t bone);

/// The joint of a bone along its own Z, starting at its parent's end, in a skeleton without a rest pose.
/// @param parent index of its joint, or core::kNoParent
/// @param parentLength in the game's units; none: it starts at its parent
/// @param scale metres per unit
[[nodiscard]] core::Joint chainJoint(std::size_t bone, int parent, std::optional<double> parentLength, double length,
                                     double scale);

/// Joints for bones of which only the ids are known, placed as by core::madeUpSkeleton() and named by boneName().
/// @param root name of a root joint above all bones; without it the first bone is the root
[[nodiscard]] core::Skeleton madeUpBones(std::span<const std::uint32_t> ids, double apart, std::string_view root = {});
/// The same for bones 0 to `count` - 1.
[[nodiscard]] core::Skeleton madeUpBones(std::size_t count, double apart, std::string_view root = {});

/// The longest possible name in bytes: the limit of Assimp's names.
inline constexpr std::size_t kLongestName = 1023;

/// @throws core::DecodeError that names the line
[[nodiscard]] Names parseNames(std::string_view csv);

/// Renames joints and clips. Names stay unique and safe; names that had to change for that give a warning.
/// @return the lines that match nothing, as `clip 77`
std::vector<std::string> applyNames(core::Asset& asset, const Names& names, core::Diagnostics& diagnostics);

/// The problem with the widths in a name template, if any.
[[nodiscard]] std::optional<std::string> problemOfTemplate(std::string_view pattern);

/// Renames clips by a template of {stem} {index} {index:03} {id} {name}. Names stay unique, with a warning if they had
/// to change for that.
/// @throws core::DecodeError for a wrong template, or one that makes a name longer than kLongestName
void applyTemplate(core::Asset& asset, const std::string& pattern, core::Diagnostics& diagnostics);

/// Keeps the clips that match any selection: a number (`7`, see core::numbersOf()), a range (`3-9`), an id (`id:203`),
/// a name, or a pattern for names (`*win*`). Case is ignored, unless a clip matches exactly.
/// @return the selections that match no clip
std::vector<std::string> keepClips(core::Asset& asset, const std::vector<std::string>& selections);

/// The clip for a selection (an index, an id or a name), or null.
[[nodiscard]] const core::Clip* clipNamed(const core::Asset& asset, std::string_view selection);

}  // namespace reanima
