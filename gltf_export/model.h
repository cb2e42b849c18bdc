/// tinygltf's model, under a name of its own: a program that links this library may use another tinygltf, built in
/// another way.
#pragma once

#ifdef TINY_GLTF_H_
#error "gltf_export/model.h has to come before <tiny_gltf.h>, or instead of it"
#endif
#define tinygltf reanima_tinygltf
#include <tiny_gltf.h>
#undef tinygltf

namespace reanima::gltf {

namespace tinygltf = ::reanima_tinygltf;

}  // namespace reanima::gltf
