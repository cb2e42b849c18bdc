/// Work on several processors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace reanima::tool {

constexpr unsigned kMostThreads = 256;

/// The number of tasks to run at the same time: one per processor of this process, limited by the machine's memory, and
/// at least 1.
/// @param memory bytes per task, at least 1
[[nodiscard]] unsigned threadsFor(std::uint64_t memory);

/// Calls `work(first, last)` for parts of 0 to `count`, each part on its own thread, or several per thread if the
/// system provides fewer. The first exception is rethrown after all have ended.
void inParts(std::size_t count, unsigned threads, const std::function<void(std::size_t first, std::size_t last)>& work);

/// Calls `work(i)` for 0 to `count` on several threads, and calls the returned functions on the calling thread in the
/// order of i. If the system provides fewer threads, those do all the work; with none, or if `count` is 1, the calling
/// thread does. Only a few results are queued. Once `stop()` is true, no new work starts; running work is finished. The
/// first exception ends everything and is rethrown.
void inOrder(std::size_t count, unsigned threads, const std::function<std::function<void()>(std::size_t)>& work,
             const std::function<bool()>& stop);

}  // namespace reanima::tool
