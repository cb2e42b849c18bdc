#include "tools/reanima/system/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace {

/// Threads that run the same function: the requested number, or fewer if the system provides no more. The destructor
/// waits for them.
class Helpers {
  public:
    Helpers(std::size_t count, const std::function<void()>& serve) {
        threads_.reserve(count);
        try {
            while (threads_.size() < count)
                threads_.emplace_back(std::cref(serve));
        } catch (const std::system_error&) {  // the limit for threads is reached
        } catch (const std::bad_alloc&) {
        }
    }

    [[nodiscard]] bool none() const { return threads_.empty(); }

  private:
    std::vector<std::jthread> threads_;
};

}  // namespace

unsigned threadsFor(std::uint64_t memory) {
    const std::uint64_t inMemory = memoryOfMachine() / memory;
    const std::uint64_t most = memoryOfMachine() == 0 ? kMostThreads : std::min<std::uint64_t>(inMemory, kMostThreads);
    return static_cast<unsigned>(std::max<std::uint64_t>(1, std::min<std::uint64_t>(processorsOfProcess(), most)));
}

void inParts(std::size_t count, unsigned threads,
             const std::function<void(std::size_t first, std::size_t last)>& work) {
    const std::size_t parts = std::min<std::size_t>(std::max(1U, threads), std::max<std::size_t>(1, count));
    std::vector<std::exception_ptr> failures(parts);
    std::atomic<std::size_t> next = 0;
    const std::function<void()> serve = [&] {
        for (std::size_t p = next++; p < parts; p = next++) {
            try {
                work(count * p / parts, count * (p + 1) / parts);
            } catch (...) {
                failures[p] = std::current_exception();
            }
        }
    };
    {
        const Helpers helpers(parts - 1, serve);
        serve();
    }
    for (const std::exception_ptr& failure : failures)
        if (failure)
            std::rethrow_exception(failure);
}

namespace {

using Finish = std::function<void()>;

/// A queue of numbered work for threads. Results arrive in any order, and are finished in the order of their numbers.
/// It allocates no memory after construction, because threads could not report a failure.
class OrderedWork {
  public:
    OrderedWork(std::size_t count, std::size_t window, const std::function<bool()>& stop)
        : count_(count), stop_(stop), results_(std::min(count, window)) {}

    /// The next number to work on. Empty if no work is left.
    std::optional<std::size_t> next() {
        std::unique_lock lock(mutex_);
        free_.wait(lock, [this] { return ended() || next_ < finished_ + results_.size(); });
        if (ended())
            return std::nullopt;
        return next_++;
    }

    void put(std::size_t number, Finish finish) { put(number, {true, std::move(finish), nullptr}); }
    void putFailure(std::size_t number, std::exception_ptr failure) { put(number, {true, {}, std::move(failure)}); }

    /// The next result in order. Empty after the last one. Throws the failure of failed work.
    Finish take() {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [this] { return slot(finished_).isReady || (ended() && next_ == finished_); });
        Result result = std::exchange(slot(finished_), {});
        if (!result.isReady)
            return {};
        ++finished_;
        lock.unlock();
        free_.notify_one();
        if (result.failure)
            std::rethrow_exception(result.failure);
        return std::move(result.finish);
    }

    /// Stops handing out numbers.
    void cancel() {
        const std::lock_guard lock(mutex_);
        cancelled_ = true;
        free_.notify_all();
        ready_.notify_all();
    }

  private:
    struct Result {
        bool isReady = false;
        Finish finish{};
        std::exception_ptr failure{};
    };

    [[nodiscard]] bool ended() const { return cancelled_ || next_ == count_ || stop_(); }
    /// Only numbers within a moving window are in progress, so each has its own place.
    [[nodiscard]] Result& slot(std::size_t number) { return results_[number % results_.size()]; }

    void put(std::size_t number, Result result) {
        bool isNext = false;
        {
            const std::lock_guard lock(mutex_);
            slot(number) = std::move(result);
            isNext = number == finished_;
        }
        if (isNext)
            ready_.notify_one();  // after the lock is released, so that the thread that wakes up need not wait for it
    }

    std::size_t count_;
    const std::function<bool()>& stop_;
    std::mutex mutex_;
    std::condition_variable free_;   // the window has moved
    std::condition_variable ready_;  // the next result in order is there
    std::size_t next_ = 0;
    std::size_t finished_ = 0;
    bool cancelled_ = false;
    std::vector<Result> results_;
};

/// Cancels a queue at the end of a scope, even after an exception.
class CancelAtEnd {
  public:
    explicit CancelAtEnd(OrderedWork& queue) : queue_(queue) {}
    ~CancelAtEnd() { queue_.cancel(); }
    CancelAtEnd(const CancelAtEnd&) = delete;
    CancelAtEnd& operator=(const CancelAtEnd&) = delete;

  private:
    OrderedWork& queue_;
};

}  // namespace

void inOrder(std::size_t count, unsigned threads, const std::function<Finish(std::size_t)>& work,
             const std::function<bool()>& stop) {
    if (count == 0)
        return;
    constexpr std::size_t kWindowPerThread = 32;  // large enough that others do not wait for one long task
    OrderedWork queue(count, kWindowPerThread * threads, stop);
    const std::function<void()> serve = [&] {
        while (const std::optional<std::size_t> number = queue.next()) {
            try {
                queue.put(*number, work(*number));
            } catch (...) {
                queue.putFailure(*number, std::current_exception());
            }
        }
        queue.cancel();  // wakes waiting threads
    };
    const std::size_t most = std::min<std::size_t>(threads, count);
    const Helpers helpers(most == 1 ? 0 : most, serve);
    const CancelAtEnd cancelAtEnd(queue);
    for (std::size_t i = 0; helpers.none() && i < count && !stop(); ++i)
        work(i)();
    while (const Finish finish = helpers.none() ? Finish() : queue.take())
        finish();
}

}  // namespace reanima::tool
