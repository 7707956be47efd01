// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/snapshots/origin.hpp"

#include <fmt/format.h>

#include <cmath>

namespace gravlet {
namespace {

// GADGET's header has no word for it: there a redshift above 0 that belongs to the time, as to a scale factor, is one.
std::optional<bool> is_cosmological(const StatedUnits& units, double time) {
    if (units.cosmological) return units.cosmological;
    const bool is_scale_factor =
        units.redshift && *units.redshift != 0.0 && std::abs(time * (1.0 + *units.redshift) - 1.0) < 1e-5;
    return is_scale_factor ? std::optional(true) : std::nullopt;
}

std::string words_for_coordinates(const StatedUnits& units, double time) {
    const std::optional<bool> cosmological = is_cosmological(units, time);
    if (!cosmological) return "as stored; the file does not say whether they are comoving, or with 1/h";
    if (!*cosmological) return "as stored; the file says that they are not comoving";
    if (units.coordinates_a && units.coordinates_h)
        return fmt::format("as stored; the file says that lengths are these times a^{} h^{}", *units.coordinates_a,
                           *units.coordinates_h);
    return "as stored; of a cosmological run: by GADGET's convention comoving, and with 1/h";
}

}  // namespace

Provenance origin_of(const StatedUnits& units, double time) {
    constexpr double gravity = 6.6743e-8;  // CODATA 2018, cm^3 g^-1 s^-2
    Provenance all{{"format", units.format}, {"Time", time}};
    const auto add = [&](const char* name, const std::optional<double>& value) {
        if (value) all.emplace_back(name, *value);
    };
    add("Redshift", units.redshift);
    add("scale_factor", units.scale_factor);
    add("HubbleParam", units.hubble);
    add("UnitLength_in_cm", units.length);
    add("UnitMass_in_g", units.mass);
    add("UnitVelocity_in_cm_per_s", units.velocity);
    add("UnitTime_in_s", units.time);
    const double length = units.length.value_or(0.0), mass = units.mass.value_or(0.0);
    const double velocity = units.velocity.value_or(units.time.value_or(0.0) > 0.0 ? length / *units.time : 0.0);
    if (length > 0.0 && mass > 0.0 && velocity > 0.0)
        all.emplace_back("G_in_these_units", gravity * mass / (length * velocity * velocity));
    else if (length == 0.0 && mass == 0.0 && velocity == 0.0)
        all.emplace_back("units", "the file states none");
    all.emplace_back("coordinates", words_for_coordinates(units, time));
    return all;
}

}  // namespace gravlet
