"""What a commit is to us: its message, the files it changed, and the lines of each change."""

from __future__ import annotations

from typing import NamedTuple


class Hunk(NamedTuple):
    """Lines that one version had (`old`) and what stands in their place in the next (`new`).

    Line numbers count from 1. As in git's `-U0` form, a side of no lines names the line before it. The texts
    are without their line feed (a carriage return stays); both are empty where the change was too large to
    keep (`FileChange.is_cut`). `context` is the line above that looks like the head of a function.
    """

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    removed: tuple[str, ...]
    added: tuple[str, ...]
    context: str = ""


class FileChange(NamedTuple):
    """One file of a commit: status A, M, D, R, C or T; paths with `surrogateescape` for foreign bytes.

    `is_binary`: there are no lines to see (binary, a link, a submodule, more hunks than are kept), `is_cut`:
    the hunks are complete but for their texts. Blobs are object names, '' where there is no such side or the
    side is a submodule; modes are git's (`100644`, `100755`, `120000` link, `160000` submodule, `000000` none).
    """

    status: str
    old_path: str
    path: str
    hunks: tuple[Hunk, ...]
    is_binary: bool
    is_cut: bool = False
    old_blob: str = ""
    blob: str = ""
    old_mode: str = ""
    mode: str = ""


class MergedFile(NamedTuple):
    """A file that a merge made different from all its parents: for each parent its blob and the hunks to it.

    A blob is '' where that parent has no such file. Texts of hunks are left out.
    """

    path: str
    blob: str
    old_blobs: tuple[str, ...]
    hunks: tuple[tuple[Hunk, ...], ...]


class Commit(NamedTuple):
    """One commit; moments are ms UTC, held within the years 1 to 9999.

    `changes` is against the parent and empty for a merge, where `merged` names the files that equal none of
    the parents', and for a commit at the boundary of a shallow clone (`is_boundary`), of whose parents
    nothing is known.
    """

    hash: str
    parents: tuple[str, ...]
    author: str
    authored_at: int
    committed_at: int
    message: str
    changes: tuple[FileChange, ...]
    author_email: str = ""
    merged: tuple[MergedFile, ...] = ()
    is_boundary: bool = False
