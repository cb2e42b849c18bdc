/// Data stored on the disk until an output is written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "core/source.h"

namespace reanima::tool {

/// A temporary file beside an output, since the new entries of an archive may exceed the memory.
class Spool {
  public:
    /// @throws OutputError if the file can't be created
    explicit Spool(const std::filesystem::path& output);

    /// @return the bytes; readable after close(), while this object exists
    /// @throws OutputError
    [[nodiscard]] std::shared_ptr<const core::Source> add(core::Bytes bytes);
    /// Finishes writing. @throws OutputError
    void close();

  private:
    struct Held;
    std::shared_ptr<Held> held_;
};

}  // namespace reanima::tool
