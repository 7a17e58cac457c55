"""The drawing of docs/forgetting.svg: how strong a note still is, day by day, by how often it was used."""

from __future__ import annotations

from collections.abc import Iterator

WIDTH, HEIGHT = 640, 300
LEFT, TOP, RIGHT, BOTTOM = 50, 30, 165, 40
MAX_DAYS, MAX_STRENGTH = 730, 1.5
STEP_DAYS = 5
_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#444}.grid{stroke:#8884;stroke-width:1}"
    ".floor{stroke:#b03a2e;stroke-width:1.5;stroke-dasharray:5 4}path{fill:none;stroke-width:2.2}"
    "@media(prefers-color-scheme:dark){text{fill:#ccc}}"
)
# (label, kind, importance, turns in which it was used, colour)
CURVES = (
    ("a state of work", "state", 0.5, 0, "#8e5ea2"),
    ("a fact", "fact", 0.5, 0, "#2f7d5b"),
    ("a fact, used once", "fact", 0.5, 1, "#c2703d"),
    ("a fact, used 3 times", "fact", 0.5, 3, "#3e74b8"),
    ("a preference", "feedback", 0.5, 0, "#777777"),
)


def draw() -> str:
    """Return the SVG: strength against days without use, the line below which a note is archived, one curve a case."""
    from engram_hooks.curate.strength import FLOOR

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        f' aria-label="How the strength of a note falls with the days without use"><style>{_STYLE}</style>',
        f'<text x="{LEFT}" y="16">strength</text>',
        *_grid(),
        f'<line class="floor" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{_y(FLOOR):.1f}" y2="{_y(FLOOR):.1f}"/>',
        f'<text x="{WIDTH - RIGHT + 6}" y="{_y(FLOOR) + 4:.1f}">archived below {FLOOR:g}</text>',
        *_curves(),
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 6}" text-anchor="middle">days without use</text>',
    ]
    return "\n".join([*parts, "</svg>", ""])


def _grid() -> Iterator[str]:
    for days in range(0, MAX_DAYS + 1, 90):
        x = _x(days)
        yield f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>'
        yield f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{days}</text>'
    for tenths in (0, 5, 10, 15):
        y = _y(tenths / 10)
        yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tenths / 10:g}</text>'


def _curves() -> Iterator[str]:
    from engram_hooks.curate.strength import compute_strength

    for at, (label, kind, importance, used, colour) in enumerate(CURVES):
        points = [
            (day, compute_strength(kind=kind, importance=importance, days=day, used=used))
            for day in range(0, MAX_DAYS + 1, STEP_DAYS)
        ]
        path = " ".join(f"{_x(day):.1f},{_y(value):.1f}" for day, value in points if value <= MAX_STRENGTH)
        yield f'<path stroke="{colour}" d="M{path}"/>'
        y = TOP + 6 + 18 * at
        x = WIDTH - RIGHT + 8
        yield f'<path stroke="{colour}" d="M{x},{y} {x + 18},{y}"/>'
        yield f'<text x="{x + 23}" y="{y + 4}">{label}</text>'


def _x(days: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * days / MAX_DAYS


def _y(strength: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * strength / MAX_STRENGTH
