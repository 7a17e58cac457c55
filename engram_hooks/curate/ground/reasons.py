"""Why something that a record speaks of is gone, in words: since which commit, of which day."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from engram_hooks.curate.ground.anchor_checks import path_of, span_of
from engram_hooks.history import git
from engram_hooks.history.commits import Touch, list_touches
from engram_hooks.history.lines import find_lines
from engram_hooks.history.snapshot import name_symbols
from engram_hooks.recall.fields import format_day, local_year
from engram_hooks.store.anchors import COMMIT, GLOB, LINES, SYMBOL, Anchor

if TYPE_CHECKING:
    from engram_hooks.curate.ground.sighting import Repository

MAX_PATHS = 200  # the others are told without their commit
MAX_VERSIONS = 12  # of a file, that are read to find the one where something went
SHORT = 8


def explain(repository: Repository, gone: Sequence[Anchor], *, now_ms: int) -> list[str]:
    """A sentence for each anchor: `src/retry.py is gone since 3f2a1b4c (12 May)`. Raises no error of git's."""
    paths = list(dict.fromkeys(path_of(one).rstrip("/") for one in gone if one.kind != COMMIT))[:MAX_PATHS]
    try:
        touches = list_touches(repository.root, repository.main.tips, paths, environ=repository.environ)
        versions = {
            touch.blob
            for one in gone
            if one.kind in (SYMBOL, LINES)
            for touch in touches.get(path_of(one), [])[:MAX_VERSIONS]
        }
        texts = repository.read(versions)
    except git.GitError:
        touches, texts = {}, {}
    year = local_year(now_ms)
    return [_tell(one, touches, texts, year=year) for one in gone]


def _tell(
    anchor: Anchor, touches: Mapping[str, Sequence[Touch]], texts: Mapping[str, str], *, year: int
) -> str:
    if anchor.kind == COMMIT:
        return f"no branch holds commit {anchor.ref[:SHORT]} any more"
    path = path_of(anchor)
    versions = touches.get(path.rstrip("/"), ())
    if anchor.kind == GLOB:
        return (
            f"there is nothing in {path} any more"
            if path.endswith("/")
            else f"no file matches {path} any more"
        )
    if versions and not versions[0].blob:
        return f"{path} is gone{_since(versions[0], year)}"
    if anchor.kind == SYMBOL:
        symbol = anchor.place.partition("#")[2]
        touch = _find_loss(versions, lambda text: symbol.rpartition(".")[2] in _bare(path, text), texts)
        return f"{symbol} is gone from {path}{_since(touch, year)}"
    if anchor.kind == LINES:
        touch = _find_loss(versions, lambda text: find_lines(text, anchor.content) is not None, texts)
        first, last = span_of(anchor)
        where = f"line {first}" if first == last else f"lines {first}-{last}"
        changed = f" in {touch.commit[:SHORT]} ({format_day(touch.at_ms, year)})" if touch else ""
        return f"{where} of {path} changed{changed}"
    return f"{path} is gone"


def _find_loss(
    versions: Sequence[Touch], has: Callable[[str], bool], texts: Mapping[str, str]
) -> Touch | None:
    """The commit since which something is missing: the oldest of the newest ones whose version has not got it."""
    found = None
    for touch in versions[:MAX_VERSIONS]:
        if touch.blob not in texts or has(texts[touch.blob]):
            break
        found = touch
    return found


def _bare(path: str, text: str) -> frozenset[str]:
    return frozenset(name.rpartition(".")[2] for name in name_symbols(path, text))


def _since(touch: Touch | None, year: int) -> str:
    return f" since {touch.commit[:SHORT]} ({format_day(touch.at_ms, year)})" if touch else ""
