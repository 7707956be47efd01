// SPDX-License-Identifier: Apache-2.0
// What a unit mass at one place of a lattice does at all others, in Fourier space: the kernel of the sum over all cells. It is
// even or odd in each direction, so one octant says all of it, of displacements and of waves, and its waves are real or
// imaginary.
#pragma once

#include "physics/fft_lines.hpp"
#include "solver/convolution/image_factors.hpp"
#include "solver/convolution/lattice.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace gravlet {

/// Lengths of the transforms of a lattice. Where it is not periodic, twice the lattice, the half of it empty, so that nothing
/// acts round the end (Hockney & Eastwood 1988, section 6.5.4).
struct TransformSize {
    int of[3];

    explicit TransformSize(const CellLattice& lattice) {
        for (int d = 0; d < 3; ++d) of[d] = lattice.periodic[d] ? lattice.count[d] : fast_length(2 * lattice.count[d] - 1);
    }
    [[nodiscard]] GRAVLET_HD std::size_t length(int d) const { return static_cast<std::size_t>(of[d]); }
    /// Displacements, or waves, of a direction up to the sign.
    [[nodiscard]] GRAVLET_HD std::size_t half(int d) const { return length(d) / 2 + 1; }
    [[nodiscard]] std::size_t octant() const { return half(0) * half(1) * half(2); }
};

/// The component of what a unit mass does at a displacement, without its images. 0 at its own place.
[[nodiscard]] GRAVLET_HD inline double pair_sum(const Vector3& r, const Exponents& e) {
    const double r2 = r.x * r.x + r.y * r.y + r.z * r.z;
    if (r2 == 0.0) return 0.0;
    const double at[3] = {r.x, r.y, r.z}, inverse = 1.0 / sqrt(r2), cube = inverse / r2;
    if (e.sum() == 0) return inverse;
    double product = 1.0;
    bool twice = false;
    for (int d = 0; d < 3; ++d) {
        for (int k = 0; k < e.of[d]; ++k) product *= at[d];
        twice = twice || e.of[d] == 2;
    }
    return e.sum() == 1 ? -product * cube : 3.0 * product * cube / r2 - (twice ? cube : 0.0);
}

template <class Exec>
class KernelSpectrum {
public:
    explicit KernelSpectrum(const Exec& exec)
        : exec_(exec),
          factors_(exec.template buffer<double>()),
          rotated_(exec.template buffer<double>()),
          lines_(exec.template buffer<double>()) {}

    /// Local. Makes the waves of all components of sums with so many derivatives, unless they are there.
    void make(const CellLattice& lattice, int derivatives) {
        if (lattice_ && *lattice_ == lattice && waves_.size() >= component_count(derivatives)) return;
        lattice_.reset();
        waves_.clear();
        const TransformSize size(lattice);
        const ImageFactorsView images = bring_factors(lattice, size);
        for (std::size_t k = 0; k < component_count(derivatives); ++k) {
            waves_.push_back(exec_.template buffer<double>());
            fill(lattice, size, images, exponents_of(k), waves_.back());
            transform(size, exponents_of(k), waves_.back());
        }
        factors_.release(), rotated_.release(), lines_.release();
        lattice_ = lattice;
    }

    /// Waves of a component over the number of all waves: those of (i, j, k), signs left out, at (i * half(2) + k) * half(1) + j.
    /// Wave (i, j, k) is this, times the sign of j or k where the component is odd in that direction, times i to the number of
    /// odd directions.
    [[nodiscard]] const double* waves(std::size_t component) const { return waves_[component].data(); }

    // Public because CUDA's extended lambdas may not be in private functions.

    /// Sets the octant of displacements, y fastest, then z. (What is odd vanishes where a displacement is its own opposite, and
    /// no transform of odd lines has regard to what is there.)
    void fill(const CellLattice& lattice, const TransformSize& size, const ImageFactorsView& images, const Exponents& e,
              typename Exec::template Buffer<double>& octant);

    /// Three times: transforms lines along the fastest direction, which then is the slowest. So the order of directions, x, z, y,
    /// is what it was.
    void transform(const TransformSize& size, const Exponents& e, typename Exec::template Buffer<double>& octant);

private:
    /// Numbers in lines that are transformed at a time.
    static constexpr std::size_t at_once =
        path_size(Exec::strided ? std::size_t{1} << 24 : std::size_t{1} << 15, std::size_t{1} << 8);

    /// The images' factors in the backend's memory; none without images.
    ImageFactorsView bring_factors(const CellLattice& lattice, const TransformSize& size);

    Exec exec_;
    std::optional<CellLattice> lattice_;
    std::vector<typename Exec::template Buffer<double>> waves_;
    typename Exec::template Buffer<double> factors_, rotated_, lines_;
};

template <class Exec>
void KernelSpectrum<Exec>::fill(const CellLattice& lattice, const TransformSize& size, const ImageFactorsView& images,
                                const Exponents& e, typename Exec::template Buffer<double>& octant) {
    octant.resize_discard(size.octant());
    double* const to = octant.data();
    const double per_wave = 1.0 / (static_cast<double>(size.of[0]) * size.of[1] * size.of[2]);
    for_each(exec_, size.octant(), [=] GRAVLET_HD(std::size_t n) {
        const std::size_t rows = size.half(1), planes = size.half(2);
        const int place[3] = {static_cast<int>(n / rows / planes), static_cast<int>(n % rows),
                              static_cast<int>(n / rows % planes)};
        double value = pair_sum({place[0] * lattice.side[0], place[1] * lattice.side[1], place[2] * lattice.side[2]}, e);
        if (images.abscissae > 0) value += images.sum(place, e);
        to[n] = value * per_wave;
    });
}

template <class Exec>
void KernelSpectrum<Exec>::transform(const TransformSize& size, const Exponents& e,
                                     typename Exec::template Buffer<double>& octant) {
    rotated_.resize_discard(size.octant());
    for (const int d : {1, 2, 0}) {
        const int length = size.of[d];
        const std::size_t half = size.half(d), all = size.octant() / half, line = 2 * half,
                          some = std::min(all, (at_once + line - 1) / line);
        lines_.resize_discard(some * line);
        const typename Exec::Fft fft(exec_, {length, 1, half, some, true});
        const double* const from = octant.data();
        double *const to = rotated_.data(), *const lines = lines_.data();
        const bool odd = e.of[d] == 1;
        for (std::size_t begin = 0; begin < all; begin += some) {
            const std::size_t now = std::min(some, all - begin);
            for_each(exec_, some * line, [=] GRAVLET_HD(std::size_t n) {
                const std::size_t l = n / line;
                const int i = static_cast<int>(n % line), opposite = length - i;
                const bool back = i >= static_cast<int>(half);
                const int at = back ? opposite : i;
                double value = 0.0;
                if (l < now && at >= 0 && i < length) value = from[(begin + l) * half + static_cast<std::size_t>(at)];
                lines[n] = odd && back ? -value : value;
            });
            fft.forward(lines);
            for_each(exec_, now * half, [=] GRAVLET_HD(std::size_t n) {
                const std::size_t i = n / now, l = n % now;
                to[i * all + begin + l] = lines[l * line + 2 * i + (odd ? 1 : 0)];
            });
        }
        std::swap(octant, rotated_);
    }
}

template <class Exec>
ImageFactorsView KernelSpectrum<Exec>::bring_factors(const CellLattice& lattice, const TransformSize& size) {
    if (!lattice.periodic[0] && !lattice.periodic[1] && !lattice.periodic[2]) return {};
    const ImageFactors factors(lattice, {size.of[0] / 2 + 1, size.of[1] / 2 + 1, size.of[2] / 2 + 1});
    std::vector<double> whole;
    std::vector<std::size_t> begins;
    const auto append = [&](const std::vector<double>& part) {
        begins.push_back(whole.size());
        whole.insert(whole.end(), part.begin(), part.end());
    };
    append(factors.weight), append(factors.mean);
    for (std::size_t d = 0; d < 3; ++d) append(factors.all[d]), append(factors.nearest[d]), append(factors.excess[d]);
    factors_.resize_discard(whole.size());
    copy_in(exec_, whole.data(), factors_.data(), whole.size());
    const double* const at = factors_.data();
    ImageFactorsView view{factors.abscissae, factors.first_direct, factors.constant, at, at + begins[1], {}, {}, {}};
    for (std::size_t d = 0; d < 3; ++d) {
        view.all[d] = at + begins[2 + 3 * d];
        view.nearest[d] = at + begins[3 + 3 * d];
        view.excess[d] = at + begins[4 + 3 * d];
    }
    return view;
}

}  // namespace gravlet
