#include "tools/reanima/parallel.h"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

namespace reanima::tool {

void inParts(std::size_t count, unsigned threads,
             const std::function<void(std::size_t first, std::size_t last)>& work) {
    const std::size_t parts = std::min<std::size_t>(std::max(1U, threads), std::max<std::size_t>(1, count));
    std::vector<std::exception_ptr> failures(parts);
    const auto part = [&](std::size_t p) {
        try {
            work(count * p / parts, count * (p + 1) / parts);
        } catch (...) {
            failures[p] = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> running;
        for (std::size_t p = 1; p < parts; ++p)
            running.emplace_back(part, p);
        part(0);
    }
    for (const std::exception_ptr& failure : failures)
        if (failure)
            std::rethrow_exception(failure);
}

}  // namespace reanima::tool
