/// Messages of a batch: the first ones of each kind are printed, further ones are counted.
#pragma once

#include <cstddef>
#include <map>
#include <utility>

#include "core/diagnostics.h"
#include "tools/reanima/system/console.h"

namespace reanima::tool {

/// Decides which messages of a run to print. With --verbose, all are printed. Warnings that the user treats as errors
/// are always printed.
class BatchMessages {
  public:
    /// @param outputs the number of outputs of the run; with one output, all messages are printed
    BatchMessages(const Console& console, std::size_t outputs) : console_(console), outputs_(outputs) {}

    /// Counts a message.
    /// @return true if it should be printed
    [[nodiscard]] bool isPrinted(const core::Warning& warning);

    /// Prints the number of unprinted messages of each kind.
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
