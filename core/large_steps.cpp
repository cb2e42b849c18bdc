#include "core/large_steps.h"

#include <fmt/format.h>

namespace reanima::core {

void LargeSteps::add(std::size_t count, double size, std::string_view clip, std::string_view joint, std::size_t frame) {
    count_ += count;
    if (size > worst_) {
        worst_ = size;
        where_ = fmt::format("{}, {}, frame {}", clip, joint, frame);
    }
}

void LargeSteps::report(Diagnostics& diagnostics, const OptionHint& remedy) const {
    if (count_ == 0)
        return;
    const bool one = count_ == 1;
    diagnostics.note(
        Code::largeStep, {},
        fmt::format("{} rotation{} exceed{} {} degrees between two frames; players may interpolate {} either "
                    "way (largest: {})",
                    count_, one ? "" : "s", one ? "s" : "", kDegrees, one ? "it" : "them", where_),
        remedy);
}

}  // namespace reanima::core
