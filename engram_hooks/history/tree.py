"""The files of a commit and their contents, read from git's objects."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping

from engram_hooks.errors import EngramError
from engram_hooks.history import git
from engram_hooks.history.stream import decode_path

MAX_TEXT_BYTES = 2 << 20
TIMEOUT_S = 120.0
_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.MULTILINE)
_SKIP_BYTES = 1 << 20


def read_tree(root: str, rev: str, *, environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """The regular files of a commit: path -> blob. Raises `GitError`."""
    listing = git.run(["ls-tree", "-r", "-z", "--full-tree", rev], root, environ=environ, timeout_s=TIMEOUT_S)
    tree: dict[str, str] = {}
    for entry in listing.split(b"\0"):
        head, _, path = entry.partition(b"\t")
        if head.startswith(b"100"):
            tree[decode_path(path)] = head.split(b" ")[2].decode("ascii")
    return tree


def read_texts(
    root: str, blobs: Iterable[str], *, environ: Mapping[str, str] | None = None
) -> Iterator[tuple[str, str | None]]:
    """(blob, text) in the order given; None for what is binary, too large or gone.

    A blob may be named by its start; one that fits several counts as gone. Raises `GitError`.
    """
    names = list(blobs)
    if not names:
        return
    stdin = "".join(f"{name}\n" for name in names).encode("ascii")
    with git.open_stream(["cat-file", "--batch"], root, environ=environ, stdin=stdin) as stream:
        for name in names:
            head = stream.readline().split()
            if not head:
                raise EngramError("git cat-file ended early")
            if head[-1] in (b"missing", b"ambiguous"):
                yield name, None
                continue
            size = int(head[2])
            if size > MAX_TEXT_BYTES:
                left = size + 1
                while left > 0:
                    left -= len(stream.read(min(left, _SKIP_BYTES))) or left
                yield name, None
                continue
            data = stream.read(size + 1)[:size]
            yield name, None if b"\0" in data[:8000] else decode_text(data)


def name_blob(data: bytes, hash_chars: int) -> str:
    """The name that git gives to a content, in the kind of names that a repository has (40 or 64 characters)."""
    digest = hashlib.sha256 if hash_chars == 64 else hashlib.sha1
    return digest(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def decode_text(data: bytes) -> str:
    """Source as text: UTF-8, else what a coding line near the top says, else with replacements."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    first = b"\n".join(data[:400].split(b"\n", 2)[:2])
    if found := _CODING.search(first):
        try:
            return data.decode(found[1].decode("ascii"))
        except (LookupError, UnicodeError):
            pass
    return data.decode("utf-8", "replace")
