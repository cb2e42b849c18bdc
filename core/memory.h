/// The memory that parts of the common model use, to be compared with Limits::memory.
#pragma once

#include <cstdint>
#include <string>

#include "asset.h"
#include "limits.h"

namespace reanima::core {

/// The heap memory for one block of this many bytes: with its header, in steps of 16, and at least 32.
[[nodiscard]] constexpr std::uint64_t heapBytes(std::uint64_t bytes) {
    constexpr std::uint64_t kHeader = 8;
    constexpr std::uint64_t kStep = 16;
    constexpr std::uint64_t kLeast = 32;
    const std::uint64_t rounded = (bytes + kHeader + kStep - 1) / kStep * kStep;
    return bytes == 0 ? 0 : rounded < kLeast ? kLeast : rounded;
}

/// The bytes of an object: its own, and those on the heap.
[[nodiscard]] std::uint64_t memoryOf(const JointTrack& track);
[[nodiscard]] std::uint64_t memoryOf(const Clip& clip);
[[nodiscard]] std::uint64_t memoryOf(const Mesh& mesh);
[[nodiscard]] std::uint64_t memoryOf(const Asset& asset);

/// A lower bound for the memory of clips that are not made yet, each with tracks of one constant rotation.
[[nodiscard]] constexpr std::uint64_t memoryOfClips(std::uint64_t clips, std::uint64_t tracks) {
    return clips * sizeof(Clip) + tracks * (sizeof(JointTrack) + heapBytes(sizeof(glm::quat)));
}

/// Counts the memory that one task needs, and compares it with Limits::memory.
class MemoryCount {
  public:
    /// @param what names the task in errors
    MemoryCount(const Limits& limits, std::string what) : limits_(limits), place_{std::move(what), {}} {}

    /// Call this before `bytes` are reserved temporarily.
    /// @throws DecodeError of the kind `limit`
    void require(std::uint64_t bytes) const { requireMemory(bytes, limits_, place_); }
    /// Counts bytes that are kept.
    /// @throws DecodeError of the kind `limit`
    void add(std::uint64_t bytes) {
        require(bytes);
        limits_.held += bytes;
    }
    /// The limits for further work, while the counted bytes are in use.
    [[nodiscard]] const Limits& limits() const { return limits_; }

  private:
    Limits limits_;
    Place place_;
};

}  // namespace reanima::core
