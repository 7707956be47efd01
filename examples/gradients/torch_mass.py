#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The mass and size of a cluster from accelerations around it, by gradient descent through gravlet (PyTorch). Ends with 1 if they
are not found. On several ranks each has its own stars and its own places.

    python3 torch_mass.py
"""

import sys

import torch
from mpi4py import MPI

import gravlet.torch

comm = MPI.COMM_WORLD
torch.manual_seed(comm.rank)
torch.set_default_dtype(torch.float64)


def shared(value):
    """What all ranks have alike: its gradient is the sum of theirs."""
    value.register_hook(lambda gradient: torch.from_numpy(comm.allreduce(gradient.numpy())))
    return value


stars = torch.randn(1000, 3)  # of a cluster of size 1
places = 2.0 * torch.randn(200, 3)
per_star = 1.0 / comm.allreduce(len(stars))
solver = gravlet.Solver(theta=0.6, softening=0.5)
measured = gravlet.torch.acceleration(1.7 * stars, 2.5 * per_star, places, solver=solver)

logarithms = torch.zeros(2, requires_grad=True)  # of mass and size: neither can become negative
descent = torch.optim.Adam([logarithms], lr=0.1)
for step in range(120):
    descent.zero_grad()
    mass, size = shared(logarithms.exp())
    found = gravlet.torch.acceleration(size * stars, mass * per_star, places, solver=solver)
    ((found - measured) ** 2).sum().backward()
    descent.step()
mass, size = logarithms.detach().exp().tolist()
if comm.rank == 0:
    print(f"mass {mass:.4f} of 2.5, size {size:.4f} of 1.7")
sys.exit(0 if abs(mass - 2.5) < 2e-2 and abs(size - 1.7) < 2e-2 else 1)
