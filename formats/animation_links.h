/// The animations that belong to a skeleton, where file names do not show it. The game's own files list them.
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
    std::string name{};                 ///< its purpose: `stand`; empty: unknown
    std::uint32_t uses = 0;             ///< number of places in the game that play it with this skeleton
    std::vector<std::string> places{};  ///< names of these places, if known
};

/// The animations of a skeleton. The first frame of the first animation is the usual pose.
struct LinkedAnimations {
    std::string name{};  ///< the game's name for the character; empty: unknown
    std::vector<LinkedAnimation> animations;
};

/// Keyed by the skeleton's file name in lower case, without folder: `aaaa.hrc`.
using AnimationLinks = std::map<std::string, LinkedAnimations, std::less<>>;

/// Calls `use` for every readable entry of an archive, one after another.
using EachEntry = std::function<void(const std::function<void(const std::string& name, core::Bytes bytes)>& use)>;

/// Where a game stores which animations belong to the skeletons of a format.
struct LinkSource {
    std::string_view archive;  ///< suffix of the archive's name: `flevel.lgp`
    /// Entries without such data are skipped.
    /// @throws core::DecodeError of the kind `limit`
    AnimationLinks (*read)(const EachEntry& entries, const core::Limits& limits);
    /// The data of this archive in the unmodified game. Thread-safe.
    const AnimationLinks& (*table)();
};

/// Animations in another archive. Their names show the character.
struct FurtherAnimations {
    std::string_view archive;  ///< the archive's name: `magic.lgp`
    /// Decides by file names such as `limcl1.a00` and `rtda` whether an animation belongs to a character. Empty if the
    /// names don't show it.
    std::optional<bool> (*isOf)(std::string_view animation, std::string_view character);
};

struct Format;

/// An option of formats that have a LinkSource.
inline constexpr OptionInfo kFieldsOption{"fields", OptionInfo::Type::text, "PATH",
                                          "flevel.lgp, or a folder with its fields, which assign animations to "
                                          "skeletons. Default: found beside the input"};

/// Rules that link the files of a format, in addition to the format's row. Most formats have none.
struct LinkRules {
    const Format& format;
    /// The game's data about animations of these skeletons. Null: only file names show it.
    const LinkSource* links = nullptr;
    /// Where further animations of these characters are. Null: there are none.
    const FurtherAnimations* further = nullptr;
    /// The number of bones in a skeleton or animation file. Empty if the file can't be read. The function is null if
    /// skeletons are not searched by this number.
    std::optional<std::uint32_t> (*boneCount)(core::Bytes bytes) = nullptr;
};

/// The rules of a format. For most formats they are empty.
[[nodiscard]] const LinkRules& linkRulesOf(const Format& format);

/// True for animations of a format whose skeletons are listed in the game's files.
[[nodiscard]] bool isLinkable(const Format& animation);

}  // namespace reanima
