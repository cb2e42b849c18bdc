/// File names of Final Fantasy VII's models.
///
/// A battle model's files have four letters and no extension: two for the model, two for the content. Letters count
/// from `aa`: `az` is number 25, `ba` 26. The models of spells are called `NAME.d`, `NAME.p00`, `NAME.t00`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reanima::ff7 {

// Numbers of content letters.
inline constexpr std::uint32_t kFirstTexture = 2;  ///< `ac`
inline constexpr std::uint32_t kLastTexture = 11;  ///< `al`
inline constexpr std::uint32_t kFirstPiece = 12;   ///< `am`
inline constexpr std::uint32_t kLastPiece = 61;    ///< `cj`
inline constexpr std::uint32_t kFirstWeapon = 62;  ///< `ck`
inline constexpr std::uint32_t kLastWeapon = 77;   ///< `cz`

/// `rtda` -> true for "da"
[[nodiscard]] bool hasContentLetters(std::string_view name, std::string_view letters);
/// True if the number of the content letters is in that range.
[[nodiscard]] bool hasContentLetters(std::string_view name, std::uint32_t first, std::uint32_t last);
/// `fire.p07` -> true for 'p'
[[nodiscard]] bool hasNumberedExtension(std::string_view name, char letter);

/// `rtda` -> `rtaa` for "aa"; the letters' case is kept.
[[nodiscard]] std::string withContentLetters(std::string_view name, std::string_view letters);
/// `rtaa` -> `rtam` for 12; the letters' case is kept.
[[nodiscard]] std::string withContentLetters(std::string_view name, std::uint32_t number);
/// `fire.d` -> `fire.p07` for 'p' and 7; the extension's case is kept.
[[nodiscard]] std::string withNumberedExtension(std::string_view name, char letter, std::uint32_t number);

/// The image name of a texture: `RTAC` -> `rtac`, `AABB.tex` -> `aabb`, `fire.t00` -> `fire_t00`
[[nodiscard]] std::string imageNameOf(std::string_view file);

/// A name, and its variants with stem, extension or both in the other case, for comparisons that ignore case.
[[nodiscard]] std::vector<std::string> spellingsOf(std::string_view name);

}  // namespace reanima::ff7
