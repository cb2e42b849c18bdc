/// Options that mean the same for several formats.
#pragma once

#include "format.h"

namespace reanima {

inline constexpr OptionInfo kRateOption{
    "rate", OptionInfo::Type::number, "R", "frames a second; the motion plays faster or slower", 0.001, 1000};
inline constexpr OptionInfo kScaleOption{
    "scale", OptionInfo::Type::number, "F", "metres per unit of the game; 1 keeps the game's units", 1e-9, 1e9};
inline constexpr OptionInfo kJointsOption{
    "joints", OptionInfo::Type::count, "N", "bones of the skeleton, whatever a skeleton or the file says", 1, 65535};

/// Every format whose files may hold several models has it.
inline constexpr OptionInfo kModelOption{
    "model", OptionInfo::Type::text,    "ID", "of a file that holds several models, this one", 0, 0,
    {},      OptionInfo::Use::selecting};

inline constexpr OptionInfo kSubdivideOption{
    "subdivide", OptionInfo::Type::number,
    "DEG",       "in-between keys where an angle turns more than DEG degrees in a frame",
    1,           180};

// Those of every file, for hosts that can't set core::Limits.
inline constexpr OptionInfo kLimitSamplesOption{
    "limit-samples", OptionInfo::Type::count, "N", "decoded samples that a file may ask for", 1, 1e12};
inline constexpr OptionInfo kLimitMemoryOption{
    "limit-memory", OptionInfo::Type::count, "MIB", "memory that a conversion may hold", 1, 1 << 20};

/// The limits that these options set; the others are the defaults.
[[nodiscard]] core::Limits limitsFrom(const OptionValues& options);

/// How many bones an animation is expected to move: as --joints says, else as the skeleton does. Warns where they
/// differ.
[[nodiscard]] std::optional<std::uint32_t> bonesExpected(std::optional<std::uint32_t> ofSkeleton,
                                                         const Context& context);

}  // namespace reanima
