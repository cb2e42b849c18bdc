/// Who is told of every file that is decoded: tests, which count.
#pragma once

#include <string_view>
#include <utility>

#include "bytes.h"

namespace reanima::core {

/// @param what the kind of file: `ff7 battle pack`
/// @param bytes what is decoded, of an archive's entry its own
using DecodeWatch = void (*)(std::string_view what, Bytes bytes);

/// Of this thread; null: nobody.
inline thread_local DecodeWatch decodeWatch = nullptr;

/// To be called by whatever decodes a file, first of all.
inline void tellDecoding(std::string_view what, Bytes bytes) {
    if (decodeWatch != nullptr)
        decodeWatch(what, bytes);
}

/// The same of what a reader has before it.
template <typename Reader>
void tellDecoding(std::string_view what, Reader reader) {
    if (decodeWatch != nullptr)
        decodeWatch(what, reader.rest());
}

/// While it lives nobody is told: a file is only recognised, or something was encoded as a trial.
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
