"""Settings as hooks read them: defaults, the rows that cold code compiled from TOML, the environment."""

from __future__ import annotations

import os

from engram_hooks.jsontext import loads
from engram_hooks.paths import config_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection

    Value = str | int | float | bool

# Every knob; the type of its default is its type. What each means: client/knobs.py.
DEFAULTS: dict[str, Value] = {
    "boot.max_chars": 4_000,
    "minder.max_chars": 600,
    "minder.eagerness": "normal",
    "preflight.mode": "advise",
    "preflight.max_chars": 1_500,
    "invariants.mode": "confirm",
    "attempts.mode": "confirm",
    "precommit.strict": False,
    "log.retention_days": 0,
    "index.auto": False,
    "embed.model": "",
    "core.user_chars": 1_200,
    "core.agent_chars": 1_800,
    "branch.mainline": "",
    "branch.scope": "project",
    "branch.promote": "ask",
    "consolidate.auto": True,
    "consolidate.idle_minutes": 20,
    "consolidate.every_hours": 20,
    "consolidate.skip": "",
    "brain.command": "",
    "brain.calls_per_hour": 10,
    "brain.tokens_per_hour": 50_000,
    "brain.timeout_s": 60,
}
MODES = "off", "advise", "confirm", "ask"  # each stricter than the one before
CHOICES = {
    "minder.eagerness": ("off", "low", "normal", "high"),
    "preflight.mode": MODES,
    "invariants.mode": MODES,
    "attempts.mode": MODES,
    "branch.scope": ("project", "branch"),
    "branch.promote": ("ask", "auto", "off"),
}
RANGES = {
    "boot.max_chars": (0, 9_000),
    "minder.max_chars": (0, 9_000),
    "preflight.max_chars": (0, 9_000),
    "log.retention_days": (0, 36_500),
    "consolidate.idle_minutes": (0, 1_440),
    "consolidate.every_hours": (1, 8_760),
    "core.user_chars": (0, 6_000),
    "core.agent_chars": (0, 6_000),
    "brain.calls_per_hour": (0, 1_000),
    "brain.tokens_per_hour": (0, 10_000_000),
    "brain.timeout_s": (1, 600),
}
# what the file of a repository, which is somebody else's, may set: budgets, and modes towards stricter
BUDGETS = "boot.max_chars", "minder.max_chars", "preflight.max_chars"
TIGHTENED = "preflight.mode", "invariants.mode", "attempts.mode", "precommit.strict"

PREFIX = "ENGRAM_"
REPOSITORY_FILE = os.path.join(".engram", "config.toml")


def read(db: Connection, project_id: int, environ: Mapping[str, str]) -> dict[str, Value]:
    """The effective settings of a project: defaults < the user's file < the repository's < `ENGRAM_*`.

    An unusable value, wherever it stands, counts as not given.
    """
    return {key: value for key, (value, _) in trace(db, project_id, environ).items()}


def trace(db: Connection, project_id: int, environ: Mapping[str, str]) -> dict[str, tuple[Value, str]]:
    """The effective settings with where each comes from: '' for a default, `file:line`, or the variable."""
    found: dict[str, tuple[Value, str]] = {key: (value, "") for key, value in DEFAULTS.items()}
    rows = db.execute(
        "SELECT key, value, source, project_id FROM settings WHERE project_id IN (0, ?) ORDER BY project_id <> 0",
        (project_id,),
    )
    for key, text, source, owner in rows:
        try:
            value = accept(key, loads(text))
        except ValueError:
            continue
        if value is not None and (not owner or may_set(key, value, found[key][0])):
            found[key] = (value, source)
    for key, value in read_environment(environ).items():
        found[key] = (value, variable_of(key))
    return found


def read_environment(environ: Mapping[str, str]) -> dict[str, Value]:
    """The settings that the environment gives, by key; unusable ones are left out."""
    found: dict[str, Value] = {}
    given = {name for name in environ if name.startswith(PREFIX)}
    if given <= {f"{PREFIX}HOME"}:
        return found
    for key, default in DEFAULTS.items():
        text = environ.get(variable_of(key))
        if text is not None:
            value = accept(key, parse_text(text.strip(), default))
            if value is not None:
                found[key] = value
    return found


def variable_of(key: str) -> str:
    """The environment variable of a setting: `boot.max_chars` -> `ENGRAM_BOOT_MAX_CHARS`."""
    return PREFIX + key.upper().replace(".", "_")


def parse_text(text: str, default: Value) -> Value | None:
    """A text as a value of the type of `default`; None where it is none."""
    if isinstance(default, bool):
        words = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False}
        return {**words, "off": False}.get(text.lower())
    if isinstance(default, str):
        return text
    try:
        return int(text) if isinstance(default, int) else float(text)
    except ValueError:
        return None


def accept(key: str, value: object) -> Value | None:
    """The value where it can be that of the setting: known key, its type, choices and range; else None."""
    if key not in DEFAULTS or not _has_type_of(value, DEFAULTS[key]):
        return None
    if key in CHOICES and value not in CHOICES[key]:
        return None
    if key in RANGES and not RANGES[key][0] <= value <= RANGES[key][1]:  # type: ignore[operator]
        return None
    return value  # type: ignore[return-value]


def may_set(key: str, value: Value, before: Value) -> bool:
    """Whether a repository may change a setting from `before` to `value`."""
    if key in BUDGETS:
        return True
    if key in TIGHTENED:
        order = CHOICES.get(key, (False, True))
        return order.index(value) >= order.index(before)
    return False


def is_stale(db: Connection, path: str) -> bool:
    """Whether a settings file is not what was compiled last: new, changed or gone. Reads its size and time."""
    row = db.execute("SELECT size_bytes, mtime_ns FROM settings_files WHERE path = ?", (path,)).fetchone()
    return stamp_of(path) != (tuple(row) if row else (-1, 0))


def is_anything_stale(db: Connection, environ: Mapping[str, str], root: str) -> bool:
    """Whether the user's settings file or that of the checkout at `root` ('' = none) has to be compiled."""
    folder = config_dir(environ)
    files = [os.path.join(folder, "config.toml")] if folder else []
    files += [os.path.join(root, REPOSITORY_FILE)] if root else []
    return any(is_stale(db, path) for path in files)


def stamp_of(path: str) -> tuple[int, int]:
    """(size in bytes, mtime in ns) of a file, (-1, 0) where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return (-1, 0)
    return (found.st_size, found.st_mtime_ns)


def queue_compile(db: Connection, root: str, project_id: int, *, now_ms: int) -> bool:
    """Queue the settings file of a checkout for the worker where it is stale; whether it is.

    A hook calls this once a session, within its own transaction or without one.
    """
    path = os.path.join(root, REPOSITORY_FILE)
    if not root or not is_stale(db, path):
        return False
    from engram_hooks.store.jobs import add_job
    from engram_hooks.store.transactions import Transaction

    with Transaction(db):
        db.execute("INSERT OR IGNORE INTO settings_files VALUES (?, ?, -2, 0)", (path, project_id))
        add_job(db, "settings", path, project_id=project_id, now_ms=now_ms)
    return True


def queue_rules(db: Connection, file: str, project_id: int, *, now_ms: int) -> bool:
    """Queue a file of rules for the worker; always true."""
    from engram_hooks.store.jobs import add_job
    from engram_hooks.store.transactions import Transaction

    with Transaction(db):
        add_job(db, "rules", file, project_id=project_id, now_ms=now_ms)
    return True


def _has_type_of(value: object, default: Value) -> bool:
    """Whether a value can stand for the default: the same type, where a whole number may be a float's."""
    if isinstance(default, bool) or isinstance(value, bool):
        return isinstance(default, bool) and isinstance(value, bool)
    if isinstance(default, float):
        return isinstance(value, int | float)
    return isinstance(value, type(default))
