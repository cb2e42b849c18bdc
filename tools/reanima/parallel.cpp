#include "tools/reanima/parallel.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
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

namespace {

using Finish = std::function<void()>;

/// Numbers go out to threads, results come back in any order and are finished in the order of the numbers.
class OrderedWork {
  public:
    OrderedWork(std::size_t count, std::size_t window, const std::function<bool()>& stop)
        : count_(count), window_(window), stop_(stop) {}

    /// The next number to work on. None if there is no more work.
    std::optional<std::size_t> next() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return ended() || next_ < finished_ + window_; });
        if (ended())
            return std::nullopt;
        return next_++;
    }

    void put(std::size_t number, Finish finish) {
        const std::lock_guard lock(mutex_);
        ready_.emplace(number, std::move(finish));
        changed_.notify_all();
    }

    /// The result whose turn it is. None if no more will come.
    Finish take() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return ready_.contains(finished_) || (ended() && next_ == finished_); });
        const auto found = ready_.find(finished_);
        if (found == ready_.end())
            return {};
        Finish finish = std::move(found->second);
        ready_.erase(found);
        ++finished_;
        changed_.notify_all();
        return finish;
    }

    /// No number goes out any more.
    void cancel() {
        const std::lock_guard lock(mutex_);
        cancelled_ = true;
        changed_.notify_all();
    }

  private:
    [[nodiscard]] bool ended() const { return cancelled_ || next_ == count_ || stop_(); }

    std::size_t count_;
    std::size_t window_;
    const std::function<bool()>& stop_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t next_ = 0;
    std::size_t finished_ = 0;
    bool cancelled_ = false;
    std::map<std::size_t, Finish> ready_;
};

}  // namespace

void inOrder(std::size_t count, unsigned threads, const std::function<Finish(std::size_t)>& work,
             const std::function<bool()>& stop) {
    constexpr std::size_t kWindowPerThread = 32;  // so that one long piece of work keeps nobody waiting
    OrderedWork queue(count, kWindowPerThread * threads, stop);
    const auto serve = [&] {
        while (const std::optional<std::size_t> number = queue.next()) {
            Finish finish;
            try {
                finish = work(*number);
            } catch (...) {
                finish = [failure = std::current_exception()] { std::rethrow_exception(failure); };
            }
            queue.put(*number, std::move(finish));
        }
        queue.cancel();  // whoever waits looks again
    };
    std::vector<std::jthread> running;
    for (std::size_t t = 0; t < std::min<std::size_t>(threads, count); ++t)
        running.emplace_back(serve);
    try {
        while (const Finish finish = queue.take())
            finish();
    } catch (...) {
        queue.cancel();
        throw;
    }
}

}  // namespace reanima::tool
