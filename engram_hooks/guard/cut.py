"""Long texts shortened to their ends. Secrets go first: a cut through one would leave half of it unrecognised."""

from __future__ import annotations

from engram_hooks.guard.redact import redact

WHOLE_CHARS = 16_384
MIN_WINDOW_CHARS = 4_096
_MARGIN_CHARS = 512


def shorten(text: str, max_chars: int) -> str:
    """The text without secrets, or its beginning and end with a mark between: at most `max_chars` (60 or more).

    Of a very long text only the parts around its ends are looked at, cut at white space.
    """
    if len(text) <= max_chars:
        return redact(text)
    length = len(text)
    window = max(MIN_WINDOW_CHARS, max_chars + _MARGIN_CHARS)
    if length > max(WHOLE_CHARS, 2 * window):
        head, tail = text[:window], text[-window:]
        text = redact(head[: _last_space(head)]) + "\n" + redact(tail[_first_space(tail) :])
    else:
        text = redact(text)
    if len(text) <= max_chars and length <= WHOLE_CHARS:
        return text
    mark = f" [... {max(length - max_chars, 1)} cut ...] "
    room = max_chars - len(mark)
    tail_chars = room // 3
    return text[: room - tail_chars] + mark + text[len(text) - tail_chars :]


def _last_space(text: str) -> int:
    """Where the last word of a piece begins; its whole length where it is one word."""
    words = text.rsplit(None, 1)
    return len(text) - len(words[-1]) if len(words) == 2 else len(text)


def _first_space(text: str) -> int:
    """Where the first word of a piece ends; 0 where it is one word."""
    words = text.split(None, 1)
    return len(text) - len(words[-1]) if len(words) == 2 else 0
