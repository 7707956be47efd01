// SPDX-License-Identifier: Apache-2.0
// What a snapshot states of itself, said to people: its format, its time, its units. Nothing is converted by it.
#pragma once

#include "amr_adapter/files/provenance.hpp"

#include <optional>
#include <string>

namespace gravlet {

/// What a file states of its units, and of cosmology; as it stands there.
struct StatedUnits {
    std::string format;                                          ///< format, in words
    std::optional<double> redshift{}, scale_factor{}, hubble{};  ///< hubble: h, as HubbleParam
    std::optional<double> length{}, mass{}, velocity{}, time{};  ///< units in cm, g, cm/s and s
    std::optional<bool> cosmological{};                          ///< whether it says that it is of a cosmological run
    std::optional<double> coordinates_a{}, coordinates_h{};      ///< exponents by which coordinates have to be scaled
};

/// Local. All that is to be said, under the names that GADGET has for it where it has one.
[[nodiscard]] Provenance origin_of(const StatedUnits& units, double time);

}  // namespace gravlet
