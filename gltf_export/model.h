/// tinygltf's model under its own name, since a program that links this library may use another build of tinygltf.
#pragma once

#ifdef TINY_GLTF_H_
#error "gltf_export/model.h has to come before <tiny_gltf.h>, or instead of it"
#endif
#define tinygltf reanima_tinygltf
#include <tiny_gltf.h>
#undef tinygltf

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace reanima::gltf {

namespace tinygltf = ::reanima_tinygltf;

/// An accessor. A file has thousands, and tinygltf's own accessors need 400 bytes each.
struct Accessor {
    int bufferView = -1;
    int componentType = TINYGLTF_COMPONENT_TYPE_FLOAT;
    int type = TINYGLTF_TYPE_SCALAR;
    bool normalized = false;
    std::size_t byteOffset = 0;
    std::size_t count = 0;
    std::vector<double> minValues;  ///< empty, or one per component
    std::vector<double> maxValues;
};

/// Times and values of a channel, as accessors.
struct AnimationSampler {
    int input = -1;
    int output = -1;
    bool steps = false;  ///< true: STEP, false: LINEAR

    friend bool operator==(const AnimationSampler&, const AnimationSampler&) = default;
};

struct AnimationChannel {
    int sampler = -1;
    int node = -1;
    std::string_view path;  ///< "translation", "rotation" or "scale"
};

struct Animation {
    std::string name;
    std::vector<AnimationChannel> channels;
    std::vector<AnimationSampler> samplers;
    std::string extras;  ///< as JSON; may be empty
};

/// A model that stores the most frequent parts in the forms above instead of tinygltf's.
struct Model : tinygltf::Model {
    std::vector<Accessor> accessors;
    std::vector<Animation> animations;
};

}  // namespace reanima::gltf
