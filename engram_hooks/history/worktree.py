"""What a checkout's files have that its head has not: read from the files and git's objects, never by git's own diff,
which would run the filters that a repository's settings name."""

from __future__ import annotations

import os
from collections.abc import Mapping
from difflib import SequenceMatcher

from engram_hooks.history import git
from engram_hooks.history.tree import decode_text, name_blob, read_texts, read_tree

MAX_FILES = 300
MAX_BYTES = 1 << 20
MAX_CHANGED = 40

# path -> (lines that went, lines that came)
Changes = dict[str, tuple[list[str], list[str]]]


def read_changes(root: str, *, environ: Mapping[str, str] | None = None) -> Changes:
    """The lines in which tracked files differ from the head; of the files modified last, text alone.

    New files that git does not know are left out. Raises `GitError`.
    """
    tree = read_tree(root, "HEAD", environ=environ)
    found: dict[str, str] = {}
    for path in _latest(root, tree):
        data = _read(os.path.join(root, path))
        if data is not None and name_blob(data, len(tree[path])) != tree[path]:
            found[path] = decode_text(data)
        if len(found) >= MAX_CHANGED:
            break
    changes: Changes = {}
    before = read_texts(root, [tree[path] for path in found], environ=environ)
    for (path, text), (_, old) in zip(found.items(), before, strict=True):
        if old is not None:
            removed, added = compare(old, text)
            if removed or added:
                changes[path] = removed, added
    return changes


def compare(old: str, new: str) -> tuple[list[str], list[str]]:
    """(lines that went, lines that came) from one text to another; line ends do not count."""
    before, after = old.splitlines(), new.splitlines()
    removed: list[str] = []
    added: list[str] = []
    matcher = SequenceMatcher(None, before, after, autojunk=len(before) + len(after) > 4_000)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            removed += before[i1:i2]
            added += after[j1:j2]
    return removed, added


def find_indexed(root: str, path: str, *, environ: Mapping[str, str] | None = None) -> str:
    """The blob of a file as the index of a checkout has it, '' where it has not. Raises `GitError`."""
    listed = git.run(["ls-files", "--stage", "-z", "--", path], root, environ=environ).split(b"\0")
    blobs = [entry.split(b" ")[1].decode("ascii") for entry in listed if entry.startswith(b"100")]
    return blobs[0] if len(blobs) == 1 else ""


def _latest(root: str, tree: Mapping[str, str]) -> list[str]:
    """The files that were modified last."""
    moments: list[tuple[float, str]] = []
    for path in tree:
        try:
            moments.append((os.lstat(os.path.join(root, path)).st_mtime, path))
        except OSError:
            continue
    return [path for _, path in sorted(moments, reverse=True)[:MAX_FILES]]


def _read(name: str) -> bytes | None:
    try:
        if os.path.islink(name) or os.path.getsize(name) > MAX_BYTES:
            return None
        with open(name, "rb") as file:
            data = file.read()
    except OSError:
        return None
    return None if b"\0" in data[:8000] else data
