"""Whether what a record speaks of is still there, and what that makes of the record. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_hooks.history.lines import find_lines
from engram_hooks.store.anchors import (
    COMMIT,
    DETAIL,
    FILE,
    GIVEN,
    GLOB,
    GONE,
    LINES,
    NEW,
    PATHS,
    SUMMARY,
    SYMBOL,
    THERE,
    WAIVED,
    Anchor,
)

if TYPE_CHECKING:
    from engram_hooks.curate.ground.anchors import Sight

# what a record is about is named by a person, by its paths, by its summary; its detail counts where none of these do
_GROUPS = (GIVEN,), (PATHS,), (SUMMARY,)


def list_blobs(anchor: Anchor, sight: Sight) -> set[str]:
    """The blobs that have to be read before an anchor can be looked at: of files that are not what they were."""
    if anchor.kind not in (SYMBOL, LINES):
        return set()
    blobs = {blob for _, blob in _places(anchor, sight)}
    if anchor.blob in blobs and anchor.state == THERE:
        return set()
    if anchor.kind == SYMBOL:
        symbol = anchor.place.partition("#")[2]
        blobs |= {
            view.tree[path] for path in sight.define(symbol) for view in sight.views if path in view.tree
        }
    return blobs


def look_again(anchor: Anchor, sight: Sight) -> Anchor:
    """The anchor as it is now: there (renamed or moved, maybe), or gone. What cannot be told stays as it was."""
    found = _FINDERS[anchor.kind](anchor, sight)
    if found is anchor:
        return anchor
    if found is not None:
        return replace(found, state=THERE, reason="")
    return anchor if anchor.state in (GONE, WAIVED, NEW) else replace(anchor, state=GONE)


def find_fault(anchors: Sequence[Anchor]) -> list[Anchor]:
    """The anchors that make their record doubtful, none where it holds.

    Each thing that a person gave as evidence counts, and so does each symbol, each commit and each line that the
    record is about; of the files that it is about, one that is left is enough.
    """
    foremost = [one for one in anchors if one.source != DETAIL]
    for sources in (*_GROUPS, *(() if foremost else ((DETAIL,),))):
        group = [one for one in anchors if one.source in sources and one.state != NEW]
        gone = [one for one in group if one.state == GONE]
        files = [one for one in group if one.kind in (FILE, GLOB)]
        telling = [one for one in gone if one.kind not in (FILE, GLOB) or sources == (GIVEN,)]
        if telling:
            return telling
        if files and all(one.state == GONE for one in files):
            return files
    return []


def path_of(anchor: Anchor) -> str:
    """The file of an anchor, where it is now."""
    if anchor.kind == SYMBOL:
        return anchor.place.partition("#")[0]
    return anchor.place.rpartition(":")[0] if anchor.kind == LINES else anchor.place


def span_of(anchor: Anchor) -> tuple[int, int]:
    """The lines of an anchor of lines, where they are now."""
    first, _, last = anchor.place.rpartition(":")[2].partition("-")
    return int(first), int(last)


def _places(anchor: Anchor, sight: Sight) -> Iterator[tuple[str, str]]:
    """(path, blob) of an anchor's file in each view that has it: by its name of now, the first one, or a later one."""
    first = replace(anchor, place=anchor.ref)
    for view in sight.views:
        now = path_of(anchor)
        for path in (now, path_of(first), view.moved(now)):
            if path and path in view.tree:
                yield path, view.tree[path]
                break


def _find_file(anchor: Anchor, sight: Sight) -> Anchor | None:
    return next((replace(anchor, place=path, blob=blob) for path, blob in _places(anchor, sight)), None)


def _find_glob(anchor: Anchor, sight: Sight) -> Anchor | None:
    is_folder = anchor.place.endswith("/")
    for view in sight.views:
        names = (anchor.place, anchor.ref, *((view.moved_folder(anchor.place),) if is_folder else ()))
        for name in filter(None, names):
            if view.has_folder(name) if is_folder else view.has_match(name):
                return replace(anchor, place=name)
    return None


def _find_symbol(anchor: Anchor, sight: Sight) -> Anchor | None:
    symbol = anchor.place.partition("#")[2]
    places = list(_places(anchor, sight))
    others = [
        (path, view.tree[path]) for path in sight.define(symbol) for view in sight.views if path in view.tree
    ]
    for path, blob in [*places, *others]:
        if blob == anchor.blob and anchor.state == THERE and (path, blob) in places:
            return replace(anchor, place=f"{path}#{symbol}")
        if blob not in sight.texts and (path, blob) in places:
            return anchor  # what nobody can read nobody can call gone
        if sight.declares(path, blob, symbol):
            return replace(anchor, place=f"{path}#{symbol}", blob=blob)
    return None


def _find_lines(anchor: Anchor, sight: Sight) -> Anchor | None:
    first, last = span_of(anchor)
    for path, blob in _places(anchor, sight):
        if blob == anchor.blob and anchor.state == THERE:
            return replace(anchor, place=f"{path}:{first}-{last}")
        text = sight.texts.get(blob)
        if text is None:
            return anchor
        found = find_lines(text, anchor.content, near=first)
        if found:
            return replace(anchor, place=f"{path}:{found[0]}-{found[1]}", blob=blob)
    return None


def _find_commit(anchor: Anchor, sight: Sight) -> Anchor | None:
    name = sight.lost.get(anchor.place, anchor.place)  # '' where it is lost for good
    return replace(anchor, place=name) if name else None


_FINDERS = {
    FILE: _find_file,
    GLOB: _find_glob,
    SYMBOL: _find_symbol,
    LINES: _find_lines,
    COMMIT: _find_commit,
}
