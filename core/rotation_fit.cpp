#include "core/rotation_fit.h"

#include <cmath>

namespace reanima::core {

SymmetricMatrix4 rotationFit(const glm::dmat3& products) {
    const double trace = products[0][0] + products[1][1] + products[2][2];
    const std::array<double, 3> z = {products[2][1] - products[1][2], products[0][2] - products[2][0],
                                     products[1][0] - products[0][1]};
    SymmetricMatrix4 fit{};
    fit[0][0] = trace;
    for (int i = 0; i < 3; ++i) {
        const auto row = static_cast<std::size_t>(i) + 1;
        fit[0][row] = fit[row][0] = z[row - 1];
        for (int j = 0; j < 3; ++j)
            fit[row][static_cast<std::size_t>(j) + 1] = products[i][j] + products[j][i] - (i == j ? trace : 0);
    }
    return fit;
}

Eigen eigenOf(SymmetricMatrix4 m) {
    SymmetricMatrix4 v{};
    for (std::size_t i = 0; i < 4; ++i)
        v[i][i] = 1;
    constexpr int kSweeps = 16;  // passes over all pairs; they converge quadratically
    for (int sweep = 0; sweep < kSweeps; ++sweep)
        for (std::size_t p = 0; p < 4; ++p)
            for (std::size_t q = p + 1; q < 4; ++q) {
                if (m[p][q] == 0)
                    continue;
                const double angle = 0.5 * std::atan2(2 * m[p][q], m[q][q] - m[p][p]);
                const double c = std::cos(angle);
                const double s = std::sin(angle);
                for (std::size_t k = 0; k < 4; ++k) {
                    const double kp = m[k][p];
                    const double kq = m[k][q];
                    m[k][p] = c * kp - s * kq;
                    m[k][q] = s * kp + c * kq;
                }
                for (std::size_t k = 0; k < 4; ++k) {
                    const double pk = m[p][k];
                    const double qk = m[q][k];
                    m[p][k] = c * pk - s * qk;
                    m[q][k] = s * pk + c * qk;
                    const double vp = v[p][k];
                    const double vq = v[q][k];
                    v[p][k] = c * vp - s * vq;
                    v[q][k] = s * vp + c * vq;
                }
            }
    Eigen eigen;
    for (std::size_t i = 0; i < 4; ++i)
        eigen.values[i] = m[i][i];
    eigen.vectors = v;
    return eigen;
}

}  // namespace reanima::core
