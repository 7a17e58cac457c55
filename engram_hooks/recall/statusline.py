"""The text of the status line, the same as that of the script the client runs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MARGIN_COLUMNS = 5
DEFAULT_COLUMNS = 80
GENERIC_TROUBLE = "something failed"
STATES = "idle", "running"
MAX_DIGITS = 15

_DIM, _GOOD, _WARN, _BAD, _PLAIN = "\033[2m", "\033[32m", "\033[33m", "\033[31m", "\033[0m"


def render(
    ready: str | None,
    *,
    transcript_size: int | None,
    trouble: str = "",
    columns: int = DEFAULT_COLUMNS,
    color: bool = False,
    off: bool = False,
) -> str:
    """The status line, without a line break.

    `ready`: what the hooks left for the session, `1|idle or running|notes|logged|to capture|cursor
    bytes|trouble` (None or anything else: nothing yet). `transcript_size`: bytes of the transcript, 0 for
    none yet, None for unknown. `trouble`: what to warn of, before that of the ready line. `columns`: width
    of the terminal. The session can be cleared without loss when the line says `clear-safe`.
    """
    limit = (columns if columns > 0 else DEFAULT_COLUMNS) - MARGIN_COLUMNS
    if off:
        return _paint("engram off", _DIM, color=color)
    fields = parse_ready(ready)
    trouble = trouble or (fields[5] if fields else "")
    if trouble:
        return _paint(_word_trouble(trouble, limit), _BAD, color=color)
    if fields is None:
        return _paint("engram ready", _DIM, color=color)
    state, notes, logged, capture, cursor_bytes, _ = fields
    phase = _find_phase(state, capture, cursor_bytes, transcript_size)
    parts = [
        "1 note" if notes == 1 else f"{notes} notes",
        f"+{logged} logged" if logged else "",
        f"{capture} to capture" if capture else "",
        phase,
    ]
    for index in (1, 0, 2, 3):
        if _measure(parts) <= limit:
            break
        parts[index] = ""
    return _join(parts, color=color)


def parse_ready(ready: str | None) -> tuple[str, int, int, int, int, str] | None:
    """(state, notes, logged, to capture, cursor bytes, trouble) of a ready line, None where it is not one."""
    fields = (ready or "").split("\n")[0].split("|", 6)
    if len(fields) < 6 or fields[0] != "1" or fields[1] not in STATES:
        return None
    if not all(is_count(number) for number in fields[2:6]):
        return None
    notes, logged, capture, cursor_bytes = (int(number) for number in fields[2:6])
    return fields[1], notes, logged, capture, cursor_bytes, fields[6] if len(fields) > 6 else ""


def is_count(text: str) -> bool:
    """Is it a plain decimal number of a sensible length?"""
    return text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS


def _find_phase(state: str, capture: int, cursor_bytes: int, transcript_size: int | None) -> str:
    if state == "running":
        return "logging"
    if transcript_size is None or transcript_size < cursor_bytes:
        return ""
    if transcript_size > cursor_bytes:
        return "logging"
    return "" if capture else "clear-safe"


def _word_trouble(trouble: str, limit: int) -> str:
    if any(letter < " " or letter == "\x7f" or "\ud800" <= letter <= "\udfff" for letter in trouble):
        trouble = GENERIC_TROUBLE
    for text in (f"engram ! {trouble} (engram doctor)", f"engram ! {trouble}"):
        if len(text.encode("utf-8", "replace")) <= limit:
            return text
    return "engram !"


def _measure(parts: Sequence[str]) -> int:
    notes, *others = parts
    return 6 + (1 + len(notes) if notes else 0) + sum(3 + len(part) for part in others if part)


def _join(parts: Sequence[str], *, color: bool) -> str:
    notes, logged, capture, phase = parts
    line = _paint("engram", _DIM, color=color) + (f" {notes}" if notes else "")
    tints = (logged, ""), (capture, _WARN), (phase, _GOOD if phase == "clear-safe" else _DIM)
    return line + "".join(f" · {_paint(part, tint, color=color)}" for part, tint in tints if part)


def _paint(text: str, tint: str, *, color: bool) -> str:
    return f"{tint}{text}{_PLAIN}" if color and tint else text
