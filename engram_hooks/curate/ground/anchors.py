"""From what a record mentions to anchors in the repository: only what git's objects have counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engram_hooks.curate.ground.mentions import MAX_MENTIONS, WILD, Mention
from engram_hooks.history.languages import language_of
from engram_hooks.history.lines import name_lines
from engram_hooks.history.snapshot import Snapshot, name_symbols
from engram_hooks.history.vanished import Departures, find_departure, follow_departure
from engram_hooks.store.anchors import (
    COMMIT,
    FILE,
    GLOB,
    LINES,
    SUMMARY,
    SYMBOL,
    Anchor,
)

# of files that are no source
_ENDINGS = frozenset(
    "md rst txt json yaml yml toml ini cfg conf xml html css scss sql lock csv proto tf env".split()
)


def _find_nowhere(_name: str) -> Sequence[str]:
    return ()


@dataclass(slots=True)
class Sight:
    """What is known of the repository while records are looked at.

    `views` are the lines that count, the record's own branch before the mainline; `texts` are blobs that were read,
    `commits` full names by those that were typed, `marks` what a commit keeps when it is rewritten, `lost` what
    commits that no branch holds are called now ('' gone for good), `define` finds files by a symbol, and
    `departures` are files that went since the records were made.
    """

    views: Sequence[Snapshot]
    texts: Mapping[str, str] = field(default_factory=dict)
    commits: Mapping[str, str] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)
    lost: Mapping[str, str] = field(default_factory=dict)
    define: Callable[[str], Sequence[str]] = _find_nowhere
    departures: Departures = field(default_factory=dict)
    _symbols: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)

    def resolve(self, word: str) -> tuple[str, str]:
        """(path, blob) of the file that a word names, ("", "") for none."""
        for view in self.views:
            path = view.resolve(word)
            if path and _is_text(path):
                return path, view.tree[path]
        return "", ""

    def declares(self, path: str, blob: str, symbol: str) -> bool:
        """Whether a file that was read declares a symbol."""
        key = path, blob
        text = self.texts.get(blob, "")
        if symbol.rpartition(".")[2] not in text:
            return False
        if key not in self._symbols:
            self._symbols[key] = name_symbols(path, text)
        return symbol in self._symbols[key] or any(name.endswith(f".{symbol}") for name in self._symbols[key])


def list_words(mentions: Iterable[tuple[str, Mention]], sight: Sight) -> set[str]:
    """The blobs that have to be read before these mentions can become anchors."""
    wanted: set[str] = set()
    files: set[str] = set()
    has_symbol = False
    for _, mention in mentions:
        if mention.kind == SYMBOL and not mention.symbol:
            has_symbol = True
            files.update(_blobs(sight.define(mention.name), sight))
        path, blob = sight.resolve(mention.name) if mention.kind in (FILE, LINES, SYMBOL) else ("", "")
        if path:
            files.add(blob)
            if mention.kind == LINES or mention.symbol:
                wanted.add(blob)
    return wanted | files if has_symbol else wanted


def find_anchors(mentions: Iterable[tuple[str, Mention]], sight: Sight, *, made_at: int = 0) -> list[Anchor]:
    """The anchors that mentions make, each once, at most MAX_MENTIONS of each place that names them.

    A bare symbol counts where a file that is mentioned too declares it, or one file of the repository alone. A
    file that went since the record was made (`made_at`, ms UTC) is an anchor, too.
    """
    found: dict[tuple[str, str], Anchor] = {}
    counts: dict[str, int] = {}
    loose: list[tuple[str, Mention]] = []
    for source, mention in mentions:
        if mention.kind == SYMBOL and not mention.symbol:
            loose.append((source, mention))
            continue
        anchor = _anchor(mention, source, sight) or _anchor_past(mention, source, sight, made_at)
        if anchor and counts.get(source, 0) < MAX_MENTIONS:
            counts[source] = counts.get(source, 0) + 1
            found.setdefault((anchor.kind, anchor.ref), anchor)
    files = [(one.place.partition(":")[0].partition("#")[0], one.blob) for one in found.values() if one.blob]
    for source, mention in loose:
        defined = [(path, blob) for path in sight.define(mention.name) for blob in _blobs([path], sight)]
        own = [file for file in dict.fromkeys(files) if sight.declares(*file, mention.name)]
        other = [file for file in dict.fromkeys(defined) if sight.declares(*file, mention.name)]
        chosen = own[:1] or (other if len(other) == 1 else [])
        if chosen and counts.get(source, 0) < MAX_MENTIONS:
            counts[source] = counts.get(source, 0) + 1
            path, blob = chosen[0]
            ref = f"{path}#{mention.name}"
            found.setdefault((SYMBOL, ref), Anchor(SYMBOL, ref, ref, source, blob))
    return list(found.values())


def _anchor(mention: Mention, source: str, sight: Sight) -> Anchor | None:
    if mention.kind == COMMIT:
        full = sight.commits.get(mention.name, "")
        return Anchor(COMMIT, full, full, source, content=sight.marks.get(full, "")) if full else None
    if mention.kind == GLOB:
        return _anchor_glob(mention.name, source, sight)
    path, blob = sight.resolve(mention.name)
    if not path:
        return _anchor_glob(f"{mention.name}/", source, sight) if mention.kind == FILE else None
    if mention.kind == LINES:
        text = sight.texts.get(blob, "")
        name = name_lines(text, mention.first, mention.last) if mention.last <= text.count("\n") + 1 else ""
        if name:
            ref = f"{path}:{mention.first}-{mention.last}"
            return Anchor(LINES, ref, ref, source, blob, name)
    elif mention.symbol and sight.declares(path, blob, mention.symbol):
        ref = f"{path}#{mention.symbol}"
        return Anchor(SYMBOL, ref, ref, source, blob)
    return Anchor(FILE, path, path, source, blob)


def _anchor_past(mention: Mention, source: str, sight: Sight, made_at: int) -> Anchor | None:
    if mention.kind not in (FILE, LINES, SYMBOL) or not sight.departures:
        return None
    went = find_departure(sight.departures, mention.name, after_ms=made_at)
    if went is None or not _is_text(went.path):
        return None
    now = follow_departure(sight.departures, went)
    return Anchor(FILE, went.path, now if now and _is_text(now) else went.path, source, went.blob)


def has_unknown(mentions: Iterable[tuple[str, Mention]], sight: Sight, *, made_at: int = 0) -> bool:
    """Whether a word that looks like a path names nothing that there is now, nor what went since `made_at`."""
    return any(
        mention.kind in (FILE, LINES)
        and _looks_like_path(mention.name)
        and not any(view.has_name(mention.name) for view in sight.views)
        and _anchor_past(mention, SUMMARY, sight, made_at) is None
        for _, mention in mentions
    )


def _looks_like_path(name: str) -> bool:
    folder, _, last = name.rpartition("/")
    stem, _, ending = last.rpartition(".")
    return bool(stem and ending) and bool(folder or ending in _ENDINGS or language_of(last))


def _anchor_glob(glob: str, source: str, sight: Sight) -> Anchor | None:
    is_folder = glob.endswith("/") and not any(char in glob for char in WILD)
    name = glob.removeprefix("./").lstrip("/")
    has = any(view.has_folder(name) if is_folder else view.has_match(name) for view in sight.views)
    return Anchor(GLOB, name, name, source) if has else None


def _blobs(paths: Iterable[str], sight: Sight) -> list[str]:
    return [view.tree[path] for path in paths for view in sight.views if path in view.tree]


def _is_text(path: str) -> bool:
    """Whether a path can be written as text."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
