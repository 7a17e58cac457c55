"""What commands print: safe text, tables, JSON, dates; colours on a terminal only."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import click

from engram_hooks.guard.firewall import clean, neutralise, terminal
from engram_hooks.recall.fields import format_clock, format_day, local_year

MAX_LINE_CHARS = 600
_STYLES = {
    "dim": {"dim": True},
    "bold": {"bold": True},
    "good": {"fg": "green"},
    "warn": {"fg": "yellow"},
    "bad": {"fg": "red"},
    "id": {"fg": "cyan"},
}


def say(text: str = "", *, to_stderr: bool = False) -> None:
    """Print text whose parts are safe already (`safe`, `line`), plus a line break."""
    click.echo(text, err=to_stderr, color=has_colour(to_stderr=to_stderr))


def safe(text: str) -> str:
    """Text without escapes and invisible characters; its lines stay lines. Piped, it gives no orders either."""
    return terminal(text) if sys.stdout.isatty() else neutralise(terminal(text))


def pack(text: str) -> str:
    """What a context is told, to the letter: a block of ours, whose parts were disarmed when it was made."""
    return terminal(text)


def line(text: str, *, max_chars: int = MAX_LINE_CHARS) -> str:
    """One safe line of any stored text; what reads as a delimiter of an agent's context is disarmed."""
    return clean(text, max_chars=max_chars)


def block(text: str, *, indent: str = "  ") -> str:
    """Stored text of several lines, each safe and indented, so that none can pose as a line of ours."""
    lines = terminal(text).split("\n")
    return "\n".join(indent + clean(part, max_chars=20_000) if part.strip() else "" for part in lines)


def quote(text: str, *, indent: str = "  | ", max_chars: int = 800) -> str:
    """Stored text for the eyes of a person on a terminal, each line marked; where it is piped, as `block`."""
    if not sys.stdout.isatty():
        return block(text[:max_chars], indent=indent)
    return "\n".join(indent + part for part in terminal(text[:max_chars]).strip().split("\n"))


def style(text: str, name: str) -> str:
    """Text in one of our styles: dim, bold, good, warn, bad, id (dropped again where there are no colours)."""
    return click.style(text, **_STYLES[name])  # type: ignore[arg-type]


def has_colour(*, to_stderr: bool = False) -> bool:
    """Whether a stream is a terminal that wants colours."""
    stream = sys.stderr if to_stderr else sys.stdout
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def is_interactive() -> bool:
    """Whether a person sits in front: questions can be asked and answered."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def print_json(value: object) -> None:
    """One JSON document, ASCII only, so that no control or invisible character gets out."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=True, default=_to_json))


def table(rows: Iterable[Sequence[str]], *, headers: Sequence[str] = ()) -> str:
    """Columns side by side, the last one unpadded; cells are one safe line each (styled cells are allowed).

    A column without a word in it takes no room.
    """
    cells = [[*headers], *rows] if headers else [list(row) for row in rows]
    if not cells:
        return ""
    widths = [max(_width(row[i]) for row in cells if i < len(row)) for i in range(max(map(len, cells)))]
    out = []
    for row in cells:
        padded = [cell + " " * (widths[i] - _width(cell)) for i, cell in enumerate(row[:-1]) if widths[i]]
        out.append("  ".join([*padded, row[-1]]).rstrip())
    return "\n".join(out)


def print_table(
    headers: Sequence[str], rows: Iterable[Sequence[object]], *, right: Iterable[int] = ()
) -> None:
    """Print a table with a header line; the columns in `right` (from 0) are aligned to the right."""
    cells = [[str(cell) for cell in row] for row in [headers, *rows]]
    aligned = set(right)
    widths = [max(_width(row[i]) for row in cells) for i in range(len(headers))]
    padded = [
        [" " * (widths[i] - _width(cell)) + cell if i in aligned else cell for i, cell in enumerate(row)]
        for row in cells
    ]
    say(table(padded[1:], headers=padded[0]))


@contextmanager
def progress(steps: int, what: str) -> Iterator[Callable[[], None]]:
    """A counter on stderr, where that is a terminal: the function given counts one step."""
    done = 0
    is_shown = sys.stderr.isatty()

    def tick() -> None:
        nonlocal done
        done += 1
        if is_shown:
            click.echo(f"\r{done:,} of {steps:,} {what}", err=True, nl=False)

    try:
        yield tick
    finally:
        if is_shown:
            click.echo("\r" + " " * 60 + "\r", err=True, nl=False)


def day(at_ms: int) -> str:
    """`3 May`, with the year where it is another one."""
    return format_day(at_ms, local_year(int(time.time() * 1000))) or "?"


def moment(at_ms: int) -> str:
    """`3 May, 18:40`."""
    return f"{day(at_ms)}, {format_clock(at_ms)}"


def count(number: int, one: str, many: str = "") -> str:
    """`1 note`, `2 notes`, `1,180 notes`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def size(size_bytes: int) -> str:
    """`12 KB`, `3.4 MB`."""
    if size_bytes < 1 << 20:
        return f"{max(1, round(size_bytes / 1024))} KB"
    if size_bytes < 1 << 30:
        return f"{size_bytes / (1 << 20):.1f} MB"
    return f"{size_bytes / (1 << 30):.1f} GB"


def make_streams_safe() -> None:
    """Read and write UTF-8 whatever the locale says; a lone surrogate becomes a question mark."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")


def make_streams_exact() -> None:
    """Pass line endings through as they are."""
    for stream in (sys.stdin, sys.stdout):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(newline="")


def _width(cell: str) -> int:
    """How many columns a cell takes: wide characters two, marks none, styles none."""
    plain = click.unstyle(cell)
    if plain.isascii():
        return len(plain)
    from unicodedata import category, east_asian_width

    return sum(
        0 if category(char) in ("Mn", "Me", "Cf") else 2 if east_asian_width(char) in "WF" else 1
        for char in plain
    )


def _to_json(value: object) -> object:
    if isinstance(value, tuple | set | frozenset):
        return list(value)
    return str(value)
