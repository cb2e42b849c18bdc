/// Plays a video like an engine: the clock runs forwards, backwards or jumps, and the texture changes when another
/// picture is due. The library's cursor decodes the pictures in any order. The program stores no other pictures.
///
///     play_video samples/rlf/wheel.rlf 0 0.5 1 0.9 0.8 out.ppm
///
/// prints the number of the picture at each of these times (seconds), and writes the last picture.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <reanima/pipeline.h>

namespace {

class Player {
  public:
    explicit Player(reanima::core::ImageSequence video) : video_(std::move(video)), cursor_(video_.open()) {
        rgb_.resize(std::size_t{3} * video_.width * video_.height);
    }

    [[nodiscard]] std::uint32_t width() const { return video_.shownWidth(); }
    [[nodiscard]] std::uint32_t height() const { return video_.shownHeight(); }
    /// Row by row from the top, three bytes per pixel: the form that an engine uploads.
    [[nodiscard]] std::span<const std::uint8_t> rgb() const { return rgb_; }

    /// The picture at a time. The video repeats, also before its start.
    [[nodiscard]] std::uint32_t pictureAt(double seconds) const {
        const double pictures = std::floor(seconds * video_.rate() + 1e-6);  // 0.3 s at 10 per second: picture 3
        const double count = video_.count;
        return static_cast<std::uint32_t>(pictures - std::floor(pictures / count) * count);
    }

    /// @return true if there is a new picture to upload
    bool show(double seconds) {
        const std::uint32_t picture = pictureAt(seconds);
        if (picture == shown_)
            return false;
        const std::span<const reanima::core::Pixel555> pixels = cursor_->picture(picture);
        for (std::uint32_t y = 0; y < height(); ++y)
            for (std::uint32_t x = 0; x < width(); ++x) {
                const std::size_t stored =
                    video_.transposed ? std::size_t{x} * video_.width + y : std::size_t{y} * video_.width + x;
                put(std::size_t{y} * width() + x, pixels[stored]);
            }
        shown_ = picture;
        return true;
    }

  private:
    void put(std::size_t at, reanima::core::Pixel555 pixel) {
        for (std::size_t colour = 0; colour < 3; ++colour) {
            const unsigned five = pixel >> (10 - 5 * colour) & 31U;
            rgb_[3 * at + colour] = static_cast<std::uint8_t>(five << 3U | five >> 2U);
        }
    }

    reanima::core::ImageSequence video_;
    std::unique_ptr<reanima::core::PictureCursor> cursor_;
    std::optional<std::uint32_t> shown_;
    std::vector<std::uint8_t> rgb_;
};

void play(Player& player, std::span<char* const> times) {
    for (const char* time : times) {
        const bool isNew = player.show(std::atof(time));
        std::cout << time << " s: picture " << player.pictureAt(std::atof(time)) << (isNew ? "" : ", as before")
                  << '\n';
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::cerr << "usage: play_video FILE SECONDS... OUTPUT.ppm\n";
        return 2;
    }
    try {
        reanima::core::Asset asset = reanima::loadFile(argv[1]).asset;
        if (!asset.video)
            throw std::runtime_error(std::string(argv[1]) + " is not a video");
        Player player(std::move(*asset.video));
        play(player, std::span(argv, static_cast<std::size_t>(argc)).subspan(2, static_cast<std::size_t>(argc) - 3));
        std::ofstream output(argv[argc - 1], std::ios::binary);
        output << "P6\n" << player.width() << ' ' << player.height() << "\n255\n";
        output.write(reinterpret_cast<const char*>(player.rgb().data()), std::ssize(player.rgb()));
        return output.flush() ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
