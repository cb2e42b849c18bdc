/// What a game's own files say about which animations belong to which skeletons, where the names of files do not.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/bytes.h"
#include "../core/limits.h"
#include "options.h"

namespace reanima {

/// An animation that belongs to a skeleton.
struct LinkedAnimation {
    std::string file;                   ///< its name in lower case, without folder: `acfe.a`
    std::string name{};                 ///< what it is for: `stand`; empty: not known
    std::uint32_t uses = 0;             ///< how many places of the game play it with this skeleton
    std::vector<std::string> places{};  ///< which ones, where they are known
};

/// The animations of a skeleton. The first frame of the first one is its usual pose.
struct LinkedAnimations {
    std::string name{};  ///< what the game calls the character; empty: not known
    std::vector<LinkedAnimation> animations;
};

/// By the skeleton's file name in lower case, without folder: `aaaa.hrc`.
using AnimationLinks = std::map<std::string, LinkedAnimations, std::less<>>;

/// Calls `use` for every entry of an archive that can be read, one after another.
using EachEntry = std::function<void(const std::function<void(const std::string& name, core::Bytes bytes)>& use)>;

/// Where a game says which animations belong to skeletons of a format.
struct LinkSource {
    std::string_view archive;  ///< the end of the name of the archive that says so: `flevel.lgp`
    /// Entries that say nothing of it are passed over.
    /// @throws core::DecodeError of the kind `limit`
    AnimationLinks (*read)(const EachEntry& entries, const core::Limits& limits);
    /// What the archive of the unmodified game says. Any thread may ask.
    const AnimationLinks& (*table)();
};

/// Animations of characters that lie in another archive than these, under names that say whose they are.
struct FurtherAnimations {
    std::string_view archive;  ///< the archive's name: `magic.lgp`
    /// Whether an animation is that character's, by the names of the files: `limcl1.a00` and `rtda`; nothing where such
    /// names don't tell.
    std::optional<bool> (*isOf)(std::string_view animation, std::string_view character);
};

struct Format;

/// Formats with a LinkSource have it.
inline constexpr OptionInfo kFieldsOption{"fields", OptionInfo::Type::text, "PATH",
                                          "flevel.lgp, or a folder of its fields: which animations belong to which "
                                          "skeletons; default: found beside the input"};

/// What formats say of links beyond their rows: a line of linkRules() for those that say anything.
struct LinkRules {
    const Format& format;
    /// Where the game says which animations belong to these skeletons. Null: the names of files alone do.
    const LinkSource* links = nullptr;
    /// Where further animations of these characters lie. Null: nowhere.
    const FurtherAnimations* further = nullptr;
    /// How many bones a skeleton has or an animation moves, as the file itself says; nothing if it can't be read. Null
    /// where no skeleton is looked for by the number.
    std::optional<std::uint32_t> (*boneCount)(core::Bytes bytes) = nullptr;
};

/// The rules of a format; those of most formats are empty.
[[nodiscard]] const LinkRules& linkRulesOf(const Format& format);

/// True for animations of a format of which a game says what skeletons they move.
[[nodiscard]] bool isLinkable(const Format& animation);

}  // namespace reanima
