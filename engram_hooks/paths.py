"""Where data lives, and which repository or folder a directory belongs to.

The folders follow the rules of `platformdirs`, repeated here because importing it costs more than
a whole hook (a test compares the two). Nothing here starts a process: `.git` is read as a file.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

APP = "engram"
STORE_NAME = "engram.db"
OFF_NAME = "off"
BRAIN_FOLDER = "brain"
BRAIN_MARKER = ".engram-brain"
MAX_PACKED_BYTES = 8 << 20
MARKERS = ".engram", ".claude"


def home_dir(environ: Mapping[str, str]) -> str:
    """The user's home folder without a trailing separator; empty where the environment names none."""
    home = environ.get("USERPROFILE", "") if os.name == "nt" else environ.get("HOME", "")
    return home.rstrip("/\\") or home


def data_dir(environ: Mapping[str, str]) -> str:
    """The folder of store, index, spool and log: `ENGRAM_HOME`, else the system's place for user data.

    Empty where neither is known.
    """
    own = environ.get("ENGRAM_HOME")
    if own:
        return os.path.abspath(own)
    home = home_dir(environ)
    if os.name == "nt":
        local = environ.get("LOCALAPPDATA") or (home and os.path.join(home, "AppData", "Local"))
        return os.path.join(local, APP) if local else ""
    if sys.platform == "darwin":
        return f"{home}/Library/Application Support/{APP}" if home else ""
    base = environ.get("XDG_DATA_HOME", "").strip() or (home and f"{home}/.local/share")
    return f"{base}/{APP}" if base else ""


def config_dir(environ: Mapping[str, str]) -> str:
    """The folder of `config.toml`: `ENGRAM_HOME`, else the system's place for settings."""
    if environ.get("ENGRAM_HOME") or os.name == "nt" or sys.platform == "darwin":
        return data_dir(environ)
    home = home_dir(environ)
    base = environ.get("XDG_CONFIG_HOME", "").strip() or (home and f"{home}/.config")
    return f"{base}/{APP}" if base else ""


def store_path(data: str) -> str:
    """The file of the store inside the data folder."""
    return os.path.join(data, STORE_NAME)


def is_off(data: str) -> bool:
    """Whether the user has switched engram off by a file in the data folder."""
    return os.path.exists(os.path.join(data, OFF_NAME))


def is_brain_folder(directory: str) -> bool:
    """Whether a directory is the one that the program which judges notes runs in, of whichever data folder.

    What is said there is engram talking to itself. Costs nothing for a directory of another name.
    """
    if os.path.basename(directory.rstrip("/\\")) != BRAIN_FOLDER:
        return False
    return os.path.isfile(os.path.join(directory, BRAIN_MARKER))


def make_private_dir(path: str) -> None:
    """Create a folder (and its parents) that only the user can read. Raises `OSError`."""
    if not os.path.isdir(path):
        os.makedirs(path, mode=0o700, exist_ok=True)
        os.chmod(path, 0o700)


def find_place(directory: str, home: str) -> tuple[str, str, str]:
    """The place a directory belongs to: (kind, root, key).

    kind is `git` (root: top of the checkout, key: the git folder shared by all its worktrees), `dir`
    (outside git: the nearest ancestor with `.engram/` or `.claude/`, else the directory) or `none` (no
    such thing as a project: the home folder itself, the root of the file system, an empty name).
    A directory that is gone is looked up through its nearest existing ancestor in the same way, but a
    plain folder among those is no project.
    """
    start = os.path.realpath(directory) if directory else ""
    if not start:
        return ("none", "", "")
    home = os.path.realpath(home) if home else ""
    passed = []
    here = start
    while True:
        git = _git_common_dir(here)
        if git:
            return ("none", "", "") if here == home else ("git", here, git)
        above = os.path.dirname(here)
        if here in (home, above):
            break
        passed.append(here)
        here = above
    root = next((one for one in passed if any(os.path.isdir(f"{one}/{name}") for name in MARKERS)), "")
    if not root and start not in (home, here) and os.path.isdir(start):
        root = start
    return ("dir", root, root) if root else ("none", "", "")


def _git_common_dir(folder: str) -> str:
    """The shared git folder where `folder` (a real path) is the top of a checkout or a bare repository, else ''."""
    dot = os.path.join(folder, ".git")
    try:
        if os.path.isfile(dot):
            return _follow_git_file(folder, dot)
    except OSError:
        return ""
    for candidate in (dot, folder):
        if os.path.isfile(f"{candidate}/HEAD") and os.path.isdir(f"{candidate}/objects"):
            return os.path.realpath(candidate) if os.path.islink(candidate) else candidate
    return ""


def _follow_git_file(folder: str, dot: str) -> str:
    text = read_small(dot)
    if not text.startswith("gitdir:"):
        return ""
    git = os.path.normpath(os.path.join(folder, text[7:].strip()))
    common = read_small(os.path.join(git, "commondir")).strip()
    if common:
        return os.path.realpath(os.path.join(git, common))
    parent = os.path.dirname(os.path.dirname(git))
    if not os.path.isdir(git) and os.path.basename(os.path.dirname(git)) == "worktrees":
        return os.path.realpath(parent)  # the main checkout was moved away: its old place is still the key
    return os.path.realpath(git)


def git_dir(root: str) -> str:
    """The checkout's own git folder (that of the worktree, where it is one), '' where there is none."""
    dot = os.path.join(root, ".git")
    if os.path.isdir(dot):
        return dot
    text = read_small(dot)
    if text.startswith("gitdir:"):
        return os.path.normpath(os.path.join(root, text[7:].strip()))
    return root if os.path.isfile(os.path.join(root, "HEAD")) else ""


def head_branch(root: str) -> str:
    """The branch that is checked out at `root`, '' when detached or unknown."""
    text = read_small(os.path.join(git_dir(root) or root, "HEAD")).strip()
    return text[16:] if text.startswith("ref: refs/heads/") else ""


def head_commit(root: str) -> str:
    """The commit that is checked out at `root`, read from files; '' where they do not say (no commit yet, reftable)."""
    own = git_dir(root)
    head = read_small(os.path.join(own, "HEAD")).strip() if own else ""
    if not head.startswith("ref: "):
        return head if _is_hash(head) else ""
    name = head[5:].strip()
    common = read_small(os.path.join(own, "commondir")).strip()
    shared = os.path.normpath(os.path.join(own, common)) if common else own
    loose = read_small(os.path.join(shared, name)).strip()
    return loose if _is_hash(loose) else _find_packed(os.path.join(shared, "packed-refs"), name)


def _is_hash(text: str) -> bool:
    return len(text) in (40, 64) and not text.strip("0123456789abcdef")


def _find_packed(path: str, name: str) -> str:
    """The commit of a reference in the file of packed ones, '' where it is not there."""
    text = "\n" + read_small(path, max_bytes=MAX_PACKED_BYTES)
    end = text.find(f" {name}\n")
    found = text[text.rfind("\n", 0, end) + 1 : end] if end > 0 else ""
    return found if _is_hash(found) else ""


def read_small(path: str, *, max_bytes: int = 4096) -> str:
    """The start of a small file as text, '' where it cannot be read."""
    try:
        fd = os.open(path, os.O_RDONLY)
    except OSError:
        return ""
    try:
        return os.read(fd, max_bytes).decode("utf-8", "surrogateescape")
    except OSError:
        return ""
    finally:
        os.close(fd)


def file_size(path: str) -> int:
    """The size of a file in bytes, -1 where there is none."""
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return -1
