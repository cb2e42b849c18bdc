#include "pictures/canvas.h"

#include <cmath>
#include <cstring>
#include <new>
#include <numbers>
#include <stdexcept>
#include <string>

#include <cairo.h>
#include <fontconfig/fontconfig.h>

#include "core/text.h"

namespace reanima::pictures {

namespace {

/// Frees the libraries' cached fonts at the program's end. Otherwise leak checkers report them.
struct KeptFonts {
    KeptFonts() = default;
    ~KeptFonts() {
        cairo_debug_reset_static_data();
        FcFini();
    }
    KeptFonts(const KeptFonts&) = delete;
    KeptFonts& operator=(const KeptFonts&) = delete;
};

}  // namespace

struct Canvas::Surface {
    std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> image;
    std::unique_ptr<cairo_t, decltype(&cairo_destroy)> pen;

    Surface(int width, int height)
        : image(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height), &cairo_surface_destroy),
          pen(cairo_create(image.get()), &cairo_destroy) {
        static const KeptFonts kKept;
        requireSuccess();
    }

    void requireSuccess() const {
        const cairo_status_t status = cairo_status(pen.get());
        if (status == CAIRO_STATUS_NO_MEMORY)
            throw std::bad_alloc();
        if (status != CAIRO_STATUS_SUCCESS)
            throw std::runtime_error(std::string("can't draw: ") + cairo_status_to_string(status));
    }

    void use(const Rgba& colour) const {
        const auto part = [&colour](std::size_t i) { return colour[i] / 255.0; };
        cairo_set_source_rgba(pen.get(), part(0), part(1), part(2), part(3));
    }

    void useFont(double size) const {
        cairo_select_font_face(pen.get(), "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
        cairo_set_font_size(pen.get(), size);
    }

    [[nodiscard]] double widthOf(const std::string& text) const {
        cairo_text_extents_t extents;
        cairo_text_extents(pen.get(), text.c_str(), &extents);
        return extents.x_advance;
    }
};

Canvas::Canvas(std::uint32_t width, std::uint32_t height, const Rgba& paper)
    : surface_(std::make_unique<Surface>(static_cast<int>(width), static_cast<int>(height))) {
    surface_->use(paper);
    cairo_paint(surface_->pen.get());
}

Canvas::~Canvas() = default;

void Canvas::line(const glm::dvec2& from, const glm::dvec2& to, double thickness, const Rgba& colour) {
    cairo_t* pen = surface_->pen.get();
    surface_->use(colour);
    cairo_set_line_width(pen, thickness);
    cairo_set_line_cap(pen, CAIRO_LINE_CAP_ROUND);
    cairo_move_to(pen, from.x, from.y);
    cairo_line_to(pen, to.x, to.y);
    cairo_stroke(pen);
}

void Canvas::disc(const glm::dvec2& centre, double radius, const Rgba& colour) {
    cairo_t* pen = surface_->pen.get();
    surface_->use(colour);
    cairo_new_path(pen);
    cairo_arc(pen, centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
    cairo_fill(pen);
}

void Canvas::polygon(std::span<const glm::dvec2> corners, const Rgba& colour) {
    cairo_t* pen = surface_->pen.get();
    surface_->use(colour);
    cairo_new_path(pen);
    for (const glm::dvec2& corner : corners)
        cairo_line_to(pen, corner.x, corner.y);
    cairo_fill(pen);
}

void Canvas::within(const glm::dvec2& corner, const glm::dvec2& size, const std::function<void()>& draw) {
    cairo_t* pen = surface_->pen.get();
    cairo_save(pen);
    cairo_rectangle(pen, corner.x, corner.y, size.x, size.y);
    cairo_clip(pen);
    draw();
    cairo_restore(pen);
}

void Canvas::text(const glm::dvec2& at, std::string_view text, double size, const Rgba& colour, Align align) {
    const std::string valid = core::validUtf8(text);  // an invalid byte would stop all later drawing
    surface_->use(colour);
    surface_->useFont(size);
    const double width = align == Align::left ? 0 : surface_->widthOf(valid);
    cairo_move_to(surface_->pen.get(), at.x - (align == Align::centre ? width / 2 : width), at.y);
    cairo_show_text(surface_->pen.get(), valid.c_str());
    cairo_new_path(surface_->pen.get());
}

double Canvas::widthOf(std::string_view text, double size) {
    surface_->useFont(size);
    return surface_->widthOf(core::validUtf8(text));
}

Picture Canvas::picture() const {
    surface_->requireSuccess();
    cairo_surface_t* image = surface_->image.get();
    cairo_surface_flush(image);
    const auto width = static_cast<std::uint32_t>(cairo_image_surface_get_width(image));
    const auto height = static_cast<std::uint32_t>(cairo_image_surface_get_height(image));
    const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(image));
    const unsigned char* data = cairo_image_surface_get_data(image);
    Picture picture{width, height, std::vector<Rgba>(std::size_t{width} * height)};
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x) {
            std::uint32_t word = 0;  // alpha in the highest byte; colours are multiplied by alpha
            std::memcpy(&word, data + y * stride + x * sizeof word, sizeof word);
            const std::uint32_t alpha = word >> 24U;
            const auto colour = [&](unsigned shift) {
                const std::uint32_t part = word >> shift & 255U;
                return static_cast<std::uint8_t>(alpha == 0 ? 0 : (part * 255 + alpha / 2) / alpha);
            };
            picture.at(x, y) = {colour(16), colour(8), colour(0), static_cast<std::uint8_t>(alpha)};
        }
    return picture;
}

}  // namespace reanima::pictures
