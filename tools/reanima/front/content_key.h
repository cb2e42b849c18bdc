/// A key for everything that an output depends on: equal keys mean equal bytes.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "formats/format.h"

namespace reanima::tool {

constexpr std::size_t kKeyDigits = 32;

/// Collects everything that the bytes of an output depend on, including the program's version.
class ContentKey {
  public:
    ContentKey();
    ~ContentKey();
    ContentKey(const ContentKey&) = delete;
    ContentKey& operator=(const ContentKey&) = delete;

    void add(core::Bytes bytes);
    void add(std::string_view text);
    void add(const File& file);

    /// kKeyDigits hexadecimal digits.
    [[nodiscard]] std::string text() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// A hash of bytes that store no key: kKeyDigits hexadecimal digits.
[[nodiscard]] std::string keyOfBytes(core::Bytes bytes);

}  // namespace reanima::tool
