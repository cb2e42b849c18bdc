/// Pictures over time: run-length video and the like.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "properties.h"

namespace reanima::core {

/// A pixel of 5 bits per colour: red in bits 10 to 14, green in 5 to 9, blue in 0 to 4. Bit 15 has no meaning.
using Pixel555 = std::uint16_t;

/// Plays a sequence. A cursor belongs to one thread. Any number of cursors may be open.
class PictureCursor {
  public:
    PictureCursor() = default;
    virtual ~PictureCursor() = default;
    PictureCursor(const PictureCursor&) = delete;
    PictureCursor& operator=(const PictureCursor&) = delete;

    /// The picture with this index, as stored: row by row from the top, without gaps. Valid until the next call. Random
    /// access is allowed; ascending order is fastest.
    /// @throws std::out_of_range for an index that is not below the sequence's count
    virtual std::span<const Pixel555> picture(std::uint32_t index) = 0;
};

struct ImageSequence {
    std::string name;
    std::string source;  ///< name of the file that contains it, without folder
    std::string format;  ///< id of that file's format

    std::uint32_t width = 0;   ///< pixels, as stored
    std::uint32_t height = 0;  ///< pixels, as stored
    std::uint32_t count = 0;   ///< pictures

    /// Pictures per second as an exact fraction.
    std::uint32_t rateNumerator = 15;
    std::uint32_t rateDenominator = 1;

    bool transposed = false;             ///< rows are stored as columns and must be swapped for display
    std::optional<Pixel555> colorKey{};  ///< pixels of this colour are transparent; bit 15 is ignored
    bool palindrome = false;  ///< the order of pictures reads the same backwards: at least four pictures, not all equal

    /// Per picture: true if it is known to equal the previous picture. Empty: nothing is known.
    std::vector<bool> repeats{};

    /// Opens a cursor.
    std::function<std::unique_ptr<PictureCursor>()> open;

    Properties counters{};  ///< as stored in the file

    [[nodiscard]] std::uint32_t shownWidth() const { return transposed ? height : width; }
    [[nodiscard]] std::uint32_t shownHeight() const { return transposed ? width : height; }
    [[nodiscard]] double rate() const { return static_cast<double>(rateNumerator) / rateDenominator; }
    /// Seconds at which picture `index` appears.
    [[nodiscard]] double timeOf(std::uint32_t index) const {
        return static_cast<double>(index) * rateDenominator / rateNumerator;
    }
};

}  // namespace reanima::core
