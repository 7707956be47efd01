// SPDX-License-Identifier: Apache-2.0
// Places without mass at which a caller wants the field, and where it goes.
#pragma once

#include "physics/fields.hpp"
#include "physics/types.hpp"

#include <gravlet/cells.hpp>

#include <cstddef>

namespace gravlet {

/// A caller's probes. Device code may hold it.
struct ProbePlaces {
    Probes probes;

    [[nodiscard]] GRAVLET_HD std::size_t probe_count() const { return probes.x.size(); }
    /// Where probe p is, in the caller's units.
    [[nodiscard]] GRAVLET_HD Vector3 probe(std::size_t p) const { return {probes.x[p], probes.y[p], probes.z[p]}; }

    /// Writes the results that are wanted at probe p: component k is value(k).
    template <class Value>
    GRAVLET_HD void store_probe(std::size_t p, const Value& value) const {
        for_results(probes.fields, [&](const ResultSpan& array, std::size_t k) {
            if (!array.empty()) array.set(p, value(k));
        });
    }
};

}  // namespace gravlet
