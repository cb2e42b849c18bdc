#include "core/weld.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <string_view>
#include <vector>

namespace reanima::core {

namespace {

/// All attributes of a vertex, as they are stored.
using Key = std::array<std::uint32_t, 16>;

/// Vertices by their attributes: a table with a place for each, of which at least half are free.
class KnownVertices {
  public:
    /// @param most vertices that may come
    explicit KnownVertices(std::size_t most) : places_(std::bit_ceil(2 * most + 1), kFree) { keys_.reserve(most); }

    /// The number of a vertex: how many others came before it for the first time.
    [[nodiscard]] std::uint32_t numberOf(const Key& key) {
        const auto* bytes = reinterpret_cast<const char*>(key.data());  // NOLINT: hashed
        const std::size_t last = places_.size() - 1;
        std::size_t place = std::hash<std::string_view>{}({bytes, sizeof key}) & last;
        while (places_[place] != kFree && keys_[places_[place]] != key)
            place = (place + 1) & last;
        if (places_[place] == kFree) {
            places_[place] = static_cast<std::uint32_t>(keys_.size());
            keys_.push_back(key);
        }
        return places_[place];
    }

    [[nodiscard]] std::size_t count() const { return keys_.size(); }

  private:
    static constexpr std::uint32_t kFree = 0xFFFFFFFF;
    std::vector<std::uint32_t> places_;
    std::vector<Key> keys_;
};

/// Calls visit(list) for every list of attributes of a primitive.
template <typename AnyPrimitive, typename Visit>
void forEachAttribute(AnyPrimitive& primitive, const Visit& visit) {
    visit(primitive.positions);
    visit(primitive.normals);
    visit(primitive.lifts);
    visit(primitive.textureCoordinates);
    visit(primitive.colors);
    visit(primitive.joints);
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
    KnownVertices known(std::min(primitive.positions.size(), primitive.indices.size()));
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
    shared.colors = chosen(primitive.colors, kept);
    shared.joints = chosen(primitive.joints, kept);
    return shared;
}

}  // namespace reanima::core
