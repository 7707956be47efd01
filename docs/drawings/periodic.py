# SPDX-License-Identifier: Apache-2.0
"""Drawing of a periodic box: pieces, the images that a group walks, and what is far and acts as a smooth function."""

import tree
from canvas import BLUE, GREEN, INK, LINE, ORANGE, PALE, Canvas, Panel, flat, legend, spot, square

PIECES = 4  # a side: pieces are nodes of level 2
AT = (3, 0)  # the group's piece
FAR = (0, 2)  # one of the far pieces, whose nodes are drawn
NODES = 8  # a side of a piece, from face to face


def is_walked(piece):
    """Less than two pieces from the group's own in each direction, wherever the box's faces are."""
    return all(abs(a - b) < 2 for a, b in zip(piece, AT))


def moved(point, image):
    return tuple(c + shift for c, shift in zip(point, image))


def inside(node):
    return node.square[0] >= 2


def piece_of(node, image):
    level, *place = node.square
    return tuple((i >> (level - 2)) + PIECES * shift for i, shift in zip(place, image))


def walk(node, image, box, accepted, leaves):
    """One image: nodes that are larger than a piece are opened, those of pieces that are far are left out."""
    if inside(node) and not is_walked(piece_of(node, image)):
        return
    here = tuple(tuple(c - shift for c, shift in zip(corner, image)) for corner in box)
    if inside(node) and tree.accepts(here, node):
        accepted.append((node, image))
    elif inside(node) and not node.children:
        leaves.append((node, image))
    else:
        for child in node.children:
            walk(child, image, box, accepted, leaves)


def _lattice(piece):
    side = 1 / PIECES
    return [tuple((p + n / (NODES - 1)) * side for p, n in zip(piece, (i, j))) for i in range(NODES) for j in range(NODES)]


def far_images():
    points = tree.scattered(260, 8, [(0.86, 0.1, 0.2), (0.2, 0.62, 0.2), (0.55, 0.4, 0.15)])
    side = 1 / PIECES
    mine = [p for p in points if tuple(int(c / side) for c in p) == AT]
    group = tree.runs(mine, 12)[0]
    box = tree.box(group)
    images = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    accepted, leaves = [], []
    for image in images:
        walk(tree.root(points, leaf=6), image, box, accepted, leaves)

    canvas = Canvas(800, 500, "A periodic box: walked images, and what is far")
    panel = Panel(canvas, 15, 15, 470, (-0.5, -0.75), 2.25)
    canvas.rect(15, 15, 470, 470, fill=BLUE, opacity=0.1)
    walked = (tuple((a - 1) * side for a in AT), tuple((a + 2) * side for a in AT))
    panel.box(walked, fill="#ffffff")
    for image in images:
        panel.dots([moved(point, image) for point in points], 0.9, PALE)
    for n in range(-3 * PIECES, 3 * PIECES):
        style = (LINE, 0.6) if n % PIECES else (PALE, 1.2)
        if panel.low[0] < n * side < panel.high[0]:
            panel.line((n * side, panel.low[1]), (n * side, panel.high[1]), *style)
        if panel.low[1] < n * side < panel.high[1]:
            panel.line((panel.low[0], n * side), (panel.high[0], n * side), *style)
    panel.dots([moved(node.mass_centre, image) for node, image in accepted], 2.8, BLUE)
    panel.dots([moved(point, image) for node, image in leaves for point in node.points], 1.5, INK)
    panel.dots(group, 2, ORANGE)
    panel.box(box, stroke=ORANGE, line=1.6)
    panel.box(walked, stroke=ORANGE, line=2, dashes="6 3")
    panel.box(((0, 0), (1, 1)), stroke=INK, line=2)
    for piece in (FAR, AT):
        panel.dots(_lattice(piece), 1.1, GREEN)
    own = tuple(tuple((a + c) * side for a in AT) for c in (0, 1))
    for image in ((0, 0), (1, 0), (0, -1), (1, -1)):
        begin = tuple((p + 0.5) * side + shift for p, shift in zip(FAR, image))
        panel.line(begin, tree.nearest(own, begin), GREEN, 1.4, head=True)

    far = sum(not is_walked((i, j)) for i in range(PIECES) for j in range(PIECES))
    met = {image for _, image in accepted + leaves}
    legend(canvas, 512, 34, [
        (square(canvas, stroke=INK, line=2), f"the box, cut into {PIECES}x{PIECES} pieces|(in space 4x4x4), and its images"),
        (flat(canvas, stroke=ORANGE, line=1.6), "a target group, in one piece"),
        (square(canvas, stroke=ORANGE, line=2, dashes="6 3"),
         f"walked: pieces beside its own, across|faces too; {len(met)} of {len(images)} images meet it"),
        (spot(canvas, 2.6, BLUE), f"nodes that act as one: {len(accepted)}"),
        (spot(canvas, 1.6, INK), f"bodies that act one by one: {sum(len(n.points) for n, _ in leaves)}"),
        (square(canvas, stroke=LINE, fill=BLUE, opacity=0.1),
         f"far: {far} of the box's {PIECES * PIECES} pieces, and all|images without end"),
        (spot(canvas, 2, GREEN),
         f"grid of a piece, {NODES} nodes a side: masses|of a far piece are brought to its grid,|"
         "which acts on that of the group's piece;|there a polynomial is read off"),
    ], step=30)
    return canvas
