# SPDX-License-Identifier: Apache-2.0
"""Drawing of the locally essential tree: the parts of one tree that three ranks have, merged by the rank that walks it."""

import tree
from canvas import INK, LINE, Canvas, Panel, legend, spot
from ranks import COLOURS, HERE, LEAF, NAMES, Ranks


class Part:
    """A node of the merged tree. kind: ours, sent, shared (of several ranks), end (acts as one), bodies (a leaf)."""

    def __init__(self, square, kind, rank, children=(), points=()):
        self.square, self.kind, self.rank, self.children, self.points = square, kind, rank, list(children), list(points)

    @property
    def corner(self):
        return self.square[1] * self.side, self.square[2] * self.side

    @property
    def side(self):
        return 0.5 ** self.square[0]


def _received(node, rank, kinds):
    """A rank's tree as far as it is sent."""
    accepted, opened, _ = kinds
    if node in accepted:
        return Part(node.square, "end", rank)
    if node in opened:
        return Part(node.square, "sent", rank, [_received(child, rank, kinds) for child in node.children])
    return Part(node.square, "bodies", rank, points=node.points)


def _ours(node, rank):
    kind = "ours" if node.children else "bodies"
    return Part(node.square, kind, rank, [_ours(child, rank) for child in node.children], node.points if not node.children else ())


def _above(square, levels):
    return square[0] - levels, square[1] >> levels, square[2] >> levels


def merge(parts):
    """One node of parts that lie in one square: those as large as it fall apart, others go to its quadrants whole."""
    if len(parts) == 1:
        return parts[0]
    square = min((p.square for p in parts), key=lambda s: s[0])
    while len({_above(p.square, p.square[0] - square[0]) for p in parts}) > 1:
        square = _above(square, 1)
    if all(p.kind == "bodies" for p in parts) and sum(len(p.points) for p in parts) <= LEAF:
        return Part(square, "shared", None, parts)
    ends, below = [], {}
    for part in parts:
        if part.square != square:
            pieces = [part]
        elif part.kind == "end":
            ends.append(part)
            continue
        elif part.kind == "bodies":
            runs = {}
            for p in part.points:
                runs.setdefault(tree.child_of(square, p), []).append(p)
            pieces = [Part(child, "bodies", part.rank, points=run) for child, run in runs.items()]
        else:
            pieces = part.children
        for piece in pieces:
            below.setdefault(_above(piece.square, piece.square[0] - square[0] - 1), []).append(piece)
    return Part(square, "shared", None, [*(merge(group) for _, group in sorted(below.items())), *ends])


def _all(part, depth=0):
    yield part, depth
    for child in part.children:
        yield from _all(child, depth + 1)


def _symbol(canvas, kind, colour):
    """What draws a node of the diagram, by its kind."""
    if kind == "end":
        return lambda x, y: canvas.rect(x - 4, y - 4, 8, 8, stroke=colour, fill=colour, opacity=0.45)
    style = {"shared": (4.5, INK), "bodies": (2.6, "#ffffff", colour)}.get(kind, (3.4, colour))
    return spot(canvas, *style)


def merged():
    ranks = Ranks()
    root = merge([_ours(one, rank) if rank == HERE else _received(one, rank, ranks.sent[rank])
                  for rank, one in enumerate(ranks.trees)])
    canvas = Canvas(800, 470, "The locally essential tree of rank B")
    canvas.text(15, 26, "One tree, in the plane ...", bold=True)
    plane = Panel(canvas, 15, 40, 320)
    nodes = [part for part, _ in _all(root)]
    for part in nodes:
        if part.kind == "end":
            plane.node(part, stroke=COLOURS[part.rank], fill=COLOURS[part.rank], opacity=0.25)
        elif part.kind != "shared":
            plane.node(part, stroke=COLOURS[part.rank], line=0.7)
        if part.points:
            plane.dots(part.points, 2, COLOURS[part.rank])
    for part in nodes:
        if part.kind == "shared":
            plane.node(part, stroke=INK, line=1.6)

    canvas.text(365, 26, "... and from its root down", bold=True)
    ends = [part for part in nodes if not part.children]
    x_of = {id(part): 372 + 415 * i / (len(ends) - 1) for i, part in enumerate(ends)}
    deepest = max(depth for _, depth in _all(root))
    at = {}

    def place(part, depth):
        for child in part.children:
            place(child, depth + 1)
        x = x_of.get(id(part)) or sum(at[id(child)][0] for child in part.children) / len(part.children)
        at[id(part)] = (x, 52 + 300 * depth / deepest)

    place(root, 0)
    for part in nodes:
        for child in part.children:
            canvas.line(at[id(part)], at[id(child)], LINE)
    for part in nodes:
        _symbol(canvas, part.kind, COLOURS[part.rank] if part.rank is not None else INK)(*at[id(part)])
    count = {kind: sum(part.kind == kind for part in nodes) for kind in ("shared", "end")}
    legend(canvas, 25, 392, [
        (_symbol(canvas, "shared", INK), f"squares that several ranks have parts of: {count['shared']} new nodes"),
        (_symbol(canvas, "end", COLOURS[0]), f"nodes that were pruned below: {count['end']} ends, which act as one"),
    ])
    legend(canvas, 440, 392, [
        (_symbol(canvas, "ours", COLOURS[HERE]), "nodes of one rank, as they were"),
        (_symbol(canvas, "bodies", COLOURS[HERE]), "leaves with their bodies"),
    ])
    for i, (name, colour) in enumerate(zip(NAMES, COLOURS)):
        canvas.dot(26 + 100 * i + 70 * (i > HERE), 448, 5, colour)
        canvas.text(38 + 100 * i + 70 * (i > HERE), 452.5, f"rank {name}" + (", which walks" if i == HERE else ""), colour)
    return canvas
