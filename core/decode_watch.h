/// A hook that is called for every file that is decoded, so that tests can count them.
#pragma once

#include <string_view>
#include <utility>

#include "bytes.h"

namespace reanima::core {

/// @param what the kind of file: `ff7 battle pack`
/// @param bytes the bytes to decode; for an entry of an archive, only the entry's bytes
using DecodeWatch = void (*)(std::string_view what, Bytes bytes);

/// The hook of this thread. Null: no hook is called.
inline thread_local DecodeWatch decodeWatch = nullptr;

/// Every decoder of a file calls this first.
inline void tellDecoding(std::string_view what, Bytes bytes) {
    if (decodeWatch != nullptr)
        decodeWatch(what, bytes);
}

/// Calls the hook for the remaining bytes of a reader.
template <typename Reader>
void tellDecoding(std::string_view what, Reader reader) {
    if (decodeWatch != nullptr)
        decodeWatch(what, reader.rest());
}

/// Disables the hook while this object lives. Used to recognise files and for trial encodings.
class Unwatched {
  public:
    Unwatched() : before_(std::exchange(decodeWatch, nullptr)) {}
    ~Unwatched() { decodeWatch = before_; }
    Unwatched(const Unwatched&) = delete;
    Unwatched& operator=(const Unwatched&) = delete;

  private:
    DecodeWatch before_;
};

}  // namespace reanima::core
