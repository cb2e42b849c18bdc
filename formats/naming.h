/// Which clips are wanted, and what clips and joints are called.
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

/// The short name of a clip that a game calls so: lower case, every blank `_`: `TURN_L` -> `turn_l`.
[[nodiscard]] std::string clipNameOf(std::string_view gameName);

/// Names clips that are called the same apart, in the order of the file: the second `run` becomes `run_2`.
void makeNamesUnique(std::vector<core::Clip>& clips);

/// Names given by the user: lines `clip,INDEX,NAME[,FILE]` and `joint,ID,NAME[,ROLE[,FILE]]`. INDEX is that of a clip
/// in its file, ID the file's own number of a joint (`bone007` is 7); both may also be called by the name that they
/// have (`root`). FILE says whose a line is: the name of a file or an entry, with or without its extension and folders,
/// the id of a model, or a pattern for them. Empty lines and lines that begin with `#` are passed over.
struct Names {
    std::string whose{};                                     ///< the FILE of these lines; empty: they are for any
    std::map<std::string, std::string, std::less<>> clips;   ///< by index or name
    std::map<std::string, std::string, std::less<>> joints;  ///< by id or name
    std::map<std::string, std::string, std::less<>> roles;   ///< by the joint's new name
    std::vector<Names> own{};                                ///< of lines with a FILE
};

/// The names for one character: those for any, and over them those for its file or model. What is for others stays in
/// Names::own: clips of a character may come from several files.
[[nodiscard]] Names namesFor(const Names& names, std::string_view file, std::string_view model);

/// What a bone is called whose file has no names: `bone007`.
[[nodiscard]] std::string boneName(std::size_t bone);

/// The joint of a bone that lies along its own Z, from its parent's end, in a skeleton without a rest pose.
/// @param parent index of its joint, or core::kNoParent
/// @param parentLength in the game's units; none: it starts at its parent
/// @param scale metres per unit
[[nodiscard]] core::Joint chainJoint(std::size_t bone, int parent, std::optional<double> parentLength, double length,
                                     double scale);

/// Joints for bones of which only the ids are known, placed as core::madeUpSkeleton() does and called by boneName().
/// @param root the name of a joint above them all that is no bone; without one the first bone is the root
[[nodiscard]] core::Skeleton madeUpBones(std::span<const std::uint32_t> ids, double apart, std::string_view root = {});
/// The same for bones 0 to `count` - 1.
[[nodiscard]] core::Skeleton madeUpBones(std::size_t count, double apart, std::string_view root = {});

/// Bytes of the longest name that can be given: what Assimp's names hold.
inline constexpr std::size_t kLongestName = 1023;

/// @throws core::DecodeError that names the line
[[nodiscard]] Names parseNames(std::string_view csv);

/// Renames joints and clips. Names stay unique and safe; a warning tells which of the given ones had to change for
/// that.
/// @return the lines that name nothing, as `clip 77`
std::vector<std::string> applyNames(core::Asset& asset, const Names& names, core::Diagnostics& diagnostics);

/// What is wrong with the widths in a template for names, if anything is.
[[nodiscard]] std::optional<std::string> problemOfTemplate(std::string_view pattern);

/// Renames clips by a template of {stem} {index} {index:03} {id} {name}.
/// Names stay unique, with a warning where they had to change for that.
/// @throws core::DecodeError for a template that is wrong, or makes a name longer than kLongestName
void applyTemplate(core::Asset& asset, const std::string& pattern, core::Diagnostics& diagnostics);

/// Keeps the clips that any of the selections names: a number (`7`, see core::numbersOf()), a range (`3-9`), an id
/// (`id:203`), a name, or a pattern for names (`*win*`).
/// @return the selections that match no clip
std::vector<std::string> keepClips(core::Asset& asset, const std::vector<std::string>& selections);

/// The clip that a selection names, or null: an index, an id or a name.
[[nodiscard]] const core::Clip* clipNamed(const core::Asset& asset, std::string_view selection);

}  // namespace reanima
