#include "core/continuous_rotations.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace reanima::core {

namespace {

using detail::Four;
using detail::FourBits;
using detail::shuffled;
using detail::Two;

// By component, in plain loops that compilers vectorize. Each step is a separate loop, since processors overlap
// iterations of short loops but not of long ones. The arithmetic is that of composeZYX(), fromYDown() and halfCosine(),
// in the same order, so the results have the same bits.

constexpr std::size_t kAtOnce = 128;  // frames in a batch, whose values fit in the nearest cache
constexpr std::size_t kAlignment = 16;
using Floats = std::array<float, kAtOnce>;
using Signs = std::array<std::uint32_t, kAtOnce>;  // 0, or the sign bit of a float
constexpr std::uint32_t kSign = 0x80000000;

struct alignas(kAlignment) HalfAngles {
    Floats sine;
    Floats cosine;
};

/// The rotations of a batch of frames, preceded by the last rotation of the previous batch.
struct alignas(kAlignment) Rotations {
    static constexpr std::size_t kFirst = kAlignment / sizeof(float);

    std::array<float, kFirst + kAtOnce> x;
    std::array<float, kFirst + kAtOnce> y;
    std::array<float, kFirst + kAtOnce> z;
    std::array<float, kFirst + kAtOnce> w;

    void copy(std::size_t from, std::size_t to) {
        x[to] = x[from];
        y[to] = y[from];
        z[to] = z[from];
        w[to] = w[from];
    }
};

void lookUp(std::span<const Angle> angles, HalfAngles& half) {
    const auto two = [](Angle a, Angle b) {  // each by one load
        return std::bit_cast<Four>(Two{std::bit_cast<double>(halfAngle(a)), std::bit_cast<double>(halfAngle(b))});
    };
    std::size_t i = 0;
    for (; i + 4 <= angles.size(); i += 4) {
        const Four a = two(angles[i], angles[i + 1]);
        const Four b = two(angles[i + 2], angles[i + 3]);
        const Four sine = shuffled<0, 2, 4, 6>(a, b);
        const Four cosine = shuffled<1, 3, 5, 7>(a, b);
        std::memcpy(&half.sine[i], &sine, sizeof sine);
        std::memcpy(&half.cosine[i], &cosine, sizeof cosine);
    }
    for (; i < angles.size(); ++i) {
        half.sine[i] = halfAngle(angles[i]).sine;
        half.cosine[i] = halfAngle(angles[i]).cosine;
    }
}

void compose(const std::array<HalfAngles, 3>& half, std::size_t count, Rotations& q) {
    const auto& [x, y, z] = half;
    constexpr std::size_t first = Rotations::kFirst;
    for (std::size_t i = 0; i < count; ++i) {
        const float cc = y.cosine[i] * z.cosine[i];
        const float cs = y.cosine[i] * z.sine[i];
        const float sc = y.sine[i] * z.cosine[i];
        const float ss = y.sine[i] * z.sine[i];
        q.x[first + i] = cc * x.sine[i] - ss * x.cosine[i];
        q.y[first + i] = cs * x.sine[i] + sc * x.cosine[i];
        q.z[first + i] = cs * x.cosine[i] - sc * x.sine[i];
        q.w[first + i] = ss * x.sine[i] + cc * x.cosine[i];
    }
}

/// The cosines of half the angles between neighbours. No rotation is negated yet, so no result depends on another.
/// @return how many neighbours are far apart
std::uint32_t compare(const Rotations& q, std::size_t count, float nearCosine, Floats& cosines) {
    std::uint32_t far = 0;
    constexpr std::size_t first = Rotations::kFirst;
    for (std::size_t i = 0; i < count; ++i) {
        cosines[i] = (q.x[first + i] * q.x[first + i - 1] + q.w[first + i] * q.w[first + i - 1]) +
                     (q.y[first + i] * q.y[first + i - 1] + q.z[first + i] * q.z[first + i - 1]);
        far += std::abs(cosines[i]) < nearCosine ? 1U : 0U;
    }
    return far;
}

/// The signs of a batch of rotations: each negative cosine flips all later ones.
/// @param before four copies of the sign before the batch; becomes the batch's last sign
void connect(const Floats& cosines, std::size_t count, FourBits& before, Signs& signs) {
    for (std::size_t i = 0; i < count; i += 4) {
        FourBits four;
        std::memcpy(&four, &cosines[i], sizeof four);
        four = four & FourBits{kSign, kSign, kSign, kSign};
        four = four ^
               (shuffled<0, 0, 2, 2>(four) & FourBits{0, kSign, 0, kSign});  // within each pair, from first to second
        four = four ^ (shuffled<1, 1, 1, 1>(four) & FourBits{0, 0, kSign, kSign});  // from the first pair to the second
        const FourBits connected = four ^ before;
        before = before ^ shuffled<3, 3, 3, 3>(four);
        std::memcpy(&signs[i], &connected, sizeof connected);
    }
}

/// Stores the rotations, turned by axes::fromYDown(), with these signs.
void store(const Rotations& q, const Signs& signs, std::span<glm::quat> to) {
    constexpr std::size_t first = Rotations::kFirst;
    const auto with = [](std::uint32_t s, float v) {
        return std::bit_cast<float>(std::bit_cast<std::uint32_t>(v) ^ s);
    };
    for (std::size_t i = 0; i < to.size(); ++i)
        to[i] = {with(signs[i], q.w[first + i]), with(signs[i], q.x[first + i]), with(signs[i] ^ kSign, q.y[first + i]),
                 with(signs[i] ^ kSign, q.z[first + i])};
}

}  // namespace

std::size_t composeContinuously(const AngleChannels& angles, std::span<glm::quat> rotations, float nearCosine) {
    std::array<HalfAngles, 3> half;
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (angles[axis].size() == 1) {
            half[axis].sine.fill(halfAngle(angles[axis].front()).sine);
            half[axis].cosine.fill(halfAngle(angles[axis].front()).cosine);
        }
    Rotations q;
    alignas(kAlignment) Floats cosines{};
    alignas(kAlignment) Signs signs{};
    FourBits before{};
    std::size_t far = 0;
    for (std::size_t done = 0; done < rotations.size(); done += kAtOnce) {
        const std::size_t count = std::min(kAtOnce, rotations.size() - done);
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (angles[axis].size() > 1)
                lookUp(angles[axis].subspan(done, count), half[axis]);
        compose(half, count, q);
        if (done == 0)
            q.copy(Rotations::kFirst, Rotations::kFirst - 1);  // the first rotation keeps its sign
        far += compare(q, count, nearCosine, cosines);
        connect(cosines, count, before, signs);
        store(q, signs, rotations.subspan(done, count));
        q.copy(Rotations::kFirst + count - 1, Rotations::kFirst - 1);
    }
    return far;
}

}  // namespace reanima::core
