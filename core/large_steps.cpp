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
    diagnostics.note(Code::largeStep, {},
                     fmt::format("{} step{} between two frames turn{} so far that players may disagree about the way "
                                 "(most: {})",
                                 count_, one ? "" : "s", one ? "s" : "", where_),
                     remedy);
}

}  // namespace reanima::core
