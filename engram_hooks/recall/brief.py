"""What is said of code: the brief of a file that was read, and a word on lines that an edit changes."""

from __future__ import annotations

from engram_hooks.guard.firewall import attr, clean
from engram_hooks.recall.fields import format_day

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    # (hash, authored at, intent, subject)
    Deed = tuple[str, int, str, str]
    # (deed, ranges of lines in what was read, symbol of the first or '')
    Carried = tuple[Deed, Sequence[tuple[int, int]], str]
    # (deed, lines that go, their ranges or none where these are unknown, lines that come back, one of the texts)
    Touched = tuple[Deed, int, Sequence[tuple[int, int]], int, str]
    # (path, commits of both, commits of the file, neither imports the other)
    Mate = tuple[str, int, int, bool]

MAX_CARRIED = 6
MAX_MATES = 3
MAX_TOUCHED = 3
MAX_ADVICE_CHARS = 900
HASH_DIGITS = 8
_MAX_RANGES = 4
_MAX_SUBJECT_CHARS = 140
_MAX_PATH_CHARS = 160
_MAX_SYMBOL_CHARS = 80
_MAX_CODE_CHARS = 90
_CLOSE = "</engram>"
# what a commit is called by its intent; `change` for others
NOUNS = {"bugfix": "fix", "security": "security fix", "revert": "revert", "perf": "speed-up"}


def file_brief(
    path: str, carried: Sequence[Carried], mates: Sequence[Mate], *, year: int, max_chars: int
) -> tuple[str, list[str]]:
    """(block, hashes that it names) of a file, most important first; ("", []) where nothing is to say or to fit.

    `year` is the current one on the local clock: dates of other years name theirs.
    """
    lines = [_tell_carried(one, year) for one in carried[:MAX_CARRIED]]
    if mates:
        lines.append(f"Usually changes with it: {', '.join(_tell_mate(mate) for mate in mates[:MAX_MATES])}.")
    text, count = _wrap(path, lines, max_chars=max_chars)
    return text, [one[0][0] for one in carried[: min(count, MAX_CARRIED)]]


def change_advice(
    path: str, touched: Sequence[Touched], *, year: int, verb: str, max_chars: int, last: str = ""
) -> tuple[str, list[str]]:
    """(block, hashes that it names) on a change; ("", []) where nothing is to say or to fit.

    `verb` says what the change does to lines: `changes`, `leaves out`. `last` is a line of ours at the end.
    """
    lines = [_tell_touched(one, year, verb) for one in touched[:MAX_TOUCHED]]
    if len(touched) > MAX_TOUCHED:
        name = clean(path, max_chars=_MAX_PATH_CHARS)
        lines.append(f"So do lines of {len(touched) - MAX_TOUCHED} more commits: engram preflight {name}")
    text, count = _wrap(path, lines, max_chars=max_chars, last=last)
    return text, [one[0][0] for one in touched[: min(count, MAX_TOUCHED)]]


def _wrap(path: str, lines: Sequence[str], *, max_chars: int, last: str = "") -> tuple[str, int]:
    """(the leading lines that fit inside one block, how many)."""
    head = f'<engram file="{attr(path, max_chars=_MAX_PATH_CHARS)}" from="git history">'
    room = max_chars - len(head) - len(_CLOSE) - 1 - (len(last) + 1 if last else 0)
    kept: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    if not kept:
        return "", 0
    return "\n".join((head, *kept, *([last] if last else []), _CLOSE)), len(kept)


def _tell_carried(one: Carried, year: int) -> str:
    deed, ranges, symbol = one
    noun, is_one = NOUNS.get(deed[2], "change"), len(ranges) == 1 and ranges[0][0] == ranges[0][1]
    inside = f" of {clean(symbol, max_chars=_MAX_SYMBOL_CHARS)}" if symbol else ""
    verb = "carries" if is_one else "carry"
    return f"{_name_lines(ranges)}{inside} {verb} a {noun}: {_name_deed(deed, year)}."


def _tell_touched(one: Touched, year: int, verb: str) -> str:
    deed, lost, ranges, back, text = one
    noun, name = NOUNS.get(deed[2], "change"), _name_deed(deed, year)
    code = clean(text, max_chars=_MAX_CODE_CHARS).replace("`", "'")
    quote = f": `{code}`" if code else ""
    if not lost:
        return f"This brings back {_count_lines(back)} that a {noun} took out, {name}{quote}"
    where = f" ({_name_lines(ranges).lower()})" if ranges else ""
    more = f", and brings back {_count_lines(back)} that it took out" if back else ""
    carry = "carries" if lost == 1 else "carry"
    return f"This {verb} {_count_lines(lost)}{where} that {carry} a {noun}, {name}{more}{quote}"


def _count_lines(count: int) -> str:
    return "a line" if count == 1 else f"{count} lines"


def _name_deed(deed: Deed, year: int) -> str:
    name, at_ms, _, subject = deed
    day = format_day(at_ms, year)
    return (
        f'{name[:HASH_DIGITS]}{f" ({day})" if day else ""} "{clean(subject, max_chars=_MAX_SUBJECT_CHARS)}"'
    )


def _name_lines(ranges: Sequence[tuple[int, int]]) -> str:
    named = [str(first) if first == last else f"{first}-{last}" for first, last in ranges[:_MAX_RANGES]]
    left = sum(last - first + 1 for first, last in ranges[_MAX_RANGES:])
    word = "Line" if len(ranges) == 1 and ranges[0][0] == ranges[0][1] else "Lines"
    return f"{word} {', '.join(named)}{f' and {left} more' if left else ''}"


def _tell_mate(mate: Mate) -> str:
    path, support, total, is_hidden = mate
    hidden = ", no import between them" if is_hidden else ""
    return f"{clean(path, max_chars=_MAX_PATH_CHARS)} ({support} of {total} commits{hidden})"
