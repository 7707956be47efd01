# SPDX-License-Identifier: Apache-2.0
"""Drawings of one rank's walk: the criterion, and the series of a set of groups."""

import math

import tree
from canvas import BLUE, GREEN, INK, ORANGE, PALE, Canvas, Panel, both, flat, legend, spot, square

SET = slice(104, 112)  # a set is 8 groups
CLUMPS = [(0.27, 0.3, 0.2), (0.74, 0.68, 0.16), (0.62, 0.2, 0.1)]


def middle(box):
    return tuple((low + high) / 2 for low, high in zip(*box))


def sorted_nodes(root, accept):
    kinds = [], [], []
    tree.walk(root, *kinds, accept)
    return kinds


def walk():
    """One target group, and what each node of the tree is to it."""
    points = tree.scattered(420, 4, CLUMPS)
    group = tree.runs(points, 12)[7]
    box = tree.box(group)
    accepted, opened, leaves = sorted_nodes(tree.root(points, leaf=6), lambda node: tree.accepts(box, node))
    canvas = Canvas(800, 470, "A target group walks the tree")
    panel = Panel(canvas, 15, 15, 440)
    for node in accepted:
        panel.node(node, stroke=BLUE, fill=BLUE, opacity=0.13)
    for node in leaves:
        panel.node(node, stroke=PALE, fill=ORANGE, opacity=0.1)
    panel.dots(points, 1.3, PALE)
    panel.dots([p for node in leaves for p in node.points], 1.8, INK)
    for node in opened:
        panel.node(node, stroke=PALE, line=0.8)
    for node in accepted:
        panel.dot(node.mass_centre, 3, BLUE)
    panel.dots(group, 2.6, ORANGE)
    panel.box(box, stroke=ORANGE, line=2)
    shown = max(accepted, key=lambda node: (node.side, -math.dist(node.mass_centre, middle(box))))
    refused = max((node for node in opened if node.side <= 0.25),
                  key=lambda node: (node.side, math.dist(node.mass_centre, middle(box))))
    rows = []
    for name, node, colour in (("A", shown, BLUE), ("B", refused, INK)):
        near = tree.nearest(box, node.mass_centre)
        panel.node(node, stroke=colour, line=2)
        panel.line(node.mass_centre, near, colour, 1.4, head=True)
        x, y = panel.at((node.corner[0], node.corner[1] + node.side))
        canvas.rect(x + 3, y + 3, 18, 18, fill="#ffffff", stroke=colour)
        canvas.text(x + 12, y + 16.5, name, colour, "middle", bold=True)
        rows.append((name, colour, math.dist(node.mass_centre, near), node))
    x = 480
    y = legend(canvas, x, 30, [
        (flat(canvas, stroke=ORANGE, line=2), f"target group: {len(group)} bodies along|the curve, and their box"),
        (both(square(canvas, stroke=BLUE, fill=BLUE, opacity=0.13), spot(canvas, 3, BLUE)),
         f"accepted, {len(accepted)} nodes: each acts as one,|by moments about its centre of mass"),
        (square(canvas, stroke=PALE), f"opened, {len(opened)} nodes: too near, so their|children are looked at"),
        (both(square(canvas, stroke=PALE, fill=ORANGE, opacity=0.1), spot(canvas, 1.8, INK)),
         f"opened, {len(leaves)} leaves: their bodies act|one by one"),
    ])
    canvas.text(x - 7, y + 14, "A node is accepted if  d > l/θ + δ", bold=True)
    told = ("d: from its centre of mass to the group's box", "l: its side;  δ: from its centre to its centre of mass",
            f"θ: the opening angle, here {tree.THETA:g}")
    for line, words in enumerate(told):
        canvas.text(x - 7, y + 36 + 18 * line, words)
    for row, (name, colour, d, node) in enumerate(rows):
        sign = ">" if d > node.open_radius else "<"
        at = y + 112 + 46 * row
        canvas.text(x - 7, at, f"{name}: {'accepted' if sign == '>' else 'opened'}", colour, bold=True)
        limit = f"{node.side:.3g}/{tree.THETA:g} + {node.delta:.2f} = {node.open_radius:.2f}"
        canvas.text(x - 7, at + 18, f"d = {d:.2f} {sign} {limit}", colour)
    return canvas


def is_far(box, node):
    """Far: from the box's centre, by more than the node's open radius and 2/theta of the box's longest side."""
    side = max(high - low for low, high in zip(*box))
    return math.dist(node.mass_centre, middle(box)) > node.open_radius + 2 / tree.THETA * side


def downward():
    """A set of groups: what is far from all of it acts once on its centre, and the series is handed down."""
    points = tree.scattered(1400, 4, CLUMPS)
    groups = tree.runs(points, 12)[SET]
    boxes = [tree.box(group) for group in groups]
    whole = tree.box([p for group in groups for p in group])
    far, _, _ = sorted_nodes(tree.root(points, leaf=6), lambda node: is_far(whole, node))
    canvas = Canvas(800, 470, "The series of a set, handed to its groups")
    wide = Panel(canvas, 15, 40, 380)
    side = 1.15 * max(high - low for low, high in zip(*whole))
    near = Panel(canvas, 415, 40, 370, tuple(c - side / 2 for c in middle(whole)), side)
    canvas.text(wide.x, 26, "1. Far nodes act on the set's centre, once", bold=True)
    canvas.text(near.x, 26, "2. Its series goes to the groups, 3. to targets", bold=True)

    for node in far:
        wide.node(node, stroke=BLUE, line=0.6, fill=BLUE, opacity=0.1)
    wide.dots(points, 0.8, PALE)
    for node in far:
        wide.line(node.mass_centre, middle(whole), BLUE, 0.5)
    wide.dots([node.mass_centre for node in far], 2.2, BLUE)
    for panel, line in ((wide, 0.7), (near, 1.4)):
        panel.box(whole, stroke=GREEN, line=2)
        for box in boxes:
            panel.box(box, stroke=ORANGE, line=line)
    near.dots(points, 1.2, PALE)
    for group, box in zip(groups, boxes):
        near.line(middle(whole), middle(box), GREEN, 1.6, head=True)
        for point in group:
            near.line(middle(box), point, ORANGE, 0.7)
        near.dots(group, 2, ORANGE)
    near.dots([middle(box) for box in boxes], 3.4, ORANGE)
    near.dot(middle(whole), 5, GREEN)
    wide.dot(middle(whole), 3, GREEN)
    legend(canvas, 25, 440, [(both(square(canvas, stroke=BLUE, fill=BLUE, opacity=0.1), spot(canvas, 2.2, BLUE)),
                              f"far from the whole set: {len(far)} nodes")])
    legend(canvas, 280, 440, [(flat(canvas, stroke=GREEN, line=2), "the set, and its centre")])
    legend(canvas, 480, 440, [(flat(canvas, stroke=ORANGE, line=1.4), f"its {len(groups)} groups, their centres and targets")])
    return canvas
