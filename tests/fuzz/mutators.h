/// Mutations of inputs. Only the fuzzer's program has them: the tests replay inputs unchanged.
#pragma once

#include <random>

#include "core/byte_reader.h"
#include "core/bytes.h"

namespace reanima::fuzz {

using Random = std::minstd_rand;

/// A number from 0 to `count` - 1; 0 if `count` is 0.
[[nodiscard]] inline std::size_t below(std::size_t count, Random& random) { return count == 0 ? 0 : random() % count; }

/// True once in `times` calls on average.
[[nodiscard]] inline bool oneIn(std::size_t times, Random& random) { return below(times, random) == 0; }

/// The number of changes to an input at once: 1 to 8, more often few than many.
[[nodiscard]] inline std::size_t numberOfChanges(Random& random) { return 1 + below(1 + below(8, random), random); }

/// Bytes mutated by libFuzzer.
/// @param most the largest size of the result
[[nodiscard]] core::ByteVector mutatedBytes(core::Bytes bytes, std::size_t most);

/// Sets numbers to values that are likely to cause errors (0, 1, -1, the remaining size of the file, near values).
/// Removes, repeats and moves the parts between them.
/// @param fields numbers that a reader of the file found
[[nodiscard]] core::ByteVector mutatedFields(core::Bytes bytes, const std::vector<core::ReadField>& fields,
                                             std::size_t most, Random& random);

/// Changes values, members and elements of a JSON text. Of other inputs, changes bytes.
[[nodiscard]] core::ByteVector mutatedJson(core::Bytes text, std::size_t most, Random& random);

/// Changes the content of a PNG's chunks. Packed pixels may be changed before packing. Checksums are valid afterwards.
[[nodiscard]] core::ByteVector mutatedPng(core::Bytes file, std::size_t most, Random& random);

}  // namespace reanima::fuzz
