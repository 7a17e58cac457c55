"""The curves of the made-up year as a drawing: what was told and right, and how the store grew."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engram_hooks.bench.year.measure import Month, Outcome

_WIDTH, _HEIGHT = 320, 180
_LEFT, _TOP, _BOTTOM, _RIGHT = 46, 30, 26, 12
_COLUMNS = 2
_COLOURS = {"with": "#2f7d5b", "without": "#c2703d"}
_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#444}.title{font-weight:600}.grid{stroke:#8884;stroke-width:1}"
    "path{fill:none;stroke-width:2.2}.without{stroke-dasharray:5 4}"
    "@media(prefers-color-scheme:dark){text{fill:#ccc}}"
)
Values = Callable[[Month], float]
_PANELS: tuple[tuple[str, Values, str], ...] = (
    ("boot pack: right of what is told", lambda month: 100 * month.pack_precision, "%"),
    ("minder: right of what is told", lambda month: 100 * month.minder_precision, "%"),
    ("questions answered beside the prompt", lambda month: 100 * month.answered, "%"),
    ("store", lambda month: month.store_mb, "MB"),
)


def draw(outcome: Outcome) -> str:
    """An SVG of four panels, each with a curve with consolidation and a dashed one without."""
    rows = (len(_PANELS) + _COLUMNS - 1) // _COLUMNS
    width, height = _WIDTH * _COLUMNS, _HEIGHT * rows + 26
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"'
        f' aria-label="A year with and without consolidation"><style>{_STYLE}</style>'
    ]
    for at, (title, value_of, unit) in enumerate(_PANELS):
        shift = f"translate({at % _COLUMNS * _WIDTH},{at // _COLUMNS * _HEIGHT})"
        parts.append(f'<g transform="{shift}">{_panel(outcome, title, value_of, unit)}</g>')
    parts.append(_legend(height - 8))
    return "\n".join([*parts, "</svg>", ""])


def _panel(outcome: Outcome, title: str, value_of: Values, unit: str) -> str:
    curves = {
        name: [value_of(month) for month in months]
        for name, months in (("with", outcome.with_it), ("without", outcome.without))
    }
    top = 100.0 if unit == "%" else _round_up(max(max(values) for values in curves.values()))
    parts = [f'<text class="title" x="{_LEFT}" y="18">{title}</text>']
    for share in (0.0, 0.5, 1.0):
        y = _y(share * top, top)
        label = f"{share * top:g} {unit}"
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{_LEFT - 5}" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
    count = len(outcome.with_it)
    for month in (1, (count + 1) // 2, count):
        x = _x(month - 1, count)
        parts.append(f'<text x="{x:.1f}" y="{_HEIGHT - 8}" text-anchor="middle">{month}</text>')
    parts += [_curve(values, top, name) for name, values in curves.items()]
    return "".join(parts)


def _curve(values: Sequence[float], top: float, name: str) -> str:
    points = [f"{_x(at, len(values)):.1f},{_y(value, top):.1f}" for at, value in enumerate(values)]
    return f'<path class="{name}" stroke="{_COLOURS[name]}" d="M{" L".join(points)}"/>'


def _legend(y: int) -> str:
    parts = []
    for at, (name, text) in enumerate(
        (("with", "consolidation every night"), ("without", "without consolidation"))
    ):
        x = _LEFT + at * 220
        parts.append(f'<path class="{name}" stroke="{_COLOURS[name]}" d="M{x},{y - 4} h28"/>')
        parts.append(f'<text x="{x + 34}" y="{y}">{text}</text>')
    return "".join(parts)


def _x(at: int, count: int) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * at / max(count - 1, 1)


def _y(value: float, top: float) -> float:
    return _HEIGHT - _BOTTOM - (_HEIGHT - _BOTTOM - _TOP) * min(value / top, 1.0)


def _round_up(value: float) -> float:
    """The next of 1, 2, 5, 10, 20, 50 ... over a value."""
    step = 1.0
    while True:
        for factor in (1, 2, 5):
            if value <= factor * step:
                return factor * step
        step *= 10
