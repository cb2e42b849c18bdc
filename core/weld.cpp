#include "core/weld.h"

#include <array>
#include <cstring>
#include <string_view>
#include <unordered_map>

namespace reanima::core {

namespace {

/// All attributes of a vertex, as they are stored.
using Key = std::array<std::uint32_t, 16>;

struct KeyHash {
    std::size_t operator()(const Key& key) const {
        const auto* bytes = reinterpret_cast<const char*>(key.data());  // NOLINT: hashed
        return std::hash<std::string_view>{}({bytes, sizeof key});
    }
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
    std::size_t word = 0;
    forEachAttribute(primitive, [&](const auto& list) {
        if (list.empty())
            return;
        std::memcpy(&key[word], &list[vertex], sizeof list[vertex]);
        word += sizeof list[vertex] / sizeof(Key::value_type);
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
    std::unordered_map<Key, std::uint32_t, KeyHash> known;
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t vertex : primitive.indices) {
        const auto [place, isNew] =
            known.try_emplace(keyOf(primitive, vertex), static_cast<std::uint32_t>(kept.size()));
        if (isNew)
            kept.push_back(vertex);
        shared.indices.push_back(place->second);
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
