# SPDX-License-Identifier: Apache-2.0
"""An SVG, written as text: shapes of the unit square in panels, and words."""

import html

INK, PALE, LINE = "#222222", "#9a9a9a", "#c9c9c9"
BLUE, ORANGE, GREEN = "#2f6fb0", "#d9731a", "#3b8f4a"
FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"


class Canvas:
    def __init__(self, width, height, title):
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
                      f'font-family="{FONT}" font-size="13">', f"<title>{html.escape(title)}</title>",
                      f'<rect width="{width}" height="{height}" fill="#ffffff"/>']

    def add(self, shape):
        self.parts.append(shape)

    def text(self, x, y, words, colour=INK, anchor="start", bold=False):
        more = ' font-weight="bold"' * bold + f' text-anchor="{anchor}"' * (anchor != "start")
        self.add(f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}"{more}>{html.escape(words)}</text>')

    def line(self, begin, end, colour=INK, width=1.0, dashes="", head=False):
        """From one place of the canvas to another; `head`: an arrow's."""
        (x0, y0), (x1, y1) = begin, end
        more = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.add(f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{colour}" stroke-width="{width}"{more}/>')
        length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
        if head and length > 0:
            a, b = 6 * (x1 - x0) / length, 6 * (y1 - y0) / length
            places = (x1, y1), (x1 - a - b / 2, y1 - b + a / 2), (x1 - a + b / 2, y1 - b - a / 2)
            self.add(f'<path d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in places)}Z" fill="{colour}"/>')

    def rect(self, x, y, width, height, stroke="none", fill="none", opacity=1.0, line=1.0, dashes=""):
        more = f' fill-opacity="{opacity}"' * (fill != "none" and opacity < 1) + f' stroke-dasharray="{dashes}"' * bool(dashes)
        self.add(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}" stroke="{stroke}" '
                 f'stroke-width="{line}"{more}/>')

    def dot(self, x, y, radius, colour, stroke="none"):
        more = f' stroke="{stroke}"' * (stroke != "none")
        self.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}"{more}/>')

    def dots(self, places, radius, colour):
        """Many dots of one kind, as one path with round ends."""
        ways = "".join(f"M{x:.1f} {y:.1f}h.01" for x, y in places)
        self.add(f'<path d="{ways}" stroke="{colour}" stroke-width="{2 * radius:g}" stroke-linecap="round" fill="none"/>')

    def svg(self):
        return "\n".join([*self.parts, "</svg>"]) + "\n"


class Panel:
    """A square of a canvas in which the square at `low` of so long a side lies, y upwards."""

    def __init__(self, canvas, x, y, size, low=(0.0, 0.0), side=1.0):
        self.canvas, self.x, self.y, self.size, self.low, self.scale = canvas, x, y, size, low, size / side
        self.high = tuple(c + side for c in low)

    def at(self, point):
        return self.x + (point[0] - self.low[0]) * self.scale, self.y + (self.high[1] - point[1]) * self.scale

    def dot(self, point, radius, colour, stroke="none"):
        self.canvas.dot(*self.at(point), radius, colour, stroke)

    def dots(self, points, radius, colour):
        """Those of the points that are in the panel."""
        inside = [p for p in points if all(a <= c <= b for a, c, b in zip(self.low, p, self.high))]
        self.canvas.dots([self.at(p) for p in inside], radius, colour)

    def line(self, begin, end, *style, **more):
        self.canvas.line(self.at(begin), self.at(end), *style, **more)

    def box(self, box, wider=0.0, **style):
        """Around what the panel has of a box, by so many pixels wider."""
        box = tuple(tuple(min(max(c, a), b) for a, c, b in zip(self.low, corner, self.high)) for corner in box)
        x, y = self.at((box[0][0], box[1][1]))
        width, height = ((high - low) * self.scale for low, high in zip(*box))
        self.canvas.rect(x - wider, y - wider, width + 2 * wider, height + 2 * wider, **style)

    def node(self, node, **style):
        self.box((node.corner, tuple(c + node.side for c in node.corner)), **style)


def square(canvas, **style):
    """A symbol of a legend, as the others: what draws it about a place."""
    return lambda x, y: canvas.rect(x - 7, y - 7, 14, 14, **style)


def flat(canvas, **style):
    return lambda x, y: canvas.rect(x - 7, y - 5, 14, 10, **style)


def spot(canvas, *style):
    return lambda x, y: canvas.dot(x, y, *style)


def both(*symbols):
    return lambda x, y: [draw(x, y) for draw in symbols]


def legend(canvas, x, y, entries, step=24):
    """Rows of a symbol, drawn about its place, and what it means; lines begin anew at a bar."""
    for draw, words in entries:
        draw(x, y)
        for line in words.split("|"):
            canvas.text(x + 20, y + 4.5, line)
            y += 17
        y += step - 17
    return y
