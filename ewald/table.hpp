// SPDX-License-Identifier: Apache-2.0
// Makes the table that ewald/correction.hpp reads.
#pragma once

#include "ewald/correction.hpp"
#include "ewald/periodic_box.hpp"
#include "mpi/stages.hpp"

#include <gravlet/options.hpp>

#include <optional>
#include <vector>

namespace gravlet {

/// What a table depends on.
struct EwaldParameters {
    PeriodicBox box;         ///< sides in units of the shortest period
    int nodes = 0;           ///< along half of the shortest period
    int order = 0;           ///< order of the Taylor polynomials: 2 to max_ewald_order
    double softening = 0.0;  ///< softening length, in units of the shortest period
};

class EwaldTable {
public:
    /// Local. Computed by `threads` threads, from sums that are good to 1e-12: tens of milliseconds for a cube, twice that if
    /// there is softening.
    EwaldTable(const EwaldParameters& parameters, int threads, Narrator& narrator = Narrator::to_nobody());
    /// Polynomials that were kept. Throws Error(file) if their number does not fit.
    EwaldTable(const EwaldParameters& parameters, std::vector<double> polynomials);

    /// Polynomials of all nodes, unsoftened; then, if there is softening, softened.
    [[nodiscard]] const std::vector<double>& polynomials() const { return polynomials_; }
    /// A view with pointers into this table (or, for a backend, to a copy of polynomials()).
    [[nodiscard]] EwaldView view(const double* polynomials) const;
    [[nodiscard]] EwaldView view() const { return view(polynomials_.data()); }

private:
    void lay_out(const EwaldParameters& parameters);
    void compute(const EwaldParameters& parameters, double softening, int level, int threads, double* polynomials,
                 Progress& progress) const;
    /// Numbers of one of the two tables, and of all.
    [[nodiscard]] std::size_t table_size() const { return nodes_ * ewald_terms; }
    [[nodiscard]] std::size_t size() const { return layout_.softening > 0.0 ? 2 * table_size() : table_size(); }

    EwaldView layout_;
    std::size_t nodes_ = 0;
    std::vector<double> polynomials_;
};

/// Collective. The table of these options (none on a rank that has failed before), read from Options::ewald_cache or computed and
/// written there. Throws Error(file), the same on every rank, if the file is of other parameters or cannot be read or written.
std::optional<EwaldTable> make_ewald_table(Stages& stages, const Options& options, int threads);

}  // namespace gravlet
