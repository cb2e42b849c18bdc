#include "pictures/deflate.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <zlib.h>

namespace reanima::pictures {

namespace {

/// Changes the order of the bytes where the machine's is another one.
std::uint64_t littleEndian(std::uint64_t value) {
    if constexpr (std::endian::native == std::endian::little)
        return value;
    std::uint64_t reversed = 0;
    for (unsigned byte = 0; byte < sizeof value; ++byte)
        reversed = reversed << 8U | (value >> 8U * byte & 0xFFU);
    return reversed;
}

std::uint64_t eightBytesAt(const std::uint8_t* bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes, sizeof value);
    return littleEndian(value);
}

// ---------------------------------------------------------------------------------------------------------------------
// Repetitions

constexpr std::size_t kFarthest = 32768;
constexpr std::size_t kLongestCopy = 258;
constexpr std::size_t kShortestCopy = 3;

/// Bytes that stand for themselves, then bytes that stood `distance` before. The last of a block copies nothing. A copy
/// may be longer than a code for one can say.
struct Sequence {
    std::uint32_t literals = 0;
    std::uint32_t length = 0;
    std::uint32_t distance = 0;
};

/// Finds repetitions, greedily: of all places where a pixel begins and the same eight bytes stand, it knows the last.
class Matcher {
  public:
    explicit Matcher(const Rows& rows) : rows_(rows) {}

    /// The sequences of the bytes that are left, up to about `end`.
    [[nodiscard]] std::vector<Sequence> sequencesUpTo(std::size_t end) {
        std::vector<Sequence> sequences;
        for (std::size_t at = nextPixel(done_); at < end; at = nextPixel(at))
            at = matchInRow(at, std::min(end, (at / rows_.rowBytes + 1) * rows_.rowBytes), sequences);
        const std::size_t rest = std::max(end, done_) - done_;
        sequences.push_back({static_cast<std::uint32_t>(rest), 0, 0});
        done_ += rest;
        return sequences;
    }

    /// Where the bytes begin that are in no sequence yet.
    [[nodiscard]] std::size_t done() const { return done_; }

  private:
    static constexpr unsigned kPlaceBits = 13;

    /// The first byte of a pixel that is not in front of `at`.
    [[nodiscard]] std::size_t nextPixel(std::size_t at) const {
        const std::size_t inRow = at % rows_.rowBytes;
        if (inRow == 0)
            return at + 1;
        const std::size_t pixels = (inRow - 1 + rows_.pixelBytes - 1) / rows_.pixelBytes;
        const std::size_t next = 1 + pixels * rows_.pixelBytes;
        return at - inRow + (next < rows_.rowBytes ? next : rows_.rowBytes + 1);
    }

    /// How long a copy must be so that it is likely to take fewer bits than its bytes.
    [[nodiscard]] static std::size_t worthwhile(std::size_t distance) {
        constexpr std::size_t kNear = 256;
        constexpr std::size_t kFar = 4096;
        return distance <= kNear ? 10 : distance <= kFar ? 14 : 18;
    }

    [[nodiscard]] std::size_t lengthOfCopy(std::size_t at, std::size_t distance) const {
        const std::uint8_t* const here = rows_.bytes.data() + at;
        const std::size_t most = rows_.bytes.size() - at;
        std::size_t length = 0;
        while (length < most) {
            const std::uint64_t different = eightBytesAt(here + length) ^ eightBytesAt(here + length - distance);
            if (different != 0)
                return std::min(most, length + static_cast<std::size_t>(std::countr_zero(different)) / 8);
            length += 8;
        }
        return most;
    }

    /// @return where to go on: `stop`, or after it if a copy ends there
    std::size_t matchInRow(std::size_t at, std::size_t stop, std::vector<Sequence>& sequences) {
        constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15;  // odd, its bits without a pattern
        constexpr unsigned kPatience = 3;                      // the fewer repetitions, the fewer are looked for
        while (at + sizeof(std::uint64_t) <= stop) {
            const std::uint64_t bytes = eightBytesAt(rows_.bytes.data() + at);
            std::uint32_t& place = places_[bytes * kSpread >> (64 - kPlaceBits)];
            const std::size_t distance = static_cast<std::uint32_t>(at) - place;
            place = static_cast<std::uint32_t>(at);
            if (distance <= kFarthest && distance < at && eightBytesAt(rows_.bytes.data() + at - distance) == bytes) {
                const std::size_t length = lengthOfCopy(at, distance);
                if (length >= worthwhile(distance)) {
                    sequences.push_back({static_cast<std::uint32_t>(at - done_), static_cast<std::uint32_t>(length),
                                         static_cast<std::uint32_t>(distance)});
                    done_ = at + length;
                    at = nextPixel(done_);
                    misses_ = 0;
                    continue;
                }
            }
            at += rows_.pixelBytes * (1 + (misses_++ >> kPatience));
        }
        return std::max(stop, done_);
    }

    Rows rows_;
    std::vector<std::uint32_t> places_ = std::vector<std::uint32_t>(1U << kPlaceBits);  ///< 0: none
    std::size_t done_ = 0;
    unsigned misses_ = 0;  ///< since the last copy
};

// ---------------------------------------------------------------------------------------------------------------------
// Prefix codes

constexpr unsigned kLongestCode = 14;  // 15 are allowed; four of 14 fit the bit writer at once

/// A code as it is written, its first bit lowest.
struct PrefixCode {
    std::uint16_t bits = 0;
    std::uint8_t length = 0;  ///< 0: is not used
};

/// How many codes have each length: those of Huffman, but the ones beyond `longest`, for which others get longer.
/// @param counts of at least two symbols, ascending
std::vector<std::size_t> codesOfEachLength(std::span<const std::uint32_t> counts, unsigned longest) {
    const std::size_t leaves = counts.size();
    const std::size_t nodes = 2 * leaves - 1;
    std::vector<std::uint64_t> weights(counts.begin(), counts.end());
    std::vector<std::size_t> parents(nodes);
    std::size_t leaf = 0;
    std::size_t inner = leaves;
    const auto lightest = [&] {
        return inner == weights.size() || (leaf < leaves && weights[leaf] <= weights[inner]) ? leaf++ : inner++;
    };
    while (weights.size() < nodes) {
        const std::size_t a = lightest();
        const std::size_t b = lightest();
        parents[a] = parents[b] = weights.size();
        weights.push_back(weights[a] + weights[b]);
    }
    std::vector<unsigned> depths(nodes);
    std::vector<std::size_t> lengths(longest + 1);
    std::size_t space = 0;  // that the codes take, in codes of the longest
    for (std::size_t node = nodes - 1; node-- > 0;) {
        depths[node] = depths[parents[node]] + 1;
        if (node >= leaves)
            continue;
        const unsigned length = std::min(depths[node], longest);
        ++lengths[length];
        space += std::size_t{1} << (longest - length);
    }
    for (; space > std::size_t{1} << longest; --space) {  // one of the longest moves beside a shorter one
        unsigned shorter = longest - 1;
        while (lengths[shorter] == 0)
            --shorter;
        --lengths[longest];
        --lengths[shorter];
        lengths[shorter + 1] += 2;
    }
    return lengths;
}

/// Codes for symbols that occur so often. At least one symbol gets a code.
template <std::size_t size>
std::array<PrefixCode, size> codesFor(const std::array<std::uint32_t, size>& counts, unsigned longest) {
    std::vector<std::pair<std::uint32_t, std::size_t>> used;  // ascending
    for (std::size_t symbol = 0; symbol < size; ++symbol)
        if (counts[symbol] > 0)
            used.emplace_back(counts[symbol], symbol);
    std::array<PrefixCode, size> codes{};
    if (used.size() < 2) {
        codes[used.empty() ? 0 : used.front().second].length = 1;
        return codes;
    }
    std::sort(used.begin(), used.end());
    std::vector<std::uint32_t> ascending;
    ascending.reserve(used.size());
    for (const auto& [count, symbol] : used)
        ascending.push_back(count);
    const std::vector<std::size_t> lengths = codesOfEachLength(ascending, longest);
    std::size_t next = used.size();
    for (unsigned length = 1; length <= longest; ++length)
        for (std::size_t i = 0; i < lengths[length]; ++i)
            codes[used[--next].second].length = static_cast<std::uint8_t>(length);

    unsigned value = 0;
    for (unsigned length = 1; length <= longest; ++length, value <<= 1U)
        for (PrefixCode& code : codes)
            if (code.length == length) {
                for (unsigned bit = 0; bit < length; ++bit)
                    code.bits = static_cast<std::uint16_t>(code.bits | (value >> bit & 1U) << (length - 1 - bit));
                ++value;
            }
    return codes;
}

// ---------------------------------------------------------------------------------------------------------------------
// Bits

/// Writes bits, the lowest first.
class BitStream {
  public:
    explicit BitStream(core::ByteVector& out) : out_(out), size_(out.size()) {}

    /// To be called before `bits` are written.
    void reserve(std::uint64_t bits) {
        const std::size_t needed = size_ + static_cast<std::size_t>(bits / 8) + 2 * sizeof(std::uint64_t);
        if (out_.size() < needed)
            out_.resize(std::max(needed, out_.size() + out_.size() / 2));
    }
    /// At most 56 bits between two calls of flush().
    void put(std::uint64_t bits, unsigned count) {
        bits_ |= bits << count_;
        count_ += count;
    }
    void put(const PrefixCode& code) { put(code.bits, code.length); }
    void flush() {
        const std::uint64_t bytes = littleEndian(bits_);
        std::memcpy(out_.data() + size_, &bytes, sizeof bytes);
        size_ += count_ / 8;
        bits_ >>= count_ / 8 * 8;
        count_ %= 8;
    }
    /// Fills the last byte, and takes back what was reserved too much.
    void finish() {
        put(0, (8 - count_) % 8);
        flush();
        out_.resize(size_);
    }

  private:
    core::ByteVector& out_;
    std::size_t size_;
    std::uint64_t bits_ = 0;
    unsigned count_ = 0;
};

// ---------------------------------------------------------------------------------------------------------------------
// Symbols

constexpr std::size_t kEndOfBlock = 256;
constexpr std::size_t kFirstLength = 257;
constexpr std::size_t kLengthSymbols = 286;
constexpr std::size_t kDistanceSymbols = 30;
constexpr unsigned kMostExtraBits = 13;

/// A symbol, and bits that choose among the numbers it stands for.
struct Symbol {
    std::size_t value = 0;
    unsigned extra = 0;
    unsigned extraBits = 0;
};

/// Numbers from 0 in classes of 1, 1, ... and, from 2 * `perDoubling` on, `perDoubling` for every doubling.
Symbol classOf(unsigned number, unsigned perDoublingBits) {
    const unsigned width = static_cast<unsigned>(std::bit_width(number));
    if (width <= perDoublingBits + 1)
        return {number, 0, 0};
    const unsigned bits = width - perDoublingBits - 1;
    return {(std::size_t{bits} << perDoublingBits) + (number >> bits), number & ((1U << bits) - 1), bits};
}

Symbol lengthSymbol(std::size_t length) {
    if (length == kLongestCopy)
        return {kLengthSymbols - 1, 0, 0};
    Symbol symbol = classOf(static_cast<unsigned>(length - kShortestCopy), 2);
    symbol.value += kFirstLength;
    return symbol;
}

Symbol distanceSymbol(std::size_t distance) { return classOf(static_cast<unsigned>(distance - 1), 1); }

/// Calls `visit` with the lengths of the codes for a copy.
template <typename Visit>
void eachCopy(std::size_t length, const Visit& visit) {
    while (length > 0) {
        std::size_t part = std::min(length, kLongestCopy);
        if (length > part && length - part < kShortestCopy)
            part = length - kShortestCopy;
        visit(part);
        length -= part;
    }
}

struct Counts {
    std::array<std::uint32_t, kLengthSymbols> symbols{};
    std::array<std::uint32_t, kDistanceSymbols> distances{};
};

/// @param bytes of the block
Counts countsOf(const std::uint8_t* bytes, std::span<const Sequence> sequences) {
    constexpr std::size_t kTables = 4;  // a processor has to wait where a number is increased twice in a row
    std::array<std::array<std::uint32_t, 256>, kTables> literals{};
    Counts counts;
    for (const Sequence& sequence : sequences) {
        std::size_t i = 0;
        for (; i + kTables <= sequence.literals; i += kTables)
            for (std::size_t table = 0; table < kTables; ++table)
                ++literals[table][bytes[i + table]];
        for (; i < sequence.literals; ++i)
            ++literals[0][bytes[i]];
        bytes += sequence.literals + sequence.length;
        eachCopy(sequence.length, [&](std::size_t length) {
            ++counts.symbols[lengthSymbol(length).value];
            ++counts.distances[distanceSymbol(sequence.distance).value];
        });
    }
    for (std::size_t byte = 0; byte < 256; ++byte)
        for (const auto& table : literals)
            counts.symbols[byte] += table[byte];
    counts.symbols[kEndOfBlock] = 1;
    return counts;
}

// ---------------------------------------------------------------------------------------------------------------------
// Blocks

struct Codes {
    std::array<PrefixCode, kLengthSymbols> symbols;
    std::array<PrefixCode, kDistanceSymbols> distances;
};

/// At least as many bits as the sequences take.
std::uint64_t bitsFor(const Counts& counts, const Codes& codes) {
    std::uint64_t bits = 0;
    for (std::size_t symbol = 0; symbol < kLengthSymbols; ++symbol)
        bits += std::uint64_t{counts.symbols[symbol]} * codes.symbols[symbol].length;
    for (std::size_t symbol = 0; symbol < kDistanceSymbols; ++symbol)
        bits += std::uint64_t{counts.distances[symbol]} * (codes.distances[symbol].length + 2 * kMostExtraBits);
    return bits;
}

/// A symbol of the list of code lengths: a length, or how often one is repeated.
struct LengthEntry {
    std::uint8_t symbol = 0;
    std::uint8_t extra = 0;
    std::uint8_t extraBits = 0;
};

std::vector<LengthEntry> entriesFor(std::span<const std::uint8_t> lengths) {
    std::vector<LengthEntry> entries;
    for (std::size_t i = 0; i < lengths.size();) {
        const auto other = std::find_if(lengths.begin() + static_cast<std::ptrdiff_t>(i), lengths.end(),
                                        [&](std::uint8_t length) { return length != lengths[i]; });
        const auto equal = static_cast<std::size_t>(other - lengths.begin()) - i;
        const auto repeat = [&](std::uint8_t symbol, std::size_t least, std::size_t most, std::uint8_t bits) {
            const std::size_t count = std::min(equal, most);
            entries.push_back({symbol, static_cast<std::uint8_t>(count - least), bits});
            i += count;
        };
        if (lengths[i] == 0 && equal >= 11)
            repeat(18, 11, 138, 7);
        else if (lengths[i] == 0 && equal >= 3)
            repeat(17, 3, 10, 3);
        else if (i > 0 && lengths[i] == lengths[i - 1] && equal >= 3)
            repeat(16, 3, 6, 2);
        else
            entries.push_back({lengths[i++], 0, 0});
    }
    return entries;
}

/// Appends the lengths up to the last code that is used, but `least` at least.
template <std::size_t size>
std::size_t appendLengths(const std::array<PrefixCode, size>& codes, std::size_t least,
                          std::vector<std::uint8_t>& lengths) {
    std::size_t count = size;
    while (count > least && codes[count - 1].length == 0)
        --count;
    for (std::size_t symbol = 0; symbol < count; ++symbol)
        lengths.push_back(codes[symbol].length);
    return count;
}

void writeCodes(const Codes& codes, BitStream& out) {
    constexpr std::array<std::uint8_t, 19> kOrder = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    constexpr unsigned kLongestOfLengths = 7;
    std::vector<std::uint8_t> lengths;
    const std::size_t symbols = appendLengths(codes.symbols, kFirstLength, lengths);
    const std::size_t distances = appendLengths(codes.distances, 1, lengths);
    const std::vector<LengthEntry> entries = entriesFor(lengths);
    std::array<std::uint32_t, kOrder.size()> counts{};
    for (const LengthEntry& entry : entries)
        ++counts[entry.symbol];
    const auto lengthCodes = codesFor(counts, kLongestOfLengths);
    std::size_t listed = kOrder.size();
    while (listed > 4 && lengthCodes[kOrder[listed - 1]].length == 0)
        --listed;

    constexpr unsigned kBitsOfHeader = 3 * 19 + 14;
    constexpr unsigned kMostBitsOfEntry = 14;
    out.reserve(kBitsOfHeader + entries.size() * kMostBitsOfEntry);
    out.put(symbols - kFirstLength, 5);
    out.put(distances - 1, 5);
    out.put(listed - 4, 4);
    out.flush();
    for (std::size_t i = 0; i < listed; ++i) {
        out.put(lengthCodes[kOrder[i]].length, 3);
        out.flush();
    }
    for (const LengthEntry& entry : entries) {
        out.put(lengthCodes[entry.symbol]);
        out.put(entry.extra, entry.extraBits);
        out.flush();
    }
}

void writeSequences(const std::uint8_t* bytes, std::span<const Sequence> sequences, const Codes& codes,
                    BitStream& out) {
    for (const Sequence& sequence : sequences) {
        std::size_t i = 0;
        for (; i + 4 <= sequence.literals; i += 4) {
            const PrefixCode& a = codes.symbols[bytes[i]];
            const PrefixCode& b = codes.symbols[bytes[i + 1]];
            const PrefixCode& c = codes.symbols[bytes[i + 2]];
            const PrefixCode& d = codes.symbols[bytes[i + 3]];
            out.put(a.bits | std::uint64_t{b.bits} << a.length, a.length + b.length);
            out.put(c.bits | std::uint64_t{d.bits} << c.length, c.length + d.length);
            out.flush();
        }
        for (; i < sequence.literals; ++i) {
            out.put(codes.symbols[bytes[i]]);
            out.flush();
        }
        bytes += sequence.literals + sequence.length;
        const Symbol distance = distanceSymbol(sequence.distance);
        eachCopy(sequence.length, [&](std::size_t part) {
            const Symbol length = lengthSymbol(part);
            out.put(codes.symbols[length.value]);
            out.put(length.extra, length.extraBits);
            out.put(codes.distances[distance.value]);
            out.flush();
            out.put(distance.extra, distance.extraBits);
            out.flush();
        });
    }
    out.put(codes.symbols[kEndOfBlock]);
    out.flush();
}

enum class Block { last, other };

void writeBlock(Block block, const std::uint8_t* bytes, std::span<const Sequence> sequences, BitStream& out) {
    constexpr std::uint64_t kOwnCodes = 2;
    const Counts counts = countsOf(bytes, sequences);
    const Codes codes = {codesFor(counts.symbols, kLongestCode), codesFor(counts.distances, kLongestCode)};
    out.put(block == Block::last ? 1 : 0, 1);
    out.put(kOwnCodes, 2);
    writeCodes(codes, out);
    out.reserve(bitsFor(counts, codes));
    writeSequences(bytes, sequences, codes, out);
}

}  // namespace

core::ByteVector compressed(const Rows& rows) {
    constexpr std::size_t kBlock = std::size_t{1} << 17U;  // bytes that share codes
    core::ByteVector file = {0x78, 0x01};                  // deflate, a window of 32 KiB, fast
    BitStream out(file);
    Matcher matcher(rows);
    do {
        const std::size_t start = matcher.done();
        const std::vector<Sequence> sequences = matcher.sequencesUpTo(std::min(rows.bytes.size(), start + kBlock));
        writeBlock(matcher.done() == rows.bytes.size() ? Block::last : Block::other, rows.bytes.data() + start,
                   sequences, out);
    } while (matcher.done() < rows.bytes.size());
    out.finish();
    auto sum = adler32(0, nullptr, 0);
    sum = adler32_z(sum, rows.bytes.data(), rows.bytes.size());
    for (unsigned shift = 32; shift > 0; shift -= 8)
        file.push_back(static_cast<std::uint8_t>(sum >> (shift - 8)));
    return file;
}

}  // namespace reanima::pictures
