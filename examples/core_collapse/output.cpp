// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include "gather.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iomanip>
#include <iostream>

namespace core_collapse {

namespace {

bool is_first(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank == 0;
}

/// A number for bits in their order (Fowler, Noll & Vo).
std::uint64_t hash(const void* data, std::size_t bytes, std::uint64_t from = 14695981039346656037u) {
    for (std::size_t i = 0; i < bytes; ++i) from = (from ^ static_cast<const unsigned char*>(data)[i]) * 1099511628211u;
    return from;
}

/// Collective. A number for all bits of gas, accelerations and sinks.
std::uint64_t checksum(const Simulation& simulation) {
    std::uint64_t sum = 0;
    for (const Leaf& leaf : simulation.mesh().leaves())
        sum += hash(leaf.acceleration, sizeof *leaf.acceleration,
                    hash(leaf.gas, sizeof *leaf.gas, hash(&leaf.first, sizeof leaf.first, static_cast<unsigned>(leaf.level))));
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, simulation.mesh().comm());
    for (const Sink& sink : simulation.sinks()) sum += hash(&sink, sizeof sink);
    return sum;
}

}  // namespace

Drift drift_of(const Status& status, const Totals& totals) {
    Gas off;
    for (std::size_t f = 0; f < 4; ++f) off[f] = totals.gas[f] + status.left[f] - status.first[f];
    return {off[0] / status.first[0], std::hypot(off[1], off[2], off[3]) / totals.absolute_momentum};
}

Output::Output(MPI_Comm comm, const Settings& settings) : settings_(settings), speaks_(is_first(comm)) {
    if (!speaks_ || settings.csv.empty()) return;
    csv_.open(settings.csv);
    csv_ << "step,time,dt,cells,level,density,sinks,sink_mass,mass,px,py,pz,mass_drift,momentum_drift,seconds,gravity\n"
         << std::setprecision(10);
}

void Output::step(const Simulation& simulation) {
    const Totals totals = simulation.totals();
    const Drift drift = drift_of(simulation.status(), totals);
    const Seconds seconds = simulation.seconds();
    const int step = simulation.status().step;
    sum_.step += seconds.step, sum_.gravity += seconds.gravity;
    cells_ += static_cast<double>(simulation.mesh().global_cells());
    if (csv_.is_open())
        csv_ << step << ',' << simulation.time() << ',' << simulation.status().dt << ',' << simulation.mesh().global_cells()
             << ',' << totals.finest << ',' << totals.densest << ',' << simulation.sinks().size() << ',' << totals.sink_mass
             << ',' << totals.gas[0] << ',' << totals.gas[1] << ',' << totals.gas[2] << ',' << totals.gas[3] << ',' << drift.mass
             << ',' << drift.momentum << ',' << seconds.step << ',' << seconds.gravity / seconds.step << std::endl;
    if (step % settings_.every != 0 && simulation.goes_on()) return;
    if (!settings_.slices.empty()) slice(simulation, settings_.slices + std::to_string(step) + ".csv");
    if (speaks_)
        std::printf("step %d: time %.4f, %lld cells to level %d, densest %.4g, %zu sinks of %.4g, gravity %.0f%% of %.3f s\n",
                    step, simulation.time(), simulation.mesh().global_cells(), totals.finest, totals.densest,
                    simulation.sinks().size(), totals.sink_mass, 100.0 * seconds.gravity / seconds.step, seconds.step);
    std::fflush(stdout);
}

void Output::end(const Simulation& simulation) const {
    const Totals totals = simulation.totals();
    const Drift drift = drift_of(simulation.status(), totals);
    const std::uint64_t bits = checksum(simulation);
    if (!speaks_) return;
    std::printf("gravity took %.1f of %.1f s, %.0f%%, on the %s; %.2f us a cell and step, gravity %.2f\n", sum_.gravity,
                sum_.step, 100.0 * sum_.gravity / sum_.step, simulation.report().backend.c_str(), 1e6 * sum_.step / cells_,
                1e6 * sum_.gravity / cells_);
    std::printf("mass is off by %.1e, momentum by %.1e of all\n", drift.mass, drift.momentum);
    std::printf("density %.17g at time %.17g, step %d, %zu sinks of %.17g, bits %016llx\n", totals.densest, simulation.time(),
                simulation.status().step, simulation.sinks().size(), totals.sink_mass, static_cast<unsigned long long>(bits));
}

/// The cells that the middle plane cuts: place, side, density.
void Output::slice(const Simulation& simulation, const std::string& path) const {
    std::vector<std::array<double, 4>> cut;
    for (const Leaf& leaf : simulation.mesh().leaves())
        for_each_cell([&](const Index3& cell) {
            const double h = leaf.cell_size();
            const Array3 place = leaf.centre(cell);
            if (place[2] > middle[2] && place[2] - h < middle[2])
                cut.push_back({place[0], place[1], h, (*leaf.gas)[0][offset(cell)]});
        });
    const std::vector<std::array<double, 4>> all = gather(cut, simulation.mesh().comm());
    if (!speaks_) return;
    std::ofstream file(path);
    file << std::setprecision(9) << "# time " << simulation.time() << '\n';
    for (const Sink& sink : simulation.sinks())
        file << "# sink " << sink.position[0] << ' ' << sink.position[1] << ' ' << sink.position[2] << ' ' << sink.mass << '\n';
    file << "x,y,h,density\n";
    for (const auto& [x, y, h, density] : all) file << x << ',' << y << ',' << h << ',' << density << '\n';
}

}  // namespace core_collapse
