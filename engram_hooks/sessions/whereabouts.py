"""Which file of which indexed repository a tool's path means. No file of a work tree is opened for it."""

from __future__ import annotations

import os

from engram_hooks.paths import find_place, head_commit, home_dir
from engram_hooks.store.index_files import find_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection

    from engram_hooks.store.sessions import Session

    # (project id, its uid, path from the top of the checkout with slashes, absolute path)
    Spot = tuple[int, str, str, str]


def target_of(payload: dict[str, object]) -> str:
    """The path that the tool was given, '' where there is none."""
    given = payload.get("tool_input")
    for key in ("file_path", "notebook_path", "path"):
        value = given.get(key) if isinstance(given, dict) else None
        if isinstance(value, str) and value:
            return value
    return ""


def find_spot(
    db: Connection, data: str, path: str, *, cwd: str, session: Session, environ: Mapping[str, str]
) -> Spot | None:
    """The spot of a path as a tool was given it: relative to `cwd`, with `~`, absolute, through links.

    None outside repositories, for the top of one, and where its project has no index. A file of another repository
    belongs to that one's project, whatever the session's is.
    """
    given = make_absolute(path, cwd=cwd, home=home_dir(environ))
    if not given:
        return None
    real = os.path.realpath(given)
    folder = os.path.dirname(real)
    kind, root, _ = find_place(folder, home_dir(environ))
    if kind != "git" or real == root:
        return None
    project_id = session[1] if root == session[2] else _other_project(db, folder, environ)
    uid = find_index(db, data, project_id) if project_id else ""
    if not project_id or not uid:
        return None
    return (project_id, uid, real[len(root.rstrip(os.sep)) + 1 :].replace(os.sep, "/"), real)


def find_outdated(
    db: Connection, data: str, session: Session, *, environ: Mapping[str, str], may_begin: bool
) -> str:
    """The place of a session's repository where its index is not at the head, or cannot be read; else ''.

    The head is that of the checkout that stands for the place: an index follows one, not each worktree in turn.
    Where there is no index at all the place counts with `may_begin` only. A head that files do not tell is left alone.
    """
    from engram_hooks.store.places import root_of

    kind, root, key = find_place(session[2], home_dir(environ))
    if kind != "git" or root != session[2]:
        return ""
    head, uid = head_commit(root_of(db, key)), find_index(db, data, session[1])
    if not uid:
        return key if head and may_begin else ""
    return key if head and head != _read_indexed_head(data, uid) else ""


def _read_indexed_head(data: str, uid: str) -> str:
    from engram_hooks.errors import StoreError
    from engram_hooks.store.connect import DatabaseError
    from engram_hooks.store.index_briefs import read_head
    from engram_hooks.store.index_files import open_index

    try:
        index = open_index(data, uid)
        try:
            return read_head(index)
        finally:
            index.close()
    except (StoreError, DatabaseError):
        return ""  # of an older version, damaged: made anew


def make_absolute(path: str, *, cwd: str, home: str) -> str:
    """The path with `~` and a relative beginning filled in, '' where that cannot be or it is no path."""
    if path[:1] == "~" and (len(path) == 1 or path[1] in "/\\"):
        path = home + path[1:] if home else ""
    if not path or "\0" in path or (not os.path.isabs(path) and not os.path.isabs(cwd)):
        return ""
    return os.path.join(cwd, path)


def _other_project(db: Connection, folder: str, environ: Mapping[str, str]) -> int | None:
    from engram_hooks.store.places import locate

    scope = {name: value for name, value in environ.items() if name != "ENGRAM_PROJECT"}
    return locate(db, folder, scope, now_ms=0, create=False)[0]


def list_spellings(inside: str) -> list[str]:
    """The same name with its accents composed in other ways: the file system may give one, the history another."""
    if inside.isascii():
        return []
    from unicodedata import normalize

    return [name for form in ("NFC", "NFD") if (name := normalize(form, inside)) != inside]


def ignores_case(real: str) -> bool:
    """Whether the folder of a file takes its name in another case for the same file."""
    folder, name = os.path.split(real)
    other = name.swapcase()
    try:
        return other != name and os.path.samefile(real, os.path.join(folder, other))
    except OSError:
        return False
