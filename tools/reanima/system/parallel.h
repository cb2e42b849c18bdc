/// Work on several processors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace reanima::tool {

constexpr unsigned kMostThreads = 256;

/// How many pieces of work to do at the same time: as many as there are processors for this process, but no more than
/// the machine's memory holds, and at least 1.
/// @param memory bytes that each of them may take, at least 1
[[nodiscard]] unsigned threadsFor(std::uint64_t memory);

/// Calls `work(first, last)` for parts of 0 to `count`, each part on a thread of its own, or several where the system
/// gives fewer threads. The first exception is thrown again when all have ended.
void inParts(std::size_t count, unsigned threads, const std::function<void(std::size_t first, std::size_t last)>& work);

/// Calls `work(i)` for 0 to `count` on several threads, and what it returns on the calling thread, in the order of i.
/// Where the system gives fewer threads, they do all of it; where it gives none, or `count` is 1, the calling thread
/// does. No more than a few results wait for their turn. Once `stop()` is true no work is begun any more; what was
/// begun is finished. The first exception ends all of it and is thrown again.
void inOrder(std::size_t count, unsigned threads, const std::function<std::function<void()>(std::size_t)>& work,
             const std::function<bool()>& stop);

}  // namespace reanima::tool
