/// Messages of a batch: the first ones of each kind are printed, the others counted.
#pragma once

#include <cstddef>
#include <map>
#include <utility>

#include "core/diagnostics.h"
#include "tools/reanima/system/console.h"

namespace reanima::tool {

/// Decides which messages of a run are printed. With --verbose, and for those that are errors to the user, that is all.
class BatchMessages {
  public:
    /// @param outputs how many the run makes: of a single one every message is printed
    BatchMessages(const Console& console, std::size_t outputs) : console_(console), outputs_(outputs) {}

    /// Counts a message.
    /// @return true if it is to be printed
    [[nodiscard]] bool isPrinted(const core::Warning& warning);

    /// Prints how many messages of each kind were counted only.
    void sumUp() const;

  private:
    struct Alike {
        std::size_t count = 0;
        std::size_t unsaid = 0;
    };

    const Console& console_;
    std::size_t outputs_;
    std::map<std::pair<core::Warning::Severity, core::Code>, Alike> alike_;
};

}  // namespace reanima::tool
