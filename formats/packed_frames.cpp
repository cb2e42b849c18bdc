#include "formats/packed_frames.h"

namespace reanima {

void reportLosses(const PackedFrames& frames, const PackedFrames& written, const std::string& path,
                  core::Diagnostics& diagnostics) {
    const auto warn = [&](std::string_view member, std::string text) {
        diagnostics.warn(core::Code::recomputed, {fmt::format("{}.{}", path, member), std::nullopt}, std::move(text));
    };
    if (written.rotations != frames.rotations)
        warn("frames", "have angles that the format can't store exactly; these angles are rounded");
    if (written.tailBits != frames.tailBits)
        warn("tail_bits", fmt::format("is {}, but {} is written, because the last byte has no room for more bits",
                                      frames.tailBits, written.tailBits));
    if (written.wide != frames.wide)
        warn("wide", "are rewritten, because entries are out of order or state a width that the change needs anyway");
}

}  // namespace reanima
