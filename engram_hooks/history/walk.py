"""One streaming pass over `git log`: every commit with the files and lines it changed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from engram_hooks.errors import EngramError
from engram_hooks.history import git
from engram_hooks.history.changes import Commit, FileChange, Hunk, MergedFile
from engram_hooks.history.stream import FORMAT, LogReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

__all__ = ["Commit", "FileChange", "Hunk", "MergedFile", "resolve", "walk_commits"]

MAX_BLOB_BYTES = 8 << 20  # git shows larger files as binary

# what the user's or the repository's settings must not change in the output
_SETTINGS = (
    f"core.bigFileThreshold={MAX_BLOB_BYTES}",
    f"core.attributesFile={os.devnull}",
    "core.quotePath=true",
    "diff.renameLimit=1000",
    f"diff.orderFile={os.devnull}",
    "log.showRoot=true",
    "log.follow=false",
    "log.mailmap=false",
    f"mailmap.file={os.devnull}",
)
_SHAPE = (
    *("-z", "--raw", "--no-abbrev", "--patch", "--unified=0", "--inter-hunk-context=0", "-M"),
    *("--diff-merges=combined", "--diff-algorithm=myers", "--indent-heuristic", "--submodule=short"),
    *("--no-ext-diff", "--no-textconv", "--no-color", "--no-show-signature", "--no-notes", "--no-prefix"),
    *("--no-relative", "--ignore-submodules=none", "--encoding=UTF-8", f"--format=tformat:{FORMAT}"),
)


def walk_commits(
    root: str,
    *,
    rev: str = "HEAD",
    after: str | None = None,
    hashes: Sequence[str] | None = None,
    environ: Mapping[str, str] | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Iterator[Commit]:
    """The commits of `rev`, newest first, no parent before its child; none in a repository without commits.

    `root`: a checkout or a git folder. `after`: leave out this commit and its ancestors. `hashes`: exactly
    these commits in this order, instead of `rev`. `on_progress` is told after each commit how many there
    were. Memory is bounded: very large changes lose their texts (`is_cut`). Raises `GitError`, also for an
    unknown `rev`.
    """
    if hashes is None:
        tip = resolve(root, rev, environ=environ)
        if not tip:
            return
        revisions = ["--topo-order", tip, *(["--not", after] if after else []), "--"]
        stdin = b""
    else:
        revisions = ["--no-walk=unsorted", "--stdin"]
        stdin = "".join(f"{name}\n" for name in hashes).encode("ascii")
        if not hashes:
            return
    boundary = read_boundary(root, environ=environ)
    arguments = [part for setting in _SETTINGS for part in ("-c", setting)]
    arguments += ["log", *_SHAPE, *revisions]
    with git.open_stream(arguments, root, environ=environ, stdin=stdin) as stream:
        for number, commit in enumerate(LogReader(stream).read(), 1):
            if commit.hash in boundary:
                commit = commit._replace(changes=(), merged=(), is_boundary=True)
            yield commit
            if on_progress:
                on_progress(number)


def resolve(root: str, rev: str = "HEAD", *, environ: Mapping[str, str] | None = None) -> str:
    """The full hash of the commit that `rev` names; '' for the HEAD of a repository without commits.

    Raises `GitError`.
    """
    query = ["rev-parse", "--verify", "--end-of-options", f"{rev}^{{commit}}"]
    try:
        return git.run(query, root, environ=environ).decode("ascii").strip()
    except git.GitMissing:
        raise
    except git.GitError as error:
        if "Needed a single revision" not in error.message:
            raise
        if rev == "HEAD" and _is_unborn(root, environ):
            return ""
        raise git.GitError(
            f"there is no commit {rev[:80]!r} here ({root})", hint="git log --oneline"
        ) from None


def read_boundary(root: str, *, environ: Mapping[str, str] | None = None) -> frozenset[str]:
    """The commits at which a shallow clone ends; none for a full one. Raises `GitError`."""
    path = git.run(["rev-parse", "--git-path", "shallow"], root, environ=environ)
    name = os.fsdecode(path.removesuffix(b"\n"))
    try:
        with open(os.path.join(root, name), encoding="ascii", errors="replace") as file:
            return frozenset(file.read().split())
    except FileNotFoundError:
        return frozenset()
    except OSError as error:
        raise EngramError(f"the list of shallow commits cannot be read: {error.strerror}") from None


def _is_unborn(root: str, environ: Mapping[str, str] | None) -> bool:
    """Whether HEAD names a branch that has no commit yet."""
    try:
        git.run(["symbolic-ref", "--quiet", "HEAD"], root, environ=environ)
    except git.GitMissing:
        raise
    except git.GitError:
        return False
    return True
