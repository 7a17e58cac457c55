"""How a file came to be what it is: its lines carried back through every change that led to its content.

A version of a file is its path and its content. Changes link versions; from the head's version they lead back,
through renames and merges, whatever branches the commits were made on.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from sqlite3 import Connection
from typing import NamedTuple

from engram_hooks.history.edits import Edit, Lines, carry_back, unpack_edits, unpack_sides
from engram_hooks.store import index_changes

MAX_STEPS = 2_000_000  # of one file's trace; a history that goes in circles ends there
# a file's id and the start of its blob's name
Version = tuple[int, bytes]
# lines of a version -> the commits that touched them: id -> (lines added, lines removed)
Known = Mapping[Lines, Mapping[int, tuple[int, int]]]


class Link(NamedTuple):
    """A change that made a version: by a commit (0: a merge, which is no change of its own), out of `before`.

    `edits` is None where there are no lines to carry, `before` where the file was new; `ends` are the lines
    behind each edit in the new version. `maker_id` is the commit, that of a merge as well.
    """

    commit_id: int
    before: Version | None
    edits: list[Edit] | None
    ends: list[int]
    maker_id: int = 0


@dataclass(slots=True)
class Lineage:
    """The changes of files, read where they are asked for; `db` is an index."""

    db: Connection
    _links: dict[int, dict[bytes, list[Link]]] = field(default_factory=dict)
    _known: dict[Version, Known] = field(default_factory=dict)
    _parsed: dict[int, bytes] | None = None

    def links_to(self, version: Version) -> list[Link]:
        """The changes that made a version."""
        file_id, blob = version
        if file_id not in self._links:
            self._links[file_id] = self._read(file_id)
        return self._links[file_id].get(blob, [])

    def makers_of(self, file_id: int) -> dict[int, bytes]:
        """The commits, merges as well, that changed a file, and the content that each made."""
        return {link.maker_id: blob for blob, links in self._links.get(file_id, {}).items() for link in links}

    def known_of(self, version: Version) -> Known:
        """What an earlier run found out about the symbols of a version."""
        if self._parsed is None:
            self._parsed = index_changes.read_parsed(self.db)
        if self._parsed.get(version[0]) != version[1]:
            return {}
        if version not in self._known:
            self._known[version] = index_changes.read_known(self.db, *version)
        return self._known[version]

    def forget(self) -> None:
        """Give the memory back; what is asked for again is read again."""
        self._links.clear()
        self._known.clear()
        self._parsed = None

    def _read(self, file_id: int) -> dict[bytes, list[Link]]:
        found: dict[bytes, list[Link]] = {}
        for change in index_changes.read_links(self.db, file_id):
            if change.blob is not None:
                before = (change.old_file_id, change.old_blob) if change.old_blob is not None else None
                edits = None if change.hunks is None else unpack_edits(change.hunks)
                found.setdefault(change.blob, []).append(_link(change.commit_id, before, edits))
        for merge_id, blob, sides in index_changes.read_merges(self.db, file_id):
            if blob is not None:
                for old_blob, edits in unpack_sides(sides):
                    if old_blob is not None and old_blob != blob:
                        link = _link(merge_id, (file_id, old_blob), edits)._replace(commit_id=0)
                        found.setdefault(blob, []).append(link)
        return found


def trace_lines(
    start: Version,
    lines: Mapping[int, Lines],
    links_to: Callable[[Version], list[Link]],
    *,
    known_of: Callable[[Version], Known] = lambda _: {},
) -> dict[int, dict[int, tuple[int, int]]]:
    """For each range of lines of a version the commits that touched it: id -> (lines added, lines removed).

    As `git log -L` over each range, but that all branches that wrote the content count. What `known_of` tells of
    just these lines of an older version is taken as it is.
    """
    touched: dict[int, dict[int, tuple[int, int]]] = {key: {} for key in lines}
    seen: dict[Version, set[tuple[int, Lines]]] = {}
    todo: dict[Version, list[tuple[int, Lines]]] = {start: list(lines.items())}
    inherited: list[tuple[int, Mapping[int, tuple[int, int]]]] = []
    steps = 0
    while todo and steps < MAX_STEPS:
        version, items = todo.popitem()
        items = _join_overlaps(items)
        known = seen.setdefault(version, set())
        fresh = [item for item in items if item not in known] if known else items
        known.update(fresh)
        if version != start and (told := known_of(version)):
            inherited += [(key, told[part]) for key, part in fresh if part in told]
            fresh = [item for item in fresh if item[1] not in told]
        if not fresh:
            continue
        for link in links_to(version):
            steps += len(fresh)
            carried = _follow(link, fresh, touched)
            if link.before is not None and carried:
                todo.setdefault(link.before, []).extend(carried)
    _merge(touched, inherited)
    return touched


def trace_file(start: Version, links_to: Callable[[Version], list[Link]]) -> list[int]:
    """The commits that made a version or one of those before it."""
    found: dict[int, None] = {}
    seen = {start}
    todo = [start]
    while todo:
        for link in links_to(todo.pop()):
            if link.commit_id:
                found[link.commit_id] = None
            if link.before is not None and link.before not in seen:
                seen.add(link.before)
                todo.append(link.before)
    return list(found)


def _join_overlaps(items: list[tuple[int, Lines]]) -> list[tuple[int, Lines]]:
    """The same lines that came on several ways, once."""
    if len({key for key, _ in items}) == len(items):
        return items
    out: list[tuple[int, Lines]] = []
    for key, (start, end) in sorted(items):
        if out and out[-1][0] == key and start < out[-1][1][1]:
            before = out.pop()[1]
            start, end = before[0], max(before[1], end)
        out.append((key, (start, end)))
    return out


def _merge(
    touched: dict[int, dict[int, tuple[int, int]]],
    inherited: Iterable[tuple[int, Mapping[int, tuple[int, int]]]],
) -> None:
    """Add what was known; a commit that was met on another way, too, counts once."""
    for key, told in inherited:
        for commit_id, (added, removed) in told.items():
            own = touched[key].get(commit_id, (0, 0))
            touched[key][commit_id] = max(own[0], added), max(own[1], removed)


def _link(commit_id: int, before: Version | None, edits: list[Edit] | None) -> Link:
    return Link(commit_id, before, edits, [edit[3] for edit in edits or ()], commit_id)


def _follow(
    link: Link, items: Iterable[tuple[int, Lines]], touched: dict[int, dict[int, tuple[int, int]]]
) -> list[tuple[int, Lines]]:
    """The ranges in the version before a change; notes which of them the change touched."""
    commit_id, _, edits, ends, _ = link
    if edits is None:
        return []
    if not edits:
        return list(items)
    count = len(edits)
    counts: dict[int, tuple[int, int]] = {}
    out: list[tuple[int, Lines]] = []
    for key, part in items:
        start, end = part
        first = bisect_left(ends, start)
        if first == count or edits[first][2] >= end:  # the change does not meet these lines
            if first:
                offset = edits[first - 1][1] - ends[first - 1]
                part = start + offset, end + offset
            out.append((key, part))
            continue
        before, added, removed = carry_back(part, edits, first=first)
        for old in before:
            out.append((key, old))
        if commit_id and (added or removed):
            known = counts.get(key, (0, 0))
            counts[key] = known[0] + added, known[1] + removed
    for key, (added, removed) in counts.items():
        known = touched[key].get(commit_id, (0, 0))  # met before on another way: counts once
        touched[key][commit_id] = max(known[0], added), max(known[1], removed)
    return out
