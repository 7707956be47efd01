// SPDX-License-Identifier: Apache-2.0
// The nodes of all pieces of a periodic box act on each other. Between two pieces that is a convolution, as their nodes lie
// alike; it is done as a product in Fourier space, with twice as many places a side. A transform of that size (16 to 40) is three
// small matrix products, of little weight beside the product over all pairs of pieces.
#pragma once

#include "ewald/far_images.hpp"

#include <cmath>
#include <numbers>
#include <vector>

namespace gravlet {

GRAVLET_HD constexpr std::size_t as_index(int i) { return static_cast<std::size_t>(i); }

struct Complex {
    double re, im;

    GRAVLET_HD void add(const Complex& a, const Complex& b) {
        re += a.re * b.re - a.im * b.im;
        im += a.re * b.im + a.im * b.re;
    }
};

/// exp(-2 pi i n / Waves)
template <int Waves>
struct FarTwiddles {
    Complex factor[Waves];

    FarTwiddles() {
        for (int n = 0; n < Waves; ++n) {
            const double angle = -2.0 * std::numbers::pi * n / Waves;
            factor[n] = {std::cos(angle), std::sin(angle)};
        }
    }
    /// The factor of a wave number times a place; `back`: that of the inverse.
    GRAVLET_HD Complex operator()(int wave, int place, bool back) const {
        const Complex f = factor[(wave * place) % Waves];
        return back ? Complex{f.re, -f.im} : f;
    }
};

/// Convolution of the masses at the nodes of pieces with a kernel, by Fourier transforms of so many nodes a side.
template <class Exec, int Side>
class FarTransform {
public:
    static constexpr int all_waves = 2 * Side;   ///< waves along a transform's side
    static constexpr int half_waves = Side + 1;  ///< waves in x: the rest follows, since nodes are real

    explicit FarTransform(const Exec& exec)
        : exec_(exec),
          kernel_(exec.template buffer<Complex>()),
          waves_(exec.template buffer<Complex>()),
          result_(exec.template buffer<Complex>()),
          x_(exec.template buffer<Complex>()),
          y_(exec.template buffer<Complex>()),
          padded_(exec.template buffer<double>()) {}

    /// `kernel` as far_kernel() gives it.
    void set_kernel(const BoxPieces& pieces, const KernelRows& rows, const std::vector<double>& kernel);

    /// potential = kernel * masses, Side^3 nodes a piece.
    void apply(const BoxPieces& pieces, const double* masses, double* potential);

    // Steps; public because CUDA's extended lambdas may not be in private functions.

    /// Transforms N places a side (the others are 0) to waves.
    template <int N>
    void forward(std::size_t count, const double* places, Complex* waves);

    /// Kernels are of positive differences, source minus target. Where that is positive along an axis, places run against ours,
    /// and so do waves; against ours in x means the conjugate of the wave opposite, since kernels are real. In a sheared box x
    /// and y run together.
    void multiply(const BoxPieces& pieces);

    void backward(std::size_t count, double* potential);

private:
    static constexpr std::size_t waves_in_piece = std::size_t{all_waves} * all_waves * half_waves;

    static std::size_t pieces_in(const BoxPieces& pieces) {
        const int all = pieces.count[0] * pieces.count[1] * pieces.count[2];  // a hundred at most
        return static_cast<std::size_t>(all);
    }

    Exec exec_;
    KernelRows rows_{{}, {}};
    typename Exec::template Buffer<Complex> kernel_, waves_, result_, x_, y_;
    typename Exec::template Buffer<double> padded_;
};

template <class Exec, int Side>
void FarTransform<Exec, Side>::set_kernel(const BoxPieces& pieces, const KernelRows& rows, const std::vector<double>& kernel) {
    constexpr std::size_t n = all_waves, steps = 2 * Side - 1, block = steps * steps * steps;
    rows_ = rows;
    const std::size_t blocks = as_index(pieces.count[0] * rows.count * pieces.count[2]);
    std::vector<double> padded(blocks * n * n * n, 0.0);
    const auto wrapped = [](std::size_t step) { return (step + n - (Side - 1)) % n; };  // a difference of node numbers
    for (std::size_t b = 0; b < blocks; ++b)
        for (std::size_t i = 0; i < block; ++i) {
            const std::size_t x = i % steps, y = i / steps % steps, z = i / (steps * steps);
            padded[((b * n + wrapped(z)) * n + wrapped(y)) * n + wrapped(x)] = kernel[b * block + i] / (n * n * n);
        }
    padded_.resize_discard(padded.size());
    copy_in(exec_, padded.data(), padded_.data(), padded.size());
    kernel_.resize_discard(blocks * waves_in_piece);
    forward<all_waves>(blocks, padded_.data(), kernel_.data());
    padded_.release();
}

template <class Exec, int Side>
void FarTransform<Exec, Side>::apply(const BoxPieces& pieces, const double* masses, double* potential) {
    const std::size_t count = pieces_in(pieces);
    waves_.resize_discard(count * waves_in_piece);
    result_.resize_discard(count * waves_in_piece);
    forward<Side>(count, masses, waves_.data());
    multiply(pieces);
    backward(count, potential);
}

template <class Exec, int Side>
template <int N>
void FarTransform<Exec, Side>::forward(std::size_t count, const double* places, Complex* waves) {
    constexpr std::size_t n = N, h = half_waves, w = all_waves;
    x_.resize_discard(count * n * n * h);
    y_.resize_discard(count * n * w * h);
    Complex *const x = x_.data(), *const y = y_.data();
    const FarTwiddles<all_waves> twiddle;
    for_each(exec_, count * n * n * h, [=] GRAVLET_HD(std::size_t i) {
        const std::size_t row = i / h;
        Complex sum{};
        for (int place = 0; place < N; ++place)
            sum.add({places[row * n + as_index(place)], 0.0}, twiddle(static_cast<int>(i % h), place, false));
        x[i] = sum;
    });
    for_each(exec_, count * n * w * h, [=] GRAVLET_HD(std::size_t i) {
        const std::size_t wave = i / h % w, plane = i / (h * w);
        Complex sum{};
        for (int place = 0; place < N; ++place)
            sum.add(x[(plane * n + as_index(place)) * h + i % h], twiddle(static_cast<int>(wave), place, false));
        y[i] = sum;
    });
    for_each(exec_, count * w * w * h, [=] GRAVLET_HD(std::size_t i) {
        const std::size_t in_plane = i % (h * w), wave = i / (h * w) % w, piece = i / (h * w * w);
        Complex sum{};
        for (int place = 0; place < N; ++place)
            sum.add(y[(piece * n + as_index(place)) * (h * w) + in_plane], twiddle(static_cast<int>(wave), place, false));
        waves[i] = sum;
    });
}

template <class Exec, int Side>
void FarTransform<Exec, Side>::multiply(const BoxPieces& pieces) {
    constexpr int h = half_waves, w = all_waves;
    const Complex *const kernel = kernel_.data(), *const waves = waves_.data();
    Complex* const result = result_.data();
    // Rows of one wave number have all they read in common, which so stays in a CPU's cache.
    const std::size_t rows = std::size_t{w} * w, pieces_count = pieces_in(pieces);
    const KernelRows of_kernel = rows_;
    for_each(exec_, pieces_count * rows, [=] GRAVLET_HD(std::size_t i) {
        const std::size_t in_piece = Exec::strided ? i % rows : i / pieces_count,
                          own = Exec::strided ? i / rows : i % pieces_count;
        const int(&count)[3] = pieces.count;
        const int ky = static_cast<int>(in_piece % w), kz = static_cast<int>(in_piece / w), piece = static_cast<int>(own);
        const int px = piece % count[0], py = piece / count[0] % count[1], pz = piece / (count[0] * count[1]);
        Complex sums[h] = {};
        const Complex* source = waves + in_piece * h;
        for (int sz = 0; sz < count[2]; ++sz) {
            for (int sy = 0; sy < count[1]; ++sy) {
                for (int sx = 0; sx < count[0]; ++sx, source += waves_in_piece) {
                    const bool against = sx >= px;
                    const bool turned_y = !of_kernel.sheared && (sy >= py) != against;
                    const int y = turned_y ? (w - ky) % w : ky, z = (sz >= pz) != against ? (w - kz) % w : kz;
                    const bool from_source = of_kernel.sheared ? against : sy >= py;
                    const int dx = sx < px ? px - sx : sx - px, dy = (from_source ? sy - py : py - sy) + of_kernel.none,
                              dz = sz < pz ? pz - sz : sz - pz;
                    const int block = (dz * of_kernel.count + dy) * count[0] + dx, line = (z * w + y) * h;
                    const Complex* const k = kernel + static_cast<std::size_t>(block) * waves_in_piece + line;
                    const double sign = against ? -1.0 : 1.0;
                    for (int x = 0; x < h; ++x) {
                        sums[x].re += k[x].re * source[x].re - sign * k[x].im * source[x].im;
                        sums[x].im += k[x].re * source[x].im + sign * k[x].im * source[x].re;
                    }
                }
            }
        }
        for (int x = 0; x < h; ++x) result[(own * rows + in_piece) * h + static_cast<std::size_t>(x)] = sums[x];
    });
}

template <class Exec, int Side>
void FarTransform<Exec, Side>::backward(std::size_t count, double* potential) {
    constexpr std::size_t n = Side, h = half_waves, w = all_waves;
    y_.resize_discard(count * n * w * h);
    x_.resize_discard(count * n * n * h);
    const Complex* const waves = result_.data();
    Complex *const x = x_.data(), *const y = y_.data();
    const FarTwiddles<all_waves> twiddle;
    for_each(exec_, count * n * w * h, [=] GRAVLET_HD(std::size_t i) {
        const std::size_t in_plane = i % (h * w), place = i / (h * w) % n, piece = i / (h * w * n);
        Complex sum{};
        for (int wave = 0; wave < all_waves; ++wave)
            sum.add(waves[(piece * w + as_index(wave)) * (h * w) + in_plane], twiddle(wave, static_cast<int>(place), true));
        y[i] = sum;
    });
    for_each(exec_, count * n * n * h, [=] GRAVLET_HD(std::size_t i) {
        const std::size_t place = i / h % n, plane = i / (h * n);
        Complex sum{};
        for (int wave = 0; wave < all_waves; ++wave)
            sum.add(y[(plane * w + as_index(wave)) * h + i % h], twiddle(wave, static_cast<int>(place), true));
        x[i] = sum;
    });
    for_each(exec_, count * n * n * n, [=] GRAVLET_HD(std::size_t i) {
        const Complex* const row = x + i / n * h;
        Complex sum{};
        for (int wave = 0; wave < half_waves; ++wave) {
            // Waves that are not their own mirror images stand for two.
            const double times = wave == 0 || wave == Side ? 1.0 : 2.0;
            sum.add({times * row[wave].re, times * row[wave].im}, twiddle(wave, static_cast<int>(i % n), true));
        }
        potential[i] = sum.re;
    });
}

}  // namespace gravlet
