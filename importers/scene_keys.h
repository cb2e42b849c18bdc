/// Animation keys, for all versions of Assimp.
#pragma once

namespace reanima {

/// Makes a value constant until the next key, if this Assimp has an interpolation per key (6.0 and later). Earlier
/// versions interpolate linearly.
template <typename Key>
void setStep(Key& key) {
    if constexpr (requires { key.mInterpolation; })
        key.mInterpolation = static_cast<decltype(key.mInterpolation)>(0);  // aiAnimInterpolation_Step, the first one
}

}  // namespace reanima
