"""Files that a line of development had and has not any more: what they were, when they went, where to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engram_hooks.history import git
from engram_hooks.history.stream import decode_path

TIMEOUT_S = 60.0
MAX_STEPS = 20


class Departure(NamedTuple):
    """A file that went: its path, the blob that it was, when (ms UTC), and its new path ('' deleted)."""

    path: str
    blob: str
    at_ms: int
    new_path: str


# by the name of the file, of each name the newest first
Departures = Mapping[str, Sequence[Departure]]


def list_departures(
    root: str, tips: Sequence[str], *, since_ms: int, environ: Mapping[str, str] | None = None
) -> Departures:
    """The files that went since a moment. Raises `GitError`."""
    shape = "--raw", "-z", "--no-abbrev", "-M", "-l1000", "--diff-filter=DR", "--diff-merges=off"
    since = f"--since={max(0, since_ms // 1000)}"
    query = ["log", *shape, "--format=%x01%ct", "--no-ext-diff", "--no-textconv", since, *tips, "--"]
    output = git.run(query, root, environ=environ, timeout_s=TIMEOUT_S)
    found: dict[str, list[Departure]] = {}
    for part in output.split(b"\x01")[1:]:
        moment, _, raw = part.partition(b"\0")
        fields = iter(raw.lstrip(b"\n\0").split(b"\0"))
        for change in fields:
            if not change.startswith(b":"):
                continue
            columns = change.split(b" ")
            old = decode_path(next(fields, b""))
            new = decode_path(next(fields, b"")) if columns[4].startswith(b"R") else ""
            went = Departure(old, columns[2].decode("ascii"), int(moment) * 1000, new)
            found.setdefault(old.rpartition("/")[2], []).append(went)
    return found


def find_departure(departures: Departures, word: str, *, after_ms: int) -> Departure | None:
    """The file that a word names by its path, or by its end where only one of those that went has it."""
    name = word.removeprefix("./").lstrip("/")
    last = name.rpartition("/")[2]
    later = [one for one in departures.get(last, ()) if one.at_ms >= after_ms]
    for one in later:
        if one.path == name:
            return one
    if "." not in last.strip("."):
        return None
    ending = [one for one in later if one.path.endswith(f"/{name}")]
    return ending[0] if len({one.path for one in ending}) == 1 else None


def follow_departure(departures: Departures, first: Departure) -> str:
    """Where a file that went was renamed to in the end, '' where it was deleted."""
    here = first
    for _ in range(MAX_STEPS):
        named = departures.get(here.new_path.rpartition("/")[2], ())
        later = [one for one in named if one.path == here.new_path and one.at_ms >= here.at_ms]
        if not here.new_path or not later or later[-1] == here:
            break
        here = later[-1]  # newest first: the next one that went by that name
    return here.new_path
