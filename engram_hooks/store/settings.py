"""Settings as hooks read them: defaults, the rows that cold code compiled from TOML, the environment."""

from __future__ import annotations

from engram_hooks.jsontext import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection

    Value = str | int | float | bool

# Every knob; the type of its default is its type. Help, ranges and who may set it: client/config.py.
DEFAULTS: dict[str, Value] = {
    "boot.max_chars": 4_000,
    "minder.max_chars": 600,
    "minder.eagerness": "normal",
    "preflight.mode": "confirm",
    "preflight.max_chars": 1_500,
    "invariants.mode": "confirm",
    "attempts.mode": "confirm",
    "precommit.strict": False,
    "log.retention_days": 0,
    "index.auto": False,
    "embed.model": "",
    "core.user_chars": 1_200,
    "core.agent_chars": 1_800,
    "consolidate.auto": True,
    "brain.command": "",
}
PREFIX = "ENGRAM_"


def read(db: Connection, project_id: int, environ: Mapping[str, str]) -> dict[str, Value]:
    """The effective settings of a project: defaults < the user's file < the repository's < `ENGRAM_*`.

    A value of the wrong type, wherever it stands, counts as not given.
    """
    found = dict(DEFAULTS)
    rows = db.execute(
        "SELECT key, value FROM settings WHERE project_id IN (0, ?) ORDER BY project_id <> 0", (project_id,)
    )
    for key, text in rows:
        if key in found:
            try:
                value = loads(text)
            except ValueError:
                continue
            if has_type_of(value, DEFAULTS[key]):
                found[key] = value  # type: ignore[assignment]
    return found | read_environment(environ)


def read_environment(environ: Mapping[str, str]) -> dict[str, Value]:
    """The settings that the environment gives, by key; unusable ones are left out."""
    found: dict[str, Value] = {}
    for key, default in DEFAULTS.items():
        text = environ.get(variable_of(key))
        if text is not None:
            value = parse_text(text, default)
            if value is not None:
                found[key] = value
    return found


def variable_of(key: str) -> str:
    """The environment variable of a setting: `boot.max_chars` -> `ENGRAM_BOOT_MAX_CHARS`."""
    return PREFIX + key.upper().replace(".", "_")


def parse_text(text: str, default: Value) -> Value | None:
    """A text as a value of the type of `default`; None where it is none."""
    if isinstance(default, bool):
        return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}.get(text.lower())
    if isinstance(default, str):
        return text
    try:
        return int(text) if isinstance(default, int) else float(text)
    except ValueError:
        return None


def has_type_of(value: object, default: Value) -> bool:
    """Whether a value can stand for the default: the same type, where a whole number may be a float's."""
    if isinstance(default, bool) or isinstance(value, bool):
        return isinstance(default, bool) and isinstance(value, bool)
    if isinstance(default, float):
        return isinstance(value, int | float)
    return isinstance(value, type(default))
