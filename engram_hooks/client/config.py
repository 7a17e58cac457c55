"""Settings files: read and judged, compiled into the store for hooks, changed line by line."""

from __future__ import annotations

import difflib
import os
import stat
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engram_hooks import paths
from engram_hooks.client import toml_edit
from engram_hooks.client.knobs import SETTINGS as SETTINGS
from engram_hooks.client.knobs import Knob
from engram_hooks.curate.identity import name_place
from engram_hooks.curate.problems import Problem as Problem
from engram_hooks.errors import EngramError, UsageError
from engram_hooks.store import compiled, places, settings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection

    from engram_hooks.store.settings import Value

FILE_NAME = "config.toml"
MAX_BYTES = 256 * 1024
MAX_PROBLEMS = 50
PROJECT_KEY = "project"


@dataclass(frozen=True, slots=True)
class Parsed:
    """A settings file: usable values with the line of each, the project's name, what cannot be used."""

    values: dict[str, tuple[Value, int]]
    project: str
    problems: list[Problem]
    is_readable: bool = True


def user_file(environ: Mapping[str, str]) -> str:
    """The user's own settings file; '' where there is no home."""
    folder = paths.config_dir(environ)
    return os.path.join(folder, FILE_NAME) if folder else ""


def repository_file(directory: str, environ: Mapping[str, str]) -> str:
    """The settings file at the top of the checkout or folder that holds `directory`; '' outside any."""
    root = paths.find_place(directory, paths.home_dir(environ))[1]
    return os.path.join(root, settings.REPOSITORY_FILE) if root else ""


def parse_file(path: str, *, is_repository: bool) -> Parsed:
    """Read and judge one settings file; a missing one gives nothing and no problem."""
    try:
        text = _read(path)
        if text is None:
            return Parsed({}, "", [])
        table = toml_edit.parse(text)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else f"this is not TOML: {error}"
        return Parsed({}, "", [Problem(path, 0, str(reason))], is_readable=False)
    return _judge(path, text, table, is_repository=is_repository)


def _read(path: str) -> str | None:
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not stat.S_ISREG(found.st_mode):
        raise ValueError("it is no regular file")
    if found.st_size > MAX_BYTES:
        raise ValueError(f"it is larger than {MAX_BYTES // 1024} KB")
    with open(path, "rb") as file:
        return file.read(MAX_BYTES + 1).decode("utf-8")


def _judge(path: str, text: str, table: toml_edit.Table, *, is_repository: bool) -> Parsed:
    values: dict[str, tuple[Value, int]] = {}
    faults: dict[str, str] = {}
    project = ""
    where = toml_edit.outline(text)
    for key, value in toml_edit.flatten(table):
        if value == {} or len(faults) >= MAX_PROBLEMS:
            continue
        if is_repository and key == PROJECT_KEY:
            project = places.clean_name(value) if isinstance(value, str) else ""
            fault = "" if project else "project must be a name"
        else:
            fault = _find_fault(key, value, is_repository=is_repository)
            if not fault:
                values[key] = (value, where.find_line(key))  # type: ignore[assignment]
        if fault:
            faults[key] = fault
    problems = [Problem(path, where.find_line(key), fault) for key, fault in faults.items()]
    return Parsed(values, project, problems)


def _find_fault(key: str, value: object, *, is_repository: bool) -> str:
    """Why a setting cannot be used, '' where it can."""
    knob = SETTINGS.get(key)
    if knob is None:
        if key == PROJECT_KEY:
            return f"{key} belongs into the {settings.REPOSITORY_FILE} of a repository"
        near = difflib.get_close_matches(key, SETTINGS, n=1)
        return f"there is no setting {key}" + (f"; did you mean {near[0]}?" if near else "")
    if is_repository and not knob.repository:
        return f"{key} cannot be set by a repository, only by you"
    if settings.accept(key, value) is None:
        return f"{key} must be {knob.expects}"
    return ""


def read_project_names(directory: str, home: str) -> dict[str, str]:
    """The project names that settings at or above a directory give: folder -> name, '' where there is none.

    Looks within the checkout (or marked folder) only, nearest first.
    """
    root = paths.find_place(directory, home)[1]
    here = os.path.realpath(directory) if root else ""
    names: dict[str, str] = {}
    while root and len(here) >= len(root):
        file = os.path.join(here, settings.REPOSITORY_FILE)
        names[here] = parse_file(file, is_repository=True).project
        here = os.path.dirname(here)
    return names


def find_problems(environ: Mapping[str, str], directory: str) -> list[Problem]:
    """What cannot be used in the two settings files that count in a directory. Changes nothing."""
    files = [(user_file(environ), False), (repository_file(directory, environ), True)]
    return [
        problem
        for path, is_repository in files
        if path
        for problem in parse_file(path, is_repository=is_repository).problems
    ]


def compile_settings(db: Connection, environ: Mapping[str, str], directory: str) -> list[Problem]:
    """Compile the user's file and those of the directory's project into the store; returns what is unusable.

    A file that is no TOML keeps the rows of its last good state. A project name that waits for trust is a
    problem too. Raises a `StoreError`.
    """
    now_ms = int(time.time() * 1000)
    home = paths.home_dir(environ)
    problems = _compile_file(db, user_file(environ), 0, is_repository=False)
    path = repository_file(directory, environ)
    if not path:
        return problems
    names = read_project_names(directory, home)
    if any(names.values()) or _is_named(db, directory, home):
        for name in name_place(db, directory, names, home=home, now_ms=now_ms):
            text = f"the name {name} is that of another project; `engram projects trust` joins it"
            problems.append(Problem(path, 0, text))
    if not os.path.exists(path) and not settings.is_stale(db, path):
        return problems
    project_id, _ = places.locate(db, directory, environ, now_ms=now_ms, create=True)
    return problems + _compile_file(db, path, project_id or 0, is_repository=True)


def _is_named(db: Connection, directory: str, home: str) -> bool:
    """Whether settings named this place before."""
    _, root, key = paths.find_place(directory, home)
    return places.project_of(db, places.named_key(key, root, root)) is not None


def _compile_file(db: Connection, path: str, project_id: int, *, is_repository: bool) -> list[Problem]:
    if not path or (is_repository and not project_id):
        return []
    stamp = settings.stamp_of(path)
    parsed = parse_file(path, is_repository=is_repository)
    if parsed.is_readable:
        rows = {key: (value, f"{path}:{line}") for key, (value, line) in parsed.values.items()}
        compiled.replace_rows(db, path, project_id, rows, stamp=stamp, now_ms=int(time.time() * 1000))
    else:
        compiled.mark_read(db, path, project_id, stamp=stamp)
    return parsed.problems


def refresh_settings(db: Connection, environ: Mapping[str, str], directory: str = "") -> list[Problem]:
    """Compile what changed since it was compiled: the user's file, the directory's, all files known to the store.

    Costs one look at each file where nothing changed. Returns what is unusable in the changed ones.
    """
    own = user_file(environ)
    known = dict.fromkeys(compiled.list_files(db))
    for path in (own, repository_file(directory, environ) if directory else ""):
        if path:
            known[path] = None
    problems = []
    for path in known:
        if settings.is_stale(db, path):
            folder = "" if path == own else os.path.dirname(os.path.dirname(path))
            problems += compile_settings(db, environ, folder)
    return problems


def parse_value(key: str, text: str) -> Value:
    """A text from the command line as a value of a setting. Raises `UsageError` naming what it must be."""
    knob = find_knob(key)
    value = settings.parse_text(text.strip(), knob.default)
    if value is None or settings.accept(key, value) is None:
        raise UsageError(f"{key} must be {knob.expects}, not {text!r}", hint=f"engram config get {key}")
    return value


def find_knob(key: str) -> Knob:
    """The setting of a name. Raises `UsageError` where there is none."""
    if key not in SETTINGS:
        raise UsageError(_find_fault(key, "", is_repository=False), hint="engram config list")
    return SETTINGS[key]


def change_file(path: str, key: str, value: Value | None, *, is_repository: bool) -> bool:
    """Set one value in a settings file, or remove it (None); whether the file is different now.

    Other lines, comments and order stay; a new file is private. Raises `EngramError` where the file is no
    TOML, the key may not stand in it, or the line cannot be changed.
    """
    if not path:
        raise EngramError("there is no place for settings: neither HOME nor ENGRAM_HOME is set")
    if is_repository and key != PROJECT_KEY and not find_knob(key).repository:
        raise UsageError(f"{key} cannot be set by a repository, only by you", hint="leave --repository out")
    try:
        before = _read(path) or ""
        toml_edit.parse(before)
    except (OSError, ValueError) as error:
        raise EngramError(f"{path} cannot be changed: {error}", hint="correct the file first") from error
    after = toml_edit.unset_value(before, key) if value is None else toml_edit.set_value(before, key, value)
    if after != before:
        _write(path, after, is_private=not is_repository)
    return after != before


def _write(path: str, text: str, *, is_private: bool) -> None:
    """Replace a file as a whole; a link stays a link, and the mode stays what it was."""
    target = os.path.realpath(path)
    mode = 0o600 if is_private else 0o644
    try:
        if is_private:
            paths.make_private_dir(os.path.dirname(target))
        else:
            os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.exists(target):
            mode = stat.S_IMODE(os.stat(target).st_mode)
        temporary = f"{target}.new-{os.getpid()}"
        fd = os.open(temporary, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
        with os.fdopen(fd, "wb") as file:
            file.write(text.encode())
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except OSError as error:
        raise EngramError(f"{path} cannot be written: {error.strerror}") from error
