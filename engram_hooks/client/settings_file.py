"""Reading and replacing a settings file: atomic, links kept, nothing of another writer lost."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from engram_hooks.client.claude_settings import Plan
from engram_hooks.client.json_spans import JsonTextError
from engram_hooks.errors import EngramError, UsageError

ATTEMPTS = 8
FILE_MODE = 0o600


def find_settings(scope: str, *, environ: Mapping[str, str], home: Path, directory: Path) -> Path:
    """The settings file of a scope: `user` (all projects), `project` (shared with others) or `local`.

    `user` follows CLAUDE_CONFIG_DIR; the other two lie in `directory`, where the client is started.
    """
    if scope == "user":
        folder = environ.get("CLAUDE_CONFIG_DIR")
        return (
            Path(os.path.abspath(folder)) / "settings.json" if folder else home / ".claude" / "settings.json"
        )
    names = {"project": "settings.json", "local": "settings.local.json"}
    if scope not in names:
        raise UsageError(f"unknown scope {scope!r}", hint="use user, project or local")
    return directory / ".claude" / names[scope]


def apply(path: Path, planner: Callable[[str], Plan], *, dry_run: bool) -> Plan:
    """Run `planner` on the text of the file and write what it plans; returns the plan that was written.

    A missing file is an empty text. Links stay links: the file they lead to is replaced. A file that
    changes between reading and writing is planned again. Raises `EngramError` naming the file, and the
    place in it where it is no valid JSON; the file is then as it was.
    """
    target = Path(os.path.realpath(path))
    for _ in range(ATTEMPTS):
        try:
            content = _read(target)
            plan = _plan(path, content, planner)
            unchanged = plan.text == plan.before and not plan.remove_file
            if dry_run or unchanged or _write(target, content, plan):
                return replace(plan, created=content is None)
        except OSError as error:
            raise _explain(path, error) from error
    raise EngramError(
        f"{path} is being changed by another program all the time",
        hint="close it, then run the command again",
    )


def write_file(path: Path, content: bytes, *, mode: int) -> None:
    """Put `content` at `path` in one step: a reader sees the old file or the new one. Raises `OSError`."""
    temporary = _write_beside(path, content, mode=mode)
    try:
        _move(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _read(target: Path) -> bytes | None:
    try:
        if not stat.S_ISREG(target.stat().st_mode):
            raise EngramError(
                f"{target} is not a regular file", hint="move it away, then run the command again"
            )
        return target.read_bytes()
    except FileNotFoundError:
        return None


def _plan(path: Path, content: bytes | None, planner: Callable[[str], Plan]) -> Plan:
    remedy = "correct that place (the file is as it was), then run the command again"
    try:
        text = (content or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        before = (content or b"")[: error.start]
        line, column = before.count(b"\n") + 1, error.start - before.rfind(b"\n")
        raise EngramError(f"{path}: line {line}, column {column}: not UTF-8", hint=remedy) from error
    try:
        plan = planner(text)
    except JsonTextError as problem:
        raise EngramError(f"{path}: {problem.message}", hint=remedy) from problem
    return plan


def _write(target: Path, seen: bytes | None, plan: Plan) -> bool:
    """Replace the file unless it is no longer what was `seen`; returns whether it was replaced."""
    if plan.remove_file:
        return _remove(target, seen)
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = FILE_MODE if seen is None else stat.S_IMODE(target.stat().st_mode)
    temporary = _write_beside(target, plan.text.encode("utf-8"), mode=mode)
    try:
        if _read(target) != seen:
            return False
        _keep_owner(target, temporary)
        _move(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
    return True


def _remove(target: Path, seen: bytes | None) -> bool:
    if _read(target) != seen:
        return False
    target.unlink(missing_ok=True)
    return True


def _write_beside(path: Path, content: bytes, *, mode: int) -> Path:
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    temporary = Path(name)
    complete = False
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        complete = True
    finally:
        if not complete:
            temporary.unlink(missing_ok=True)
    return temporary


def _keep_owner(target: Path, temporary: Path) -> None:
    """A file of another user (setup run by root) stays that user's, where the system allows it."""
    if os.name != "nt" and target.exists():
        known = target.stat()
        if (known.st_uid, known.st_gid) != (os.geteuid(), os.getegid()):
            try:
                os.chown(temporary, known.st_uid, known.st_gid)
            except PermissionError:
                pass


def _move(temporary: Path, target: Path) -> None:
    os.replace(temporary, target)
    if os.name == "nt":
        return
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    except OSError:
        pass  # some file systems cannot sync a folder: the rename itself is done
    finally:
        os.close(folder)


def _explain(path: Path, error: OSError) -> EngramError:
    reason = error.strerror or str(error)
    return EngramError(
        f"cannot change {path}: {reason}", hint="check the owner and the rights of the file and its folder"
    )
