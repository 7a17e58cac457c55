"""Single commits by their names: which there are, which no branch holds any more, what they became when rewritten."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from engram_hooks.history import git
from engram_hooks.history.stream import decode_path

TIMEOUT_S = 60.0
_FORMAT = "--format=%H%x00%at%x00%ae%x00%s"


class Touch(NamedTuple):
    """A commit that changed a file: its name, moment (ms UTC), and what the file was then ('' gone)."""

    commit: str
    at_ms: int
    blob: str


def find_commits(
    root: str, names: Iterable[str], *, environ: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Name as it was typed -> full name, of those that name exactly one commit. Raises `GitError`."""
    wanted = list(dict.fromkeys(names))
    if not wanted:
        return {}
    stdin = "".join(f"{name}^{{commit}}\n" for name in wanted).encode("utf-8", "surrogateescape")
    answers = git.run(["cat-file", "--batch-check"], root, environ=environ, stdin=stdin).decode(
        "utf-8", "replace"
    )
    found: dict[str, str] = {}
    for name, answer in zip(wanted, answers.split("\n"), strict=False):
        fields = answer.split(" ")
        if len(fields) == 3 and fields[1] == "commit":
            found[name] = fields[0]
    return found


def find_lost(root: str, commits: Sequence[str], *, environ: Mapping[str, str] | None = None) -> set[str]:
    """Those of the full names that no branch, tag, remote or checkout holds any more. Raises `GitError`."""
    known = find_commits(root, commits, environ=environ)
    lost = {commit for commit in commits if commit not in known}
    if known:
        stdin = "".join(f"{commit}\n" for commit in known).encode("ascii")
        query = ["rev-list", "--stdin", "--not", "--all"]
        left = git.run(query, root, environ=environ, timeout_s=TIMEOUT_S, stdin=stdin).decode("ascii").split()
        lost |= known.keys() & set(left)
    return lost


def mark_commits(
    root: str, commits: Iterable[str], *, environ: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Full name -> a mark that a commit keeps when it is rebased or picked. Raises `GitError`."""
    wanted = list(dict.fromkeys(commits))
    if not wanted:
        return {}
    stdin = "".join(f"{commit}\n" for commit in wanted).encode("ascii")
    query = ["log", "-z", "--no-walk=unsorted", "--stdin", _FORMAT]
    return dict(_read_marks(git.run(query, root, environ=environ, stdin=stdin)))


def find_rewritten(
    root: str, marks: Iterable[str], *, environ: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Mark -> the commit of today that has it: the same author, moment and subject. Raises `GitError`."""
    wanted = set(marks)
    if not wanted:
        return {}
    output = git.run(["log", "-z", "--all", _FORMAT], root, environ=environ, timeout_s=TIMEOUT_S)
    found: dict[str, str] = {}
    for commit, mark in _read_marks(output):
        if mark in wanted:
            found.setdefault(mark, commit)
    return found


def list_touches(
    root: str, tips: Sequence[str], paths: Sequence[str], *, environ: Mapping[str, str] | None = None
) -> dict[str, list[Touch]]:
    """Path -> the commits that changed it, newest first. Raises `GitError`."""
    if not paths:
        return {}
    shape = "--raw", "-z", "--no-abbrev", "--no-renames", "--diff-merges=off", "--format=%x01%H %ct"
    query = ["log", *shape, *tips, "--", *paths]
    output = git.run(query, root, environ=environ, timeout_s=TIMEOUT_S)
    found: dict[str, list[Touch]] = {path: [] for path in paths}
    for part in output.split(b"\x01")[1:]:
        head, _, raw = part.partition(b"\0")
        commit, moment = head.decode("ascii").split()
        fields = raw.lstrip(b"\n\0").split(b"\0")
        for change, path in zip(fields[::2], fields[1::2], strict=False):
            name = decode_path(path)
            if change.startswith(b":") and name in found:
                blob = change.split(b" ")[3].decode("ascii")
                found[name].append(Touch(commit, int(moment) * 1000, blob if blob.strip("0") else ""))
    return found


def _read_marks(output: bytes) -> Iterable[tuple[str, str]]:
    fields = output.split(b"\0")
    for commit, moment, author, subject in zip(*(fields[at::4] for at in range(4)), strict=False):
        told = hashlib.sha256(author + b"\0" + subject).hexdigest()[:16]
        yield commit.decode("ascii").strip(), f"{moment.decode('ascii')}:{told}"
