/// Work on several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace reanima::tool {

constexpr unsigned kMostThreads = 256;

/// The number of tasks to run at the same time: one per processor of this process, limited by the machine's memory.
/// Never less than 1.
/// @param memory bytes per task, 1 or more
[[nodiscard]] unsigned threadsFor(std::uint64_t memory);

/// Calls `work(first, last)` for parts of 0 to `count`, each on its own thread. If the system provides fewer threads,
/// each does several parts. The first exception is rethrown after all have ended.
void inParts(std::size_t count, unsigned threads, const std::function<void(std::size_t first, std::size_t last)>& work);

/// Calls `work(i)` for 0 to `count` on several threads. Calls the returned functions on the calling thread, in the
/// order of i. If the system provides fewer threads, they do all the work. If it provides none, or if one is enough,
/// the calling thread does the work. Only a few results are queued. When `stop()` is true, no new work starts, and
/// running work is finished. The first exception ends all work and is rethrown.
void inOrder(std::size_t count, unsigned threads, const std::function<std::function<void()>(std::size_t)>& work,
             const std::function<bool()>& stop);

}  // namespace reanima::tool
