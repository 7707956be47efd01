// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/python/report.hpp"

#include <pybind11/stl.h>

#include <optional>

namespace gravlet::python {
namespace {

namespace py = pybind11;
using namespace pybind11::literals;

py::object to_object(const std::optional<ErrorStatistics>& e) {
    if (!e) return py::none();
    return py::dict("samples"_a = e->samples, "max"_a = e->max, "p9999"_a = e->p9999, "p999"_a = e->p999, "p99"_a = e->p99,
                    "median"_a = e->median, "rms"_a = e->rms, "worst"_a = e->worst);
}

py::object to_object(const std::optional<ToleranceReport>& t) {
    if (!t) return py::none();
    return py::dict("asked"_a = t->asked, "reached"_a = t->reached, "kept"_a = t->kept, "floor"_a = t->floor,
                    "walks"_a = t->walks, "solves_ago"_a = t->solves_ago, "criterion"_a = to_string(t->criterion),
                    "theta"_a = t->theta, "alpha"_a = t->alpha, "order"_a = t->order);
}

}  // namespace

py::dict to_dict(const Report& r) {
    py::dict stages;
    for (const StageTime& stage : r.stages) stages[py::str(stage.name)] = py::dict("max"_a = stage.max, "mean"_a = stage.mean);
    py::dict out("targets"_a = r.targets, "sources"_a = r.sources, "ranks"_a = r.ranks, "threads"_a = r.threads,
                 "unchanged_ranks"_a = r.unchanged_ranks, "moved_ranks"_a = r.moved_ranks, "backend"_a = r.backend,
                 "warnings"_a = r.warnings, "seconds"_a = r.seconds, "stages"_a = stages,
                 "node_interactions"_a = r.node_interactions, "cell_interactions"_a = r.cell_interactions,
                 "far_interactions"_a = r.far_interactions, "coincident_pairs"_a = r.coincident_pairs,
                 "bytes_sent"_a = r.bytes_sent, "nodes_imported"_a = r.nodes_imported, "cells_imported"_a = r.cells_imported,
                 "peak_bytes"_a = r.peak_bytes);
    out["potential_error"] = to_object(r.potential_error);
    out["acceleration_error"] = to_object(r.acceleration_error);
    out["tidal_error"] = to_object(r.tidal_error);
    out["tolerance"] = to_object(r.tolerance);
    out["net_force"] = r.net_force;
    out["net_torque"] = r.net_torque;
    out["background"] = r.background;
    return out;
}

}  // namespace gravlet::python
