"""What a commit that is being made changes: read from the index that git names, nothing is written.

A hook of git is told by variables which repository and which index are meant: a worktree has its own, and
`git commit FILE` and `git commit -a` make one for the moment. They count here, and for nothing else.
"""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, NamedTuple

from engram_hooks import paths
from engram_hooks.history import git
from engram_hooks.history.changes import Commit, FileChange
from engram_hooks.history.stream import LogReader, decode_path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_DIFF_BYTES = 4 << 20
MAX_DIFF_LINES = 40_000
MAX_FILE_BYTES = 2 << 20
MAX_HEADS = 4  # of a merge
TIMEOUT_S = 10.0
_VARIABLES = (
    *("GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"),
    *("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"),
)
_SETTINGS = (
    *(f"core.bigFileThreshold={MAX_FILE_BYTES}", f"core.attributesFile={os.devnull}", "core.quotePath=true"),
    *("diff.renameLimit=100", f"diff.orderFile={os.devnull}"),
)
_SHAPE = (
    *("-z", "--raw", "--no-abbrev", "--patch", "--unified=0", "--inter-hunk-context=0", "-M"),
    *("--diff-algorithm=myers", "--indent-heuristic", "--submodule=short", "--no-ext-diff", "--no-textconv"),
    *("--no-color", "--no-prefix", "--no-relative", "--ignore-submodules=dirty"),
)
# a change that is no commit yet reads like one without a message whose parent is unknown
_HEAD = b"\x01" + b"0" * 40 + b"\0" + b"0" * 40 + b"\0\0\0" + b"0\0" * 2 + b"\0"
# what git is in the middle of: its file -> whether the commit named there is applied, undone or merged
_UNDER_WAY = {
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "apply",
    "REBASE_HEAD": "apply",
    "REVERT_HEAD": "undo",
}


class Checkout(NamedTuple):
    """Where a commit is made: the folder git runs in, its git folder, and the variables that git gave its hook."""

    top: str
    git_dir: str
    variables: Mapping[str, str]
    environ: Mapping[str, str]


def find_checkout(cwd: str, environ: Mapping[str, str]) -> Checkout | None:
    """The checkout that git means in a hook, else that of the directory; None outside any."""
    variables = {name: environ[name] for name in _VARIABLES if environ.get(name)}
    if "GIT_DIR" in variables:
        return Checkout(cwd, os.path.join(cwd, variables["GIT_DIR"]), variables, environ)
    kind, root, _ = paths.find_place(cwd, paths.home_dir(environ))
    return Checkout(root, paths.git_dir(root), variables, environ) if kind == "git" else None


def read_staged(checkout: Checkout) -> bytes | None:
    """What git says of the staged change, None where it is too large to be looked at. Raises `GitError`."""
    output = _diff(checkout, ["--cached"])
    return None if output is None or output.count(b"\n") > MAX_DIFF_LINES else output


def parse_staged(output: bytes) -> Commit:
    """A staged change as a commit; its hash and parent are zeros."""
    found = next(LogReader(io.BytesIO(_HEAD + output)).read(), None)
    assert found is not None
    return found


def list_under_way(checkout: Checkout) -> list[tuple[str, str]]:
    """(`merge`, `apply` or `undo`, hash) of the commits that git is merging, picking, rebasing or reverting."""
    found = []
    for name, what in _UNDER_WAY.items():
        text = paths.read_small(os.path.join(checkout.git_dir, name))
        found += [(what, word) for word in text.split() if word.isalnum()]
    return found[:MAX_HEADS]


def read_intended(
    checkout: Checkout, under_way: Sequence[tuple[str, str]], files: Sequence[str]
) -> list[FileChange]:
    """What the commits under way do to these files by themselves, as far as git can say."""
    changes: list[FileChange] = []
    for what, name in under_way:
        ends = {"merge": [f"HEAD...{name}"], "apply": [f"{name}^", name], "undo": [name, f"{name}^"]}[what]
        try:
            output = _diff(checkout, ends, files)
        except git.GitMissing:
            raise
        except git.GitError:
            continue
        changes += parse_staged(output).changes if output else ()
    return changes


def read_blob(checkout: Checkout, blob: str) -> list[str]:
    """The lines of a file by the name of its content, none where it is too large or binary. Raises `GitError`."""
    output = _read(checkout, ["cat-file", "blob", blob], max_bytes=MAX_FILE_BYTES)
    return output.decode("utf-8", "replace").split("\n") if output and b"\0" not in output else []


def list_kept(checkout: Checkout, files: Sequence[str]) -> set[str]:
    """Those of the files that the index holds and that are not ignored. Raises `GitError`."""
    listing = ["ls-files", "--full-name", "-z", "--cached"]
    found = _list(checkout, [*listing, "--", *files])
    return found and found - _list(checkout, [*listing, "--ignored", "--exclude-standard", "--", *files])


def list_last(checkout: Checkout, files: Sequence[str]) -> set[str]:
    """Those of the files that the commit at HEAD changed; none where it is a merge. Raises `GitError`."""
    shape = ["--root", "-r", "-z", "--name-only", "--no-commit-id", "--no-renames"]
    return _list(checkout, ["diff-tree", *shape, "HEAD", "--", *files])


def _list(checkout: Checkout, arguments: Sequence[str]) -> set[str]:
    output = _read(checkout, arguments, max_bytes=MAX_DIFF_BYTES)
    return {decode_path(name) for name in (output or b"").split(b"\0") if name}


def _diff(checkout: Checkout, ends: Sequence[str], files: Sequence[str] = ()) -> bytes | None:
    arguments = [part for setting in _SETTINGS for part in ("-c", setting)]
    arguments += ["diff", *_SHAPE, *ends, "--", *files]
    return _read(checkout, arguments, max_bytes=MAX_DIFF_BYTES)


def _read(checkout: Checkout, arguments: Sequence[str], *, max_bytes: int) -> bytes | None:
    return git.read_some(
        arguments,
        checkout.top,
        environ=checkout.environ,
        extra=checkout.variables,
        max_bytes=max_bytes,
        timeout_s=TIMEOUT_S,
    )
