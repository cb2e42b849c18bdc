#include "formats/angle_edits.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/axes.h"
#include "core/decode_error.h"
#include "core/nearest_angles.h"

namespace reanima {

void setFrameCount(AngleFrames& frames, std::uint32_t count) {
    const std::size_t triples = frames.triples();
    const std::size_t before = frames.count();
    frames.translations.resize(count, frames.translations.back());
    frames.rotations.resize(count * triples);
    for (std::size_t at = before * triples; at < frames.rotations.size(); ++at)
        frames.rotations[at] = frames.rotations[at - triples];
}

AngleTriple anglesOf(const core::RotationEdit& edit, core::AxisOrder order, const AngleTriple& near, unsigned keyBits) {
    return core::nearestAngles(core::axes::toYDown(edit.rotation), core::factorsOf(order), near, keyBits);
}

Position positionOf(const core::TranslationEdit& edit, double scale, const std::string& clip) {
    const glm::dvec3 at = core::axes::toYDown(edit.translation) / scale;
    Position position{};
    for (int axis = 0; axis < 3; ++axis) {
        const double unit = std::round(at[axis]);
        using Limits = std::numeric_limits<std::int16_t>;
        if (!(unit >= Limits::min() && unit <= Limits::max()))
            throw core::DecodeError({clip, std::nullopt},
                                    fmt::format("frame {}: the position is {} units, expected {} to {}", edit.frame,
                                                unit, Limits::min(), Limits::max()));
        position[static_cast<std::size_t>(axis)] = static_cast<std::int16_t>(unit);
    }
    return position;
}

void turn(AngleFrames& frames, std::size_t triple, std::span<const core::RotationEdit> edits, core::AxisOrder order,
          std::uint32_t before, unsigned keyBits) {
    const std::size_t triples = frames.triples();
    for (const core::RotationEdit& edit : edits) {
        AngleTriple& angles = frames.rotations[edit.frame * triples + triple];
        const AngleTriple& near = edit.frame < before ? angles : frames.rotations[(edit.frame - 1) * triples + triple];
        angles = anglesOf(edit, order, near, keyBits);
    }
}

void move(AngleFrames& frames, std::span<const core::TranslationEdit> edits, double scale, const std::string& clip) {
    for (const core::TranslationEdit& edit : edits)
        frames.translations[edit.frame] = positionOf(edit, scale, clip);
}

}  // namespace reanima
