"""Where branches that are gone stood last, and whether one had commits of its own: out of git's own journal."""

from __future__ import annotations

import os
from collections.abc import Iterator

from engram_hooks.paths import git_dir, read_small

MAX_JOURNAL_BYTES = 4 << 20
_LEFT = "checkout: moving from "


def find_last_tip(root: str, branch: str) -> str:
    """The commit at which any checkout of the repository at `root` left a branch last; '' where none says.

    The journal of a branch goes with it, that of the checkouts stays.
    """
    best = 0, ""
    for path in _journals(_shared_dir(root)):
        for line in _read_end(path):
            fields, _, said = line.partition("\t")
            if said.startswith(f"{_LEFT}{branch} to "):
                moment = _read_moment(fields)
                if moment >= best[0]:  # of one second the later line counts
                    best = moment, fields.split(" ", 1)[0]
    return best[1]


def has_own_commits(root: str, branch: str) -> bool:
    """Whether the journal of a branch that exists says that something was committed on it."""
    lines = _read_end(os.path.join(_shared_dir(root), "logs", "refs", "heads", branch))
    return any(
        line.partition("\t")[2].startswith(("commit", "cherry-pick", "revert", "am:")) for line in lines
    )


def find_new_name(root: str, branch: str) -> str:
    """What a branch was renamed to, '' where no journal says so."""
    shared = _shared_dir(root)
    top = os.path.join(shared, "logs", "refs", "heads")
    mark = f"Branch: renamed refs/heads/{branch} to refs/heads/"
    for folder, _, names in os.walk(top):
        for name in names:
            path = os.path.join(folder, name)
            if any(mark in line for line in _read_end(path)):
                return os.path.relpath(path, top).replace(os.sep, "/")
    return ""


def _shared_dir(root: str) -> str:
    own = git_dir(root) or root
    common = read_small(os.path.join(own, "commondir")).strip()
    return os.path.normpath(os.path.join(own, common)) if common else own


def _journals(shared: str) -> Iterator[str]:
    yield os.path.join(shared, "logs", "HEAD")
    trees = os.path.join(shared, "worktrees")
    try:
        names = sorted(os.listdir(trees))
    except OSError:
        return
    for name in names:
        yield os.path.join(trees, name, "logs", "HEAD")


def _read_end(path: str) -> list[str]:
    """The lines at the end of a journal; none where it cannot be read."""
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - MAX_JOURNAL_BYTES))
            return file.read().decode("utf-8", "surrogateescape").split("\n")
    except OSError:
        return []


def _read_moment(fields: str) -> int:
    parts = fields.rsplit(" ", 2)
    return int(parts[1]) if len(parts) == 3 and parts[1].isdigit() else 0
