#include "tools/reanima/jobs/batch_messages.h"

#include <fmt/format.h>

namespace reanima::tool {

bool BatchMessages::isPrinted(const core::Warning& warning) {
    const bool isForPlayers = console_.policy.isForPlayers(warning);
    const bool isSummedUp = (outputs_ > 1 || isForPlayers) && !console_.verbose &&
                            console_.policy.levelOf(warning) == WarningPolicy::Level::warn;
    if (!isSummedUp)
        return true;
    const std::size_t printed = isForPlayers ? 1 : 3;
    Alike& alike = alike_[{warning.severity, warning.code}];
    if (++alike.count <= printed)
        return true;
    ++alike.unsaid;
    return false;
}

void BatchMessages::sumUp() const {
    for (const auto& [kind, alike] : alike_)
        if (alike.unsaid > 0)
            console_.say(fmt::format("{} more {}{} like these ({}). Use -v to see them", alike.unsaid,
                                     kind.first == core::Warning::Severity::note ? "note" : "warning",
                                     alike.unsaid == 1 ? "" : "s", core::codeName(kind.second)));
}

}  // namespace reanima::tool
