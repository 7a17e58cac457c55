"""A repository that borrows the objects of another one: to add commits and indexes without touching that."""

from __future__ import annotations

import os
from pathlib import Path

from engram_hooks.errors import EngramError
from engram_hooks.history import git

MAIN = "refs/heads/main"
# unpacked objects would be looked up one by one, and those of the lender get a new time then
IMPORT = "-c", "fastimport.unpackLimit=0", "fast-import", "--quiet", "--date-format=raw-permissive"
_WHO = "engram bench <bench@example.com>"
_MAX_FILE_BYTES = 200_000


def borrow(repo: Path, folder: Path) -> Path:
    """A new bare repository at `folder` whose branch stands at the head of `repo`; nothing is copied.

    Raises `GitError` where `repo` is no repository, `EngramError` where it has no commit.
    """
    source = str(repo)
    head = read_head(repo)
    kind = _ask(source, "rev-parse", "--show-object-format")
    folder.mkdir(parents=True)
    git.run(
        ["init", "-q", "--bare", "--template=", f"--object-format={kind}", "--initial-branch=main", "."],
        str(folder),
    )
    objects = _ask(source, "rev-parse", "--path-format=absolute", "--git-path", "objects")
    (folder / "objects" / "info").mkdir(exist_ok=True)
    (folder / "objects" / "info" / "alternates").write_text(objects + "\n", "utf-8")
    shallow = Path(_ask(source, "rev-parse", "--path-format=absolute", "--git-path", "shallow"))
    if shallow.is_file():
        (folder / "shallow").write_bytes(shallow.read_bytes())
    git.run(["update-ref", MAIN, head], str(folder))
    return folder


def read_head(repo: Path) -> str:
    """The hash of the repository's head. Raises `EngramError` where there is none."""
    try:
        return _ask(str(repo), "rev-parse", "--verify", "-q", "HEAD^{commit}")
    except git.GitMissing:
        raise
    except git.GitError as error:
        raise EngramError(f"there is no commit to measure with in {repo}") from error


def add_commit(folder: Path, number: int) -> str:
    """Commit a small change of a file that was changed lately; the path of that file."""
    where = str(folder)
    listing = git.run(
        ["log", "-100", "--no-merges", "--diff-filter=M", "--name-only", "-z", "--format="], where
    )
    names = dict.fromkeys(os.fsdecode(name) for name in listing.split(b"\0") if name)
    for path in names:
        if '"' in path or "\n" in path:
            continue
        try:
            content = git.run(["cat-file", "blob", f"{MAIN}:{path}"], where)
        except git.GitMissing:
            raise
        except git.GitError:
            continue  # gone since
        lines = content.split(b"\n")
        if b"\0" in content or len(content) > _MAX_FILE_BYTES or len(lines) < 3:
            continue
        lines.insert(len(lines) // 2, b"measured %d" % number)
        _write_commit(where, path, b"\n".join(lines), number=number)
        return path
    raise EngramError(f"no file of {folder} was changed lately")


def packed_bytes(repo: Path) -> int:
    """What the objects of a repository take on disk."""
    rows = _ask(str(repo), "count-objects", "-v").splitlines()
    sizes = dict(row.split(": ", 1) for row in rows)
    return 1024 * (int(sizes["size-pack"]) + int(sizes["size"]))


def _write_commit(where: str, path: str, content: bytes, *, number: int) -> None:
    head = _ask(where, "rev-parse", MAIN)
    moment = int(_ask(where, "show", "-s", "--format=%ct", head)) + 60
    message = b"Measure %d" % number
    stream = b"".join(
        [
            f"commit {MAIN}\ncommitter {_WHO} {moment} +0000\n".encode(),
            b"data %d\n%s\nfrom %s\n" % (len(message), message, head.encode()),
            b"M 100644 inline " + os.fsencode(path) + b"\n",
            b"data %d\n%s\n" % (len(content), content),
        ]
    )
    git.run(IMPORT, where, stdin=stream)


def _ask(where: str, *arguments: str) -> str:
    return os.fsdecode(git.run(arguments, where, timeout_s=600.0)).strip()
