#include "core/mesh.h"

namespace reanima::core {

namespace {

/// Merges `from` into `to` if both follow the same joint, and clears `from`.
void join(Influence& to, Influence& from) {
    if (from.weight == 0 || from.joint != to.joint)
        return;
    const float weight = to.weight + from.weight;
    to.position = (to.position * to.weight + from.position * from.weight) / weight;
    to.weight = weight;
    from = {};
}

}  // namespace

void joinInfluences(Primitive& primitive, std::size_t vertex) {
    Influences& others = primitive.others[vertex];
    Influence first{primitive.joints[vertex], firstWeight(primitive, vertex), primitive.positions[vertex]};
    for (std::size_t i = 0; i < others.size(); ++i) {
        join(first, others[i]);
        for (std::size_t k = i + 1; k < others.size(); ++k)
            if (others[i].weight != 0)
                join(others[i], others[k]);
    }
    primitive.positions[vertex] = first.position;
}

}  // namespace reanima::core
