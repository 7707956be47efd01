# SPDX-License-Identifier: Apache-2.0
"""Drawings of three ranks: what is essential to one of them, and the tree that it makes of what it is sent."""

import tree
from canvas import BLUE, GREEN, LINE, ORANGE, PALE, Canvas, Panel, both, flat, legend, spot, square

NAMES, COLOURS = "ABC", (BLUE, ORANGE, GREEN)
HERE = 1  # the rank whose tree is drawn
LEAF, BOXES = 4, 4


class Ranks:
    """Points dealt out along the curve, each rank's tree and boxes, and what is sent to rank B."""

    def __init__(self):
        points = tree.scattered(150, 11, [(0.3, 0.62, 0.22), (0.68, 0.35, 0.25)])
        self.points = tree.runs(points, len(points) // len(NAMES))
        self.trees = [tree.root(mine, LEAF) for mine in self.points]
        self.boxes = [[tree.box(run) for run in tree.runs(mine, -(-len(mine) // BOXES))] for mine in self.points]
        self.sent = [self._essential(node) if rank != HERE else None for rank, node in enumerate(self.trees)]

    def _essential(self, node):
        """Nodes that act as one, nodes that are opened, leaves: a node is opened where one box does not accept it."""
        kinds = [], [], []
        tree.walk(node, *kinds, lambda one: all(tree.accepts(box, one) for box in self.boxes[HERE]))
        return kinds


def _points(panel, ranks, faint=()):
    for rank, points in enumerate(ranks.points):
        panel.dots(points, 1.6 if rank in faint else 2.2, LINE if rank in faint else COLOURS[rank])


def essential():
    ranks = Ranks()
    canvas = Canvas(800, 510, "Virtual roots, and what is essential to rank B")
    left, right = Panel(canvas, 15, 40, 370), Panel(canvas, 415, 40, 370)
    canvas.text(left.x, 26, "1. Virtual roots: all ranks tell all where they are", bold=True)
    canvas.text(right.x, 26, "2. Essential: what A and C send to B", bold=True)
    for panel in (left, right):
        canvas.rect(panel.x, panel.y, panel.size, panel.size, stroke=LINE)
    _points(left, ranks)
    for rank, colour in enumerate(COLOURS):
        left.box(tree.box(ranks.points[rank]), wider=3, stroke=colour, line=1.2, dashes="5 3")
        for box in ranks.boxes[rank]:
            left.box(box, wider=2, stroke=colour, fill=colour, opacity=0.13)
        left.dot(ranks.trees[rank].mass_centre, 8, "#ffffff", colour)
        x, y = left.at(ranks.trees[rank].mass_centre)
        canvas.text(x, y + 4.5, NAMES[rank], colour, "middle", bold=True)
    sent_nodes = sent_points = 0
    for rank in (r for r in range(len(NAMES)) if r != HERE):
        accepted, opened, leaves = ranks.sent[rank]
        for node in accepted:
            right.node(node, stroke=COLOURS[rank], fill=COLOURS[rank], opacity=0.16)
        for node in leaves:
            right.node(node, stroke=PALE, dashes="3 2")
    _points(right, ranks, faint=(0, 2))
    for rank in (r for r in range(len(NAMES)) if r != HERE):
        accepted, opened, leaves = ranks.sent[rank]
        for node in accepted:
            right.dot(node.mass_centre, 3.4, COLOURS[rank])
        right.dots([p for node in leaves for p in node.points], 2.2, COLOURS[rank])
        sent_nodes, sent_points = sent_nodes + len(accepted), sent_points + sum(len(node.points) for node in leaves)
    for box in ranks.boxes[HERE]:
        right.box(box, wider=2, stroke=ORANGE)
    legend(canvas, 25, 432, [
        (flat(canvas, stroke=PALE, dashes="5 3"), "box around all of a rank's targets"),
        (flat(canvas, stroke=PALE, fill=PALE, opacity=0.2), f"finer boxes for ranks that are near, here {BOXES}"),
        (spot(canvas, 7, "#ffffff", PALE), "root node: mass, centre, moments"),
    ])
    legend(canvas, 425, 432, [
        (both(square(canvas, stroke=BLUE, fill=BLUE, opacity=0.16), spot(canvas, 3.4, BLUE)),
         f"nodes that every box of B accepts: {sent_nodes} ends"),
        (both(square(canvas, stroke=PALE, dashes="3 2"), spot(canvas, 2.2, BLUE)),
         f"leaves that are opened: {sent_points} of {len(ranks.points[0]) + len(ranks.points[2])} bodies go"),
        (spot(canvas, 1.6, LINE), "bodies that stay where they are"),
    ])
    return canvas
