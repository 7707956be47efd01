#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The mass and place of an unseen body from the potential around it, by gradient descent through gravlet (JAX). Ends with 1 if they
are not found.

    python3 jax_mass.py
"""

import sys

import jax
import jax.numpy as jnp

import gravlet.jax

stars, places = jax.random.normal(jax.random.key(1), (2, 1000, 3))
weights = jnp.full(1000, 1e-3)


def potential(unseen):
    """What the stars and a body of that mass, at that place, make of it, all softened by 0.2."""
    bodies, mass = jnp.vstack((stars, unseen["place"])), jnp.append(weights, jnp.exp(unseen["log_mass"]))
    return gravlet.jax.potential(bodies, mass, 2.0 * places, theta=0.5, softening=0.2)


measured = potential({"place": jnp.array([0.5, -0.3, 0.8]), "log_mass": jnp.log(0.4)})


@jax.jit
def step(unseen, velocity):
    """Descent with momentum."""
    gradient = jax.grad(lambda unseen: ((potential(unseen) - measured) ** 2).mean())(unseen)
    velocity = jax.tree.map(lambda v, g: 0.9 * v - 1.0 * g, velocity, gradient)
    return jax.tree.map(jnp.add, unseen, velocity), velocity


unseen = {"place": jnp.zeros(3), "log_mass": jnp.log(0.1)}
velocity = jax.tree.map(jnp.zeros_like, unseen)
for _ in range(200):
    unseen, velocity = step(unseen, velocity)
mass, place = float(jnp.exp(unseen["log_mass"])), unseen["place"]
print(f"mass {mass:.4f} of 0.4, at ({place[0]:.3f}, {place[1]:.3f}, {place[2]:.3f}), which is (0.5, -0.3, 0.8)")
sys.exit(0 if abs(mass - 0.4) < 1e-2 and float(abs(place - jnp.array([0.5, -0.3, 0.8])).max()) < 1e-2 else 1)
