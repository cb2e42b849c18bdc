#include "bench/rlf_baseline.h"

namespace reanima::bench {

namespace {

std::uint16_t pixelAt(const std::uint8_t* data, std::size_t at) {
    return static_cast<std::uint16_t>(data[at] | data[at + 1] << 8);
}

}  // namespace

void decodeKeyPlainly(const std::uint8_t* data, std::size_t size, std::vector<std::uint16_t>& surface) {
    std::size_t source = 0;
    std::size_t target = 0;
    while (source < size) {
        int count = static_cast<std::int8_t>(data[source]);
        ++source;
        if (count < 0) {
            for (count = -count; count > 0; --count) {
                if (source + 1 >= size || target >= surface.size())
                    return;
                surface[target] = pixelAt(data, source);
                source += 2;
                ++target;
            }
        } else {
            if (source + 1 >= size)
                return;
            const std::uint16_t pixel = pixelAt(data, source);
            source += 2;
            for (count += 2; count > 0; --count) {
                if (target >= surface.size())
                    return;
                surface[target] = pixel;
                ++target;
            }
        }
    }
}

void decodeDeltaPlainly(const std::uint8_t* data, std::size_t size, std::vector<std::uint16_t>& surface) {
    std::size_t source = 0;
    std::size_t target = 0;
    while (source < size) {
        int count = static_cast<std::int8_t>(data[source]);
        ++source;
        if (count < 0) {
            for (count = -count; count > 0; --count) {
                if (source + 1 >= size || target >= surface.size())
                    return;
                surface[target] = pixelAt(data, source);
                source += 2;
                ++target;
            }
        } else {
            target += static_cast<std::size_t>(count) + 1;
        }
    }
}

}  // namespace reanima::bench
