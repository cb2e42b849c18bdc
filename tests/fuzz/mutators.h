/// Mutations of inputs. Only in the fuzzer's program: the tests replay inputs unchanged.
#pragma once

#include <random>

#include "core/byte_reader.h"
#include "core/bytes.h"

namespace reanima::fuzz {

using Random = std::minstd_rand;

/// A number from 0 to `count` - 1; 0 if `count` is 0.
[[nodiscard]] inline std::size_t below(std::size_t count, Random& random) { return count == 0 ? 0 : random() % count; }

/// True once in so many times.
[[nodiscard]] inline bool oneIn(std::size_t times, Random& random) { return below(times, random) == 0; }

/// How many changes an input gets at once: 1 to 8, few more often than many.
[[nodiscard]] inline std::size_t numberOfChanges(Random& random) { return 1 + below(1 + below(8, random), random); }

/// What libFuzzer does with bytes.
/// @param most the largest size of the result
[[nodiscard]] core::ByteVector mutatedBytes(core::Bytes bytes, std::size_t most);

/// Sets numbers to values that are likely to cause errors (0, 1, -1, the rest of the file's size, near their value),
/// and removes, repeats and moves the parts between them.
/// @param fields where a reader of the file found numbers
[[nodiscard]] core::ByteVector mutatedFields(core::Bytes bytes, const std::vector<core::ReadField>& fields,
                                             std::size_t most, Random& random);

/// Changes values, members and elements of a JSON text, or the bytes of other inputs.
[[nodiscard]] core::ByteVector mutatedJson(core::Bytes text, std::size_t most, Random& random);

/// Changes the content of chunks of a PNG, packed pixels also before they are packed; checksums are right afterwards.
[[nodiscard]] core::ByteVector mutatedPng(core::Bytes file, std::size_t most, Random& random);

}  // namespace reanima::fuzz
