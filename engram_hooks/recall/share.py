"""Which records get into the boot pack: near-duplicates collapsed, every kind its share of the room."""

from __future__ import annotations

from engram_hooks.guard.firewall import LOOKED, clean, clean_kept
from engram_hooks.recall.branches import AWAY, is_away, place_of
from engram_hooks.recall.fields import (
    AT,
    BRANCH,
    DETAIL,
    ID,
    IMPORTANCE,
    KIND,
    LOOKED_BY,
    SCOPE,
    SUMMARY,
    format_day,
    is_dated,
    short_id,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.recall.fields import Row

    Entry = tuple[Row, str]
    Place = tuple[int, float, int]
    Page = dict[int, list[Entry]]  # section number -> what it shows, in order

# (label, kinds, weight of its share), in the order in which a session needs them.
SECTIONS = (
    ("You", ("user", "feedback"), 3),
    ("Rules", ("constraint",), 4),
    ("Where we stopped", ("state",), 3),
    ("Decided", ("decision",), 5),
    ("Design", ("architecture",), 2),
    ("How to", ("procedure",), 2),
    ("Watch out", ("incident",), 3),
    ("Known", ("fact",), 2),
    ("Modules", ("module",), 1),
    ("Learnt", ("insight",), 1),
    ("See", ("reference",), 1),
)
FIRST_PAGE_CHARS = 1_700
MAX_ITEM_CHARS = 240
MAX_SHORT_ITEM_CHARS = 160
MAX_DETAIL_CHARS = 160
MAX_FAMILY = 3
SEPARATOR_CHARS = 3
AGAIN = " (more)"
_SAME_SHARE, _RELATED_SHARE = 0.7, 0.45
_NOWHERE = (-1, _RELATED_SHARE, 0)
_MAX_COMPARED_WORDS = 40
_MIN_DETAIL_ROOM = 40
_EDGES = ".,;:!?()[]{}<>\"'`*-—"
_FACTS = next(i for i, section in enumerate(SECTIONS) if "fact" in section[1])


def fill(rows: Sequence[Row], room: int, *, branch: str, year: int) -> tuple[Page, Page, bool]:
    """(first page, second page, whether something was left out) of what fits into `room` characters.

    The first page holds what matters most of every section; the second, empty where all fits on one,
    holds the rest. Each page costs at most label + 3 a section and text + 3 an item.
    """
    unseen = [row[SUMMARY] for row in rows if row[LOOKED_BY] != LOOKED]
    if len(unseen) > 1:
        from engram_hooks.guard.suspicion import look_ahead

        look_ahead(unseen)
    queues = _queue(rows, branch)
    asked = sum(min(len(row[SUMMARY]), MAX_ITEM_CHARS) + 24 for queue in queues for row in queue)
    fits = asked + 20 * len(queues) <= room
    drawer = _Drawer(
        queues, branch=branch, year=year, item_chars=MAX_ITEM_CHARS if fits else MAX_SHORT_ITEM_CHARS
    )
    first = _Sheet(drawer, room if fits else min(room, FIRST_PAGE_CHARS), extra=0)
    first.fill()
    second = _Sheet(drawer, room - first.used, extra=len(AGAIN))
    if any(queues):
        second.fill()
    if any(queues):
        return first.page, second.page, True
    left = room - first.used - second.used
    for page in (first.page, second.page):
        left -= _add_details(page, left, branch=branch, year=year)
    return first.page, second.page, False


def render_item(row: Row, *, branch: str, year: int, max_chars: int, detail_chars: int = 0) -> str:
    """`Postgres over Mongo (3 May) [d12]`: the summary, what qualifies it, its short id."""
    text = clean_kept(row[SUMMARY], row[LOOKED_BY], max_chars=max_chars)
    if detail_chars > 0 and (detail := clean(row[DETAIL], max_chars=detail_chars)):
        text = f"{text} {detail}" if text.endswith((".", "!", "?", ":", "…")) else f"{text}: {detail}"
    notes = []
    if is_dated(row[KIND]) and (day := format_day(row[AT], year)):
        notes.append(day)
    if is_away(row, branch):
        notes.append(f"on branch {clean(row[BRANCH], max_chars=40)}")
    return f"{text} ({', '.join(notes)}) [{short_id(row)}]" if notes else f"{text} [{short_id(row)}]"


class _Families:
    """Which summaries are on show, to tell rewordings of the same fact from news.

    The words of a summary are a set of bits, one for each word that any of them holds.
    """

    def __init__(self) -> None:
        self._bits: dict[str, int] = {}
        self._shown: list[tuple[int, int, int]] = []  # (words, how many, family)
        self._sizes: list[int] = []

    def read(self, summary: str) -> int:
        """The words of a summary."""
        bits = self._bits
        found = 0
        for word in _words(summary):
            found |= bits.setdefault(word, 1 << len(bits))
        return found

    def place(self, words: int, known: Place = _NOWHERE) -> Place:
        """(family, likeness, number of shown texts looked at); family -1 is a new one, -2 says nothing new.

        `known` is an earlier answer for the same words: only what was shown since is looked at.
        """
        family, best, start = known
        size = words.bit_count()
        for other, other_size, number in self._shown[start:]:
            common = (words & other).bit_count()
            if common * 4 < size:
                continue
            share = common / (size + other_size - common)
            if share >= _SAME_SHARE and common == size:
                return (-2, 1.0, 0)
            if share > best:
                family, best = number, share
        if family >= 0 and self._sizes[family] >= MAX_FAMILY:
            return (-2, 1.0, 0)
        return (family, best, len(self._shown))

    def keep(self, words: int, family: int) -> None:
        if family < 0:
            family = len(self._sizes)
            self._sizes.append(0)
        self._sizes[family] += 1
        self._shown.append((words, words.bit_count(), family))


class _Drawer:
    """Hands out the next record of a section that says something new, as text."""

    def __init__(self, queues: list[list[Row]], *, branch: str, year: int, item_chars: int) -> None:
        self.queues = queues
        self._branch, self._year, self._item_chars = branch, year, item_chars
        self._families = _Families()
        self._next: dict[int, tuple[Entry, int, Place]] = {}

    def peek(self, section: int) -> Entry | None:
        queue = self.queues[section]
        while queue:
            row = queue[-1]
            entry, words, place = self._next.get(section) or (
                (row, ""),
                self._families.read(row[SUMMARY]),
                _NOWHERE,
            )
            place = self._families.place(words, place)
            if place[0] > -2:
                if not entry[1]:
                    text = render_item(row, branch=self._branch, year=self._year, max_chars=self._item_chars)
                    entry = (row, text)
                self._next[section] = (entry, words, place)
                return entry
            self._drop(section)
        return None

    def take(self, section: int) -> None:
        """Use up what `peek` has just shown."""
        _, words, place = self._next[section]
        self._families.keep(words, place[0])
        self._drop(section)

    def _drop(self, section: int) -> None:
        self.queues[section].pop()
        self._next.pop(section, None)


class _Sheet:
    """One page that is filled by shares."""

    def __init__(self, drawer: _Drawer, room: int, *, extra: int) -> None:
        self.page: Page = {}
        self.used = 0
        self._drawer, self._room, self._extra = drawer, room, extra
        self._costs = [0] * len(SECTIONS)

    def fill(self) -> None:
        """One item of every section, then each section up to its share, then what is left, in turn."""
        sections = [i for i, queue in enumerate(self._drawer.queues) if queue]
        for section in sections:
            self._add(section, self._room)
        weights = sum(SECTIONS[i][2] for i in sections)
        for section in sections:
            share = self._room * SECTIONS[section][2] // weights
            while self._add(section, share):
                pass
        while sections:
            sections = [section for section in sections if self._add(section, self._room)]

    def _add(self, section: int, limit: int) -> bool:
        entry = self._drawer.peek(section)
        if entry is None:
            return False
        cost = len(entry[1]) + SEPARATOR_CHARS
        if section not in self.page:
            cost += len(SECTIONS[section][0]) + self._extra
        if self.used + cost > self._room or self._costs[section] + cost > limit:
            return False
        self._drawer.take(section)
        self.page.setdefault(section, []).append(entry)
        self._costs[section] += cost
        self.used += cost
        return True


def _queue(rows: Sequence[Row], branch: str) -> list[list[Row]]:
    """The rows of every section, those to tell first at the end."""
    places = {kind: i for i, (_, kinds, _) in enumerate(SECTIONS) for kind in kinds}
    queues: list[list[Row]] = [[] for _ in SECTIONS]
    for row in {row[ID]: row for row in rows}.values():
        queues[places.get(row[KIND], _FACTS)].append(row)
    for queue in queues:
        if len(queue) > 1:
            queue.sort(key=lambda row: _order(row, branch))
    return queues


def _order(row: Row, branch: str) -> tuple[int, float, int, int, int]:
    """Other branches last; then importance in tenths, the place among equals, the newest.

    The state of the work counts by its place and age alone.
    """
    place = place_of(row[SCOPE], row[BRANCH], branch)
    rank = 0.0 if row[KIND] == "state" else round(row[IMPORTANCE] or 0.0, 1)
    return (-place if place >= AWAY else 0, rank, -place, row[AT], row[ID])


def _words(summary: str) -> list[str]:
    words = [
        bare
        for word in summary.lower().split(None, _MAX_COMPARED_WORDS)[:_MAX_COMPARED_WORDS]
        if (bare := word.strip(_EDGES))
    ]
    return words if len(words) > 1 else [summary.strip()]


def _add_details(page: Page, room: int, *, branch: str, year: int) -> int:
    """Details behind the summaries as far as they fit; the characters they took."""
    used = 0
    for entries in page.values():
        for i, (row, text) in enumerate(entries):
            left = min(MAX_DETAIL_CHARS, room - used - 2)
            if left < _MIN_DETAIL_ROOM:
                return used
            if row[DETAIL]:
                longer = render_item(
                    row, branch=branch, year=year, max_chars=MAX_ITEM_CHARS, detail_chars=left
                )
                if len(longer) - len(text) <= room - used:
                    entries[i] = (row, longer)
                    used += len(longer) - len(text)
    return used
