// SPDX-License-Identifier: Apache-2.0
// One rank's arrays of a case as its host keeps them, in either precision, with padding that nobody may read or write.
#pragma once

#include "tests/combine/case.hpp"

#include <gravlet/cells.hpp>

#include <cstddef>
#include <vector>

namespace gravlet::combine {

/// In results, wherever nothing has been written.
inline constexpr double untouched = -1234.5;

/// Doubles or floats.
class Reals {
public:
    Reals() = default;
    Reals(bool single, std::size_t size, double value);
    [[nodiscard]] bool single() const { return single_; }
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] std::size_t size() const { return single_ ? floats_.size() : doubles_.size(); }
    [[nodiscard]] double operator[](std::size_t i) const { return single_ ? static_cast<double>(floats_[i]) : doubles_[i]; }
    void set(std::size_t i, double value);
    [[nodiscard]] ResultPointer at(std::size_t i);
    [[nodiscard]] ResultSpan span();
    [[nodiscard]] const double* doubles() const { return single_ || empty() ? nullptr : doubles_.data(); }
    [[nodiscard]] const float* floats() const { return single_ && !empty() ? floats_.data() : nullptr; }
    /// `either`: also where one of the two is untouched.
    [[nodiscard]] bool same_bits(const Reals& other, bool either = true) const;

private:
    bool single_ = false;
    std::vector<double> doubles_;
    std::vector<float> floats_;
};

/// Empty: not wanted.
struct Results {
    Reals potential;
    std::array<Reals, 3> acceleration;
    std::array<Reals, 6> tidal;
    Results() = default;
    Results(const Want& want, bool single, std::size_t size);
    /// visit(array), also of those not wanted.
    template <class F>
    void for_each(F visit) {
        visit(potential);
        for (Reals& a : acceleration) visit(a);
        for (Reals& t : tidal) visit(t);
    }
    template <class F>
    void for_each(F visit) const {
        const_cast<Results*>(this)->for_each([&](const Reals& r) { visit(r); });
    }
    [[nodiscard]] Fields fields();
};

/// Cells, points, or probes (which have no mass).
struct BodyArrays {
    std::array<Reals, 3> x, side;
    Reals mass, softening;
    std::vector<std::uint8_t> active;        ///< empty: all
    std::vector<std::uint8_t> source_class;  ///< empty: as hosts have it that give none
    Results results;
    std::vector<std::size_t> number;  ///< in the case
    [[nodiscard]] std::size_t size() const { return number.size(); }
};

/// Of a block: element (i, j, k) is `first` + i * stride[0] + ...
struct Strided {
    std::size_t size = 0;
    std::ptrdiff_t first = 0;
    Stride stride{};
    [[nodiscard]] std::size_t at(int i, int j, int k) const {
        return static_cast<std::size_t>(first + i * stride[0] + j * stride[1] + k * stride[2]);
    }
};

struct PatchArrays {
    std::size_t number = 0;
    Strided inputs, outputs;
    std::array<Strided, 3> at_faces;
    Reals density;
    Results results;
    std::array<Reals, 3> faces;
};

struct Arrays {
    bool has_mesh = false, has_points = false, has_patches = false, has_probes = false;  ///< on any rank
    BodyArrays cells, points, probes;
    std::vector<PatchArrays> patches;
    std::vector<Block> blocks;

    /// visit(results array), faces' too.
    template <class F>
    void for_each_result(F visit) {
        cells.results.for_each(visit), points.results.for_each(visit), probes.results.for_each(visit);
        for (PatchArrays& patch : patches) {
            patch.results.for_each(visit);
            for (Reals& face : patch.faces) visit(face);
        }
    }
    template <class F>
    void for_each_result(F visit) const {
        const_cast<Arrays*>(this)->for_each_result([&](const Reals& r) { visit(r); });
    }
};

/// What `rank` holds of these bodies.
Arrays hand_over(const Case& c, const Bodies& bodies, int rank);

}  // namespace gravlet::combine
