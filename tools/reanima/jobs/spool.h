/// Data that waits on the disk until an output is written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "core/source.h"

namespace reanima::tool {

/// A temporary file beside an output: what becomes of an archive's entries may be more than memory holds.
class Spool {
  public:
    /// @throws OutputError if no file can be made there
    explicit Spool(const std::filesystem::path& output);

    /// @return the bytes; to be read after close(), as long as this object lives
    /// @throws OutputError
    [[nodiscard]] std::shared_ptr<const core::Source> add(core::Bytes bytes);
    /// Ends the writing. @throws OutputError
    void close();

  private:
    struct Held;
    std::shared_ptr<Held> held_;
};

}  // namespace reanima::tool
