/// Work on several processors.
#pragma once

#include <cstddef>
#include <functional>

namespace reanima::tool {

/// Calls `work(first, last)` for parts of 0 to `count`, each part on a thread of its own. The first exception is thrown
/// again when all have ended.
void inParts(std::size_t count, unsigned threads, const std::function<void(std::size_t first, std::size_t last)>& work);

}  // namespace reanima::tool
