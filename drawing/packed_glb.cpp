#include "drawing/packed_glb.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include <nlohmann/json.hpp>

#include "formats/format.h"
#include "pictures/deflate.h"

namespace reanima::drawing {

namespace {

constexpr std::size_t kHeader = 20;      // size of the headers of the file and its first chunk
constexpr std::size_t kChunkHeader = 8;  // size of the second chunk's header
constexpr std::size_t kFloat = 5126;
constexpr std::size_t kWord = 4;

std::uint32_t wordAt(core::Bytes bytes, std::size_t offset) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < kWord; ++i)
        word |= std::uint32_t{bytes[offset + i]} << (8 * i);
    return word;
}

/// Floats of an accessor without gaps.
struct Floats {
    std::size_t start;  ///< offset in the chunk
    std::size_t width;  ///< components of an element
    std::size_t count;  ///< number of elements
    bool isRotation;

    [[nodiscard]] std::size_t end() const { return start + kWord * width * count; }
};

/// A list in an object. Empty if the object has none.
const Json& listOf(const Json& object, const char* name) {
    static const Json kNone = Json::array();
    return object.is_object() && object.contains(name) && object.at(name).is_array() ? object.at(name) : kNone;
}

/// A whole number below 2^32 in an object.
std::optional<std::size_t> wholeOf(const Json& object, const char* name,
                                   std::optional<std::size_t> missing = std::nullopt) {
    constexpr double kTooMuch = 4294967296;
    if (!object.is_object() || !object.contains(name))
        return missing;
    const Json& value = object.at(name);
    const double number = value.is_number() ? value.get<double>() : -1;
    const bool isWhole = number >= 0 && number < kTooMuch && number == std::floor(number);
    return isWhole ? std::optional(static_cast<std::size_t>(number)) : std::nullopt;
}

/// The layout of the chunk, as stated in the glTF JSON.
class Layout {
  public:
    Layout(const Json& gltf, std::size_t size) : gltf_(gltf), size_(size) {
        for (const Json& animation : listOf(gltf, "animations"))
            for (const Json& sampler : listOf(animation, "samplers"))
                for (const char* name : {"input", "output"})
                    if (const auto accessor = wholeOf(sampler, name))
                        animated_.insert(*accessor);
        for (const Json& image : listOf(gltf, "images"))
            if (const Json* within = viewOf(image))
                images_.insert(*startOf(*within));
        readAccessors();
    }

    /// The floats in the order of the chunk. Floats that overlap others are left out.
    [[nodiscard]] std::vector<Floats> floatsIn(std::size_t start, std::size_t end) const {
        std::vector<Floats> found;
        std::size_t last = start;
        for (auto at = floats_.lower_bound(start); at != floats_.end() && at->first < end; ++at)
            if (at->second.start >= last && at->second.end() <= end) {
                found.push_back(at->second);
                last = at->second.end();
            }
        return found;
    }

    /// Offsets of parts of the chunk.
    [[nodiscard]] std::set<std::size_t> starts() const {
        std::set<std::size_t> starts{0};
        bool wasAnimated = false;
        for (const auto& [start, isAnimated] : views_) {
            if (images_.contains(start) || isAnimated != wasAnimated || afterImage(start))
                starts.insert(start);
            wasAnimated = isAnimated;
        }
        return starts;
    }

  private:
    static std::optional<std::size_t> startOf(const Json& object) { return wholeOf(object, "byteOffset", 0); }

    /// The view with the bytes of an image or an accessor. Null if the bytes are not in the chunk.
    [[nodiscard]] const Json* viewOf(const Json& user) const {
        const Json& all = listOf(gltf_, "bufferViews");
        const std::optional<std::size_t> index = wholeOf(user, "bufferView");
        const Json* view = index && *index < all.size() ? &all[*index] : nullptr;
        const std::optional<std::size_t> start = view != nullptr ? startOf(*view) : std::nullopt;
        return start && *start < size_ && wholeOf(*view, "buffer") == std::size_t{0} ? view : nullptr;
    }

    [[nodiscard]] bool afterImage(std::size_t start) const {
        const auto before = views_.lower_bound(start);
        return before != views_.begin() && images_.contains(std::prev(before)->first);
    }

    void readAccessors() {
        for (const Json& bufferView : listOf(gltf_, "bufferViews"))
            if (const auto start = startOf(bufferView); start && *start < size_)
                views_.try_emplace(*start, false);
        const Json& accessors = listOf(gltf_, "accessors");
        for (std::size_t i = 0; i < accessors.size(); ++i) {
            const Json* within = viewOf(accessors[i]);
            if (within == nullptr)
                continue;
            const bool isAnimated = animated_.contains(i);
            views_[*startOf(*within)] = isAnimated;
            if (const std::optional<Floats> floats = floatsOf(accessors[i], *within, isAnimated))
                floats_.try_emplace(floats->start, *floats);
        }
    }

    static std::optional<Floats> floatsOf(const Json& accessor, const Json& within, bool isAnimated) {
        static const std::map<Json, std::size_t> kWidths = {
            {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
        const auto width = accessor.contains("type") ? kWidths.find(accessor.at("type")) : kWidths.end();
        const std::optional<std::size_t> offset = startOf(accessor);
        const std::optional<std::size_t> count = wholeOf(accessor, "count");
        if (wholeOf(accessor, "componentType") != kFloat || width == kWidths.end() || !offset || !count)
            return std::nullopt;
        const std::size_t start = *startOf(within) + *offset;
        const std::size_t row = kWord * width->second;
        if (start % kWord != 0 || wholeOf(within, "byteStride", row) != row)
            return std::nullopt;
        return Floats{start, width->second, *count, isAnimated && width->second == 4};
    }

    const Json& gltf_;
    std::size_t size_;                   ///< bytes of the chunk
    std::set<std::size_t> animated_;     ///< accessors
    std::set<std::size_t> images_;       ///< their offsets
    std::map<std::size_t, bool> views_;  ///< by offset: true for data of clips
    std::map<std::size_t, Floats> floats_;
};

/// Rearranges a part of the chunk.
class Rearranged {
  public:
    explicit Rearranged(core::Bytes chunk) : chunk_(chunk) {}

    void add(const Floats& floats) {
        if (floats.isRotation)
            addRotations(floats);
        else
            for (std::size_t i = 0; i < floats.count; ++i)
                for (std::size_t k = 0; k < floats.width; ++k)
                    addDifference(floats, i, k);
    }

    void add(core::Bytes others) { rest_.insert(rest_.end(), others.begin(), others.end()); }

    [[nodiscard]] core::ByteVector bytes() const {
        core::ByteVector all = largest_;
        for (const std::vector<std::uint32_t>* words : {&predicted_, &differences_})
            for (std::size_t plane = 0; plane < kWord; ++plane)
                for (const std::uint32_t word : *words)
                    all.push_back(static_cast<std::uint8_t>(word >> (8 * plane)));
        all.insert(all.end(), rest_.begin(), rest_.end());
        return all;
    }

  private:
    [[nodiscard]] std::uint32_t word(const Floats& floats, std::size_t element, std::size_t component) const {
        return wordAt(chunk_, floats.start + kWord * (floats.width * element + component));
    }
    [[nodiscard]] double value(const Floats& floats, std::size_t element, std::size_t component) const {
        return static_cast<double>(std::bit_cast<float>(word(floats, element, component)));
    }

    static std::uint32_t signLast(std::uint32_t difference) { return (difference << 1) ^ (0U - (difference >> 31)); }

    void addDifference(const Floats& floats, std::size_t element, std::size_t component) {
        const std::uint32_t before = element == 0 ? 0 : word(floats, element - 1, component);
        differences_.push_back(signLast(word(floats, element, component) - before));
    }

    [[nodiscard]] std::size_t largestOf(const Floats& floats) const {
        std::array<double, 4> sums{};
        for (std::size_t i = 0; i < floats.count; ++i)
            for (std::size_t k = 0; k < sums.size(); ++k)
                sums.at(k) += value(floats, i, k) * value(floats, i, k);
        return static_cast<std::size_t>(std::ranges::max_element(sums) - sums.begin());
    }

    void addRotations(const Floats& floats) {
        const std::size_t largest = largestOf(floats);
        largest_.push_back(static_cast<std::uint8_t>(largest));
        for (std::size_t i = 0; i < floats.count; ++i) {
            double left = 1;
            for (std::size_t k = 0; k < floats.width; ++k)
                if (k != largest) {
                    left -= value(floats, i, k) * value(floats, i, k);
                    addDifference(floats, i, k);
                }
            const bool wasNegative = i > 0 && std::signbit(value(floats, i - 1, largest));
            const double root = std::sqrt(left > 0 ? left : 0);
            const auto expected = static_cast<float>(wasNegative ? -root : root);
            predicted_.push_back(signLast(word(floats, i, largest) - std::bit_cast<std::uint32_t>(expected)));
        }
    }

    core::Bytes chunk_;
    core::ByteVector largest_;
    std::vector<std::uint32_t> predicted_;
    std::vector<std::uint32_t> differences_;
    core::ByteVector rest_;
};

core::ByteVector rearranged(core::Bytes chunk, std::size_t start, std::size_t end, const Layout& layout) {
    Rearranged made(chunk);
    for (const Floats& floats : layout.floatsIn(start, end)) {
        made.add(chunk.subspan(start, floats.start - start));
        made.add(floats);
        start = floats.end();
    }
    made.add(chunk.subspan(start, end - start));
    return made.bytes();
}

}  // namespace

core::ByteVector packed(core::Bytes bytes) {
    const core::ByteVector stream = pictures::zlibStream(bytes, pictures::Effort::small);
    const bool isShorter = stream.size() < bytes.size();
    const core::Bytes chosen = isShorter ? core::Bytes(stream) : bytes;
    core::ByteVector block(1 + chosen.size(), isShorter ? 1 : 0);
    std::ranges::copy(chosen, block.begin() + 1);
    return block;
}

std::vector<GlbPart> partsOfGlb(core::Bytes glb) {
    const std::size_t length = wordAt(glb, 12);
    const core::Bytes text = glb.subspan(kHeader, length);
    std::vector<GlbPart> parts{{{text.begin(), text.end()}, length}};
    if (glb.size() <= kHeader + length + kChunkHeader)
        return parts;
    const core::Bytes chunk = glb.subspan(kHeader + length + kChunkHeader, wordAt(glb, kHeader + length));
    const Json gltf = Json::parse(text.begin(), text.end());
    const Layout layout(gltf, chunk.size());
    std::set<std::size_t> starts = layout.starts();
    starts.insert(chunk.size());
    for (auto at = starts.begin(); std::next(at) != starts.end(); ++at) {
        parts.push_back({rearranged(chunk, *at, *std::next(at), layout), *std::next(at) - *at});
    }
    return parts;
}

std::string asText(core::Bytes bytes, TextPlace place) {
    using namespace std::string_view_literals;
    constexpr unsigned kBits = 7;
    constexpr unsigned kAll = (1U << kBits) - 1;
    const std::string_view special = place == TextPlace::html ? "\0\r<"sv : "\0\r\\`$"sv;
    std::string text;
    text.reserve(bytes.size() / kBits * 9);
    const auto put = [&](unsigned value) {
        const char letter = static_cast<char>(value & kAll);
        if (special.find(letter) == std::string_view::npos) {
            text += letter;
            return;
        }
        const unsigned moved = 0x80 | (value & kAll);  // two bytes in UTF-8
        text += static_cast<char>(0xC0 | moved >> 6);
        text += static_cast<char>(0x80 | (moved & 0x3F));
    };
    unsigned held = 0;
    unsigned count = 0;
    for (const std::uint8_t byte : bytes) {
        held = held << 8 | byte;
        for (count += 8; count >= kBits; count -= kBits)
            put(held >> (count - kBits));
        held &= (1U << count) - 1;
    }
    if (count > 0)
        put(held << (kBits - count));
    return text;
}

}  // namespace reanima::drawing
