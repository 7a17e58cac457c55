"""Files that change together as a picture: places of nodes by forces, always the same, and the drawing as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engram_hooks.store.index_figures import Pair

MAX_NODES = 40
STEPS = 160
WIDTH, HEIGHT, MARGIN = 960.0, 720.0, 60.0
LABEL_HEIGHT, LETTER_WIDTH = 13.0, 6.6
_SPRING = 0.08
_PULL = 0.02  # to the middle

MAX_LABEL_CHARS = 28
_SHIFTS = (0.0, -8.0, 8.0, -14.0, 14.0, -22.0, 22.0, -30.0, 30.0)

Point = tuple[float, float]
Label = tuple[float, float, str]  # where it begins or ends, and which of the two


def choose(pairs: Sequence[Pair]) -> list[Pair]:
    """The strongest pairs, best first, as long as they name few enough files to be read."""
    chosen: list[Pair] = []
    nodes: set[str] = set()
    for pair in pairs:
        ends = {pair.path, pair.other}
        if len(nodes | ends) <= MAX_NODES:
            nodes |= ends
            chosen.append(pair)
    return chosen


def place(nodes: Sequence[str], weights: Mapping[tuple[str, str], float]) -> dict[str, Point]:
    """Where each node goes within 0 to 1: all push each other away, ends of edges pull by weight.

    Forces as of Fruchterman and Reingold; it begins on a circle and has no chance in it: equal graphs look the same.
    """
    count = max(1, len(nodes))
    at = {
        node: (0.5 + 0.4 * cos(2 * pi * n / count), 0.5 + 0.4 * sin(2 * pi * n / count))
        for n, node in enumerate(nodes)
    }
    room = 0.5 / count**0.5
    for step in range(STEPS):
        moves = {node: ((0.5 - x) * _PULL, (0.5 - y) * _PULL) for node, (x, y) in at.items()}
        for number, one in enumerate(nodes):
            for other in nodes[number + 1 :]:
                _push(moves, at, (one, other), room * room)
        for (one, other), weight in weights.items():
            _draw_near(moves, at, (one, other), _SPRING * (0.3 + weight) / room)
        reach = 0.08 * (1 - step / STEPS) + 0.002
        for node, (dx, dy) in moves.items():
            length = hypot(dx, dy) or 1.0
            scale = min(length, reach) / length
            at[node] = at[node][0] + dx * scale, at[node][1] + dy * scale
    return _fit(at)


def draw(pairs: Sequence[Pair]) -> str:
    """The picture; '' without pairs. Names are escaped; a title tells of each line and dot."""
    chosen = choose(pairs)
    if not chosen:
        return ""
    nodes = sorted({end for pair in chosen for end in (pair.path, pair.other)})
    at = {
        node: (MARGIN + x * (WIDTH - 2 * MARGIN), MARGIN + y * (HEIGHT - 2 * MARGIN))
        for node, (x, y) in place(nodes, {(pair.path, pair.other): pair.score for pair in chosen}).items()
    }
    strongest = max(pair.score for pair in chosen)
    lines = [_draw_edge(pair, at, strongest) for pair in reversed(chosen)]
    labels = place_labels(at)
    dots = [_draw_node(node, at[node], labels[node]) for node in nodes]
    head = f'<svg viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" role="img" aria-label="Files that change together">'
    return "\n".join([head, *lines, *dots, "</svg>"])


def place_labels(at: Mapping[str, Point]) -> dict[str, Label]:
    """Where the names go, beside their dots, a little higher or lower where they would lie on another name or dot."""
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in at.values()]
    labels: dict[str, Label] = {}
    for node, (x, y) in sorted(at.items(), key=lambda item: (item[1][1], item[0])):
        sides = [(9.0, "start"), (-9.0, "end")] if x < WIDTH / 2 else [(-9.0, "end"), (9.0, "start")]
        choices = [(x + dx, y + 4 + dy, anchor) for dy in _SHIFTS for dx, anchor in sides]
        rooms = [_fill(label, _name(node)) for label in choices]
        crowds = [
            sum(a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3] for b in taken)
            + (a[0] < 0 or a[2] > WIDTH)
            for a in rooms
        ]
        best = crowds.index(min(crowds))
        labels[node] = choices[best]
        taken.append(rooms[best])
    return labels


def tell(pair: Pair) -> str:
    """`b.py changed in 5 of 7 commits on a.py; no import between them`."""
    hidden = "; no import between them" if pair.is_hidden else ""
    return f"{pair.other} changed in {pair.support} of {pair.total} commits on {pair.path}{hidden}"


def _draw_edge(pair: Pair, at: Mapping[str, Point], strongest: float) -> str:
    (x1, y1), (x2, y2) = at[pair.path], at[pair.other]
    width = 1 + 5 * pair.score / strongest
    kind = "edge hidden" if pair.is_hidden else "edge"
    return (
        f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        f' stroke-width="{width:.1f}"><title>{escape(tell(pair))}</title></line>'
    )


def _draw_node(node: str, at: Point, label: Label) -> str:
    x, y, anchor = label
    return (
        f'<g class="node"><title>{escape(node)}</title><circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="5"/>'
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(_name(node))}</text></g>'
    )


def _name(node: str) -> str:
    """What stands beside a dot: the file's name, short enough to leave room."""
    name = node.rsplit("/", 1)[-1]
    return name if len(name) <= MAX_LABEL_CHARS else name[: MAX_LABEL_CHARS - 1] + "…"


def _fill(label: Label, name: str) -> tuple[float, float, float, float]:
    """The room that a label takes: left, top, right, bottom."""
    x, y, anchor = label
    width = LETTER_WIDTH * len(name)
    left = x if anchor == "start" else x - width
    return left, y - LABEL_HEIGHT + 3, left + width, y + 3


def _push(moves: dict[str, Point], at: Mapping[str, Point], ends: tuple[str, str], strength: float) -> None:
    dx, dy = at[ends[0]][0] - at[ends[1]][0], at[ends[0]][1] - at[ends[1]][1]
    force = strength / max(dx * dx + dy * dy, 1e-6)
    _move(moves, ends, dx * force, dy * force)


def _draw_near(moves: dict[str, Point], at: Mapping[str, Point], ends: tuple[str, str], pull: float) -> None:
    dx, dy = at[ends[0]][0] - at[ends[1]][0], at[ends[0]][1] - at[ends[1]][1]
    force = -pull * hypot(dx, dy)
    _move(moves, ends, dx * force, dy * force)


def _move(moves: dict[str, Point], ends: tuple[str, str], dx: float, dy: float) -> None:
    one, other = ends
    moves[one] = moves[one][0] + dx, moves[one][1] + dy
    moves[other] = moves[other][0] - dx, moves[other][1] - dy


def _fit(at: Mapping[str, Point]) -> dict[str, Point]:
    """The same picture, filling 0 to 1 both ways."""
    xs, ys = [x for x, _ in at.values()], [y for _, y in at.values()]
    width, height = max(xs) - min(xs) or 1.0, max(ys) - min(ys) or 1.0
    return {node: ((x - min(xs)) / width, (y - min(ys)) / height) for node, (x, y) in at.items()}
