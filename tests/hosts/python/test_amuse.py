#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""examples/amuse_field.py's class, with AMUSE's particles, beside sums over pairs in double. Says "skipped: " without AMUSE."""

import pathlib
import sys
import unittest

import numpy as np

try:
    from amuse.couple.bridge import Bridge
    from amuse.datamodel import Particles
    from amuse.support.exceptions import AmuseException
    from amuse.units import constants, nbody_system, quantities, units
except ImportError:
    sys.exit("skipped: no AMUSE")

import gravlet
from common import run_tests

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "examples"))
from amuse_field import Free, GravletField

CONVERTER = nbody_system.nbody_to_si(3e4 | units.MSun, 2 | units.pc)
POTENTIAL, ACCELERATION = 5e-5, 3e-5  # the worst point of 40 seeds: 2.5e-5, 1.4e-5


class Units:
    """What a case computes in; `G` in these."""

    def __init__(self, mass, length, potential, G, converter=None):
        self.mass, self.length, self.potential, self.converter = mass, length, potential, converter
        self.acceleration = potential / length
        self.G = G.value_in(potential * length / mass)


NBODY = Units(nbody_system.mass, nbody_system.length, nbody_system.potential, nbody_system.G)
SI = Units(units.MSun, units.pc, units.kms**2, constants.G, CONVERTER)


def some(random, n, system):
    particles = Particles(n)
    particles.mass = random.random(n) | system.mass
    particles.position = random.normal(size=(n, 3)) | system.length
    return particles


def sums(particles, lengths, xyz, system):
    """Potential (n) and acceleration (3, n), a pair softened by the longer of lengths, which are (n) or (n, particles)."""
    d = particles.position.value_in(system.length).T[:, None, :] - np.array(xyz)[:, :, None]
    gm, r2 = system.G * particles.mass.value_in(system.mass), (d**2).sum(axis=0) + np.reshape(lengths, (len(d[0]), -1)) ** 2
    return -(gm / np.sqrt(r2)).sum(axis=1), (gm * d / r2**1.5).sum(axis=2)


class Amuse(unittest.TestCase):
    def same(self, field, particles, eps, xyz, system, own=0.0):
        exact = sums(particles, np.maximum(eps, own), xyz, system)
        arguments = [one | system.length for one in (eps, *xyz)]
        potential = field.get_potential_at_point(*arguments).value_in(system.potential)
        self.assertLess(np.abs(potential / exact[0] - 1).max(), POTENTIAL)
        found = np.array([one.value_in(system.acceleration) for one in field.get_gravity_at_point(*arguments)])
        error = np.linalg.norm(found - exact[1], axis=0) / np.linalg.norm(exact[1], axis=0)
        self.assertLess(error.max(), ACCELERATION)

    def test_fields(self):
        """Of particles that come, move and go between calls, at points with a length each."""
        for seed, system in enumerate((NBODY, SI)):
            random = np.random.default_rng(seed)
            particles = some(random, 1500, system)
            field = GravletField(particles, system.converter, softening=0.05 | system.length)
            for change in ("none", "moved", "more", "fewer", "heavier"):
                if change == "moved":
                    particles.position *= 1.5
                elif change == "more":
                    particles.add_particles(some(random, 300, system))
                elif change == "fewer":
                    particles.remove_particles(particles[::3].copy())
                elif change == "heavier":
                    particles.mass *= 1.0 + random.random(len(particles))
                for eps in (np.zeros(70), random.choice([0.0, 0.02, 0.3], 70)):
                    with self.subTest(change, system=system):
                        self.same(field, particles, eps, 1.5 * random.normal(size=(3, 70)), system, own=0.05)
            field.stop()

    def test_units_of_points(self):
        """Lengths in other units than the particles' own; what comes back is in SI."""
        particles = some(np.random.default_rng(1), 400, SI)
        particles.position = particles.position.as_quantity_in(units.AU)
        x, y, z = np.random.default_rng(2).normal(size=(3, 9))
        ours = GravletField(particles, CONVERTER, theta=0.0)
        found = ours.get_potential_at_point(0 | units.m, (x | units.pc).as_quantity_in(units.km), y | units.pc, z | units.pc)
        self.assertEqual(found.unit.base, (units.m**2 / units.s**2).base)
        exact, _ = sums(particles, np.zeros(9), (x, y, z), SI)
        np.testing.assert_allclose(found.value_in(units.kms**2), exact, rtol=2e-6)

    def test_shapes(self):
        particles = some(np.random.default_rng(3), 50, NBODY)
        field = GravletField(particles)
        grid = np.random.default_rng(4).normal(size=(3, 4, 5)) | NBODY.length
        for eps in (quantities.zero, 0.1 | NBODY.length):
            flat = field.get_gravity_at_point(eps, *(one.reshape(20) for one in grid))
            shaped = field.get_gravity_at_point(eps, *grid)
            alone = field.get_gravity_at_point(eps, *(one[1, 2] for one in grid))
            for one, two, three in zip(flat, shaped, alone):
                self.assertEqual(two.shape, (4, 5))
                np.testing.assert_array_equal(two.number.ravel(), one.number)
                np.testing.assert_allclose(three.number, two.number[1, 2], rtol=1e-5)
        for empty in (Particles(), particles[:0]):
            self.assertFalse(GravletField(empty).get_potential_at_point(quantities.zero, *grid).number.any())
        nothing = [] | NBODY.length
        self.assertEqual(field.get_potential_at_point(nothing, nothing, nothing, nothing).shape, (0,))

    def test_errors(self):
        particles = some(np.random.default_rng(5), 20, SI)
        field = GravletField(particles, CONVERTER)
        x = np.ones(3) | units.pc
        eps = 0.0 * x
        for arguments in ((0.0, x, x, x), (eps, x.number, x, x), (eps, x, x, np.ones(3) | units.kg)):
            self.assertRaisesRegex(AmuseException, "Cannot express", field.get_potential_at_point, *arguments)
        self.assertRaisesRegex(AmuseException, "Cannot express", GravletField(particles).get_gravity_at_point, eps, x, x, x)
        bare = GravletField(particles, CONVERTER, softening=0.1)
        self.assertRaisesRegex(AmuseException, "Cannot express", bare.get_gravity_at_point, eps, x, x, x)
        self.assertRaisesRegex(ValueError, "shape mismatch", field.get_gravity_at_point, eps, x, x, x[:2])
        self.assertRaisesRegex(ValueError, "shape mismatch", field.get_gravity_at_point, eps[:2], x, x, x)
        self.assertRaisesRegex(gravlet.InputError, "softening", field.get_gravity_at_point, -1.0 * x, x, x, x)
        self.assertRaisesRegex(gravlet.InputError, "nan", field.get_gravity_at_point, eps, np.nan * x, x, x)
        self.assertEqual(field.get_potential_at_point(eps, x, x, x).shape, (3,))  # after all of these

    def test_bridge(self):
        """One step of a bridge: half a kick, the way, half a kick."""
        random = np.random.default_rng(6)
        particles, stars = some(random, 200, SI), some(random, 30, SI)
        stars.velocity = random.normal(size=(30, 3)) | units.kms
        start, velocity = stars.position.value_in(units.pc).T, stars.velocity.value_in(units.kms).T
        bridge = Bridge()
        bridge.add_system(Free(stars), (GravletField(particles, CONVERTER, softening=0.1 | units.pc),))
        step = 0.01 | units.Myr
        pc = (step * (1 | units.kms)).value_in(units.pc)  # what 1 km/s goes in a step
        lengths = np.full(30, 0.1)
        velocity = velocity + 0.5 * pc * sums(particles, lengths, start, SI)[1]
        end = start + pc * velocity
        velocity += 0.5 * pc * sums(particles, lengths, end, SI)[1]
        bridge.evolve_model(step, timestep=step)
        np.testing.assert_allclose(stars.position.value_in(units.pc).T, end, rtol=0, atol=1e-6)
        np.testing.assert_allclose(stars.velocity.value_in(units.kms).T, velocity, rtol=0, atol=1e-5)


if __name__ == "__main__":
    run_tests()
