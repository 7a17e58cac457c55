"""Which lines of a text a commit left there: found by their keys, wherever they stand in the text now.

A key says nothing of a place, so a line that says little by itself (a brace, `return`) counts only next to one
that says more, and of a text that stands there several times the one is taken that keeps the order of the head.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    # (line of the indexed head, key of its text) pairs in order of the lines
    Owned = Sequence[tuple[int, int]]
    # (line of the head, key, number of the guard)
    Place = tuple[int, int, int]

MIN_LETTERS = 4
MAX_SAME = 20  # a text that stands there more often is known by its neighbours only
MIN_RETURNED = 2
_FILLERS = frozenset(
    "begin break case catch continue default do done else end endif ensure esac except false fi finally loop"
    " nil none null pass return self super then this true try void".split()
)
_END_MARKS = " # ", " // "
_SLIGHT_STARTS = (
    *("# ", "//", "/*", "* ", "<!--", "-- "),
    *("import ", "from ", "#include", "using ", "use ", "require ", "require(", "package "),
)

# usual fillers, where only the keys of lines are known
FILLERS = tuple(
    (
        "|{|}|};|},|(|)|);|),|[|]|];|],|})|});|}}|/*|*/|*|//|#|...|--|pass|return|return;|else:|else|else {|} else {"
        "|try:|try {|finally:|} finally {|break|break;|continue|continue;|end|do|done|fi|then|esac|begin|ensure"
        "|default:|return None|return null;|return nil|return true;|return false;|return True|return False|super();"
    ).split("|")
)


def is_filler(text: str) -> bool:
    """Whether a line says too little to be known by: blank, braces, `else:`, `return None`."""
    words = "".join(char if char.isalnum() else " " for char in text.lower()).split()
    return sum(map(len, words)) < MIN_LETTERS or _FILLERS.issuperset(words)


def find_carried(
    texts: Sequence[str], keys: Sequence[int], owned: Sequence[Owned], *, first_line: int = 0
) -> list[list[int]]:
    """For each of `owned` the positions in `texts` (ascending) at which its lines stand; none for most.

    `keys` are those of `texts`. `first_line` is the number of the first text in its file, 0 where that is unknown.
    """
    where: dict[int, list[int]] = {}
    for at, key in enumerate(keys):
        where.setdefault(key, []).append(at)
    places = sorted(
        (line, key, number) for number, lines in enumerate(owned) for line, key in lines if key in where
    )
    found = _pair_sure(texts, where, places)
    _grow(keys, places, found)
    _pair_by_distance(texts, where, places, found=found, first_line=first_line)
    _grow(keys, places, found)
    result: list[list[int]] = [[] for _ in owned]
    for at in sorted(found):
        result[places[found[at]][2]].append(at)
    return result


def _pair_sure(texts: Sequence[str], where: dict[int, list[int]], places: Sequence[Place]) -> dict[int, int]:
    """position -> index of a place, for the texts that stand in the text as often as they are owned."""
    by_key: dict[int, list[int]] = {}
    for index, (_, key, _) in enumerate(places):
        by_key.setdefault(key, []).append(index)
    found: dict[int, int] = {}
    for key, indexes in by_key.items():
        positions = where[key]
        if len(positions) == len(indexes) <= MAX_SAME and not is_filler(texts[positions[0]]):
            found.update(zip(positions, indexes, strict=True))
    return found


def _grow(keys: Sequence[int], places: Sequence[Place], found: dict[int, int]) -> None:
    """Add the lines directly above and below those found, where the same guard owns them and they still stand so."""
    taken = set(found.values())
    for step in (1, -1):
        for start in sorted(found, reverse=step < 0):
            at, index = start + step, found[start] + step
            while 0 <= at < len(keys) and 0 <= index < len(places) and at not in found and index not in taken:
                line, key, number = places[index]
                before_line, _, before_number = places[index - step]
                if key != keys[at] or number != before_number or line - before_line != step:
                    break
                found[at] = index
                taken.add(index)
                at, index = at + step, index + step


def _pair_by_distance(
    texts: Sequence[str],
    where: dict[int, list[int]],
    places: Sequence[Place],
    *,
    found: dict[int, int],
    first_line: int,
) -> None:
    """Place the other lines as far from the nearest found one as they are in the head.

    Where none is found and no line number is known either, a text that stands here once is the owned one, and
    of several the first.
    """
    taken = set(found.values())
    known = [(places[index][0], at - places[index][0]) for at, index in found.items()]
    known.sort()
    near = 0
    for index, (line, key, _) in enumerate(places):
        is_open = index not in taken and len(where[key]) <= MAX_SAME
        free = [at for at in where[key] if at not in found] if is_open else []
        if not free or is_filler(texts[free[0]]):
            continue
        while near + 1 < len(known) and abs(known[near + 1][0] - line) <= abs(known[near][0] - line):
            near += 1
        if known:
            expected = line + known[near][1]
        else:
            expected = line - first_line if first_line and len(where[key]) > 1 else free[0]
        if expected in free:
            found[expected] = index


def find_removed(old: Sequence[str], new: Sequence[str]) -> list[int]:
    """The positions of lines of `old` that are not in `new`.

    Those that moved, or changed but their spaces or the comment at their end, are not among them.
    """
    before, after = [_strip_end(text) for text in old], [_strip_end(text) for text in new]
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    left: dict[str, int] = {}
    for text in after[start : len(after) - end]:
        left[text] = left.get(text, 0) + 1
    removed = []
    for at in range(start, len(before) - end):
        if left.get(before[at], 0):
            left[before[at]] -= 1
        elif before[at]:
            removed.append(at)
    return removed


def _strip_end(text: str) -> str:
    """A line with single spaces and without a comment behind its code."""
    line = " ".join(text.split())
    for mark in _END_MARKS:
        code, _, comment = line.rpartition(mark)
        if code and not any(quote in comment for quote in "\"'`"):
            line = code
    return line


def is_telling(texts: Sequence[str]) -> bool:
    """Whether lines are more than layout, comments and imports: at least one has letters or digits of other code."""
    return any(
        not text.lstrip().startswith(_SLIGHT_STARTS) and any(char.isalnum() for char in text)
        for text in texts
    )


def find_returned(texts: Sequence[str], keys: Sequence[int], gone: Collection[int]) -> list[int]:
    """The positions of texts that bring back what a commit took out; none where it is too little to tell.

    A single line of several may be like one that went by chance, so two are wanted where two went.
    """
    found = [at for at, key in enumerate(keys) if key in gone and not is_filler(texts[at])]
    return found if len({keys[at] for at in found}) >= min(MIN_RETURNED, len(gone)) else []


def join_ranges(
    positions: Sequence[int], texts: Sequence[str] = (), *, first: int = 0
) -> list[tuple[int, int]]:
    """Ascending positions as (first, last) ranges, counted from `first`; blank `texts` between do not part them."""
    ranges: list[tuple[int, int]] = []
    for at in positions:
        if ranges and all(
            at_ < len(texts) and not texts[at_].strip() for at_ in range(ranges[-1][1] + 1, at)
        ):
            ranges[-1] = (ranges[-1][0], at)
        else:
            ranges.append((at, at))
    return [(start + first, end + first) for start, end in ranges]
