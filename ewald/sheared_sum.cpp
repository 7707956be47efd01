// SPDX-License-Identifier: Apache-2.0
// The factors of x and y in a sheared box (ewald/lattice_sum.hpp). Where t < sqrt(pi)/Lx they are waves: a wave in y goes with
// waves in x that are displaced by its phase from column to column, so that each makes two products, of cosines and of sines.
// Elsewhere they are columns of images, each displaced in y.
#include "ewald/gaussian.hpp"
#include "ewald/lattice_sum.hpp"

#include <cmath>
#include <numbers>

namespace gravlet {
namespace {

using std::numbers::pi;
const double root_pi = std::sqrt(pi);

}  // namespace

void LatticeSum::set_terms(double reach) {
    begin_.assign(1, 0);
    first_of_columns_ = 0;
    for (const double t : t_) {
        const bool waves = t * box_.side[0] < root_pi;
        if (waves) ++first_of_columns_;
        const double terms = waves ? std::floor(end_of_gaussian * t * box_.side[1] / pi)  // waves in y
                                   : std::ceil((end_of_gaussian / t + reach) / box_.side[0]);
        begin_.push_back(begin_.back() + 2 * static_cast<std::size_t>(terms) + 1);
    }
}

LatticeSum::ShearedAxis LatticeSum::sheared_x(double x, int order, int columns, ImageRange left_out) const {
    const auto degrees = static_cast<std::size_t>(order) + 1, width = 2 * static_cast<std::size_t>(columns) + 1;
    const double period = box_.side[0], step = 2.0 * pi / period;
    ShearedAxis out;
    for (std::size_t k = 0; k < degrees; ++k) out.all[k].resize(begin_.back()), out.left_out[k].resize(width * t_.size());
    for (std::size_t q = 0; q < t_.size(); ++q) {
        const double t = t_[q], longest = 2.0 * end_of_gaussian * t;
        const auto terms = static_cast<int>(begin_[q + 1] - begin_[q]) / 2;
        for (int m = 0; q < first_of_columns_ && m <= terms; ++m) {
            const double offset = 2.0 * pi * m / box_.side[1] * box_.shear / period;
            const double first = m == 0 ? 1.0 : std::ceil((offset - longest) / step);
            for (double p = first; p * step <= offset + longest; ++p) {
                const double wave = p * step - offset, phase = wave * x;
                double amplitude = 2.0 * std::exp(-wave * wave / (4.0 * t * t));
                for (std::size_t k = 0; k < degrees; ++k, amplitude *= wave) {
                    const double turned = phase + 0.5 * pi * static_cast<double>(k);
                    double* const term = out.all[k].data() + begin_[q] + (m == 0 ? 0 : 2 * m - 1);
                    term[0] += amplitude * std::cos(turned);
                    if (m > 0) term[1] -= amplitude * std::sin(turned);
                }
            }
        }
        for (int i = -terms; q >= first_of_columns_ && i <= terms; ++i) {
            double column[max_ewald_order + 1] = {};
            add_gaussian(x + i * period, t, order, column);
            for (std::size_t k = 0; k < degrees; ++k) out.all[k][begin_[q] + static_cast<std::size_t>(i + terms)] = column[k];
        }
        for (int i = left_out.first; i <= left_out.last; ++i) {
            double near[max_ewald_order + 1] = {};
            add_gaussian(x + i * period, t, order, near);
            for (std::size_t k = 0; k < degrees; ++k)
                out.left_out[k][q * width + static_cast<std::size_t>(i + columns)] = near[k];
        }
    }
    return out;
}

LatticeSum::ShearedAxis LatticeSum::sheared_y(double y, int order, const std::vector<ImageRange>& left_out) const {
    const auto degrees = static_cast<std::size_t>(order) + 1, width = left_out.size();
    const double period = box_.side[1];
    ShearedAxis out;
    for (std::size_t k = 0; k < degrees; ++k) out.all[k].resize(begin_.back()), out.left_out[k].resize(width * t_.size());
    for (std::size_t q = 0; q < t_.size(); ++q) {
        const double t = t_[q], reach = end_of_gaussian / t;
        const auto terms = static_cast<int>(begin_[q + 1] - begin_[q]) / 2;
        for (int m = 0; q < first_of_columns_ && m <= terms; ++m) {
            const double wave = 2.0 * pi * m / period;
            double amplitude = std::exp(-wave * wave / (4.0 * t * t));
            for (std::size_t k = 0; k < degrees; ++k, amplitude *= wave) {
                const double turned = wave * y + 0.5 * pi * static_cast<double>(k);
                double* const term = out.all[k].data() + begin_[q] + (m == 0 ? 0 : 2 * m - 1);
                term[0] = amplitude * std::cos(turned);
                if (m > 0) term[1] = amplitude * std::sin(turned);
            }
        }
        for (int i = -terms; q >= first_of_columns_ && i <= terms; ++i) {
            const double in_column = y + i * box_.shear;
            double sum[max_ewald_order + 1] = {};
            for (double j = std::ceil((-reach - in_column) / period); in_column + j * period <= reach; ++j)
                add_gaussian(in_column + j * period, t, order, sum);
            for (std::size_t k = 0; k < degrees; ++k) out.all[k][begin_[q] + static_cast<std::size_t>(i + terms)] = sum[k];
        }
        const int columns = static_cast<int>(width / 2);
        for (int i = -columns; i <= columns; ++i) {
            const auto column = static_cast<std::size_t>(i + columns);
            double near[max_ewald_order + 1] = {};
            for (int j = left_out[column].first; j <= left_out[column].last; ++j)
                add_gaussian(y + box_.image(i, j, 0).y, t, order, near);
            for (std::size_t k = 0; k < degrees; ++k) out.left_out[k][q * width + column] = near[k];
        }
    }
    return out;
}

void LatticeSum::make(const ShearedAxis& x, const ShearedAxis& y, int order, Plane& out) const {
    const std::size_t n = t_.size(), width = x.left_out[0].size() / n;
    for (int a = 0; a <= order; ++a) {
        for (int b = 0; a + b <= order; ++b) {
            const auto ia = static_cast<std::size_t>(a), ib = static_cast<std::size_t>(b);
            for (std::size_t q = 0; q < n; ++q) {
                double all = 0.0, left_out = 0.0;
                for (std::size_t k = begin_[q]; k < begin_[q + 1]; ++k) all += x.all[ia][k] * y.all[ib][k];
                for (std::size_t k = q * width; k < (q + 1) * width; ++k) left_out += x.left_out[ia][k] * y.left_out[ib][k];
                if (q < first_of_columns_) {
                    if (a + b == 0) out.excess[q] = all, all += 1.0;
                    all *= pi / (t_[q] * t_[q] * box_.side[0] * box_.side[1]);
                }
                out.all[plane_index(a, b)][q] = all;
                out.left_out[plane_index(a, b)][q] = left_out;
            }
        }
    }
}

LatticeSum::Plane LatticeSum::plane(double x, double y, int order) const {
    Plane out = room_for_plane(order);
    if (box_.shear == 0.0) {
        make(axis(0, x, order), axis(1, y, order), order, out);
    } else {
        make(sheared_x(x, order, 0, {0, 0}), sheared_y(y, order, {{0, 0}}), order, out);
    }
    return out;
}

}  // namespace gravlet
