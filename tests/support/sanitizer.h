/// Whether a test runs with AddressSanitizer, which needs memory and addresses for itself.
#pragma once

namespace reanima::test {

#if defined(__SANITIZE_ADDRESS__)  // GCC
inline constexpr bool kHasAddressSanitizer = true;
#elif defined(__has_feature)  // clang
inline constexpr bool kHasAddressSanitizer = __has_feature(address_sanitizer);
#else
inline constexpr bool kHasAddressSanitizer = false;
#endif

}  // namespace reanima::test
