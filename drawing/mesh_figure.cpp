#include "drawing/mesh_figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <variant>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include "core/decode_error.h"

namespace reanima::drawing {

namespace {

constexpr int kFiner = 2;  // samples per pixel across and down

/// The offsets of a pixel's four samples. They are in different rows and columns, as on graphics cards, so that nearly
/// vertical or horizontal edges have more steps.
glm::dvec2 withinQuarter(std::uint32_t x, std::uint32_t y) {
    constexpr double kNear = 0.25;
    constexpr double kFar = 0.75;
    return {y % kFiner == 0 ? kFar : kNear, x % kFiner == 0 ? kNear : kFar};
}

/// True if a material's colours are added to the background. The game's values then state `"blend": 1`, or a second
/// blend factor (destination) of 1.
bool isAdded(const core::Material& material) {
    const auto isOne = [](const core::Value& value) {
        const auto* number = std::get_if<std::int64_t>(&value.data);
        return number != nullptr && *number == 1;
    };
    for (const auto& [game, values] : material.extras)
        if (const auto* members = std::get_if<core::Properties>(&values.data))
            for (const auto& [key, value] : *members) {
                if (key != "blend")
                    continue;
                const auto* factors = std::get_if<std::vector<core::Value>>(&value.data);
                return factors != nullptr ? factors->size() == 2 && isOne(factors->back()) : isOne(value);
            }
    return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// Triangles

/// The fill of a primitive's triangles.
struct Surface {
    const core::Primitive* primitive;
    const core::Material* material;
    const core::Image* image;  ///< null: only colours
    const core::Image* shine;  ///< added without light; null: nothing
    bool isMixed;              ///< its colours are mixed with the background
    bool isAdded;
};

struct Corner {
    glm::dvec3 place;    ///< in samples to the right and down; nearer places have a larger z
    glm::dvec2 texel{};  ///< texture coordinates
    glm::dvec2 shine{};  ///< texture coordinates for `shine`
    glm::dvec4 tone{1};  ///< in the screen's colour space, straight alpha
};

struct Triangle {
    const Surface* surface;
    std::array<Corner, 3> corners;
    double area;     ///< doubled; negative if the front is visible, since y points down
    double perArea;  ///< 1 / area
};

glm::dvec4 toneOf(const glm::vec4& color) {
    constexpr double kGamma = 2.2;
    const auto shown = [](float share) { return std::pow(std::max(0.0, static_cast<double>(share)), 1 / kGamma); };
    return {shown(color.r), shown(color.g), shown(color.b), static_cast<double>(color.a)};
}

/// The brightness of a triangle. Lit triangles are darker at grazing angles.
double lightOn(const Triangle& triangle) {
    constexpr double kFromTheSide = 0.45;
    if (triangle.surface->material->unlit)
        return 1;
    const auto& [a, b, c] = triangle.corners;
    const double size = glm::length(glm::cross(b.place - a.place, c.place - a.place));
    return kFromTheSide + (1 - kFromTheSide) * std::abs(triangle.area) / size;
}

double wrapped(double share, core::Wrap wrap) {
    return wrap == core::Wrap::clamp ? std::clamp(share, 0.0, 1.0) : share - std::floor(share);
}

glm::dvec4 texelAt(const core::Image& image, core::Wrap wrap, const glm::dvec2& at) {
    constexpr double kWhole = 255;
    const auto place = [&](double share, std::uint32_t size) {
        return std::min(size - 1, static_cast<std::uint32_t>(wrapped(share, wrap) * size));
    };
    const std::size_t texel = std::size_t{place(at.y, image.height)} * image.width + place(at.x, image.width);
    const std::uint8_t* rgba = image.rgba.data() + 4 * texel;
    return glm::dvec4(rgba[0], rgba[1], rgba[2], rgba[3]) / kWhole;
}

// ---------------------------------------------------------------------------------------------------------------------
// Samples

/// A rectangle of samples, several per pixel, with their depths.
class Samples {
  public:
    Samples(std::uint32_t width, std::uint32_t height)
        : width_(width),
          height_(height),
          colours_(std::size_t{width} * height),
          depths_(colours_.size(), std::numeric_limits<double>::lowest()) {}

    /// Fills the samples inside a triangle.
    void paint(const Triangle& triangle, DrawingEffort& effort) {
        const auto& [a, b, c] = triangle.corners;
        const auto [left, right] = std::minmax({a.place.x, b.place.x, c.place.x});
        const auto [top, bottom] = std::minmax({a.place.y, b.place.y, c.place.y});
        if (right < 0 || bottom < 0 || left >= width_ || top >= height_)
            return;
        const double light = lightOn(triangle);
        const auto first = [](double place) { return static_cast<std::uint32_t>(std::max(0.0, place)); };
        const auto last = [](double place, std::uint32_t size) {
            return static_cast<std::uint32_t>(std::min(place, size - 1.0));
        };
        effort.spend((last(right, width_) - first(left) + 1.0) * (last(bottom, height_) - first(top) + 1.0));
        for (std::uint32_t y = first(top); y <= last(bottom, height_); ++y)
            for (std::uint32_t x = first(left); x <= last(right, width_); ++x)
                paintSample(triangle, glm::dvec2(x, y) + withinQuarter(x, y), light, std::size_t{y} * width_ + x);
    }

    /// The colour of a pixel over a background.
    [[nodiscard]] pictures::Rgba over(const pictures::Rgba& paper, std::uint32_t x, std::uint32_t y) const {
        glm::dvec4 sum(0);
        for (std::uint32_t row = 0; row < kFiner; ++row)
            for (std::uint32_t column = 0; column < kFiner; ++column)
                sum += colours_[(kFiner * std::size_t{y} + row) * width_ + kFiner * std::size_t{x} + column];
        sum /= kFiner * kFiner;
        pictures::Rgba mixed = paper;
        for (int k = 0; k < 3; ++k) {
            constexpr double kWhole = 255;
            std::uint8_t& part = mixed.at(static_cast<std::size_t>(k));
            const double shown = kWhole * sum[k] + (1 - sum.a) * part;
            part = static_cast<std::uint8_t>(std::clamp(shown + 0.5, 0.0, kWhole));
        }
        return mixed;
    }

  private:
    void paintSample(const Triangle& triangle, const glm::dvec2& at, double light, std::size_t sample) {
        const auto& [a, b, c] = triangle.corners;
        const auto across = [&at](const glm::dvec3& p, const glm::dvec3& q) {
            return (p.x - at.x) * (q.y - at.y) - (p.y - at.y) * (q.x - at.x);
        };
        const double p = across(b.place, c.place) * triangle.perArea;
        const double q = across(c.place, a.place) * triangle.perArea;
        const double r = 1 - p - q;
        if (p < 0 || q < 0 || r < 0)
            return;
        const double depth = p * a.place.z + q * b.place.z + r * c.place.z;
        if (depth <= depths_[sample])
            return;
        const Surface& surface = *triangle.surface;
        glm::dvec4 colour = (p * a.tone + q * b.tone + r * c.tone) * glm::dvec4(light, light, light, 1);
        if (surface.image != nullptr)
            colour *= texelAt(*surface.image, surface.material->wrap, p * a.texel + q * b.texel + r * c.texel);
        if (surface.shine != nullptr) {
            const glm::dvec4 shine =
                texelAt(*surface.shine, surface.material->emissiveWrap, p * a.shine + q * b.shine + r * c.shine);
            colour = {glm::min(glm::dvec3(colour) + glm::dvec3(shine), glm::dvec3(1)), colour.a};
        }
        if (surface.material->alphaMode == core::AlphaMode::mask &&
            colour.a < static_cast<double>(surface.material->alphaCutoff))
            return;
        put(surface, colour, colours_[sample]);
        if (!surface.isMixed)
            depths_[sample] = depth;
    }

    static void put(const Surface& surface, const glm::dvec4& colour, glm::dvec4& sample) {
        if (!surface.isMixed) {
            sample = {colour.r, colour.g, colour.b, 1};
            return;
        }
        const glm::dvec4 added(colour.r * colour.a, colour.g * colour.a, colour.b * colour.a, colour.a);
        const double covered = std::max(sample.a, colour.a);
        sample = surface.isAdded ? sample + added : added + (1 - colour.a) * sample;
        if (surface.isAdded)
            sample.a = covered;
    }

    std::uint32_t width_;
    std::uint32_t height_;
    std::vector<glm::dvec4> colours_;  ///< multiplied by their alpha
    std::vector<double> depths_;
};

/// Calls act(triangle) for every visible triangle.
/// @param placement scale and position in samples, not pixels
template <typename Act>
void forEachTriangle(const Surface& surface, std::span<const glm::dvec3> places, const Placement& placement,
                     const Act& act) {
    const core::Primitive& primitive = *surface.primitive;
    const auto cornerOf = [&](std::uint32_t vertex) {
        const glm::dvec3& place = places[vertex];
        const glm::dvec2 seen = placement.of(glm::dvec2(place));
        Corner corner{{seen.x, seen.y, place.z * placement.scale}};
        if (!primitive.textureCoordinates.empty())
            corner.texel = glm::dvec2(primitive.textureCoordinates[vertex]);
        corner.shine =
            primitive.emissiveCoordinates.empty() ? corner.texel : glm::dvec2(primitive.emissiveCoordinates[vertex]);
        const glm::vec4 color = primitive.colors.empty() ? glm::vec4(1) : primitive.colors[vertex];
        if (const glm::vec4 tinted = color * surface.material->factor; tinted != glm::vec4(1))
            corner.tone = toneOf(tinted);
        return corner;
    };
    std::vector<Corner> corners;
    for (std::uint32_t vertex = 0; vertex < places.size(); ++vertex)
        corners.push_back(cornerOf(vertex));
    for (std::size_t i = 0; i + 2 < primitive.indices.size(); i += 3) {
        const auto at = [&](std::size_t corner) { return corners[primitive.indices[i + corner]]; };
        Triangle triangle{&surface, {at(0), at(1), at(2)}, 0, 0};
        const auto& [a, b, c] = triangle.corners;
        triangle.area =
            (b.place.x - a.place.x) * (c.place.y - a.place.y) - (b.place.y - a.place.y) * (c.place.x - a.place.x);
        if (triangle.area < 0 || (triangle.area > 0 && surface.material->doubleSided)) {
            triangle.perArea = 1 / triangle.area;
            act(triangle);
        }
    }
}

}  // namespace

void DrawingEffort::spend(double samples) {
    constexpr double kMost = 2e9;
    spent_ += samples;
    if (spent_ > kMost)
        throw core::DecodeError(
            {}, fmt::format("the triangles of the meshes exceed the limit of {:.0f} drawn samples", kMost),
            core::DecodeError::Kind::limit)
            .withHint({"no-mesh"});
}

MeshFigure::MeshFigure(const core::Asset& asset, const core::RestBaker& baker, const View& view, DrawingEffort& effort)
    : asset_(&asset) {
    constexpr double kPerVertex = 8;  // posing a vertex takes as much time as this many samples
    const glm::dvec3 towards = glm::cross(view.right, view.up);
    for (const core::Mesh& mesh : asset.meshes)
        for (const core::Primitive& primitive : mesh.primitives) {
            effort.spend(kPerVertex * static_cast<double>(primitive.positions.size()));
            std::vector<glm::dvec3>& places = places_.emplace_back();
            for (const glm::vec3& position : baker.positions(primitive)) {
                const glm::dvec3 place(position);
                places.emplace_back(glm::dot(place, view.right), -glm::dot(place, view.up), glm::dot(place, towards));
            }
        }
}

std::optional<Extent> MeshFigure::extent() const {
    std::optional<Extent> extent;
    for (const std::vector<glm::dvec3>& places : places_)
        for (const glm::dvec3& place : places) {
            extent = extent.value_or(Extent{place, place});
            extent->include(place);
        }
    return extent;
}

void MeshFigure::draw(pictures::Picture& picture, const Box& box, const Placement& placement,
                      DrawingEffort& effort) const {
    const Placement finer{placement.scale * kFiner, (placement.offset - box.corner) * double{kFiner}};
    std::vector<Surface> surfaces;
    for (const core::Mesh& mesh : asset_->meshes)
        for (const core::Primitive& primitive : mesh.primitives) {
            const core::Material& material = asset_->materials[primitive.material];
            const auto imageOf = [&](const std::optional<std::uint32_t>& image) {
                return image && !primitive.textureCoordinates.empty() ? &asset_->images[*image] : nullptr;
            };
            surfaces.push_back({&primitive, &material, imageOf(material.image), imageOf(material.emissive),
                                material.alphaMode == core::AlphaMode::blend, isAdded(material)});
        }
    const auto width = static_cast<std::uint32_t>(box.size.x);
    const auto height = static_cast<std::uint32_t>(box.size.y);
    Samples samples(kFiner * width, kFiner * height);
    std::vector<Triangle> mixed;
    for (std::size_t i = 0; i < surfaces.size(); ++i)
        forEachTriangle(surfaces[i], places_[i], finer, [&](const Triangle& triangle) {
            if (triangle.surface->isMixed)
                mixed.push_back(triangle);
            else
                samples.paint(triangle, effort);
        });
    // Transparent triangles are drawn last, the farthest first.
    const auto depthOf = [](const Triangle& t) {
        return t.corners[0].place.z + t.corners[1].place.z + t.corners[2].place.z;
    };
    std::stable_sort(mixed.begin(), mixed.end(),
                     [&](const Triangle& a, const Triangle& b) { return depthOf(a) < depthOf(b); });
    for (const Triangle& triangle : mixed)
        samples.paint(triangle, effort);
    const auto left = static_cast<std::uint32_t>(box.corner.x);
    const auto top = static_cast<std::uint32_t>(box.corner.y);
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x) {
            pictures::Rgba& pixel = picture.at(left + x, top + y);
            pixel = samples.over(pixel, x, y);
        }
}

}  // namespace reanima::drawing
