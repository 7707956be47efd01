// SPDX-License-Identifier: Apache-2.0
// A mesh of one level needs no tree: the sum over all its cells is a convolution with what one of them does, and so a product in
// Fourier space. It is the direct sum to rounding, images included. Transforms are along x for all rows of cells at once, and
// along y and z for some waves in x at a time: the half of the transform that is empty is never in memory whole.
#pragma once

#include "physics/fft_lines.hpp"
#include "physics/path_size.hpp"
#include "solver/convolution/lattice.hpp"
#include "solver/convolution/spectrum.hpp"
#include "solver/data/bodies.hpp"
#include "solver/input/input.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace gravlet {

inline constexpr const char* convolution_stage = "convolution";

/// A complex number in memory.
struct alignas(16) Wave {
    double re, im;
};

/// Planes of some waves in x, with room for the transforms along y and z.
struct WavePlanes {
    std::size_t cells_in_y, cells_in_z;
    TransformSize size;
    std::size_t some;       ///< waves that are dealt with
    std::size_t pitch;      ///< places of a row in y, with some more where rows at a power of two would share lines of a cache
    std::size_t first = 0;  ///< the first of these waves

    /// Where a wave of a row of cells is, and where in the planes.
    [[nodiscard]] GRAVLET_HD std::size_t in_row(std::size_t y, std::size_t z, std::size_t w) const {
        return (z * cells_in_y + y) * size.half(0) + first + w;
    }
    [[nodiscard]] GRAVLET_HD std::size_t in_plane(std::size_t y, std::size_t z, std::size_t w) const {
        return (z * some + w) * pitch + y;
    }
    [[nodiscard]] GRAVLET_HD bool is_wave(std::size_t w) const { return first + w < size.half(0); }
    [[nodiscard]] std::size_t count() const { return some * pitch * size.length(2); }
};

template <class Exec>
class Convolution {
public:
    explicit Convolution(const Exec& exec)
        : exec_(exec), spectrum_(exec), planes_(exec.template buffer<Wave>()), product_(exec.template buffer<Wave>()) {}

    /// Local. Whether the cells of `input`, in the backend's memory, are a lattice, which then has room for such a margin of
    /// guard cells. They are looked at once until forget().
    [[nodiscard]] bool takes(const GivenBodies& input, const Frame& frame, const Margin& margin) {
        if (!looked_ || margin != margin_) lattice_ = find_lattice(exec_, input, frame, margin);
        looked_ = true;
        margin_ = margin;
        return lattice_.has_value();
    }
    /// The next solve's cells may be elsewhere.
    void forget() { looked_ = false; }

    /// Local, after takes(). Finds the sums of all places of the lattice.
    void act(const GivenBodies& input, const Frame& frame);

    /// Local, after act(). Sets the sums of targets that are at places of the lattice.
    void give(int derivatives, TargetSet<Exec>& targets) const;

    // The parts of it; public because CUDA's extended lambdas may not be in private functions.

    void prepare(int derivatives);
    void scatter(const GivenBodies& input, const Frame& frame, double* rows);
    void take_planes(const WavePlanes& planes, const Wave* rows);
    void multiply(const WavePlanes& planes, std::size_t component, Wave* to);
    void give_planes(const WavePlanes& planes, const Wave* from, Wave* rows) const;

private:
    /// Waves in x of one row that are read together.
    static constexpr std::uint32_t together = Exec::strided ? 8 : 4;
    /// Planes that stay in a cache, and of small meshes all.
    [[nodiscard]] static WavePlanes planes_of(const CellLattice& lattice) {
        constexpr std::size_t cached = path_size(Exec::strided ? std::size_t{32} << 20 : std::size_t{1} << 20, std::size_t{1});
        const TransformSize size(lattice);
        const std::size_t plane = sizeof(Wave) * size.length(1) * size.length(2), some = std::min(cached / plane, size.half(0));
        return {lattice.cells(1), lattice.cells(2), size, std::max(std::size_t{1}, (some + together - 1) / together) * together,
                size.length(1) + (Exec::strided ? 0 : 4)};
    }

    using Fft = typename Exec::Fft;
    struct Transforms {
        Fft x, y, z;
    };

    Exec exec_;
    bool looked_ = false;
    Margin margin_{};
    std::optional<CellLattice> lattice_, prepared_;
    KernelSpectrum<Exec> spectrum_;
    std::vector<typename Exec::template Buffer<Wave>> rows_;  ///< rows of cells, or their waves in x, of each component
    typename Exec::template Buffer<Wave> planes_, product_;
    std::optional<Transforms> transforms_;
};

template <class Exec>
void Convolution<Exec>::prepare(int derivatives) {
    const CellLattice& lattice = *lattice_;
    spectrum_.make(lattice, derivatives);
    while (rows_.size() < component_count(derivatives)) rows_.push_back(exec_.template buffer<Wave>());
    if (prepared_ == lattice_) return;
    prepared_.reset();
    const WavePlanes planes = planes_of(lattice);
    const TransformSize& size = planes.size;
    const std::size_t rows = planes.some * planes.pitch;
    transforms_.reset();
    transforms_.emplace(Transforms{Fft(exec_, {size.of[0], 1, size.half(0), lattice.cells(1) * lattice.cells(2), true}),
                                   Fft(exec_, {size.of[1], 1, planes.pitch, planes.some * lattice.cells(2)}),
                                   Fft(exec_, {size.of[2], rows, 1, rows})});
    for (auto* const buffer : {&planes_, &product_}) {  // what is beyond a row stays 0
        buffer->resize_discard(planes.count());
        Wave* const to = buffer->data();
        for_each(exec_, planes.count(), [=] GRAVLET_HD(std::size_t n) { to[n] = {0.0, 0.0}; });
    }
    prepared_ = lattice;
}

template <class Exec>
void Convolution<Exec>::act(const GivenBodies& input, const Frame& frame) {
    prepare(frame.derivatives);
    const CellLattice& lattice = *lattice_;
    const std::size_t components = component_count(frame.derivatives);
    WavePlanes planes = planes_of(lattice);
    for (std::size_t k = 0; k < components; ++k)
        rows_[k].resize_discard(planes.size.half(0) * lattice.cells(1) * lattice.cells(2));
    const auto numbers = [](typename Exec::template Buffer<Wave>& of) { return reinterpret_cast<double*>(of.data()); };

    scatter(input, frame, numbers(rows_[0]));
    transforms_->x.forward(numbers(rows_[0]));
    for (planes.first = 0; planes.is_wave(0); planes.first += planes.some) {
        take_planes(planes, rows_[0].data());
        transforms_->y.forward(numbers(planes_));
        transforms_->z.forward(numbers(planes_));
        for (std::size_t k = components; k-- > 0;) {
            auto& product = k > 0 ? product_ : planes_;  // the last one's is in place
            multiply(planes, k, product.data());
            transforms_->z.inverse(numbers(product));
            transforms_->y.inverse(numbers(product));
            give_planes(planes, product.data(), rows_[k].data());
        }
    }
    for (std::size_t k = 0; k < components; ++k) transforms_->x.inverse(numbers(rows_[k]));
}

/// Masses to their places in rows of 2 (length / 2 + 1) numbers, of which those beyond the cells stay 0.
template <class Exec>
void Convolution<Exec>::scatter(const GivenBodies& input, const Frame& frame, double* rows) {
    const CellLattice lattice = *lattice_;
    const std::size_t row = 2 * TransformSize(lattice).half(0);
    for_each(exec_, row * lattice.cells(1) * lattice.cells(2), [=] GRAVLET_HD(std::size_t n) { rows[n] = 0.0; });
    const double unit = frame.per_unit, mass_unit = frame.per_mass_unit;
    for_each(exec_, input.cell_count, [=] GRAVLET_HD(std::size_t i) {
        const Body cell = input.body(i);
        rows[lattice.in_rows({cell.x * unit, cell.y * unit, cell.z * unit}, row)] = cell.mass * mass_unit;
    });
}

template <class Exec>
void Convolution<Exec>::take_planes(const WavePlanes& planes, const Wave* rows) {
    Wave* const to = planes_.data();
    const std::size_t length = planes.size.length(1);
    for_each_team<together>(
        exec_, length * planes.size.length(2), [=] GRAVLET_HD(std::size_t n, const typename Exec::template Team<together>& team) {
            const std::size_t y = n % length, z = n / length;
            const bool cell = y < planes.cells_in_y && z < planes.cells_in_z;
            for (std::size_t w = team.rank(); w < planes.some; w += team.size)
                to[planes.in_plane(y, z, w)] = cell && planes.is_wave(w) ? rows[planes.in_row(y, z, w)] : Wave{0.0, 0.0};
        });
}

template <class Exec>
void Convolution<Exec>::multiply(const WavePlanes& planes, std::size_t component, Wave* to) {
    const Wave* const from = planes_.data();
    const double* const kernel = spectrum_.waves(component);
    const Exponents e = exponents_of(component);
    for_each_team<32>(
        exec_, planes.some * planes.size.length(2), [=] GRAVLET_HD(std::size_t n, const typename Exec::template Team<32>& team) {
            const TransformSize& size = planes.size;
            const std::size_t w = n % planes.some, z = n / planes.some, length = size.length(1), half = size.half(1);
            const bool back_z = z >= size.half(2), is_wave = planes.is_wave(w), imaginary = e.odd() == 1;
            const std::size_t row = (planes.first + w) * size.half(2) + (back_z ? size.length(2) - z : z);
            const double sign = (back_z && e.of[2] == 1) != (e.odd() == 2) ? -1.0 : 1.0, back_sign = e.of[1] == 1 ? -sign : sign;
            for (std::size_t y = team.rank(); y < length; y += team.size) {
                const std::size_t at = planes.in_plane(y, z, w);
                const double by = !is_wave   ? 0.0
                                  : y < half ? sign * kernel[row * half + y]
                                             : back_sign * kernel[row * half + length - y];
                const Wave wave = from[at];
                to[at] = imaginary ? Wave{-by * wave.im, by * wave.re} : Wave{by * wave.re, by * wave.im};
            }
        });
}

template <class Exec>
void Convolution<Exec>::give_planes(const WavePlanes& planes, const Wave* from, Wave* rows) const {
    const std::size_t length = planes.cells_in_y;
    for_each_team<together>(exec_, length * planes.cells_in_z,
                            [=] GRAVLET_HD(std::size_t n, const typename Exec::template Team<together>& team) {
                                const std::size_t y = n % length, z = n / length;
                                for (std::size_t w = team.rank(); w < planes.some; w += team.size)
                                    if (planes.is_wave(w)) rows[planes.in_row(y, z, w)] = from[planes.in_plane(y, z, w)];
                            });
}

template <class Exec>
void Convolution<Exec>::give(int derivatives, TargetSet<Exec>& targets) const {
    const CellLattice lattice = *lattice_;
    const std::size_t row = 2 * TransformSize(lattice).half(0);
    const Source* const at = targets.bodies.data();
    for (std::size_t k = 0; k < component_count(derivatives); ++k) {
        const auto* const rows = reinterpret_cast<const double*>(rows_[k].data());
        double* const sums = targets.sums[k].data();
        for_each(exec_, targets.count, [=] GRAVLET_HD(std::size_t t) {
            sums[t] = rows[lattice.in_rows({at[t].x, at[t].y, at[t].z}, row)];
        });
    }
}

}  // namespace gravlet
