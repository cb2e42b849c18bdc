/// Options with the same meaning in several formats.
#pragma once

#include <array>
#include <string_view>

#include "file_clips.h"
#include "format.h"

namespace reanima {

inline constexpr OptionInfo kRateOption{
    "rate", OptionInfo::Type::number, "R", "frames per second, to play faster or slower", 0.001, 1000};
inline constexpr OptionInfo kScaleOption{
    "scale", OptionInfo::Type::number, "F", "metres per unit of the game; 1 keeps the game's units", 1e-9, 1e9};
inline constexpr OptionInfo kJointsOption{
    "joints", OptionInfo::Type::count,
    "N",      "number of bones, instead of the number that the file or skeleton states",
    1,        65535};

/// An option of all formats whose files may contain several models.
inline constexpr OptionInfo kModelOption{
    "model", OptionInfo::Type::text,    "ID", "read only this model of a file with several models", 0, 0,
    {},      OptionInfo::Use::selecting};

/// An option of all formats whose characters have meshes: the loader leaves out meshes, materials and images.
inline constexpr OptionInfo kNoMeshOption{
    "no-mesh", OptionInfo::Type::flag, {}, "write only joints and clips, no meshes"};

/// An option for files of other programs, which have no rows in the registry.
inline constexpr OptionInfo kJointRootOption{"joint-root", OptionInfo::Type::text, "NAME",
                                             "for files of other programs: name of the topmost joint to read. Default: "
                                             "the root of the skeleton with the most joints"};

/// Another option for files of other programs.
inline constexpr std::array<std::string_view, 6> kUpAxes = {"x", "-x", "y", "-y", "z", "-z"};
inline constexpr OptionInfo kUpOption{"up",
                                      OptionInfo::Type::text,
                                      "AXIS",
                                      "for files of other programs: the axis that points up, for example --up=-z. "
                                      "Default: for BVH files, found from the motion; for others, y",
                                      0,
                                      0,
                                      kUpAxes};

/// An option of all formats whose meshes have groups.
inline constexpr OptionInfo kHideGroupOption{
    "hide-group", OptionInfo::Type::counts, "N", "leave out this group of the mesh; repeatable", 0, 65535};

/// Where the names of clips, joints and characters come from.
enum class NamesBy {
    game,  ///< from the game and its tables, if known
    file,  ///< from the file's name and the numbers in the file
};
inline constexpr std::array<std::string_view, 2> kNamesByWords = {"game", "file"};
/// An option of all formats whose characters or clips have names in the game's files or in a table.
inline constexpr OptionInfo kNamesByOption{"names-by",
                                           OptionInfo::Type::text,
                                           "WORD",
                                           "how clips and characters are named: as in the game, if known (game), or "
                                           "by file name and numbers (file). Default: game",
                                           0,
                                           0,
                                           kNamesByWords,
                                           OptionInfo::Use::reading,
                                           "game"};
[[nodiscard]] NamesBy namesByOf(const OptionValues& options);

// An option for meshes whose materials define lighting and textures.
inline constexpr std::array<std::string_view, 3> kLightings = {"auto", "lit", "unlit"};
inline constexpr OptionInfo kLightingOption{
    "lighting",
    OptionInfo::Type::text,
    "WORD",
    "whether light affects the materials: always (lit), never (unlit), or as in the game (auto). Default: auto",
    0,
    0,
    kLightings,
    OptionInfo::Use::looks,
    "auto"};
/// Whether materials are lit. Empty: as in the game.
[[nodiscard]] std::optional<bool> litOf(const OptionValues& options);

inline constexpr std::array<std::string_view, 2> kFilters = {"nearest", "linear"};
inline constexpr OptionInfo kFilterOption{"filter",
                                          OptionInfo::Type::text,
                                          "F",
                                          "how enlarged textures look: pixelated (nearest) or smooth (linear). "
                                          "Default: nearest for Final Fantasy VII, linear for Metroid Prime",
                                          0,
                                          0,
                                          kFilters,
                                          OptionInfo::Use::looks};

inline constexpr OptionInfo kSubdivideOption{
    "subdivide", OptionInfo::Type::number,
    "DEG",       "add keys where an angle changes by more than DEG degrees between two frames",
    1,           180};

// An option for all files, used by hosts that can't set core::Limits.
inline constexpr OptionInfo kLimitSamplesOption{
    "limit-samples", OptionInfo::Type::count, "N", "limit on the decoded values of one file", 1, 1e12};
inline constexpr OptionInfo kLimitMemoryOption{
    "limit-memory", OptionInfo::Type::count, "MIB", "limit on the memory of one conversion", 1, 1 << 20};

/// The limits that these options set. Other limits have their defaults.
[[nodiscard]] core::Limits limitsFrom(const OptionValues& options);

/// A game's settings with the rate and scale that the user requested, if any.
template <typename Settings>
[[nodiscard]] Settings rateAndScaleFrom(const OptionValues& options) {
    Settings settings;
    settings.rate = options.number(kRateOption.key).value_or(settings.rate);
    settings.scale = options.number(kScaleOption.key).value_or(settings.scale);
    return settings;
}

/// The settings for files that contain several clips and their skeleton.
/// @param usual the game's usual rate and scale
[[nodiscard]] FileClipSettings clipSettingsFrom(const File& file, const OptionValues& options, AngleClipSettings usual);

/// The settings for the clips of a file, with the file's name and stem and the number of bones.
template <typename Settings>
[[nodiscard]] Settings clipSettingsFrom(const File& file, const OptionValues& options) {
    auto settings = rateAndScaleFrom<Settings>(options);
    settings.source = file.name;
    settings.stem = std::string(stemOf(file.name));
    settings.bones = options.count(kJointsOption.key);
    return settings;
}

/// The requested number of metres per unit, otherwise the game's.
template <typename Settings>
[[nodiscard]] double scaleFrom(const OptionValues& options) {
    return options.number(kScaleOption.key).value_or(Settings{}.scale);
}

/// The expected number of bones of an animation: from --joints, otherwise from the skeleton. Warns if they differ.
[[nodiscard]] std::optional<std::uint32_t> bonesExpected(std::optional<std::uint32_t> ofSkeleton,
                                                         const Context& context);

}  // namespace reanima
