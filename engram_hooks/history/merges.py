"""Whether the mainline has got what a branch made: by a merge, forwarded, squashed, rebased, or as a message says."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from engram_hooks.history import git
from engram_hooks.history.stream import decode_path

MERGE, FORWARD, SQUASH, REBASE, MESSAGE = "merge", "forward", "squash", "rebase", "message"
MAX_PATHS = 200  # of a branch, that its commits are looked for by
MAX_PATCHED = 2_000  # files of a branch whose changes are still compared one by one
MAX_COMMITS = 2_000  # of the mainline, newest first
MAX_PATCHES = 300  # of them, whose changes are read whole
TIMEOUT_S = 60.0
_QUIET = ("-c", f"core.attributesFile={os.devnull}", "-c", "diff.renames=false", "-c", "log.mailmap=false")
_DIFF = "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--diff-algorithm=myers"
_LISTED = "--format=%H%x00%ct%x00%s"


class Merged(NamedTuple):
    """How a branch came into the mainline: the commit that brought it, its moment in ms UTC."""

    how: str
    commit: str
    at_ms: int


class Line(NamedTuple):
    """The mainline of a repository: its folder, the commits at its end, the environment for git."""

    root: str
    tips: Sequence[str]
    environ: Mapping[str, str] | None = None

    def run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """What git prints. Raises `GitError`."""
        argv = [*_QUIET, *arguments]
        return git.run(argv, self.root, environ=self.environ, timeout_s=TIMEOUT_S, stdin=stdin)

    def run_text(self, *arguments: str) -> str:
        """The same as text."""
        return self.run(*arguments).decode("utf-8", "surrogateescape")


def has_commit(line: Line, commit: str) -> bool:
    """Whether the repository (still) has a commit. Raises `GitError` where git cannot run."""
    answer = line.run("cat-file", "--batch-check", stdin=f"{commit}^{{commit}}\n".encode())
    return b" commit " in answer


def is_contained(line: Line, commit: str) -> bool:
    """Whether the mainline contains a commit of the repository. Raises `GitError`."""
    return not line.run("rev-list", "--max-count=1", commit, "--not", *line.tips, "--").strip()


def find_containing(line: Line, tip: str, *, has_own: bool) -> Merged | None:
    """How the mainline came to contain `tip`; None where the branch never had commits of its own.

    A branch that just began stands at a commit of the mainline, too: `has_own` says that it had commits that were
    not there, as far as is known; a merge shows that by itself.
    """
    for end in line.tips:
        chain = line.run_text(
            *("rev-list", "--first-parent", "--ancestry-path", "--parents", "--timestamp", f"{tip}..{end}"),
            "--",
        ).splitlines()
        if chain:
            moment, commit, first, *_ = chain[-1].split()
            if first != tip:
                return Merged(MERGE, commit, int(moment) * 1000)
        elif not is_contained(line._replace(tips=[end]), tip):
            continue
        if has_own:
            return Merged(FORWARD, tip, _read_moment(line, tip))
    return None


def find_equal(line: Line, tip: str) -> Merged | None:
    """The commit by which the mainline got all that a branch it does not contain has changed, None for none.

    Squashed: one commit has the branch's contents, or makes the same changes. Rebased: each commit has an equal.
    Raises `GitError`.
    """
    bases = line.run_text("merge-base", tip, *line.tips).split()
    if not bases:
        return None
    base = bases[0]
    changed = _read_changes(
        line.run("diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", base, tip)
    )
    if not changed:
        return None
    since = [*line.tips, f"^{base}", "--", *sorted(changed)[:MAX_PATHS]]
    for commit, at_ms, made in _list_changes(line, since):
        if made == changed:
            return Merged(SQUASH, commit, at_ms)
    return None if len(changed) > MAX_PATCHED else _find_patch(line, base, tip, since)


def _find_patch(line: Line, base: str, tip: str, since: Sequence[str]) -> Merged | None:
    """The same by what was changed, where the files had other contents besides."""
    log = [
        "log",
        "-p",
        "--no-merges",
        "--full-diff",
        "--format=commit %H",
        *_DIFF,
        f"--max-count={MAX_PATCHES}",
    ]
    patches = _name_patches(line, [*log, *since])
    if not patches:
        return None
    for patch in _name_patches(line, ["diff-tree", "-p", "-r", *_DIFF, base, tip]):
        if patch in patches:
            return Merged(SQUASH, patches[patch], _read_moment(line, patches[patch]))
    own = _name_patches(line, [*log, tip, *(f"^{end}" for end in line.tips), "--"])
    if own and own.keys() <= patches.keys():
        last = patches[next(iter(own))]
        return Merged(REBASE, last, _read_moment(line, last))
    return None


def find_named(line: Line, branch: str, *, since_ms: int) -> Merged | None:
    """The newest merge of the mainline since a moment that says it merged the branch. Raises `GitError`."""
    name = re.escape(branch)
    says = re.compile(
        rf"^Merge (?:remote-tracking )?branch '(?:[\w.-]+/)?{name}'"
        rf"|^Merge pull request #\d+ from [^/\s]+/{name}$|^Merged in {name} \(|^Merge branch '{name}' into "
    )
    listed = line.run_text(
        *(
            "log",
            "--merges",
            "-z",
            _LISTED,
            f"--since={max(0, since_ms // 1000)}",
            f"--max-count={MAX_COMMITS}",
        ),
        *line.tips,
        "--",
    )
    fields = listed.split("\0")
    for commit, moment, subject in zip(fields[::3], fields[1::3], fields[2::3], strict=False):
        if says.search(subject):
            return Merged(MESSAGE, commit, int(moment) * 1000)
    return None


def _read_moment(line: Line, commit: str) -> int:
    return int(line.run("log", "-1", "--no-walk", "--format=%ct", commit, "--") or 0) * 1000


def _read_changes(raw: bytes) -> dict[str, str]:
    """Path -> what it holds then, out of the raw form of a comparison ('0000...' where it is gone)."""
    fields = raw.split(b"\0")
    return {
        decode_path(path): head.split(b" ")[3].decode("ascii")
        for head, path in zip(fields[::2], fields[1::2], strict=False)
        if head.startswith(b":")
    }


def _list_changes(line: Line, since: Sequence[str]) -> Iterator[tuple[str, int, dict[str, str]]]:
    """(commit, moment in ms, what it changed) of the mainline's commits that touch the paths, merges aside."""
    shape = "--no-merges", "--full-diff", "--raw", "-z", "--no-abbrev", "--no-renames", "--format=%x01%H %ct"
    output = line.run("log", *shape, f"--max-count={MAX_COMMITS}", *since)
    for part in output.split(b"\x01")[1:]:
        head, _, raw = part.partition(b"\0")
        commit, moment = head.split()
        yield commit.decode("ascii"), int(moment) * 1000, _read_changes(raw.lstrip(b"\n\0"))


def _name_patches(line: Line, arguments: Sequence[str]) -> dict[str, str]:
    """The name of each patch that git prints -> its commit; white space and line numbers do not count."""
    text = line.run(*arguments)
    named = line.run("patch-id", "--stable", stdin=text).decode("ascii").split("\n") if text.strip() else []
    return {patch: commit for patch, _, commit in (one.partition(" ") for one in named) if patch}
