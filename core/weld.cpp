#include "core/weld.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

namespace reanima::core {

namespace {

/// All attributes of a vertex, as they are stored; missing ones take no space.
using Key = std::array<std::uint32_t, 28>;

/// A hash table of vertices by their attributes. At least half of its places are free.
class KnownVertices {
  public:
    /// @param most the largest possible number of vertices
    /// @param words number of words of a key that are used
    KnownVertices(std::size_t most, std::size_t words) : words_(words), places_(std::bit_ceil(2 * most + 1), kFree) {
        keys_.reserve(most * words);
    }

    /// The number of a vertex, in order of first occurrence.
    [[nodiscard]] std::uint32_t numberOf(const Key& key) {
        const std::size_t last = places_.size() - 1;
        std::size_t place = hashOf(key) & last;
        while (places_[place] != kFree && !isKey(places_[place], key))
            place = (place + 1) & last;
        if (places_[place] == kFree) {
            places_[place] = static_cast<std::uint32_t>(count_++);
            keys_.insert(keys_.end(), key.begin(), key.begin() + static_cast<std::ptrdiff_t>(words_));
        }
        return places_[place];
    }

    [[nodiscard]] std::size_t count() const { return count_; }

  private:
    static constexpr std::uint32_t kFree = 0xFFFFFFFF;

    [[nodiscard]] bool isKey(std::uint32_t number, const Key& key) const {
        return std::memcmp(keys_.data() + number * words_, key.data(), words_ * sizeof key[0]) == 0;
    }

    /// Reads two words at a time. Unused words of the key are 0.
    [[nodiscard]] std::size_t hashOf(const Key& key) const {
        constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;  // the hash factor: 2^64 divided by the golden ratio
        std::uint64_t hash = 0;
        for (std::size_t i = 0; i < words_; i += 2) {
            hash = (hash ^ (std::uint64_t{key[i]} << 32U | key[i + 1])) * kOdd;
            hash ^= hash >> 32U;
        }
        return static_cast<std::size_t>(hash);
    }

    std::size_t words_;
    std::size_t count_ = 0;
    std::vector<std::uint32_t> places_;
    std::vector<std::uint32_t> keys_;  ///< all keys in one list
};

/// Calls visit(list) for every list of attributes of a primitive.
template <typename AnyPrimitive, typename Visit>
void forEachAttribute(AnyPrimitive& primitive, const Visit& visit) {
    visit(primitive.positions);
    visit(primitive.normals);
    visit(primitive.lifts);
    visit(primitive.textureCoordinates);
    visit(primitive.emissiveCoordinates);
    visit(primitive.colors);
    visit(primitive.joints);
    visit(primitive.others);
}

std::size_t wordsOf(const Primitive& primitive) {
    std::size_t bytes = 0;
    forEachAttribute(primitive, [&bytes](const auto& list) { bytes += list.empty() ? 0 : sizeof list[0]; });
    return bytes / sizeof(std::uint32_t);
}

Key keyOf(const Primitive& primitive, std::uint32_t vertex) {
    Key key{};
    auto* bytes = reinterpret_cast<std::uint8_t*>(key.data());  // NOLINT: as stored
    forEachAttribute(primitive, [&](const auto& list) {
        if (list.empty())
            return;
        std::memcpy(bytes, &list[vertex], sizeof list[vertex]);
        bytes += sizeof list[vertex];
    });
    return key;
}

template <typename T>
std::vector<T> chosen(const std::vector<T>& list, const std::vector<std::uint32_t>& vertices) {
    std::vector<T> result;
    if (list.empty())
        return result;
    result.reserve(vertices.size());
    for (const std::uint32_t vertex : vertices)
        result.push_back(list[vertex]);
    return result;
}

}  // namespace

Primitive withSharedVertices(const Primitive& primitive) {
    Primitive shared;
    shared.material = primitive.material;
    shared.indices.reserve(primitive.indices.size());
    KnownVertices known(std::min(primitive.positions.size(), primitive.indices.size()), wordsOf(primitive));
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t vertex : primitive.indices) {
        const std::uint32_t number = known.numberOf(keyOf(primitive, vertex));
        if (known.count() > kept.size())
            kept.push_back(vertex);
        shared.indices.push_back(number);
    }
    shared.positions = chosen(primitive.positions, kept);
    shared.normals = chosen(primitive.normals, kept);
    shared.lifts = chosen(primitive.lifts, kept);
    shared.textureCoordinates = chosen(primitive.textureCoordinates, kept);
    shared.emissiveCoordinates = chosen(primitive.emissiveCoordinates, kept);
    shared.colors = chosen(primitive.colors, kept);
    shared.joints = chosen(primitive.joints, kept);
    shared.others = chosen(primitive.others, kept);
    return shared;
}

}  // namespace reanima::core
