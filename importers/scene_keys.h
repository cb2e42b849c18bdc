/// Keys of animations, in whatever version of Assimp.
#pragma once

namespace reanima {

/// Makes a value stay until the next key where Assimp's keys have an interpolation (6.0 and later); elsewhere readers
/// interpolate linearly.
template <typename Key>
void setStep(Key& key) {
    if constexpr (requires { key.mInterpolation; })
        key.mInterpolation = static_cast<decltype(key.mInterpolation)>(0);  // aiAnimInterpolation_Step, the first one
}

}  // namespace reanima
