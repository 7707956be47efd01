#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The field of AMUSE's particles for its bridge, by gravlet in the script's own process. As a program: the field of a Plummer
sphere at test stars, beside direct sums, and the stars' orbits in it. Ends with 1 if they are not as they should be.

    python3 amuse_field.py
"""

import sys

import numpy as np
from amuse.couple.bridge import Bridge
from amuse.ic.plummer import new_plummer_model
from amuse.units import constants, nbody_system, quantities, units

import gravlet


class GravletField:
    """Potential and acceleration of particles (a set of AMUSE's, in memory or of another code) at points: a partner for
    bridge.add_system(). They are read anew in each call. In units of nbody_system, or with a converter in SI; a number without a
    unit is an error. softening: the particles' length; a pair takes the longer one of it and the point's eps, in Plummer's kernel.
    options: of gravlet.Solver, but for G."""

    def __init__(self, particles, converter=None, softening=quantities.zero, **options):
        self.particles = particles
        self.converter = converter
        self.softening = softening
        self.solver = gravlet.Solver(**options)

    def get_potential_at_point(self, eps, x, y, z):
        return self._at(eps, x, y, z, "potential", nbody_system.potential)

    def get_gravity_at_point(self, eps, x, y, z):
        return tuple(self._at(eps, x, y, z, "acceleration", nbody_system.acceleration))

    def stop(self):
        self.solver.close()

    def _at(self, eps, x, y, z, want, unit):
        given = np.broadcast_arrays(*(self._number(one, nbody_system.length) for one in (eps, x, y, z)))
        lengths, *places = (one.ravel() for one in given)
        mass, *bodies = self._bodies()
        # Points are bodies without mass: those have a softening length each, as places have not.
        xyz = [np.append(*both) for both in zip(places, bodies)]
        softening = np.append(lengths, np.full(len(mass), self._number(self.softening, nbody_system.length)))
        active = np.arange(len(softening)) < len(lengths)
        fields = self.solver.points(*xyz, np.append(0.0 * lengths, mass), softening=softening, active=active, want=want)
        found = getattr(fields, want)[..., active]
        found = found.reshape(*found.shape[:-1], *given[0].shape) | unit
        return found if self.converter is None else self.converter.to_si(found)

    def _bodies(self):
        """Mass, x, y, z. A set without particles has no such attributes."""
        if len(self.particles) == 0:
            return np.empty((4, 0))
        mass = self._number(self.particles.mass, nbody_system.mass)
        return mass, *(self._number(getattr(self.particles, axis), nbody_system.length) for axis in "xyz")

    def _number(self, quantity, unit):
        quantity = quantities.to_quantity(quantity)
        return np.asarray((quantity if self.converter is None else self.converter.to_nbody(quantity)).value_in(unit), float)


class Free:
    """Particles that nothing but a bridge pulls."""

    def __init__(self, particles):
        self.particles = particles
        self.model_time = quantities.zero

    def evolve_model(self, time, timestep=None):
        self.particles.position += self.particles.velocity * (time - self.model_time)
        self.model_time = time


def direct(particles, eps, at):
    """Potential and accelerations by sums over pairs, in SI."""
    d = particles.position.value_in(units.m)[None] - at.position.value_in(units.m)[:, None]
    r2 = (d**2).sum(axis=2) + eps.value_in(units.m) ** 2
    gm = constants.G.value_in(units.m**3 / units.kg / units.s**2) * particles.mass.value_in(units.kg)
    return -(gm / np.sqrt(r2)).sum(axis=1), (gm[:, None] * d / r2[:, :, None] ** 1.5).sum(axis=1)


def energy(stars, field, eps):
    return 0.5 * stars.velocity.lengths() ** 2 + field.get_potential_at_point(eps, stars.x, stars.y, stars.z)


def main():
    converter = nbody_system.nbody_to_si(1e5 | units.MSun, 3 | units.pc)
    np.random.seed(1)
    cluster = new_plummer_model(20000, converter)
    stars = new_plummer_model(200, converter)
    stars.mass = 0 | units.MSun
    eps = 0.1 | units.pc

    field = GravletField(cluster, converter, softening=eps)
    phi = field.get_potential_at_point(eps, stars.x, stars.y, stars.z)
    acceleration = field.get_gravity_at_point(eps, stars.x, stars.y, stars.z)
    exact_phi, exact = direct(cluster, eps, stars)
    errors = (np.abs(phi.value_in(units.m**2 / units.s**2) / exact_phi - 1).max(),
              (np.linalg.norm(np.array([a.value_in(units.m / units.s**2) for a in acceleration]).T - exact, axis=1)
               / np.linalg.norm(exact, axis=1)).max())
    print(f"{len(cluster)} particles, {len(stars)} test stars: largest relative error of the potential {errors[0]:.1e}, "
          f"of the acceleration {errors[1]:.1e}")

    bridge = Bridge()
    bridge.add_system(Free(stars), (field,))
    before = energy(stars, field, eps)
    bridge.evolve_model(0.5 | units.Myr, timestep=0.005 | units.Myr)
    drift = np.median(np.abs(energy(stars, field, eps) / before - 1))
    print(f"after {bridge.model_time.value_in(units.Myr):.1f} Myr: median change of their energies {drift:.1e}")
    return errors[0] < 5e-5 and errors[1] < 3e-5 and drift < 1e-4


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
