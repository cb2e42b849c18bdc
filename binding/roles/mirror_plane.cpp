#include "binding/roles/mirror_plane.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <glm/vector_relational.hpp>

namespace reanima::roles {

namespace {

/// Shares of the size of all points.
constexpr double kMostOff = 0.01;
constexpr double kCell = 0.05;

/// Points about their centre in a grid. Distances above the size of a cell are limited to this size.
class Cloud {
  public:
    explicit Cloud(const std::vector<glm::vec3>& points) {
        for (const glm::vec3& point : points)
            points_.emplace_back(point);
        joinEqual();
        glm::dvec3 low(std::numeric_limits<double>::infinity());
        glm::dvec3 high = -low;
        for (const glm::dvec3& point : points_) {
            low = glm::min(low, point);
            high = glm::max(high, point);
        }
        size_ = glm::distance(low, high);
        glm::dvec3 middle(0);
        for (const glm::dvec3& point : points_)
            middle += point / static_cast<double>(points_.size());
        for (glm::dvec3& point : points_)
            point -= middle;
        fillCells();
    }

    [[nodiscard]] std::size_t count() const { return points_.size(); }
    [[nodiscard]] bool hasSize() const { return std::isfinite(size_) && size_ > 0; }

    /// The mean distance from each mirrored point to the nearest point, as a share of the size. It is at most a cell.
    [[nodiscard]] double offWhenMirrored(const glm::dvec3& across) const {
        constexpr std::size_t kEnough = 200;
        const std::size_t step = points_.size() / kEnough + 1;
        double sum = 0;
        std::size_t counted = 0;
        for (std::size_t i = 0; i < points_.size(); i += step, ++counted)
            sum += distanceOf(points_[i] - 2 * glm::dot(points_[i], across) * across);
        return sum / static_cast<double>(counted) / size_;
    }

  private:
    static constexpr int kAcross = 24;  // cells from the centre to an edge, with a margin of one cell

    /// Seams of a mesh repeat its vertices.
    void joinEqual() {
        const auto less = [](const glm::dvec3& a, const glm::dvec3& b) {
            return std::array{a.x, a.y, a.z} < std::array{b.x, b.y, b.z};
        };
        std::ranges::sort(points_, less);
        points_.erase(std::unique(points_.begin(), points_.end()), points_.end());
    }

    [[nodiscard]] int cellAlong(double coordinate) const {
        return std::clamp(static_cast<int>(std::floor(coordinate / (kCell * size_))) + kAcross, 0, 2 * kAcross - 1);
    }

    [[nodiscard]] static std::size_t cellAt(int x, int y, int z) {
        constexpr std::size_t kSide = 2 * kAcross;
        return (static_cast<std::size_t>(x) * kSide + static_cast<std::size_t>(y)) * kSide +
               static_cast<std::size_t>(z);
    }

    void fillCells() {
        if (!hasSize())
            return;
        const auto cellOf = [this](const glm::dvec3& p) {
            return cellAt(cellAlong(p.x), cellAlong(p.y), cellAlong(p.z));
        };
        std::ranges::sort(points_, {}, cellOf);
        firstOf_.assign(cellAt(2 * kAcross - 1, 2 * kAcross - 1, 2 * kAcross - 1) + 2, 0);
        for (const glm::dvec3& point : points_)
            ++firstOf_[cellOf(point) + 1];
        for (std::size_t i = 1; i < firstOf_.size(); ++i)
            firstOf_[i] += firstOf_[i - 1];
    }

    [[nodiscard]] double distanceOf(const glm::dvec3& place) const {
        double nearest = kCell * size_ * kCell * size_;
        const int left = cellAlong(place.x);
        const int low = cellAlong(place.y);
        const int near = cellAlong(place.z);
        constexpr int kLast = 2 * kAcross - 1;
        for (int x = std::max(left - 1, 0); x <= std::min(left + 1, kLast); ++x)
            for (int y = std::max(low - 1, 0); y <= std::min(low + 1, kLast); ++y) {
                const std::size_t from = firstOf_[cellAt(x, y, std::max(near - 1, 0))];
                const std::size_t to = firstOf_[cellAt(x, y, std::min(near + 1, kLast)) + 1];
                for (std::size_t i = from; i < to; ++i) {
                    const glm::dvec3 way = points_[i] - place;
                    nearest = std::min(nearest, glm::dot(way, way));
                }
            }
        return std::sqrt(nearest);
    }

    std::vector<glm::dvec3> points_;
    std::vector<std::size_t> firstOf_;  // per cell: the index of its first point
    double size_ = 0;
};

struct Plane {
    glm::dvec3 across;
    double off;
};

/// Planes of all directions, about 8 degrees apart.
std::vector<Plane> allPlanes(const Cloud& cloud) {
    constexpr int kPlanes = 320;
    const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
    std::vector<Plane> planes;
    for (int i = 0; i < kPlanes; ++i) {
        const double y = (i + 0.5) / kPlanes;  // the other half has the same planes
        const double aside = std::sqrt(1 - y * y);
        const glm::dvec3 across(aside * std::cos(golden * i), y, aside * std::sin(golden * i));
        planes.push_back({across, cloud.offWhenMirrored(across)});
    }
    return planes;
}

/// Refines a plane by smaller and smaller rotations.
Plane refined(const Cloud& cloud, Plane best) {
    constexpr double kFirst = 4;  // degrees
    constexpr double kLast = 0.1;
    for (double step = kFirst; step > kLast; step /= 2)
        for (bool isBetter = true; isBetter;) {
            isBetter = false;
            const glm::dvec3 some = std::abs(best.across.y) < 0.9 ? glm::dvec3(0, 1, 0) : glm::dvec3(1, 0, 0);
            const glm::dvec3 first = glm::normalize(glm::cross(best.across, some));
            const glm::dvec3 second = glm::cross(best.across, first);
            const glm::dvec3 middle = best.across;
            for (const glm::dvec3& aside : {first, -first, second, -second}) {
                const glm::dvec3 across = glm::normalize(middle + std::tan(glm::radians(step)) * aside);
                if (const double off = cloud.offWhenMirrored(across); off < best.off) {
                    best = {across, off};
                    isBetter = true;
                }
            }
        }
    return best;
}

}  // namespace

std::optional<glm::dvec3> mirrorDirection(const std::vector<glm::vec3>& points) {
    constexpr std::size_t kFewest = 12;
    if (points.size() < kFewest ||
        !std::ranges::all_of(points, [](const glm::vec3& p) { return std::isfinite(glm::dot(p, p)); }))
        return std::nullopt;
    const Cloud cloud(points);
    if (cloud.count() < kFewest || !cloud.hasSize())
        return std::nullopt;
    std::vector<Plane> planes = allPlanes(cloud);
    std::ranges::sort(planes, {}, &Plane::off);
    // The best plane may be between two tried directions, where another local minimum hides it.
    constexpr std::size_t kTried = 6;
    Plane best = planes.front();
    for (std::size_t i = 0; i < kTried; ++i)
        if (const Plane found = refined(cloud, planes[i]); found.off < best.off)
            best = found;
    if (best.off > kMostOff)
        return std::nullopt;
    const double apart = std::cos(glm::radians(20.0));
    constexpr double kSurely = 4;
    for (const Plane& other : planes) {
        if (std::abs(glm::dot(other.across, best.across)) > apart)
            continue;
        const Plane second = refined(cloud, other);
        if (std::abs(glm::dot(second.across, best.across)) <= apart && second.off < kSurely * best.off)
            return std::nullopt;
        break;
    }
    return best.across;
}

}  // namespace reanima::roles
