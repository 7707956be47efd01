# SPDX-License-Identifier: Apache-2.0
"""A small tree in the plane, as docs/algorithm.md has the octree: points along a Hilbert curve, nodes, groups, the criterion."""

import math
import random

THETA = 1.0


class Node:
    """A square of the quadtree, of side 2^-level, that holds points of mass 1."""

    def __init__(self, points, square, leaf):
        self.points, self.children = points, []
        while len(points) > leaf and len({child_of(square, p) for p in points}) == 1:  # no chains: the square that divides them
            square = child_of(square, points[0])
        self.square = square
        if len(points) > leaf:
            parts = {}
            for p in points:
                parts.setdefault(child_of(square, p), []).append(p)
            self.children = [Node(part, child, leaf) for child, part in sorted(parts.items())]
        level, i, j = square
        self.side = 0.5**level
        self.corner = (i * self.side, j * self.side)
        self.centre = tuple(c + self.side / 2 for c in self.corner)
        self.mass_centre = mean(points)
        self.delta = math.dist(self.centre, self.mass_centre)

    @property
    def open_radius(self):
        return self.side / THETA + self.delta


def child_of(square, point):
    """The quarter of a square (level, i, j) in which a point is."""
    level, i, j = square
    side = 0.5 ** (level + 1)
    return level + 1, 2 * i + (point[0] >= (2 * i + 1) * side), 2 * j + (point[1] >= (2 * j + 1) * side)


def root(points, leaf):
    return Node(points, (0, 0, 0), leaf)


def mean(points):
    return tuple(sum(c) / len(points) for c in zip(*points))


def box(points):
    return tuple(map(min, zip(*points))), tuple(map(max, zip(*points)))


def nearest(of_box, point):
    """The place in a box that is nearest to a point."""
    return tuple(min(max(c, low), high) for c, low, high in zip(point, *of_box))


def accepts(of_box, node):
    """d > l/theta + delta, d from the node's centre of mass to the box."""
    return math.dist(node.mass_centre, nearest(of_box, node.mass_centre)) > node.open_radius


def walk(node, accepted, opened, leaves, accept):
    """Sorts nodes into those that act as one, those that are opened, and leaves whose points act."""
    if accept(node):
        accepted.append(node)
    elif not node.children:
        leaves.append(node)
    else:
        opened.append(node)
        for child in node.children:
            walk(child, accepted, opened, leaves, accept)


def along_curve(points, level=10):
    """Points in the order of a Hilbert curve through a grid of 2^level places a side."""

    def key(point):
        x, y, number = *(int(c * 2**level) for c in point), 0
        for bit in (1 << k for k in reversed(range(level))):
            right, up = int(bool(x & bit)), int(bool(y & bit))
            number += bit * bit * (3 * right ^ up)
            if not up:
                if right:
                    x, y = ~x, ~y
                x, y = y, x
        return number

    return sorted(points, key=key)


def runs(points, length):
    """Target groups: runs of so many along the curve."""
    return [points[i : i + length] for i in range(0, len(points), length)]


def scattered(number, seed, clumps):
    """So many points: two thirds in round clumps, (x, y, radius) each, the rest anywhere."""
    draw, points = random.Random(seed), []
    while len(points) < number:
        x, y = draw.random(), draw.random()
        if len(points) % 3:
            at_x, at_y, radius = clumps[len(points) // 3 % len(clumps)]
            away, angle = radius * x**1.5, 2 * math.pi * y
            x, y = at_x + away * math.cos(angle), at_y + away * math.sin(angle)
        if 0 <= x < 1 and 0 <= y < 1:
            points.append((x, y))
    return along_curve(points)
